package assign

import "testing"

// What Connect's own ExponentialBackoff(1, 40, max, 0) gave on a JVM for the 1st, 2nd, 3rd and 9th round running.
func TestBackoff(t *testing.T) {
	for maxDelay, want := range map[int32][4]int32{
		0:       {0, 0, 0, 0},
		1:       {1, 1, 1, 1},
		100:     {40, 100, 100, 100},
		1_000:   {40, 999, 999, 999},
		3_000:   {40, 1600, 2999, 2999},
		20_000:  {40, 1600, 20_000, 20_000},
		30_000:  {40, 1600, 29_999, 29_999},
		60_000:  {40, 1600, 60_000, 60_000},
		300_000: {40, 1600, 64_000, 300_000},
	} {
		for i, n := range []int{1, 2, 3, 9} {
			if got := backoff(n, maxDelay); got != want[i] {
				t.Errorf("maximum %d, round %d: %d ms, Connect waits %d", maxDelay, n, got, want[i])
			}
		}
	}
}
