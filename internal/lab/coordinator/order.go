package coordinator

import (
	"cmp"
	"slices"

	"regroup/decode"
)

// inOrder lists the members as a broker's HashMap of them does, the order in which they are recorded and in which the next
// leader is looked for: by bucket, within one by when they came. The table doubles past three quarters full and never shrinks.
func (g *group) inOrder() []*member {
	out := make([]*member, 0, len(g.members))
	for _, m := range g.members {
		out = append(out, m)
	}
	mask := uint32(g.table - 1)
	slices.SortFunc(out, func(a, b *member) int {
		return cmp.Or(cmp.Compare(a.spread&mask, b.spread&mask), cmp.Compare(a.seq, b.seq))
	})
	return out
}

const firstTable = 16

// spread is the hash that Java's HashMap files a string under.
func spread(s string) uint32 {
	h := uint32(decode.JavaHash(s))
	return h ^ h>>16
}
