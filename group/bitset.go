package group

// bitset is a set of unit numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(u int32) { b[u>>6] |= 1 << (u & 63) }

func (b bitset) has(u int32) bool { return int(u>>6) < len(b) && b[u>>6]&(1<<(u&63)) != 0 }

// onceEach is unit numbers in the order in which they were first added.
type onceEach struct {
	seen bitset
	list []int32
}

func (o *onceEach) add(u int32) {
	for int(u>>6) >= len(o.seen) {
		o.seen = append(o.seen, 0)
	}
	if !o.seen.has(u) {
		o.seen.add(u)
		o.list = append(o.list, u)
	}
}
