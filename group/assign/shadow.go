package assign

import (
	"maps"

	"regroup/decode"
)

// ShadowVerdict says whether a leader's state could be followed through a round.
type ShadowVerdict string

// The verdicts.
const (
	ShadowSame    ShadowVerdict = "same"    // what was decided is what a leader with that state decides
	ShadowDiffers ShadowVerdict = "differs" // it is not: another release, or something is wrong
	ShadowNone    ShadowVerdict = "none"    // nothing to compare: an eager or failed round, or a state that is not known
)

// Comparison is what the shadow says of one round.
type Comparison struct {
	Verdict  ShadowVerdict
	Assignor AssignorVersion // same: those by which the leader decides
	Why      string          // none, differs: why
	Would    Decision        // differs: what was to be expected
}

// Shadow follows the leaders of one group from record to record and rebuilds their states. It is a value that nothing changes.
type Shadow struct {
	maxDelay int32 // as given, or learnt; the default before either
	java     Java
	leaders  setting           // of the processes that have led
	early    map[string]string // processes that were there before the first record, and may have led: their member ids then
	begun    bool
	last     *Seen
	compared Comparison
}

// process is a worker process that has led.
type process struct {
	state     LeaderState
	known     bool   // else state is a guess
	member    string // its id when last seen
	completed int32  // generation of its last completed join
	restarted bool   // it came back with a new id and nothing in hand: a new process, or one that let go of everything
}

// maxPastLeaders bounds the states kept of processes that are not members any more.
const maxPastLeaders = 16

// NewShadow follows a group from where its history begins. maxDelay is its workers' scheduled.rebalance.max.delay.ms; less
// than 0: learnt from the first full delay.
func NewShadow(maxDelay int32) Shadow {
	s := Shadow{maxDelay: maxDelay}
	if maxDelay < 0 {
		s.maxDelay = defaultMaxDelay
	}
	return s
}

// See takes in the next record.
func (s Shadow) See(seen Seen) (Shadow, Comparison) {
	s = s.begin(&seen)
	if s.last != nil && len(seen.Members) == 0 {
		// Whoever comes next comes new, or with what it had.
		s.last = nil
	}
	s, look := s.see(&seen)
	if len(seen.Members) > 0 {
		s = s.meet(&seen)
		s.last = &seen
	}
	s.compared = look
	return s, look
}

// begin notes who was there before history: of them nothing is known.
func (s Shadow) begin(seen *Seen) Shadow {
	if s.begun {
		return s
	}
	s.begun = true
	s.early = map[string]string{}
	if seen.Generation <= 1 {
		return s
	}
	for i, name := range seen.processes() {
		if !seen.Members[i].Nothing {
			s.early[name] = seen.Members[i].ID
		}
	}
	return s
}

func (s Shadow) see(seen *Seen) (Shadow, Comparison) {
	none := func(why string) (Shadow, Comparison) { return s, Comparison{Verdict: ShadowNone, Why: why} }
	leader := seen.member(seen.Leader)
	switch {
	case leader == nil:
		return none("nobody leads")
	case seen.Protocol == decode.ProtocolEager:
		return none("eager: nothing is remembered")
	case !seen.whole():
		return none("an assignment could not be read")
	case seen.failed():
		return none("nothing was decided")
	case seen.Config == nil:
		s.leaders = s.leaders.with(seen.process(leader), s.guess(seen, leader))
		return none("the config topic is not known")
	}
	name := seen.process(leader)
	was := s.leading(seen, leader)
	for _, h := range s.hypotheses(leader, was) {
		after, ok := h.try(seen)
		if !ok {
			continue
		}
		s.maxDelay = after.maxDelay
		known := h.known || seen.quiet()
		s.leaders = s.leaders.with(name, process{state: after, known: known, member: leader.ID, completed: was.completed})
		if !h.known {
			return none("the leader's mind is not known yet")
		}
		return s, Comparison{Verdict: ShadowSame, Assignor: after.assignor}
	}
	s.leaders = s.leaders.with(name, s.guess(seen, leader))
	if !was.known {
		return none("the leader's mind is not known yet")
	}
	d, _, err := was.state.Decide(seen.question(seen.At, was.completed))
	if err != nil {
		return none(err.Error())
	}
	return s, Comparison{Verdict: ShadowDiffers, Why: "the leader decided otherwise than Connect 3.7 and later, 3.4 or 2.3 would", Would: d}
}

// leading is what is known of the process that leads.
func (s Shadow) leading(seen *Seen, leader *SeenMember) process {
	name := seen.process(leader)
	if p, ok := s.leaders[name]; ok {
		return p
	}
	_, early := s.early[name]
	p := process{state: New(Released, s.maxDelay).OnJava(s.java), known: !early, member: leader.ID, completed: -1}
	if s.last != nil && s.last.member(leader.ID) != nil {
		p.completed = s.last.Generation
	}
	return p
}

// meet notes, of each process that has led, that it was a member in this record, and forgets those long gone.
func (s Shadow) meet(seen *Seen) Shadow {
	if len(s.leaders) == 0 && len(s.early) == 0 {
		return s
	}
	leaders := maps.Clone(s.leaders)
	here := 0
	for i, name := range seen.processes() {
		m := &seen.Members[i]
		if id, ok := s.early[name]; ok && m.Nothing && m.ID != id {
			s.early = maps.Clone(s.early)
			delete(s.early, name) // a new process by now
		}
		p, ok := leaders[name]
		if !ok {
			continue
		}
		here++
		// A process that let go of everything keeps what it remembers; a new one remembers nothing. Both come like this.
		p.restarted = p.restarted || m.Nothing && m.ID != p.member
		p.member, p.completed = m.ID, seen.Generation
		leaders[name] = p
	}
	if len(leaders)-here > maxPastLeaders {
		for name, p := range leaders {
			if p.completed != seen.Generation {
				delete(leaders, name)
			}
		}
	}
	s.leaders = leaders
	return s
}

// LeaderState is what the member of the last record with that id would remember if it led the next round. known is false when
// it is a guess.
func (s Shadow) LeaderState(id string) (m LeaderState, known bool) {
	if s.last == nil {
		return New(Released, s.maxDelay).OnJava(s.java), false
	}
	member := s.last.member(id)
	if member == nil {
		return New(Released, s.maxDelay).OnJava(s.java), true
	}
	p := s.leading(s.last, member)
	return p.state, p.known && !p.restarted
}

// MaxDelay is the one given or learnt, ms.
func (s Shadow) MaxDelay() int32 { return s.maxDelay }

// guess is what a leader may remember after a round that could not be followed: what everyone holds now is what it
// remembers. After a quiet round that is all there is to remember, so it is known.
func (s Shadow) guess(seen *Seen, leader *SeenMember) process {
	was := s.leading(seen, leader)
	m := New(was.state.assignor, s.maxDelay).OnJava(s.java)
	config := Config{}
	if seen.Config != nil {
		config = *seen.Config
	}
	ix := newIndex(config)
	delay := seen.delay()
	var held, stopped []decode.Unit
	for _, member := range seen.Members {
		held = append(held, decode.Units(s.java.Report(member.Reported, *member.Told))...)
		stopped = append(stopped, decode.Units(member.Told.Revoked)...)
		m.members = append(m.members, member.ID)
	}
	if delay > 0 {
		// What was remembered and is configured may wait still.
		for _, u := range was.state.previous.units() {
			if n, ok := config.Connectors[u.Connector]; ok && int(u.Task) < n {
				held = append(held, u)
			}
		}
		m.candidates = was.state.candidates
		m.scheduled, m.delay = seen.At+int64(delay), delay
	}
	m.previous = ledgerOf(ix, held)
	if len(stopped) > 0 {
		m.revoked = ledgerOf(ix, stopped)
		m.revokedBefore = true
	}
	m.generation = seen.Generation
	return process{state: m, known: seen.quiet(), member: leader.ID, completed: seen.Generation}
}

// ledgerOf takes units in, whether configured or not.
func ledgerOf(ix *index, units []decode.Unit) *ledger {
	ids := [kinds][]int32{}
	for _, u := range units {
		c := ix.connector(u.Connector)
		if u.IsInstance() {
			ids[connectors] = append(ids[connectors], c)
		} else {
			ids[tasks] = append(ids[tasks], ix.task(c, u.Task))
		}
	}
	l := newLedger(ix)
	for kind := range ids {
		for _, id := range ids[kind] {
			l.has[kind][id] = true
		}
	}
	return l
}

// hypothesis is one way in which a round may have come about: what the leader remembered, and what it took for its last
// completed join.
type hypothesis struct {
	state     LeaderState
	completed int32
	known     bool
}

// expirySlack is how near to the end of a delay it cannot be told from the record whether the leader's clock was past it.
const expirySlack = 100

// hypotheses lists them, the likeliest first.
func (s Shadow) hypotheses(leader *SeenMember, was process) []hypothesis {
	kept := hypothesis{was.state, was.completed, was.known}
	out := []hypothesis{kept}
	if was.restarted || leader.ID != was.member && leader.Nothing {
		fresh := hypothesis{New(was.state.assignor, s.maxDelay).OnJava(s.java), -1, true}
		out = []hypothesis{fresh, kept}
	}
	// The leader may have decided a round whose outcome it never got: nothing shows that, if it gave itself nothing. Any
	// generation but that of its last decision will do.
	unsynced := kept
	unsynced.completed = was.state.generation - 1
	return append(out, unsynced)
}

// try decides the round by each release's rules, those that fitted last first, and gives the state that agrees with what was
// decided.
func (h hypothesis) try(seen *Seen) (LeaderState, bool) {
	rules := []AssignorVersion{h.state.assignor}
	for _, r := range []AssignorVersion{Released, Released34, Released23} {
		if r != h.state.assignor {
			rules = append(rules, r)
		}
	}
	for _, r := range rules {
		m := h.state.WithAssignor(r)
		for _, now := range m.clocks(seen) {
			if after, ok := m.tryAt(seen, now, h.completed); ok {
				return after, true
			}
		}
	}
	return LeaderState{}, false
}

// clocks are what the leader's may have shown. Near the end of a delay it may have been on either side.
func (m LeaderState) clocks(seen *Seen) []int64 {
	at := seen.At
	if m.scheduled == 0 || at < m.scheduled-expirySlack || at > m.scheduled+expirySlack {
		return []int64{at}
	}
	if at < m.scheduled {
		return []int64{at, m.scheduled}
	}
	return []int64{at, m.scheduled - int64(max(1, seen.delay()))}
}

// tryAt also learns the maximum delay: where a full one was to be expected and another was told.
func (m LeaderState) tryAt(seen *Seen, now int64, completed int32) (LeaderState, bool) {
	d, after, err := m.Decide(seen.question(now, completed))
	if err != nil {
		return LeaderState{}, false
	}
	if seen.agrees(d) {
		return after, true
	}
	told := seen.delay()
	full := after.delay == m.maxDelay && m.scheduled == 0 || after.streak > m.streak && told < after.delay
	if !full || told == m.maxDelay {
		return LeaderState{}, false
	}
	d, after, err = m.WithMaxDelay(told).Decide(seen.question(now, completed))
	return after, err == nil && seen.agrees(d)
}
