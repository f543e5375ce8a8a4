package doctor

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"regroup/group"
)

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
