package observe

import (
	"maps"
	"net/url"
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
)

// roster is what one source may need to know of another: the newest members, and whether more is to be expected soon.
// It is kept for each round of a storm, so what it takes to read members' bytes is done by who asks. changed is closed when it changes.
type roster struct {
	recorded  []decode.Member // of the newest record that had any; an old one while the log is being read
	history   []roundMark     // of the rounds in the log, oldest first, since the group was last deleted
	described []decode.Member // of the newest Stable description
	authors   map[string]bool // addresses of workers that statuses name; made anew when one is added
	movedAt   time.Time       // when a group record was last seen
	log       group.Health    // "" until it has said something
	describe  group.Health
	status    group.Health
	changed   chan struct{}
}

// members are those of the newest round, with their bytes: of a description, until the log has been read to its end.
func (r *roster) members() []decode.Member {
	if r.log == group.HealthOK && len(r.recorded) > 0 || len(r.described) == 0 && r.told() {
		return r.recorded
	}
	return r.described
}

// note takes a fact in. The stream's lock is held.
func (r *roster) note(f group.Fact, now time.Time) {
	switch f := f.(type) {
	case group.LogRecord:
		r.mark(f)
		if f.Record != nil && len(f.Record.Members) > 0 {
			r.recorded = f.Record.Members
		}
		if r.log != group.HealthOK {
			return // of the past: nobody needs to hear of each
		}
		r.movedAt = now
	case group.StatusRecord:
		at := f.Record.WorkerID
		if r.authors[at] || at == "" || decode.ParseWorkerID(at).Address != at {
			return
		}
		authors := map[string]bool{at: true}
		maps.Copy(authors, r.authors)
		r.authors = authors
	case group.Description:
		if f.State != "Stable" || len(f.Members) == 0 || r.log == group.HealthOK && len(r.recorded) > 0 {
			return
		}
		r.described = f.Members
	case group.SourceReport:
		switch f.Source {
		case group.SourceLog:
			r.log = f.Health
		case group.SourceDescribe:
			r.describe = f.Health
		case group.SourceStatus:
			if r.status == f.Health {
				return
			}
			r.status = f.Health
		default:
			return
		}
	default:
		return
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

// roundMark is what dates a topic's records: when a generation was recorded.
type roundMark struct {
	generation int32
	at         time.Time
}

const maxMarks = 2048

// mark notes when a generation was recorded. A group that was deleted begins again. Readers of an older view keep their slice.
func (r *roster) mark(f group.LogRecord) {
	switch {
	case f.Err != nil:
	case f.Record == nil || len(r.history) > 0 && f.Record.Generation < r.history[len(r.history)-1].generation:
		r.history = nil
	case len(r.history) >= maxMarks: // the first one stays: topics are held against it
		r.history = append([]roundMark{r.history[0]}, r.history[maxMarks/2:]...)
	}
	if f.Record != nil {
		r.history = append(r.history, roundMark{f.Record.Generation, f.At})
	}
}

// urls are the addresses of the newest members, host:port, as status records name workers.
func (r *roster) urls() []string { return addressesOf(r.members()) }

func addressesOf(members []decode.Member) (out []string) {
	for _, m := range members {
		if s, err := decode.ParseSubscription(m.Subscription); err == nil {
			if at := decode.AdvertisedAddress(s.URL); at != "" {
				out = append(out, at)
			}
		}
	}
	return out
}

// flows are the pairs of clusters between which the newest members mirror.
func (r *roster) flows() (out []string) {
	for _, m := range r.members() {
		s, err := decode.ParseSubscription(m.Subscription)
		if flow := decode.FlowOf(m.Client, s.URL); err == nil && flow != "" && !slices.Contains(out, flow) {
			out = append(out, flow)
		}
	}
	return out
}

// told says whether the log and the coordinator have said what they can for now.
func (r *roster) told() bool {
	if r.log == "" || r.log == group.HealthCatchingUp {
		return false
	}
	return r.log == group.HealthOK || r.describe != "" && r.describe != group.HealthCatchingUp
}

// holding is what the newest round says of the group's connectors: those that members hold after it, and the config offset
// that they share (-1 when not known).
func (r *roster) holding() (connectors []string, configOffset int64) {
	configOffset = -1
	held := map[string]bool{}
	for _, m := range r.members() {
		s, err := decode.ParseSubscription(m.Subscription)
		if err != nil {
			continue
		}
		a, err := decode.ParseAssignment(m.Assignment)
		if err != nil || a == nil {
			continue
		}
		configOffset = max(configOffset, a.ConfigOffset)
		for _, u := range unitsAfter(s, a) {
			held[u.Connector] = true
		}
	}
	for c := range held {
		connectors = append(connectors, c)
	}
	slices.Sort(connectors)
	return connectors, configOffset
}

// unitsAfter is reported − revoked + assigned; under eager just what is assigned.
func unitsAfter(s decode.Subscription, a *decode.Assignment) []group.Unit {
	out := decode.Units(a.Assigned)
	if a.Version == 0 || s.Allocation == nil {
		return out
	}
	gone := map[group.Unit]bool{}
	for _, u := range decode.Units(a.Revoked) {
		gone[u] = true
	}
	for _, u := range out {
		gone[u] = true // not twice
	}
	for _, u := range decode.Units(s.Allocation.Assigned) {
		if !gone[u] {
			out = append(out, u)
		}
	}
	return out
}

// hostPort is the address in a worker's URL, as status records name workers; "" when there is none.
func hostPort(u string) string {
	p, err := url.Parse(u)
	if err != nil || p.Port() == "" { // also "null:-1", which a worker that was set up wrongly calls itself
		return ""
	}
	return p.Host
}
