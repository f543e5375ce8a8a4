package assign

import (
	"maps"
	"slices"

	"regroup/decode"
)

// Seen is what one record of a group says, as far as its leader's decision goes: what went in, and what came out.
type Seen struct {
	At         int64 // the record's own time, ms since 1970
	Generation int32
	Protocol   string // "" for an empty group
	Leader     string
	Members    []SeenMember
	Config     *Config // at the assignments' config offset; nil: not known
}

// SeenMember is one worker in it.
type SeenMember struct {
	Member
	Client  string
	Nothing bool               // it gave no allocation at all: a new process, or one that let go of everything
	Told    *decode.Assignment // nil: zero bytes, or bytes that could not be read
}

// SeeMember makes a SeenMember of what was decoded.
func SeeMember(m decode.Member, s decode.Subscription, told *decode.Assignment) SeenMember {
	return SeenMember{Member: Joining(m.ID, s), Client: m.Client, Nothing: s.Allocation == nil, Told: told}
}

func (s *Seen) member(id string) *SeenMember {
	for i := range s.Members {
		if s.Members[i].ID == id {
			return &s.Members[i]
		}
	}
	return nil
}

// processes names the process of each member: a member id changes each time its worker comes back, client id and URL stay.
// Where members share both, only the member id tells them apart.
func (s *Seen) processes() []string {
	out := make([]string, len(s.Members))
	first := make(map[string]int, len(s.Members))
	for i, m := range s.Members {
		name := m.Client + "\x00" + m.URL
		out[i] = name
		if at, ok := first[name]; ok {
			out[at] = name + "\x00" + s.Members[at].ID
			out[i] = name + "\x00" + m.ID
		} else {
			first[name] = i
		}
	}
	return out
}

// process names that of one member.
func (s *Seen) process(m *SeenMember) string {
	for i, name := range s.processes() {
		if s.Members[i].ID == m.ID {
			return name
		}
	}
	return ""
}

// whole says whether everyone was told something.
func (s *Seen) whole() bool {
	return !slices.ContainsFunc(s.Members, func(m SeenMember) bool { return m.Told == nil })
}

func (s *Seen) failed() bool {
	return slices.ContainsFunc(s.Members, func(m SeenMember) bool { return m.Told != nil && m.Told.Error != decode.NoError })
}

// delay is the one that everyone was told, ms.
func (s *Seen) delay() int32 {
	d := int32(0)
	for _, m := range s.Members {
		if m.Told != nil {
			d = max(d, m.Told.DelayMs)
		}
	}
	return d
}

// quiet says whether nothing was revoked and no delay runs: after such a round a leader's state has nothing hidden in it.
func (s *Seen) quiet() bool {
	return s.delay() == 0 && !slices.ContainsFunc(s.Members, func(m SeenMember) bool { return m.Told == nil || len(m.Told.Revoked) > 0 })
}

// question is what the leader had before it.
func (s *Seen) question(now int64, completed int32) Request {
	r := Request{
		Now: now, Generation: s.Generation, LastCompleted: completed, Leader: s.Leader, Protocol: s.Protocol, Config: *s.Config,
		Members: make([]Member, len(s.Members)),
	}
	for i, m := range s.Members {
		r.Members[i] = m.Member
		// The leader had read as far as anyone, else the round would have failed.
		r.Config.Offset = max(r.Config.Offset, m.Offset)
	}
	return r
}

// delaySlack is by how much a computed delay may differ: a record is written some time after its leader looked at its clock.
const delaySlack = 20

// agrees says whether d is what the record says. Orders may differ: they are another Java's.
func (s *Seen) agrees(d Decision) bool {
	for i, m := range s.Members {
		a := d.Assignments[i]
		if a.Error != m.Told.Error || max(a.DelayMs, m.Told.DelayMs)-min(a.DelayMs, m.Told.DelayMs) > delaySlack ||
			(a.DelayMs == 0) != (m.Told.DelayMs == 0) || !sameUnits(a.Assigned, m.Told.Assigned) || !sameUnits(a.Revoked, m.Told.Revoked) {
			return false
		}
	}
	return true
}

func sameUnits(a, b []decode.Share) bool {
	if slices.EqualFunc(a, b, func(x, y decode.Share) bool { return x.Connector == y.Connector && slices.Equal(x.Tasks, y.Tasks) }) {
		return true
	}
	if decode.Count(a) != decode.Count(b) {
		return false
	}
	in := make(map[decode.Unit]bool, decode.Count(a))
	for _, u := range decode.Units(a) {
		in[u] = true
	}
	for _, u := range decode.Units(b) {
		delete(in, u)
	}
	return len(in) == 0
}

// setting is the shadow's bookkeeping, copied before it changes.
type setting map[string]process

func (p setting) with(name string, one process) setting {
	out := maps.Clone(p)
	if out == nil {
		out = setting{}
	}
	out[name] = one
	return out
}
