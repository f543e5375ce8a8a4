package compare_test

import (
	"testing"
	"time"

	"regroup/internal/lab/compare"
)

// DESIGN.md, section 11: under a second, printed, both modes.
func BenchmarkRollingRestart(b *testing.B) {
	for b.Loop() {
		o := options("rolling-restart")
		o.Workers, o.Tasks = 20, 2000
		if _, err := compare.Play(o); err != nil {
			b.Fatal(err)
		}
	}
}

func options(exercise string) compare.Options {
	return compare.Options{
		Modes: compare.Modes[:2], Workers: 4, Connectors: 4, Tasks: 40, Delay: 20 * time.Second, Start: 30 * time.Millisecond,
		Stop: 15 * time.Millisecond, Down: 8 * time.Second, Heartbeat: 3 * time.Second, Seed: 1, Exercise: exercise,
	}
}
