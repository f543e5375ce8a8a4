package observe

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/taskgroup"
)

// candidate is a topic that may be the one.
type candidate struct {
	topicInfo
	compacted  bool            // or not known
	connectors map[string]bool // by name: its newest record is no tombstone
	workers    map[string]bool // addresses that status records name
	flows      map[string]bool // pairs of clusters that they name: MirrorMaker's
	claims     map[group.Unit]claim
	newest     time.Time // of its records
	known      int       // keys that fit
	unknown    int
	trimmed    bool // its first records were deleted, which compaction does not do
}

// claim is the newest record of a unit's status.
type claim struct {
	worker     string // as workers call themselves
	state      string
	generation int32
	at         time.Time
}

// strange says that a topic holds other things. A few keys of a kind that we do not know yet do not make it so.
func (c *candidate) strange() bool { return c.unknown > c.known+3 }

// look finds the topics of a kind that fit the newest round. Most topics are ruled out by their settings and offsets, most of
// the others by the keys of their first records; what is left is read to its end.
func (k kind) look(ctx context.Context, cl *cluster, view *roster) (look, error) {
	held, offset := view.holding()
	var l look
	all, err := topics(ctx, cl)
	if err != nil || len(held) == 0 && (offset <= 0 || k.role != configKind.role) {
		return l, err // without connectors any idle group's topics would fit
	}
	var names []string
	all = slices.DeleteFunc(all, func(t topicInfo) bool {
		return t.internal || strings.HasPrefix(t.name, "__") || len(t.partitions) == 0 || k.onePartition && len(t.partitions) != 1 ||
			slices.ContainsFunc(t.partitions, func(p partitionInfo) bool { return p.leader < 0 })
	})
	for _, t := range all {
		names = append(names, t.name)
	}
	policies, err := topicConfigs(ctx, cl, names, "cleanup.policy")
	if err != nil {
		return l, err
	}
	starts, ends, silent, err := bounds(ctx, cl, all)
	if err != nil {
		return l, err
	}
	var some, read []*candidate
	for _, t := range all {
		start, end := starts[t.name], ends[t.name]
		err := t.ledBy(silent)
		if err == nil && k.onePartition && offset >= 0 && offset > end[0] {
			continue
		}
		c := &candidate{topicInfo: t, connectors: map[string]bool{}, workers: map[string]bool{}, flows: map[string]bool{}, claims: map[group.Unit]claim{}}
		c.trimmed = k.onePartition && start[0] > 0
		policy := policies[t.name]["cleanup.policy"]
		c.compacted = policy == "" || strings.Contains(policy, "compact")
		switch {
		case err != nil:
			l.leaveUnread(c, err)
		case !maps.Equal(start, end):
			some = append(some, c)
		case c.trimmed: // there is nothing to read
			read = append(read, c)
		}
	}
	if some, err = k.probe(ctx, cl, some, starts, ends, &l); err != nil {
		return l, err
	}
	for _, c := range some {
		switch err := k.readAll(ctx, cl, c); {
		case err == nil:
			read = append(read, c)
		case ctx.Err() == nil && ofOneBroker(err):
			l.leaveUnread(c, err)
		default:
			return l, err
		}
	}
	urls, flows := view.urls(), view.flows()
	for _, c := range read {
		switch {
		case k.emptied(c, held, offset):
			l.emptied = append(l.emptied, c)
		case !k.fits(c, held, urls, flows):
		case c.compacted:
			l.fit = append(l.fit, c)
		default:
			l.loose = append(l.loose, c)
		}
	}
	for _, some := range [][]*candidate{l.fit, l.loose, l.emptied} {
		slices.SortFunc(some, func(a, b *candidate) int { return strings.Compare(a.name, b.name) })
	}
	return l, nil
}

// ofOneBroker says whether an error is the failure of one broker, which says nothing of the others.
func ofOneBroker(err error) bool {
	var none *noneAnsweredError
	var one *peerError
	return errors.As(err, &one) && !errors.As(err, &none)
}

// ledBy gives the failure of a broker that leads one of the topic's partitions; nil when none of its leaders failed.
func (t *topicInfo) ledBy(failed map[int32]error) error {
	for _, p := range t.partitions {
		if err := failed[p.leader]; err != nil {
			return err
		}
	}
	return nil
}

// bounds asks for start and end of all partitions. A topic about which a broker will not tell has none, and counts as empty.
// silent are the leaders that do not answer, and why.
func bounds(ctx context.Context, cl *cluster, all []topicInfo) (starts, ends offsets, silent map[int32]error, err error) {
	starts, ends, silent = offsets{}, offsets{}, map[int32]error{}
	byLeader := map[int32]map[string][]int32{}
	for _, t := range all {
		starts[t.name], ends[t.name] = map[int32]int64{}, map[int32]int64{}
		for p, at := range t.partitions {
			if byLeader[at.leader] == nil {
				byLeader[at.leader] = map[string][]int32{}
			}
			byLeader[at.leader][t.name] = append(byLeader[at.leader][t.name], int32(p))
		}
	}
	ask := func(leader int32, out offsets, at int64) error {
		got, err := listOffsets(ctx, cl, leader, byLeader[leader], at, false)
		if got == nil {
			return err
		}
		for name, ps := range got {
			maps.Copy(out[name], ps)
		}
		return nil
	}
	for leader := range byLeader {
		if err = ask(leader, starts, atStart); err == nil {
			err = ask(leader, ends, atEnd)
		}
		switch {
		case err == nil:
		case ctx.Err() != nil || !ofOneBroker(err):
			return nil, nil, nil, err
		default:
			silent[leader] = err
		}
	}
	return starts, ends, silent, nil
}

const (
	probeBytes  = 64 << 10
	probeTopics = 100 // in one request
)

// probe looks at the first records of each candidate, many in one request, and leaves those that may be of the kind.
func (k kind) probe(ctx context.Context, cl *cluster, some []*candidate, starts, ends offsets, l *look) ([]*candidate, error) {
	type place struct {
		c *candidate
		p int32
	}
	byLeader := map[int32][]place{}
	for _, c := range some {
		for p, at := range c.partitions {
			if n := int32(p); starts[c.name][n] < ends[c.name][n] {
				byLeader[at.leader] = append(byLeader[at.leader], place{c, n})
				break
			}
		}
	}
	var left []*candidate
	for leader, places := range byLeader {
		for chunk := range slices.Chunk(places, probeTopics) {
			var wanted []kmsg.FetchRequestTopic
			byTopic := map[string]place{}
			byID := map[[16]byte]string{}
			for _, at := range chunk {
				p := kmsg.NewFetchRequestTopicPartition()
				p.Partition, p.FetchOffset, p.PartitionMaxBytes = at.p, starts[at.c.name][at.p], probeBytes
				t := kmsg.NewFetchRequestTopic()
				t.Topic, t.TopicID, t.Partitions = at.c.name, at.c.id, append(t.Partitions, p)
				wanted = append(wanted, t)
				byTopic[at.c.name], byID[at.c.id] = at, at.c.name
			}
			ask, cancel := context.WithTimeout(ctx, requestTimeout)
			kresp, err := cl.at(ask, leader, func() kmsg.Request {
				req := kmsg.NewPtrFetchRequest()
				req.MaxWaitMillis, req.MinBytes, req.MaxBytes, req.SessionEpoch = 0, 0, probeTopics*probeBytes, -1
				req.Topics = wanted
				return req
			})
			cancel()
			if ctx.Err() == nil && ofOneBroker(err) {
				for _, at := range chunk {
					l.leaveUnread(at.c, err)
				}
				continue
			}
			if err != nil {
				return nil, err
			}
			resp := kresp.(*kmsg.FetchResponse)
			if err := kerr.ErrorForCode(resp.ErrorCode); err != nil {
				return nil, err
			}
			for _, t := range resp.Topics {
				name := t.Topic
				if name == "" {
					name = byID[t.TopicID]
				}
				at, ok := byTopic[name]
				for _, p := range t.Partitions {
					switch {
					case !ok || p.Partition != at.p:
					case p.ErrorCode == kerr.TopicAuthorizationFailed.Code:
						l.denied = append(l.denied, name)
					case p.ErrorCode == 0 && k.promising(p.RecordBatches, starts[name][at.p]):
						left = append(left, at.c)
					}
				}
			}
		}
	}
	return left, nil
}

// promising says whether the first records of a topic may be of the kind. Nothing whole to look at does not rule it out.
func (k kind) promising(batches []byte, from int64) bool {
	var c candidate
	_, _ = newWalker(nil).walk(batches, from, aborts{}, func(r record) {
		if _, fits := k.connector(r.key); fits {
			c.known++
		} else {
			c.unknown++
		}
	})
	return !c.strange()
}

var errStrange = errors.New("a topic of other things")

// readAll reads a candidate to its end, or until it turns out to hold other things.
func (k kind) readAll(ctx context.Context, cl *cluster, c *candidate) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	see := make(chan record) // partitions come concurrently; one loop counts
	t := &tail{cl: cl, topic: c.name, partition: -1, from: atStart, toEnd: true, lost: func(string, ...any) {}}
	t.each = func(_ int32, r record) {
		r.key, r.value = slices.Clone(r.key), slices.Clone(r.value)
		select {
		case see <- r:
		case <-ctx.Done():
		}
	}
	all, _ := taskgroup.New(ctx)
	all.Go("reading "+c.name, func(context.Context) error {
		defer close(see)
		for !t.finished() {
			if err := t.pass(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	c.known, c.unknown = 0, 0
	for r := range see {
		k.see(c, r)
		if c.strange() {
			cancel(errStrange)
		}
	}
	err := all.Wait()
	if errors.Is(context.Cause(ctx), errStrange) {
		return nil
	}
	return err
}

// see takes one record of a candidate in.
func (k kind) see(c *candidate, r record) {
	name, fits := k.connector(r.key)
	if !fits {
		c.unknown++
		return
	}
	c.known++
	if name != "" {
		c.connectors[name] = r.value != nil
	}
	at := time.UnixMilli(r.at).UTC()
	if at.After(c.newest) {
		c.newest = at
	}
	if k.role != statusKind.role {
		return
	}
	switch s, err := decode.ParseStatus(r.key, r.value); {
	case err != nil || s.Kind != decode.StatusOfUnit:
	case s.Deleted:
		delete(c.claims, s.Unit)
	default:
		id := decode.ParseWorkerID(s.WorkerID)
		if id.Address != "" {
			c.workers[id.Address] = true
		}
		if id.Flow != "" {
			c.flows[id.Flow] = true
		}
		c.claims[s.Unit] = claim{s.WorkerID, s.State, s.Generation, at}
	}
}

// offsetsKey reads a key of an offsets topic: a JSON array of the connector's name and its source partition.
func offsetsKey(key []byte) (string, bool) {
	var pair []json.RawMessage
	var name string
	if json.Unmarshal(key, &pair) != nil || len(pair) != 2 || json.Unmarshal(pair[0], &name) != nil {
		return "", false
	}
	return name, name != ""
}
