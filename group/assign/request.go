package assign

import (
	"fmt"

	"regroup/decode"
)

// Request is what a leader has before it when it decides a round.
type Request struct {
	Now           int64 // the leader's clock, ms since 1970
	Generation    int32
	LastCompleted int32  // generation of the leader's last completed join, -1 before any
	Leader        string // member id
	Protocol      string // decode.ProtocolEager, …
	Config        Config // as the leader has read it
	// Fresh is what the leader finds when it reads the config topic again, which it does when a member has read further.
	// nil: nothing newer than Config.
	Fresh   *Config
	Members []Member
	// Scheduled is when the leader's own worker means to rejoin by itself because of the delay it was last told, ms since
	// 1970; 0: never. Only the leader that KIP-415 proposed looks at it.
	Scheduled int64
	// Before is what the leader's own worker was last told. nil: nothing, it is new to the group, or the group was eager. Only
	// the leader that KIP-415 proposed looks at it.
	Before *Before
}

// Before is a round as one of its members remembers it.
type Before struct {
	Leader string // member id
	Config Config // that it was decided with
}

// Config is what a worker knows of the config topic: connectors with a config record, and how many tasks each has
// committed (0 without a commit, or when its task configs are inconsistent).
type Config struct {
	Offset     int64
	Connectors map[string]int
}

// Member is what one worker says when it joins.
type Member struct {
	ID       string
	URL      string
	Offset   int64          // of its config topic
	Reported []decode.Share // what it holds, in wire order: load balancing takes the first; none under eager
}

// Decision is what the leader tells everyone.
type Decision struct {
	// Assignments are in the order of the request's members, with shares in the order they have on the wire.
	Assignments []decode.Assignment
	// Again says that everyone has to rejoin at once although nothing is revoked: the first round of a downgrade as proposed.
	Again bool
}

// maxTasks bounds what one configuration may ask for: past it the record of the group could not be written by far, and a
// broken commit record must not take all memory.
const maxTasks = 1 << 24

// check refuses what no coordinator would hand to a leader.
func (r *Request) check() (leader *Member, err error) {
	seen := make(map[string]bool, len(r.Members))
	for i := range r.Members {
		m := &r.Members[i]
		if seen[m.ID] {
			return nil, fmt.Errorf("assign: generation %d: member %q is there twice", r.Generation, m.ID)
		}
		seen[m.ID] = true
		if m.ID == r.Leader {
			leader = m
		}
	}
	if leader == nil {
		return nil, fmt.Errorf("assign: generation %d: the leader %q is not one of its %d members", r.Generation, r.Leader, len(r.Members))
	}
	switch r.Protocol {
	case decode.ProtocolEager, decode.ProtocolCompatible, decode.ProtocolSessioned:
	default:
		return nil, fmt.Errorf("assign: generation %d: no protocol %q (default, compatible or sessioned)", r.Generation, r.Protocol)
	}
	for _, c := range []*Config{&r.Config, r.Fresh} {
		if c == nil {
			continue
		}
		total := 0
		for name, n := range c.Connectors {
			if n < 0 || total+n > maxTasks {
				return nil, fmt.Errorf("assign: generation %d: connector %q has %d tasks", r.Generation, name, n)
			}
			total += n
		}
	}
	return leader, nil
}

// config picks what the round is decided with. ok is false when the leader has read less than a member has, even now.
func (r *Request) config() (c Config, offset int64, ok bool) {
	furthest := r.Members[0].Offset
	for _, m := range r.Members {
		furthest = max(furthest, m.Offset)
	}
	if r.Config.Offset >= furthest {
		return r.Config, furthest, true
	}
	if r.Fresh != nil && r.Fresh.Offset >= furthest {
		return *r.Fresh, r.Fresh.Offset, true
	}
	return Config{}, furthest, false
}

// header is an assignment that starts and stops nothing.
func header(req *Request, leader *Member, version int16, offset int64) decode.Assignment {
	return decode.Assignment{Version: version, Leader: req.Leader, LeaderURL: leader.URL, ConfigOffset: offset}
}

// mismatch tells everyone to read the config topic and come again.
func mismatch(req *Request, leader *Member, version int16, offset int64) Decision {
	a := header(req, leader, version, offset)
	a.Error = decode.ConfigMismatch
	out := make([]decode.Assignment, len(req.Members))
	for i := range out {
		out[i] = a
	}
	return Decision{Assignments: out}
}

// wire puts units into the order in which Connect writes them: connectors first, those to start as Java's HashSet of them
// iterates, then tasks, each with its connector's entry where that has one.
type wire struct {
	ix      *index
	java    Java
	entry   []int32 // of each connector in the shares being made, plus one
	touched []int32
	counts  []int32
}

func newWire(ix *index, java Java) *wire {
	return &wire{ix: ix, java: java, entry: make([]int32, len(ix.names))}
}

// assignments writes everything that was decided.
func (b *board) assignments(h decode.Assignment) []decode.Assignment {
	w := newWire(b.ix, b.java)
	cs, ts := b.kinds[connectors], b.kinds[tasks]
	out := make([]decode.Assignment, len(b.req.Members))
	for i := range out {
		out[i] = h
		out[i].Assigned = w.started(cs.next[i][cs.kept[i]:], ts.next[i][ts.kept[i]:])
		out[i].Revoked = w.shares(cs.revoked[i], ts.revoked[i])
	}
	return out
}

// started orders connectors as the HashSet that what is assigned passes through, and what a worker reports too.
func (w *wire) started(cs, ts []int32) []decode.Share {
	if len(cs) > 1 {
		hashes := make([]int32, len(cs))
		for i, c := range cs {
			hashes[i] = w.ix.hashes[c]
		}
		ordered := make([]int32, len(cs))
		for i, at := range w.java.setOrder(hashes) {
			ordered[i] = cs[at]
		}
		cs = ordered
	}
	return w.shares(cs, ts)
}

// shares keeps the order it is given.
func (w *wire) shares(cs, ts []int32) []decode.Share {
	if len(cs)+len(ts) == 0 {
		return nil
	}
	w.touched, w.counts = w.touched[:0], w.counts[:0]
	for _, c := range cs {
		w.count(c)
	}
	for _, t := range ts {
		w.count(w.ix.owner[t])
	}
	out := make([]decode.Share, len(w.touched))
	room := make([]int32, len(cs)+len(ts))
	for e, c := range w.touched {
		n := w.counts[e]
		out[e] = decode.Share{Connector: w.ix.names[c], Tasks: room[:0:n]}
		room = room[n:]
	}
	for _, c := range cs {
		s := &out[w.entry[c]-1]
		s.Tasks = append(s.Tasks, decode.Instance)
	}
	for _, t := range ts {
		s := &out[w.entry[w.ix.owner[t]]-1]
		s.Tasks = append(s.Tasks, w.ix.number(t))
	}
	for _, c := range w.touched {
		w.entry[c] = 0
	}
	return out
}

func (w *wire) count(c int32) {
	if w.entry[c] == 0 {
		w.touched = append(w.touched, c)
		w.counts = append(w.counts, 0)
		w.entry[c] = int32(len(w.touched))
	}
	w.counts[w.entry[c]-1]++
}
