package assign

import (
	"math"
	"math/big"
)

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
