package assign

import "slices"

// honour makes a new leader wait as the one before it would have. KIP-415's example of a leader that bounces has it count on a delay
// that its own worker was told, for the units of its predecessor too; the sketch of the same protocol for consumers says what it
// does when none runs: a leader that is gone is a member that is lost. No release does either.
func (m LeaderState) honour(b *board) LeaderState {
	if m.generation == b.req.LastCompleted {
		return m
	}
	until := max(m.scheduled, b.req.Scheduled)
	switch before := b.req.Before; {
	case until > b.req.Now:
		m.scheduled = until
	case before != nil && !b.here(before.Leader):
		m.settle()
		m.members = []string{before.Leader}
	default:
		return m
	}
	for kind, k := range b.kinds {
		k.lost, k.created = b.known(kind, k.created)
	}
	return m
}

func (b *board) here(member string) bool {
	return slices.ContainsFunc(b.req.Members, func(m Member) bool { return m.ID == member })
}

// known parts what was configured already when the new leader's worker was last told what to do from what is new since. Without
// that memory all of it was.
func (b *board) known(kind int, ids []int32) (was, since []int32) {
	if b.req.Before == nil {
		return ids, nil
	}
	for _, id := range ids {
		if b.configured(b.req.Before.Config, kind, id) {
			was = append(was, id)
		} else {
			since = append(since, id)
		}
	}
	return was, since
}

func (b *board) configured(c Config, kind int, id int32) bool {
	if kind == connectors {
		_, ok := c.Connectors[b.ix.names[id]]
		return ok
	}
	return int(b.ix.number(id)) < c.Connectors[b.ix.names[b.ix.owner[id]]]
}
