package group

import "time"

// Options of a Model.
type Options struct {
	Group string
	// Ring bounds how many rounds are kept; 0 is 10,000.
	Ring int
	// Since bounds what is shown: rounds recorded before it are folded but not kept, except the newest. Zero: all.
	Since time.Time
	// MaxDelay is the workers' scheduled.rebalance.max.delay.ms where it is known; 0: learnt from the first full delay.
	MaxDelay time.Duration
}

// Model folds facts. It is not safe for use by several goroutines; the States it gives are.
type Model struct {
	opt Options
}

// New makes a Model that has seen nothing.
func New(opt Options) *Model { return &Model{opt: opt} }

// Apply takes one fact in. seen is the observer's clock when the fact arrived: it decides only how long a round may wait
// for the config topic.
func (m *Model) Apply(f Fact, seen time.Time) {}

// State is what is known at now.
func (m *Model) State(now time.Time) *State { return &State{Group: m.opt.Group, Now: now, At: -1} }

// Stand is the state at round i of s.Rounds, just before the next record of the log.
func (s *State) Stand(i int) *State { return s }

// Detail is round i of s.Rounds with its lists of units, or nil when there is no such round.
func (s *State) Detail(i int) *Detail { return nil }

// history is what a State keeps so that Detail and Stand can look back.
type history struct{}
