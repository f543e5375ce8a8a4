package assign

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
