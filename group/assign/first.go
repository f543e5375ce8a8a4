package assign

import (
	"math"
	"math/big"
	"slices"
)

// decide23 is the round of a leader of 2.3. It knows nothing of generations, of members that merely missed their sync, or of
// work reported twice, and never forgets a delay before it ends.
func (m LeaderState) decide23(b *board) LeaderState {
	mayRevoke := !m.revokedBefore || b.undone(m)
	for _, k := range b.kinds {
		k.keep23()
	}
	for kind, k := range b.kinds {
		b.stopDeleted23(kind, k)
	}
	again := m.lost23(b)

	// What is revoked counts as held still when new work is shared: it is taken from next only afterwards.
	var stop [kinds][][]int32
	m.revokedBefore = m.delay != 0
	if m.delay == 0 && mayRevoke {
		stop = b.surplus23()
		m.revokedBefore = slices.ContainsFunc(stop[connectors], notEmpty) || slices.ContainsFunc(stop[tasks], notEmpty)
	}
	for kind, k := range b.kinds {
		b.share(k, append(k.created, again[kind]...))
	}
	for kind, k := range b.kinds {
		for i, ids := range stop[kind] {
			k.revoked[i] = append(k.revoked[i], ids...)
		}
	}
	b.record(&m)
	b.recordDeleted23(&m)
	return m
}

// recordDeleted23 counts what is deleted as told to stop although nobody may be left to be told.
func (b *board) recordDeleted23(m *LeaderState) {
	for kind, k := range b.kinds {
		for id, deleted := range k.deleted {
			if !deleted {
				continue
			}
			if m.revoked == nil {
				m.revoked = newLedger(b.ix)
			}
			m.revoked.has[kind][id] = true
		}
	}
}

func notEmpty(ids []int32) bool { return len(ids) > 0 }

func (k *kind) keep23() {
	for i, own := range k.own {
		for _, id := range own {
			if !k.isDeleted(id) {
				k.next[i] = append(k.next[i], id)
			}
		}
		k.kept[i] = len(k.next[i])
	}
}

// stopDeleted23 tells one worker to stop what is deleted, in the order of names: of several that report it the last, as the
// hash table of members iterates.
func (b *board) stopDeleted23(kind int, k *kind) {
	if k.deleted == nil {
		return
	}
	holder := map[int32]int32{}
	for _, i := range b.order {
		for _, id := range k.own[i] {
			if k.deleted[id] {
				holder[id] = i
			}
		}
	}
	ids := make([]int32, 0, len(holder))
	for id := range holder {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(x, y int32) int { return b.ix.compare(kind, x, y) })
	for _, id := range ids {
		k.revoked[holder[id]] = append(k.revoked[holder[id]], id)
	}
}

// lost23 waits for lost work's worker even when everyone is here, and gives all of it to the first candidate.
func (m *LeaderState) lost23(b *board) (again [kinds][]int32) {
	cs, ts := b.kinds[connectors], b.kinds[tasks]
	if len(cs.lost) == 0 && len(ts.lost) == 0 {
		return again
	}
	now := b.req.Now
	if m.scheduled > 0 && now >= m.scheduled {
		if to := m.present(b); !b.deal(to[:min(1, len(to))]) {
			again = [kinds][]int32{cs.lost, ts.lost}
		}
		m.settle()
		return again
	}
	m.candidates = b.addIdle(m.candidates)
	m.delay = m.maxDelay
	if now < m.scheduled {
		m.delay = int32(min(m.scheduled-now, int64(m.maxDelay)))
	}
	m.scheduled = now + int64(m.delay)
	return again
}

// surplus23 takes from workers in the order of the hash table until one average load of each kind is found, and only when
// some worker has nothing and some other has something.
func (b *board) surplus23() (out [kinds][][]int32) {
	loaded, idle := b.loaded23()
	for kind, k := range b.kinds {
		out[kind] = make([][]int32, len(k.own))
		if len(loaded) == 0 || !idle {
			continue
		}
		active := 0
		for _, n := range k.holders {
			if n > 0 {
				active++
			}
		}
		floor := active / len(k.own)
		left := floor
		for _, i := range loaded {
			own := k.next[i][:k.kept[i]]
			n := max(0, min(len(own)-floor, left))
			out[kind][i] = own[:n]
			left -= n
		}
	}
	return out
}

func (b *board) loaded23() (loaded []int32, idle bool) {
	for _, i := range b.order {
		if b.kinds[connectors].kept[i]+b.kinds[tasks].kept[i] > 0 {
			loaded = append(loaded, i)
		} else {
			idle = true
		}
	}
	return loaded, idle
}

// decide is the round of a leader of 3.4 and later. Only its order makes it exact: lost work is dealt before balancing looks,
// and balancing before what is new is shared.
func (m LeaderState) decide(b *board) LeaderState {
	if m.assignor == Proposed {
		m = m.honour(b)
	}
	for kind, k := range b.kinds {
		b.keep(kind, k)
	}
	again := m.lost(b)
	m.balance(b)
	for kind, k := range b.kinds {
		b.share(k, append(k.created, again[kind]...))
	}
	b.record(&m)
	return m
}

// keep starts from what members report. What is deleted is stopped, and what two report is stopped by both: it comes back
// as new in the next round.
func (b *board) keep(kind int, k *kind) {
	for i, own := range k.own {
		var stop []int32
		k.next[i] = make([]int32, 0, len(own))
		for _, id := range own {
			if k.holders[id] > 1 || k.isDeleted(id) {
				stop = append(stop, id)
			} else {
				k.next[i] = append(k.next[i], id)
			}
		}
		k.kept[i] = len(k.next[i])
		if len(stop) > 0 {
			k.revoked[i] = b.stopOrder(kind, k, own)
		}
	}
}

func (k *kind) isDeleted(id int32) bool { return k.deleted != nil && k.deleted[id] }

// stopOrder lists what of own is deleted, and then what is held twice, as Java's HashSet of own iterates.
func (b *board) stopOrder(kind int, k *kind, own []int32) []int32 {
	hashes := make([]int32, len(own))
	for i, id := range own {
		hashes[i] = b.ix.hash(kind, id)
	}
	order := b.java.setOrder(hashes)
	var out []int32
	for _, i := range order {
		if k.isDeleted(own[i]) {
			out = append(out, own[i])
		}
	}
	for _, i := range order {
		if k.holders[own[i]] > 1 && !k.isDeleted(own[i]) {
			out = append(out, own[i])
		}
	}
	return out
}

// The first delay between two rounds that both want to revoke to balance, ms, and by what it grows.
const (
	backoffFirst = 1
	backoffGrows = 40
)

// backoff is the delay before the n-th round running that wants to revoke to balance: 40, 1600, 64000 ms …, up to max.
//
// Java takes the power of 40 whose exponent is log max / log 40, in floating point, and cuts the fraction off: a maximum of
// 30 s gives 29999 ms, one of 60 s 60000. Its log and pow round correctly all but always; Go's are an ulp off too often to
// give the same. Of the maxima up to 1000 s one in some thousands still differs from a JVM, by 1 ms.
func backoff(n int, maxDelay int32) int32 {
	if maxDelay == 0 {
		return 0
	}
	limit := 0.0
	if maxDelay > backoffFirst {
		limit = rounded(ln(float64(maxDelay)/backoffFirst)) / rounded(ln(backoffGrows))
	}
	exponent := real64(math.Min(float64(n), limit))
	term := backoffFirst * rounded(exp(exponent.Mul(exponent, ln(backoffGrows))))
	return int32(min(int64(term), int64(maxDelay)))
}

// precision in bits: enough that rounding to 53 is rounding the true value.
const precision = 160

func real64(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func rounded(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

// ln of x, at least 1: that of its mantissa, by the series of the inverse hyperbolic tangent, and of its power of two.
func ln(x float64) *big.Float {
	m, e := math.Frexp(x)
	out := artanh2(m)
	return out.Add(out, real64(float64(e)).Mul(real64(float64(e)), ln2()))
}

func ln2() *big.Float {
	half := artanh2(0.5)
	return half.Neg(half)
}

// artanh2 is ln m = 2 artanh((m-1)/(m+1)), for m from 1/2 to 1.
func artanh2(m float64) *big.Float {
	z := real64(m - 1)
	z.Quo(z, new(big.Float).Add(real64(m), real64(1)))
	square := new(big.Float).Mul(z, z)
	sum := new(big.Float).Copy(z)
	for n := 3.0; n < 2*precision/3; n += 2 { // each term is a ninth of the one before, or less
		z.Mul(z, square)
		sum.Add(sum, new(big.Float).Quo(z, real64(n)))
	}
	return sum.Mul(sum, real64(2))
}

// exp of x, at least 0: a power of two and the series for what is left, below ln 2.
func exp(x *big.Float) *big.Float {
	k := math.Floor(rounded(x) / math.Ln2)
	rest := new(big.Float).Sub(x, real64(k).Mul(real64(k), ln2()))
	sum, term := real64(1), real64(1)
	for n := 1.0; n < 40; n++ {
		term.Mul(term, rest)
		term.Quo(term, real64(n))
		sum.Add(sum, term)
	}
	return sum.SetMantExp(sum, int(k))
}
