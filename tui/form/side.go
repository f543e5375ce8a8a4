package form

import (
	"strings"

	"regroup/actions/connect"

	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// lookWords are what the newest look came to, in a row of facts and in a corner.
type lookWords struct {
	style       theme.Style
	long, short string
}

// says tells how far what is written was looked at.
func (f *Form) says() lookWords {
	who := "a worker"
	if f.look != nil && f.look.Endpoint.Name != "" {
		who = ui.Printable(f.look.Endpoint.Name)
	}
	wrong, missing := f.counts()
	switch {
	case f.Plain && wrong == 0:
		return lookWords{ui.Muted, or(f.DisabledReason, "stopped: they can be set"), ""}
	case f.looking && f.look == nil:
		return lookWords{ui.Muted, who + " is asked about it", "being checked"}
	case f.lookErr != "":
		return lookWords{theme.Delayed.Plain(), "! not checked: " + ui.Printable(ui.Flat(f.lookErr)), "not checked"}
	case f.look == nil:
		return lookWords{ui.Muted, "", ""}
	case wrong > 0:
		return lookWords{theme.Wrong.Bold(), who + " checks as you type: " + words.Plural(wrong, "error"), words.Plural(wrong, "error")}
	case missing > 0:
		return lookWords{ui.Muted, who + " checks as you type: " + words.Thousands(missing) + " to fill in", words.Thousands(missing) + " to fill in"}
	}
	return lookWords{theme.Running.Plain(), who + " checks as you type: valid", "valid"}
}

// DrawFacts is row 2: what it is made of, and what a worker says of it.
func (f *Form) DrawFacts(s *scene.Scene) {
	r := s.Lay.Facts.Columns(1, s.Lay.Facts.W-2)
	l := s.Line(r, 0)
	if class, _ := f.given(keyClass); class != "" {
		l.Text(ui.Text, cell.Middle(ui.Printable(label.ShortClass(class)), 40))
		for _, p := range f.Plugins {
			if p.Class == class && p.Version != "" {
				l.Text(ui.Text, " "+cell.End(ui.Printable(p.Version), 20))
			}
		}
		l.Text(ui.Muted, " · ")
	}
	says := f.says()
	l.Sentence(says.style, says.long)
}

// drawSending says what is sent, and to where; or why that failed the last time.
func drawSending(s *scene.Scene, f *Form, r cell.Rect) {
	if f.failed != "" {
		s.Title(r, "Not sent", "", "", false)
		for n, line := range cell.Wrap(ui.Printable(ui.Flat(f.failed)), r.W-2) {
			l := s.Line(r, n+1)
			l.Gap(2).Text(theme.Wrong.Plain(), line)
		}
		return
	}
	note := s.Key(keys.Form, keys.DoSent) + " shows it whole"
	if f.whole {
		note = "shown above"
	}
	s.Title(r, "Sent to the worker", "", note, false)
	l := s.Line(r, 1)
	values := f.values()
	if f.look != nil && f.To != nil {
		l.Gap(2).Text(ui.Text, cell.Middle(ui.Printable(f.To(f.look.Endpoint, values)), max(l.Left(), 0)))
	}
	l = s.Line(r, 2)
	what := f.things(len(values))
	if !f.New && f.look != nil {
		what = words.Plural(len(f.look.Changes), "change")
	}
	if off := f.faulty(); off != "" {
		what += "; nothing is sent while " + off
	}
	l.Gap(2).Sentence(ui.Muted, what)
}

// drawSent is what will be sent, whole: what changes, a line each, as diff writes it.
func drawSent(s *scene.Scene, f *Form, r cell.Rect) {
	var lines []string
	if f.look != nil {
		for _, c := range f.look.Changes {
			lines = append(lines, c.Lines()...)
		}
	}
	note := s.Key(keys.Form, keys.DoBack) + " back to the settings"
	rows := r.H - 1
	f.top = min(max(f.top, 0), max(len(lines)-rows, 0))
	if len(lines) > rows {
		note = words.Thousands(f.top+1) + "-" + words.Thousands(min(f.top+rows, len(lines))) + " of " + words.Thousands(len(lines)) + " lines"
	}
	s.Title(r, "Sent to the worker", "", note, true)
	if len(lines) == 0 {
		l := s.Line(r, 1)
		l.Gap(2).Sentence(ui.Muted, "nothing: "+or(f.off(), "no worker has looked at it yet"))
	}
	for n := range min(rows, len(lines)-f.top) {
		line := lines[f.top+n]
		style := theme.Started.Plain()
		if strings.HasPrefix(line, "-") {
			style = theme.Stopped.Plain()
		}
		l := s.Line(r, n+1)
		l.Gap(2).Sentence(style, line)
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// aboutLines are what is known of a setting: what is wrong with it, what it is, and what it may be.
func aboutLines(f *Form, width int) [][]ui.Piece {
	var out [][]ui.Piece
	marked := func(token theme.Token, words string) {
		for n, line := range cell.Wrap(ui.Printable(ui.Flat(words)), width-2) {
			mark := "  "
			if n == 0 {
				mark = "! "
			}
			out = append(out, []ui.Piece{{token.Bold(), mark}, {token.Plain(), line}})
		}
	}
	if f.lookErr != "" { // the row of facts has no room for all of it
		marked(theme.Delayed, "not checked: "+f.lookErr)
	}
	for _, f := range f.faults(f.at) {
		marked(theme.Wrong, f)
	}
	setting := f.setting(f.at)
	if setting == nil {
		word := "The plugin has not said yet what this is."
		switch {
		case f.Plain:
			word = "No partition is known. ctrl-f adds one, by its name as JSON."
		case f.look != nil:
			word = "The plugin does not know it; a worker, a converter or a client may."
		}
		for _, line := range cell.Wrap(word, width) {
			out = append(out, []ui.Piece{{ui.Muted, line}})
		}
		return out
	}
	if doc := ui.Printable(ui.Flat(setting.Doc)); doc != "" {
		lines := cell.Wrap(doc, width)
		const most = 8
		for n, line := range lines[:min(len(lines), most)] {
			if n == most-1 && len(lines) > most {
				line = cell.End(line, width-1) + "…"
			}
			out = append(out, []ui.Piece{{ui.Text, line}})
		}
	}
	return append(out, aboutFields(f, setting, width)...)
}

// aboutFields are the facts of a setting, a line each, and its choices.
func aboutFields(f *Form, setting *connect.Setting, width int) [][]ui.Piece {
	out := [][]ui.Piece{nil}
	field := func(name, value string) {
		if value != "" {
			out = append(out, []ui.Piece{{ui.Muted, ui.Pad(name, 12)}, {ui.Text, cell.Middle(ui.Printable(value), max(width-12, 0))}})
		}
	}
	kind := setting.Type
	if setting.Required {
		kind += ", required"
	}
	field("type", kind)
	if setting.Default != nil {
		field("default", shown(setting, *setting.Default))
	}
	field("importance", setting.Importance)
	field("group", setting.Group)
	if setting.Hidden {
		field("applies", "not as the others stand")
	}
	choices := f.choices(f.at)
	if len(choices) < 2 {
		return out
	}
	v, _ := f.given(f.at)
	if v == "" && setting.Default != nil {
		v = *setting.Default
	}
	for n, c := range choices {
		label, mark, style := "", "  ", ui.Text
		if n == 0 {
			label = "← →"
		}
		if c == v {
			mark, style = "▸ ", ui.Strong
		}
		out = append(out, []ui.Piece{{ui.Muted, ui.Pad(label, 10)}, {ui.Strong, mark}, {style, cell.Middle(ui.Printable(choiceText(c, width-12)), max(width-12, 0))}})
	}
	return out
}

// choiceText is a choice as a column has room for it: of a class that is too long for it, the last part.
func choiceText(c string, width int) string {
	if i := strings.LastIndexByte(c, '.'); cell.Width(c) > width && i >= 0 && !strings.ContainsAny(c, " /") {
		return c[i+1:]
	}
	return c
}

// drawAbout is the right column: what is known of the setting under the cursor, and below it what will happen.
func drawAbout(s *scene.Scene, f *Form, r cell.Rect) {
	s.Title(r, cell.Middle(ui.Printable(or(f.at, "Nothing here")), max(r.W-4, 4)), "", "", false)
	about := aboutLines(f, r.W)
	coming := coming(f, r.W)
	room := r.H - 2 - min(len(coming)+1, (r.H-2)/2)
	for n, line := range about[:min(len(about), room)] {
		l := s.Line(r, n+1)
		if n == room-1 && len(about) > room {
			l.Sentence(ui.Muted, "… "+words.Plural(len(about)-room+1, "more line"))
			break
		}
		s.Pieces(&l, line)
	}
	below := r.Rows(min(len(about), room)+2, r.H)
	below.H = r.Y + r.H - below.Y
	note := ""
	if f.look != nil && f.look.Preview != nil {
		note = tasksNote(f)
	}
	s.Title(below, "What will happen", "", note, false)
	for n, line := range coming {
		l := s.Line(below, n+1)
		if n == below.H-2 && len(coming) > below.H-1 {
			l.Sentence(ui.Muted, "… "+words.Plural(len(coming)-n, "more line")+"; enter shows all")
			return
		}
		s.Pieces(&l, line)
	}
	drawThen(s, f, below.Rows(len(coming)+2, below.H-len(coming)-2))
}

// drawAboutShort is what a narrow screen has room for: what is wrong with the setting under the cursor, or what it is.
func drawAboutShort(s *scene.Scene, f *Form, r cell.Rect) {
	if f.failed != "" {
		drawSending(s, f, r)
		return
	}
	s.Title(r, cell.Middle(ui.Printable(or(f.at, "Nothing here")), max(r.W/2, 4)), "", s.Key(keys.Form, keys.DoSent)+" what is sent", false)
	for n, line := range aboutLines(f, r.W-2) {
		if n+1 >= r.H {
			return
		}
		l := s.Line(r, n+1)
		l.Gap(2)
		s.Pieces(&l, line)
	}
}
