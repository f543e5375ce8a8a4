package report

import (
	"bytes"
	_ "embed"
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
		Group: decode.Printable(s.Group), Word: string(s.Verdict.Word), Class: classOf(s.Verdict.Word), Sentence: decode.Printable(s.Verdict.Sentence),
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

var classes = map[group.VerdictWord]string{group.VerdictSettled: "running", group.VerdictDelayed: "delayed", group.VerdictBackOff: "delayed", group.VerdictReleased: "stopped", group.VerdictRebalancing: "stopped"}

func classOf(word group.VerdictWord) string {
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

//go:embed page.css
var pageStyle string

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("report").Parse(pageText))

// inks are the classes of the picture, each with the token whose colour it has. A picture that goes where the reader's
// settings are known takes both palettes along.
var inks = []struct {
	class string
	token theme.Token
}{
	{"text", theme.Text},
	{"strong", theme.Strong},
	{"muted", theme.Muted},
	{"faint", theme.Faint},
	{"running", theme.Running},
	{"started", theme.Started},
	{"stopped", theme.Stopped},
	{"delayed", theme.Delayed},
	{"wrong", theme.Wrong},
	{"past", theme.Past},
}

// variables are the colours as CSS variables.
func variables(kind theme.Kind) string {
	var b strings.Builder
	for _, i := range inks {
		fmt.Fprintf(&b, "--%s:%s;", i.class, theme.Hex(kind, i.token))
	}
	fmt.Fprintf(&b, "--page:%s;--band:%s;", theme.HexGround(kind, theme.Page), theme.HexGround(kind, theme.Select2))
	return b.String()
}

// colours sets the variables on a selector; auto follows the reader's own setting.
func colours(selector string, kind theme.Kind) string {
	switch kind {
	case theme.Dark, theme.Light:
		return selector + "{" + variables(kind) + "}\n"
	}
	return selector + "{" + variables(theme.Light) + "}\n@media(prefers-color-scheme:dark){" + selector + "{" + variables(theme.Dark) + "}}\n"
}

// resolved is a style sheet with the colours in place of the variables: many programs that draw pictures know no variables.
func resolved(style string, kind theme.Kind) string {
	if kind != theme.Dark && kind != theme.Light {
		return resolved(style, theme.Light) + "@media(prefers-color-scheme:dark){" + resolved(style, theme.Dark) + "}\n"
	}
	pairs := []string{"var(--page)", theme.HexGround(kind, theme.Page)}
	for _, i := range inks {
		pairs = append(pairs, "var(--"+i.class+")", theme.Hex(kind, i.token))
	}
	return strings.NewReplacer(pairs...).Replace(style)
}

// pictureStyle is the style sheet of a timeline.
const pictureStyle = `.rg{font:12px ui-monospace,"JetBrains Mono","DejaVu Sans Mono",Menlo,Consolas,monospace}
.rg text{fill:var(--text);white-space:pre}
.rg .muted{fill:var(--muted)}.rg .strong{fill:var(--strong);font-weight:bold}
.rg .tstarted{fill:var(--started)}.rg .tstopped{fill:var(--stopped)}.rg .tdelayed{fill:var(--delayed)}.rg .twrong{fill:var(--wrong)}
.rg .page{fill:var(--page)}.rg .tick{stroke:var(--faint)}.rg .mark{stroke:var(--muted);stroke-dasharray:2 4;opacity:.6}
.rg .runs{fill:var(--running)}.rg .starts{fill:none;stroke:var(--started);stroke-width:2;stroke-dasharray:1 3}
.rg .down{fill:none;stroke:var(--stopped);stroke-width:2;stroke-dasharray:1 4}.rg .stop{fill:var(--stopped)}
.rg .wait{fill:url(#hatch);stroke:var(--delayed);stroke-width:.5}.rg .twice{fill:none;stroke:var(--wrong);stroke-width:1.5}
.rg .failed{fill:none;stroke:var(--wrong);stroke-width:2;stroke-dasharray:4 3}.rg .paused{fill:none;stroke:var(--muted)}
.rg .hatch{stroke:var(--delayed);stroke-width:1.5}.rg .dead{fill:var(--stopped)}.rg .bad{fill:var(--wrong)}.rg .idle{fill:var(--faint)}
`
