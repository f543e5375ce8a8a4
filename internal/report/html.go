package report

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/ui/theme"
)

// Options say what a report says, and how.
type Options struct {
	Theme    theme.Kind
	Location *time.Location
	// Findings are what the doctor found. nil leaves the section out.
	Findings *doctor.Report
	// Why and Cost word a round's causes and a cost as the screen does.
	Why     func(r, prev *group.Round) string
	Cost    func(group.Cost) string
	Version string // of the program
}

// page is what the template is given. All text is escaped by it; control characters are taken out before.
type page struct {
	Group, Word, Class, Sentence, Facts, From, Now, Version string
	Style                                                   template.CSS
	Picture                                                 template.HTML
	Episodes                                                []episode
	Findings                                                []finding
	Blanks                                                  []string
	Sources                                                 []string
	Total                                                   string
	Verdict                                                 string
}

type episode struct {
	Story, Cost string
	Rounds      []row
}

type row struct {
	Number, At, Why                                                   string
	Kept, Started, Stopped, Restarted, Dropped, Waiting, Moved, Eager int
	Lost                                                              int
	Cost                                                              string
	Bar                                                               []part
	Bad                                                               bool
}

// part is a stretch of a round's bar, in percent.
type part struct {
	Class string
	Width string
	Title string
}

type finding struct {
	ID, Severity, Certainty, Title, Why, Since, Sure string
	Evidence                                         []string
	Next                                             []string
	Folded                                           bool
}

// HTML writes the report as one HTML file that refers to nothing outside itself.
func HTML(s *group.State, o Options) ([]byte, error) {
	if o.Location == nil {
		o.Location = time.UTC
	}
	p := page{
		Group: decode.Printable(s.Group), Word: s.Verdict.Word, Class: classOf(s.Verdict.Word), Sentence: decode.Printable(s.Verdict.Sentence),
		From: stamp(s.HistoryFrom, o), Now: stamp(s.Now, o), Version: o.Version, Facts: facts(s),
		Style:   template.CSS(colours(":root", o.Theme) + pageStyle),                                           //nolint:gosec // made of our own palette
		Picture: template.HTML(Timeline(s, TimelineOptions{Theme: o.Theme, Location: o.Location, Bare: true})), //nolint:gosec // Timeline escapes all it is given
	}
	if s.Verdict.Likely {
		p.Word += "?"
	}
	p.Episodes, p.Total = episodes(s, o)
	for i := range s.Sources {
		p.Sources = append(p.Sources, sourceLine(&s.Sources[i]))
	}
	if o.Findings != nil {
		p.Findings, p.Blanks = findings(o.Findings, o)
		p.Verdict = string(o.Findings.Verdict)
	}
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, p); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return out.Bytes(), nil
}

func stamp(t time.Time, o Options) string {
	if t.IsZero() {
		return ""
	}
	return t.In(o.Location).Format("2006-01-02 15:04:05 MST")
}

var classes = map[string]string{"SETTLED": "running", "DELAYED": "delayed", "BACK-OFF": "delayed", "RELEASED": "stopped", "REBALANCING": "stopped"}

func classOf(word string) string {
	if c, ok := classes[word]; ok {
		return c
	}
	return "wrong"
}

func facts(s *group.State) string {
	var out []string
	if r := s.Round(); r != nil {
		out = append(out, "round "+number(r))
		if r.Mode != "" {
			out = append(out, string(r.Mode))
		}
		out = append(out, fmt.Sprintf("%d workers", r.Workers))
	}
	out = append(out, fmt.Sprintf("%d connectors", s.Connectors), fmt.Sprintf("%d tasks", s.Tasks))
	for _, w := range s.Workers {
		if w.Leader {
			out = append(out, "leader "+decode.Printable(w.Name))
		}
	}
	return strings.Join(out, " · ")
}

func sourceLine(src *group.SourceState) string {
	line := string(src.Source) + ": " + string(src.Health)
	if src.Name != "" {
		line = string(src.Source) + " (" + decode.Printable(src.Name) + "): " + string(src.Health)
	}
	if src.Detail != "" {
		line += ", " + decode.Printable(src.Detail)
	}
	return line
}

func findings(r *doctor.Report, o Options) (out []finding, blanks []string) {
	for i := range r.Findings {
		f := &r.Findings[i]
		k := finding{
			ID: f.ID, Severity: string(f.Severity), Certainty: string(f.Certainty), Title: decode.Printable(f.Title),
			Why: decode.Printable(f.Why), Since: stamp(f.Since, o), Sure: decode.Printable(f.Sure), Folded: f.Cause != "",
		}
		for _, e := range f.Evidence {
			line := string(e.Source) + ": " + decode.Printable(e.Text)
			if !e.At.IsZero() {
				line = e.At.In(o.Location).Format("15:04:05") + " " + line
			}
			k.Evidence = append(k.Evidence, line)
		}
		for _, step := range f.Next {
			k.Next = append(k.Next, decode.Printable(step))
		}
		out = append(out, k)
	}
	missing := map[string]bool{}
	for _, b := range r.Blanks {
		if !missing[b.Missing] {
			missing[b.Missing] = true
			blanks = append(blanks, decode.Printable(b.Missing))
		}
	}
	return out, blanks
}
