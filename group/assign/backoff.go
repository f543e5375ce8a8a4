package assign

import "math"

// The first delay between two rounds that both want to revoke to balance, ms, and by what it grows.
const (
	backoffFirst = 1
	backoffGrows = 40
)

// backoff is the delay before the n-th round running that wants to revoke to balance: 40, 1600, 64000 ms …, up to max.
//
// Java computes the last step as max^(log40 max / log40 max) in floating point and cuts the fraction off, so that a maximum
// of 30 s gives 29999 ms. Go's Pow is exact where Java's is and differs by an ulp elsewhere: one ms, at maxima that are
// no power of 40.
func backoff(n int, maxDelay int32) int32 {
	if maxDelay == 0 {
		return 0
	}
	limit := 0.0
	if maxDelay > backoffFirst {
		limit = math.Log(float64(maxDelay)/backoffFirst) / math.Log(backoffGrows)
	}
	term := backoffFirst * math.Pow(backoffGrows, math.Min(float64(n), limit))
	return int32(min(int64(term), int64(maxDelay)))
}
