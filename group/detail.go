package group

import (
	"slices"
	"sync"

	"regroup/decode"
	"regroup/group/assign"
)

// history is what a State keeps so that it can look back: nothing in it changes any more.
type history struct {
	group  string
	tables tables
	all    []*Round // with those that are older than what is shown: costs and stories do not depend on that
	rounds []*Round // what is shown
	config []configEvent
	claims []claim
	// claimBase is the number of claims[0], newest the last claim of each unit: from there its others are found.
	claimBase int
	elsewhere string // the pair of clusters that all statuses are of, where it is another one
	placed    int    // how often claims got another author
	newest    claimTable
	heldAt    *heldCache
	stopped   []int32 // units that a worker said it stopped, each once
	failed    []int32 // and those of which one said that they failed

	configUpTo int64
	configSeen bool
	end        *ending // nil before the first round, and when the group was deleted
}

// whole is a history of every round that is known, and how many of them are not shown.
func (h *history) whole() (w *history, hidden int) {
	if len(h.all) <= len(h.rounds) {
		return h, 0
	}
	all := *h
	all.rounds, all.heldAt = h.all, &heldCache{}
	return &all, len(h.all) - len(h.rounds)
}

// ending is how things stand after the newest round.
type ending struct {
	before, held holding // what was held before that round, and after it
	given        givenTable
	shadow       assign.Shadow

	once  sync.Once
	steps []assign.Step
	exact bool
}

// forecast is what the shadow leader says comes next; it is the same for every State of that round.
func (e *ending) forecast() ([]assign.Step, bool) {
	const limit = 4
	e.once.Do(func() { e.steps, e.exact = e.shadow.Forecast(limit) })
	return e.steps, e.exact
}

// Detail is round i of s.Rounds with its lists of units, or nil when there is no such round.
func (s *State) Detail(i int) *Detail {
	if s.past == nil || i < 0 || i >= len(s.past.rounds) {
		return nil
	}
	d := s.past.detail(i)
	if i > s.At {
		return d
	}
	if c, ok := s.Cost(d.Round); ok {
		d.Cost, d.Gaps = &c, s.outagesOf(d.Round)
	}
	if s.endsEpisode(i) {
		d.Story = s.Story(i)
		if c, ok := s.EpisodeCost(d.Round); ok {
			d.EpisodeCost = &c
		}
	}
	return d
}

// detail is round i with its lists.
func (h *history) detail(i int) *Detail {
	r, t := h.rounds[i], &h.tables
	p := h.play(i)
	d := &Detail{
		Round: r, Group: h.group,
		Released: t.unowned(r.store.released), Delayed: t.unowned(r.store.delayed),
		Unassigned: t.unowned(r.store.unassigned), Duplicated: t.unitsOf(r.store.duplicated),
		Moves: r.moves(t), Members: make([]WorkerDetail, 0, len(r.members.ids)),
	}
	for _, units := range r.leftHeld {
		d.LeftHeld = append(d.LeftHeld, t.unitsOf(units))
	}
	for j, id := range r.members.ids {
		w := t.members[id].worker
		m := WorkerDetail{
			Member: p.member(j), Reported: t.unitsOf(p.reported[w]), Assigned: t.unitsOf(p.assigned[w]),
			Revoked: t.unitsOf(p.revoked[w]), Held: t.unitsOf(p.held[w]), LetGo: t.unitsOf(p.dropped[w]),
		}
		d.Dropped = append(d.Dropped, m.LetGo...)
		d.Restarted = append(d.Restarted, t.unitsOf(p.restarted[w])...)
		d.Members = append(d.Members, m)
	}
	decode.SortUnits(d.Dropped)
	decode.SortUnits(d.Restarted)
	return d
}

func (r *Round) moves(t *tables) []Move {
	out := make([]Move, len(r.moved))
	for i, m := range r.moved {
		out[i] = Move{t.unitOf(m.unit), m.from, m.to}
	}
	slices.SortFunc(out, func(a, b Move) int { return a.Unit.Compare(b.Unit) })
	return out
}

// played is one round with what every worker did in it, by worker number.
type played struct {
	*Round
	tables                                *tables
	before, reported, held                holding
	assigned, revoked, restarted, dropped holding
}

// play makes round i again from what is kept of it.
func (h *history) play(i int) *played {
	r := h.rounds[i]
	p := &played{
		Round: r, tables: &h.tables, before: h.heldBefore(i), assigned: byWorker(r.store.assigned), revoked: byWorker(r.store.revoked),
		restarted: byWorker(r.store.restarted), dropped: byWorker(r.store.dropped),
	}
	p.reported, p.held = r.replay(p.before)
	if r.Mode == ModeEager && r.Error == 0 {
		for j, id := range r.members.ids {
			if w := h.tables.members[id].worker; r.members.problem(j) == "" {
				p.assigned[w] = p.held[w]
			}
		}
	}
	return p
}

func byWorker(portions []portion) holding {
	out := make(holding, len(portions))
	for _, p := range portions {
		out[p.worker] = p.units
	}
	return out
}

// counted is the members of round i with their numbers.
func (h *history) counted(i int) []Member {
	p := h.play(i)
	out := make([]Member, len(p.members.ids))
	for j := range out {
		out[j] = p.member(j)
	}
	return out
}

// member is one member with its numbers, by the rules of fold.
func (p *played) member(j int) Member {
	r, info := p.Round, p.tables.members[p.members.ids[j]]
	m := r.member(j, info)
	before, reported, held := p.before[m.Worker], p.reported[m.Worker], p.held[m.Worker]
	m.Reported, m.Assigned, m.Revoked, m.Held = len(reported), len(p.assigned[m.Worker]), len(p.revoked[m.Worker]), len(held)
	m.Restarted, m.Dropped = len(p.restarted[m.Worker]), len(p.dropped[m.Worker])
	for _, u := range held {
		if p.tables.units[u].task == decode.Instance {
			m.HeldConns++
		}
	}
	carried := reported
	switch {
	case m.Err != "":
	case r.prevMode == ModeEager && !r.First:
		carried = nil
	case r.Mode == ModeEager && r.prevMode == ModeCooperative:
		carried = before
	}
	m.Kept = common(carried, held)
	m.Started = len(held) - m.Kept
	m.Kept -= m.Restarted
	m.Stopped = m.Revoked
	if r.prevMode == ModeEager && m.Err == "" {
		m.Stopped = len(before)
	}
	if r.Error != 0 {
		m.Started, m.Stopped = 0, 0
	}
	return m
}

// common counts what two lists have in common. Most lists of a round are the same as before but for their ends.
func common(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) || n == len(b) {
		return n
	}
	have := setOf(a[n:])
	for _, u := range b[n:] {
		if have.has(u) {
			n++
		}
	}
	return n
}

// member is who a member is.
func (r *Round) member(j int, info memberInfo) Member {
	out := Member{
		ID: info.id, Client: info.client, Host: info.host, URL: info.url, Name: r.members.names[j],
		Wire: int(r.members.wire[j]), Worker: info.worker, ConfigOffset: r.ConfigOffset, Err: r.members.problem(j),
	}
	if r.offsets != nil {
		out.ConfigOffset = r.offsets[j]
	}
	return out
}

// problem says why a member could not be read.
func (s *memberSet) problem(j int) string {
	if s.problems == nil {
		return ""
	}
	return s.problems[j]
}
