package ghost

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"regroup/actions/act"
	"regroup/actions/process"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group"
	"regroup/group/assign"
	"regroup/internal/words"
)

// ghost is the ghost worker's place in its group. It lives in one goroutine: it has no work that a heartbeat would have to go
// on beside.
type ghost struct {
	opt   Ghost
	group string
	url   string
	cl    *kgo.Client
	watch *act.Watch
	tell  func(string)

	id         string
	generation int32
	protocol   string             // of the last join
	snapshot   *decode.Assignment // all that it holds, in Assigned; nil: nothing
	completed  int32              // generation of the last completed join
	state      assign.LeaderState // what it remembers as a leader
	configs    string             // what was configured when it joined, see fingerprint
	rejoin     bool
	scheduled  time.Time // when to join again because of a delay; zero: never
	away       time.Time // since when the coordinator does not answer; zero: it does

	rounds, led, most int
}

// retryBackoff is Connect's retry.backoff.ms.
const retryBackoff = 100 * time.Millisecond

// run joins, and goes on joining and beating until ctx ends.
func (m *ghost) run(ctx context.Context) error {
	for ctx.Err() == nil {
		if m.rejoin {
			ok, err := m.join(ctx)
			if err != nil {
				return err
			}
			if !ok {
				m.letGo()
				_ = act.Sleep(ctx, retryBackoff)
				continue
			}
		}
		m.idle(ctx)
	}
	return nil
}

// idle waits for the next heartbeat, or for something that wants a new round.
func (m *ghost) idle(ctx context.Context) {
	wait := m.opt.Heartbeat
	if !m.scheduled.IsZero() {
		wait = min(wait, max(0, time.Until(m.scheduled)))
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		s, changed, ended, _ := m.watch.Snapshot()
		if s != nil && fingerprint(s) != m.configs {
			m.rejoin = true // as every worker does when connectors come, go or have other tasks
			return
		}
		if ended {
			changed = nil
		}
		select {
		case <-changed:
			continue
		case <-timer.C:
			if !m.scheduled.IsZero() && !time.Now().Before(m.scheduled) {
				m.scheduled, m.rejoin = time.Time{}, true
				return
			}
			m.heartbeat(ctx)
		case <-ctx.Done():
		}
		return
	}
}

// complete takes in what the leader decided.
func (m *ghost) complete(protocol string, generation int32, told decode.Assignment) {
	m.protocol, m.completed, m.rejoin, m.scheduled = protocol, generation, false, time.Time{}
	merged := assign.Java17.Merge(m.snapshot, protocol, told)
	merged.Revoked = nil
	m.snapshot = &merged
	if told.DelayMs > 0 {
		m.scheduled = time.Now().Add(time.Duration(told.DelayMs) * time.Millisecond)
	}
	// What was revoked has stopped already, for it never ran.
	m.rejoin = len(told.Revoked) > 0 || told.Error != decode.NoError
	m.rounds++
	n := decode.Count(merged.Assigned)
	m.most = max(m.most, n)
	role := ""
	if told.Leader == m.id {
		m.led++
		role = ", leads"
	}
	m.tell(fmt.Sprintf("round %d: holds %s%s", generation, words.Count(n, "unit"), role))
}

// letGo: a worker that has not reached its coordinator for a heartbeat interval holds nothing any more, since others may have
// been given it.
func (m *ghost) letGo() {
	if !m.away.IsZero() && time.Since(m.away) >= m.opt.Heartbeat {
		m.snapshot = nil
	}
}

// fingerprint tells two configurations apart where a worker would join again.
func fingerprint(s *group.State) string {
	var out strings.Builder
	for _, c := range s.Configs() {
		if c.Live {
			fmt.Fprintf(&out, "%q %d\n", c.Name, c.CommitOffset)
		}
	}
	return out.String()
}

// syncTimeout is Connect's worker.sync.timeout.ms: for so long a leader that is behind reads the config topic.
const syncTimeout = 3 * time.Second

// offset is the config offset that the ghost can vouch for: that of the last round, or of the newest record that it knows.
// More would keep a leader reading for records that are none: an end that holds transaction markers lies behind the last.
func (m *ghost) offset() int64 {
	s := m.watch.State()
	if s == nil {
		return -1
	}
	m.configs = fingerprint(s)
	out := int64(-1)
	if r := s.Round(); r != nil && !r.Empty() && s.ConfigEnd() >= r.ConfigOffset {
		out = r.ConfigOffset
	}
	for _, c := range s.Configs() {
		out = max(out, c.RecordOffset+1, c.CommitOffset+1)
	}
	return out
}

// lead decides the round as Connect's leader does, and gives the bytes for each member. Members that it cannot read get
// nothing, and so does everybody when it cannot decide: they will join again.
func (m *ghost) lead(ctx context.Context, join *kmsg.JoinGroupResponse) map[string][]byte {
	req := assign.Request{
		Now: time.Now().UnixMilli(), Generation: join.Generation, LastCompleted: m.completed, Leader: join.MemberID,
		Protocol: *join.Protocol,
	}
	furthest := int64(-1)
	for _, rm := range join.Members {
		s, err := decode.ParseSubscription(rm.ProtocolMetadata)
		if err != nil {
			continue
		}
		req.Members = append(req.Members, assign.Joining(rm.MemberID, s))
		furthest = max(furthest, s.ConfigOffset)
	}
	req.Config = m.config(ctx, furthest)
	decision, state, err := m.state.Decide(req)
	if err != nil {
		m.tell(err.Error())
		return nil
	}
	m.state = state
	out := make(map[string][]byte, len(req.Members))
	for i, a := range decision.Assignments {
		out[req.Members[i].ID] = decode.AppendAssignment(nil, a)
	}
	return out
}

// config is what is configured at that offset, or as far as the config topic could be read in time.
func (m *ghost) config(ctx context.Context, offset int64) assign.Config {
	s, err := m.watch.Until(ctx, "the config topic", syncTimeout, func(s *group.State) string {
		if s.ConfigEnd() < offset {
			return fmt.Sprintf("read to %d, wanted %d", s.ConfigEnd(), offset)
		}
		return ""
	})
	c := assign.Config{Offset: offset, Connectors: map[string]int{}}
	if err != nil {
		c.Offset = -1 // the leader is behind: the round fails, as a worker's would
	}
	if s == nil {
		return c
	}
	for _, k := range s.Configs() {
		if k.Live {
			c.Connectors[k.Name] = k.Tasks
		}
	}
	return c
}

// ghostREST is the ghost's REST interface: it says what it is, and refuses everything.
type ghostREST struct {
	url    string
	server *http.Server
	done   chan struct{}
}

func serveGhost(listen, client string) (*ghostREST, error) {
	refusal, err := json.Marshal(map[string]any{
		"error_code": http.StatusServiceUnavailable,
		"message":    client + " is a ghost worker of regroup: it holds units and runs none, and serves no requests; ask again when it has left",
	})
	if err != nil {
		return nil, fmt.Errorf("ghost: its REST interface: %w", err)
	}
	l, err := net.Listen("tcp", cmp.Or(listen, "127.0.0.1:0")) //nolint:noctx // a listening socket opens at once or not at all
	if err != nil {
		return nil, fmt.Errorf("ghost: its REST interface: %w", err)
	}
	g := &ghostREST{url: "http://" + l.Addr().String() + "/", done: make(chan struct{})}
	g.server = &http.Server{ReadHeaderTimeout: process.AnswerTime, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/" {
			_, _ = w.Write([]byte(`{"version":"ghost","commit":"regroup","kafka_cluster_id":""}`))
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write(refusal)
	})}
	go func() { // net/http recovers what its handlers panic with
		defer close(g.done)
		_ = g.server.Serve(l) // until close
	}()
	return g, nil
}

func (g *ghostREST) close() {
	_ = g.server.Close()
	<-g.done
}
