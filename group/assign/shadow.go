package assign

import (
	"maps"

	"regroup/decode"
)

// Verdict says whether a leader's mind could be followed through a round.
type Verdict string

// The verdicts.
const (
	Same    Verdict = "same"    // what was decided is what a leader with that mind decides
	Differs Verdict = "differs" // it is not: another release, or something is wrong
	None    Verdict = "none"    // nothing to compare: an eager or failed round, or a mind that is not known
)

// Look is what the shadow says of one round.
type Look struct {
	Verdict Verdict
	Rules   Rules    // same: those by which the leader decides
	Why     string   // none, differs: why
	Would   Decision // differs: what was to be expected
}

// Shadow follows the leaders of one group from record to record and rebuilds their minds. It is a value that nothing changes.
type Shadow struct {
	maxDelay int32 // as given, or learnt; the default before either
	java     Java
	minds    setting           // of the processes that have led
	early    map[string]string // processes that were there before the first record, and may have led: their member ids then
	begun    bool
	last     *Seen
	look     Look
}

// process is a worker process that has led.
type process struct {
	mind      Mind
	known     bool   // else mind is a guess
	member    string // its id when last seen
	completed int32  // generation of its last completed join
	restarted bool   // it came back with a new id and nothing in hand: a new process, or one that let go of everything
}

// manyMinds bounds the minds kept of processes that are not members any more.
const manyMinds = 16

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
func (s Shadow) See(seen Seen) (Shadow, Look) {
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
	s.look = look
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

func (s Shadow) see(seen *Seen) (Shadow, Look) {
	none := func(why string) (Shadow, Look) { return s, Look{Verdict: None, Why: why} }
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
		s.minds = s.minds.with(seen.process(leader), s.guess(seen, leader))
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
		s.minds = s.minds.with(name, process{mind: after, known: known, member: leader.ID, completed: was.completed})
		if !h.known {
			return none("the leader's mind is not known yet")
		}
		return s, Look{Verdict: Same, Rules: after.rules}
	}
	s.minds = s.minds.with(name, s.guess(seen, leader))
	if !was.known {
		return none("the leader's mind is not known yet")
	}
	d, _, err := was.mind.Decide(seen.question(seen.At, was.completed))
	if err != nil {
		return none(err.Error())
	}
	return s, Look{Verdict: Differs, Why: "the leader decided otherwise than Connect 3.7 and later, 3.4 or 2.3 would", Would: d}
}

// leading is what is known of the process that leads.
func (s Shadow) leading(seen *Seen, leader *SeenMember) process {
	name := seen.process(leader)
	if p, ok := s.minds[name]; ok {
		return p
	}
	_, early := s.early[name]
	p := process{mind: New(Released, s.maxDelay).OnJava(s.java), known: !early, member: leader.ID, completed: -1}
	if s.last != nil && s.last.member(leader.ID) != nil {
		p.completed = s.last.Generation
	}
	return p
}

// meet notes, of each process that has led, that it was a member in this record, and forgets those long gone.
func (s Shadow) meet(seen *Seen) Shadow {
	if len(s.minds) == 0 && len(s.early) == 0 {
		return s
	}
	minds := maps.Clone(s.minds)
	here := 0
	for i, name := range seen.processes() {
		m := &seen.Members[i]
		if id, ok := s.early[name]; ok && m.Nothing && m.ID != id {
			s.early = maps.Clone(s.early)
			delete(s.early, name) // a new process by now
		}
		p, ok := minds[name]
		if !ok {
			continue
		}
		here++
		// A process that let go of everything keeps what it remembers; a new one remembers nothing. Both come like this.
		p.restarted = p.restarted || m.Nothing && m.ID != p.member
		p.member, p.completed = m.ID, seen.Generation
		minds[name] = p
	}
	if len(minds)-here > manyMinds {
		for name, p := range minds {
			if p.completed != seen.Generation {
				delete(minds, name)
			}
		}
	}
	s.minds = minds
	return s
}

// Mind is what the member of the last record with that id would have in mind if it led the next round. known is false when
// it is a guess.
func (s Shadow) Mind(id string) (m Mind, known bool) {
	if s.last == nil {
		return New(Released, s.maxDelay).OnJava(s.java), false
	}
	member := s.last.member(id)
	if member == nil {
		return New(Released, s.maxDelay).OnJava(s.java), true
	}
	p := s.leading(s.last, member)
	return p.mind, p.known && !p.restarted
}

// MaxDelay is the one given or learnt, ms.
func (s Shadow) MaxDelay() int32 { return s.maxDelay }
