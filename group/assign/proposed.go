package assign

// honour makes a new leader wait as the one before it would have: what nobody reports while its own worker still counts a
// delay down is taken for lost, not for new. KIP-415 says so; no release does it.
func (m Mind) honour(b *board) Mind {
	until := max(m.scheduled, b.req.Scheduled)
	if m.generation == b.req.LastCompleted || until <= b.req.Now {
		return m
	}
	for _, k := range b.kinds {
		k.lost, k.created = k.created, nil
	}
	m.scheduled = until
	return m
}
