package doctor

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
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

// Field names and order are DESIGN.md, section 6. They are a promise to scripts.
type reportObject struct {
	Group    string          `json:"group"`
	Verdict  Verdict         `json:"verdict"`
	Findings []findingObject `json:"findings"`
}

type findingObject struct {
	ID        string           `json:"id"`
	Severity  Severity         `json:"severity"`
	Certainty Certainty        `json:"certainty"`
	Title     string           `json:"title"`
	Since     *string          `json:"since"`
	Evidence  []evidenceObject `json:"evidence"`
	Next      string           `json:"next"`
	Units     []group.Unit     `json:"units"`
	Workers   []string         `json:"workers"`
}

type evidenceObject struct {
	At     *string `json:"at"`
	Source string  `json:"source"`
	Text   string  `json:"text"`
}

// MarshalJSON prints a report as `regroup doctor -o json` does.
func (r Report) MarshalJSON() ([]byte, error) {
	out := reportObject{Group: r.Group, Verdict: r.Verdict, Findings: []findingObject{}}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, f.object())
	}
	return json.Marshal(out)
}

// MarshalJSON prints a finding as it stands in a report: what a watch tells of it.
func (f Finding) MarshalJSON() ([]byte, error) { return json.Marshal(f.object()) }

func (f Finding) object() findingObject {
	o := findingObject{
		ID: f.ID, Severity: f.Severity, Certainty: f.Certainty, Title: f.Title, Since: timeOrNull(f.Since),
		Evidence: []evidenceObject{}, Next: numbered(f.Next), Units: f.Units, Workers: f.Workers,
	}
	for _, e := range f.Evidence {
		o.Evidence = append(o.Evidence, evidenceObject{timeOrNull(e.At), string(e.Source), e.Text})
	}
	if o.Units == nil {
		o.Units = []group.Unit{}
	}
	if o.Workers == nil {
		o.Workers = []string{}
	}
	return o
}

// numbered puts steps into one text, a line each.
func numbered(steps []string) string {
	if len(steps) == 1 {
		return steps[0]
	}
	lines := make([]string, len(steps))
	for i, s := range steps {
		lines[i] = fmt.Sprintf("%d. %s", i+1, s)
	}
	return strings.Join(lines, "\n")
}

func timeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := group.FormatTime(t)
	return &s
}

// is picks the verb's form.
func is(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// some names the first few units: "sink-a 3, sink-b c and 4 more".
func some(units []group.Unit) string {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = decode.Printable(u.String())
	}
	return words.Few(names)
}

func name(w *group.Worker) string { return decode.Printable(w.Name) }

func namesOf(workers []*group.Worker) string {
	names := make([]string, len(workers))
	for i, w := range workers {
		names[i] = name(w)
	}
	return words.Few(names)
}

func idsOf(workers []*group.Worker) []string {
	ids := make([]string, len(workers))
	for i, w := range workers {
		ids[i] = w.ID
	}
	return ids
}

// called is how a round is called: one seen by polling alone has no number.
func called(r *group.Round) string {
	if r.Polled {
		return "the last polled round"
	}
	return fmt.Sprintf("round %d", r.Generation)
}

// capital begins a sentence.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// earliest is the first of some times that are known.
func earliest(times ...time.Time) time.Time {
	var out time.Time
	for _, t := range times {
		if !t.IsZero() && (out.IsZero() || t.Before(out)) {
			out = t
		}
	}
	return out
}

// since is when the first of some units came into its state.
func (v *view) since(at []int) time.Time {
	var out time.Time
	for _, i := range at {
		out = earliest(out, v.Units[i].Since)
	}
	return out
}
