package assign

import "regroup/decode"

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
