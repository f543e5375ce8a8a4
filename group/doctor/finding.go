package doctor

import (
	"time"

	"regroup/group"
)

// Severity is how bad a finding is.
type Severity string

// The severities, worst first.
const (
	Critical Severity = "critical"
	Warning  Severity = "warning"
	Info     Severity = "info"
)

// Certainty is how sure a finding is.
type Certainty string

// The certainties.
const (
	Seen    Certainty = "seen"    // read from a source that knows
	Likely  Certainty = "likely"  // follows from what was read
	Unknown Certainty = "unknown" // cannot be told: the evidence says what is missing
)

// Finding is one thing that is wrong, or worth knowing.
type Finding struct {
	ID        string
	Severity  Severity
	Certainty Certainty
	Title     string    // what is so, one line, no full stop
	Why       string    // why it is so, a sentence or two; may be empty
	Since     time.Time // zero when not known
	Evidence  []Evidence
	Sure      string   // what would make it sure; empty when it is
	Next      []string // numbered steps
	Units     []group.Unit
	Workers   []string // member ids
	Cause     string   // the id of the finding whose consequence this is; such ones are folded under it

	grace time.Duration // instead of its rule's
	about string        // what tells it from others of its rule that name no worker and no unit: a topic, a source
}

// Evidence is one line of it.
type Evidence struct {
	At     time.Time // zero when it holds now
	Source group.Source
	Text   string
}

// Options of an examination.
type Options struct {
	// Passed: grace times count as passed, because nothing more will come (a recording).
	Passed bool
}

// rule is one thing to look for. look gives findings with Since set as far as it is known; grace is how long it must have
// been so before anybody is told.
type rule struct {
	id       string
	severity Severity
	grace    time.Duration
	needs    need
	look     func(*view) []Finding
}
