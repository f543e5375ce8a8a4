package form

import (
	"strings"

	"regroup/actions/connect"

	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// Draw is the whole body: the settings, on a wide screen what is known of the one under the cursor and what will happen
// beside them, and the button below.
func (f *Form) Draw(s *scene.Scene, r cell.Rect) {
	if f.choose != nil {
		f.choose.draw(s, r.Rows(0, r.H-1))
		l := s.Line(r, r.H-1)
		if f.load != nil {
			drawAsked(s, &l, "file", f.load)
		} else if f.failed != "" {
			l.Sentence(theme.Wrong.Plain(), "! "+ui.Printable(f.failed))
		}
		return
	}
	side := 0
	if s.Lay.Class >= scene.Medium {
		side = min(max(r.W*3/8, 38), 70)
	}
	left := r.Columns(0, r.W-side-ui.SideGap(side))
	below := min(max((r.H-8)/2, 2), 6) + 1
	if side > 0 {
		below = 6
	}
	if f.failed != "" { // there is room for all of it
		below = max(below, min(len(cell.Wrap(ui.Printable(ui.Flat(f.failed)), left.W-4))+4, r.H/2))
	}
	upper := left.Rows(0, left.H-below)
	if f.whole {
		drawSent(s, f, upper)
	} else {
		drawSettings(s, f, upper)
	}
	lower := left.Rows(left.H-below, below)
	if side > 0 {
		drawSending(s, f, lower.Rows(1, below-3))
		drawAbout(s, f, r.Columns(r.W-side, side))
	} else {
		drawAboutShort(s, f, lower.Rows(0, lower.H-1))
	}
	drawButton(s, f, lower)
}

// drawSettings is the list of settings.
func drawSettings(s *scene.Scene, f *Form, r cell.Rect) {
	n := len(f.keys())
	more := words.Thousands(n) + " of " + f.things(f.total())
	switch {
	case f.find != nil && f.find.String() != "":
		more = f.things(n) + " found"
	case f.all || f.Plain:
		more = f.things(n) + ", all"
	case s.Lay.Class > scene.Narrow && !f.Plain:
		more += ": required, important or set"
	}
	title, list := r, r.Rows(1, r.H-1)
	if f.find != nil {
		l := s.Line(list, 0)
		l.Gap(2).Text(ui.Muted, "find").Gap(2)
		f.find.Draw(&l, min(l.Left()-2, 40), true, false, ui.Text)
		l.Gap(2)
		if want := f.find.String(); n == 0 && want != "" {
			l.Sentence(ui.Muted, s.Key(keys.Find, keys.DoOpen)+" adds "+ui.Printable(want))
		}
		list = list.Rows(1, list.H-1)
	} else if len(f.rows) > 0 && f.rows[0].heading == "" && list.H > 10 {
		list = list.Rows(1, list.H-1)
	}
	f.airRows(list.H)
	f.list.Fit(len(f.rows), list.H)
	if c := f.list.Cursor + 1; c < len(f.rows) && f.rows[c].fault != "" && c >= f.list.Top+f.list.Height {
		f.list.Top++ // what is wrong with the one under the cursor is seen
	}
	if f.list.Cursor == 1 && f.list.Top == 1 {
		f.list.Top = 0 // and the heading of the first
	}
	note := s.Key(keys.Form, keys.DoFind) + " finds the rest"
	switch {
	case s.Lay.Class == scene.Narrow:
		note = f.says().short
	case f.list.Rows > f.list.Height && f.list.Height > 0:
		note = words.Thousands(f.list.Top+1) + "-" + words.Thousands(min(f.list.Top+f.list.Height, f.list.Rows)) + " of " + words.Thousands(f.list.Rows) + " lines"
	case f.find != nil || f.all || f.Plain:
		note = ""
	}
	name, _ := f.given(keyName)
	if name == "" || f.Plain {
		name = ui.Capitalised(f.Title)
	}
	s.Title(title, cell.Middle(ui.Printable(name), max(r.W/3, 12)), more, note, !f.whole)
	width := 8
	for _, row := range f.rows {
		width = max(width, cell.Width(ui.Printable(row.key)))
	}
	width = min(width, max(r.W*2/5, 12))
	for n := range min(f.list.Height, len(f.rows)-f.list.Top) {
		l := s.Line(list, n)
		switch row := &f.rows[f.list.Top+n]; {
		case *row == line{}:
		case row.heading != "":
			l.Gap(2).Text(ui.Muted, cell.End(ui.Printable(row.heading), max(l.Left()-4, 0))).Gap(1).Rune(ui.Faint, '─', l.Left())
		case row.fault != "":
			l.Gap(min(width+4, r.W/3)).Text(theme.Wrong.Bold(), "!").Gap(1).Sentence(theme.Wrong.Plain(), ui.Printable(ui.Flat(row.fault)))
		default:
			drawSetting(s, f, &l, row.key, width)
		}
	}
}

// drawSetting is one setting: what changed, its name, whether it has to be given, what stands there, and what is usual.
func drawSetting(s *scene.Scene, f *Form, l *cell.Line, key string, width int) {
	here := key == f.at && f.find == nil && f.load == nil
	name := ui.Text
	if key == f.at {
		l.Ground(theme.Select).Rune(ui.Strong, '▸', 1)
		name = ui.Strong
	} else if !f.New && f.changed(key) {
		l.Rune(theme.Started.Plain(), '▌', 1)
	}
	star := " "
	setting := f.setting(key)
	if setting != nil && setting.Required || key == keyName || key == keyClass {
		star = "*"
	}
	l.At(2).Name(name, ui.Printable(key), width).Gap(1).Text(ui.Muted, star).Gap(1)
	note := ""
	if n := len(f.choices(key)); n > 1 {
		note = words.Plural(n, "choice")
		if key == keyClass {
			note = words.Plural(n, "plugin")
		}
	}
	room := l.Left() - 1
	if s.Lay.Class > scene.Narrow {
		room -= 12
	}
	room = max(room, 4)
	style := ui.Text
	if len(f.faults(key)) > 0 {
		style = theme.Wrong.Plain()
	}
	value, given := f.given(key)
	switch {
	case here && !f.fixed(key):
		in := ui.NewInput(value)
		if e := f.typed[key]; e != nil && (value != connect.Mask || e.Edited()) {
			in = *e
		}
		if !given && setting != nil && setting.Default != nil {
			l.Text(ui.Text.On(theme.Field), " █").Text(ui.Muted.On(theme.Field), " "+cell.Middle("default "+ui.Printable(shown(setting, *setting.Default)), max(room-4, 0)))
			l.Rune(ui.Text.On(theme.Field), ' ', max(room+width+6-l.Used(), 0))
			break
		}
		in.Draw(l, room, true, f.secret(key), style)
	case value != "" && f.secret(key):
		l.Gap(1).Words(style, strings.Repeat("*", min(cell.Width(value), 8)), room-1)
	case given && value == "":
		word := `""`
		if v, _ := f.stands(key); v == nil {
			word = "null"
		}
		l.Gap(1).Words(style, word, room-1)
	case given:
		if key == keyClass {
			value = value[strings.LastIndexByte(value, '.')+1:]
		}
		l.Gap(1).Text(style, cell.Middle(ui.Printable(shown(setting, value)), room-1))
	case setting != nil && setting.Default != nil:
		l.Gap(1).Text(ui.Muted, cell.Middle("default "+ui.Printable(shown(setting, *setting.Default)), room-1))
	}
	if s.Lay.Class > scene.Narrow && note != "" {
		l.FromRight(12).Number(ui.Muted, note, 11)
	}
}

// shown is a value as the list has room for it: a class without its package.
func shown(s *connect.Setting, value string) string {
	if s != nil && s.Type == "CLASS" {
		return value[strings.LastIndexByte(value, '.')+1:]
	}
	return value
}

// drawAsked is a line that asks for something.
func drawAsked(s *scene.Scene, l *cell.Line, what string, e *ui.Input) {
	l.Text(ui.Muted, what).Gap(2)
	e.Draw(l, max(min(l.Left()-16, 60), 8), true, false, ui.Text)
	l.Gap(2)
	scene.Hint(l, s.Key(keys.FilePath, keys.DoOpen), "read it")
}

// drawButton is the last row: what enter does, or why it does nothing.
func drawButton(s *scene.Scene, f *Form, r cell.Rect) {
	l := s.Line(r, r.H-1)
	if f.load != nil {
		drawAsked(s, &l, "file", f.load)
		return
	}
	word, off := "[ "+f.Button+" ]", f.off()
	switch {
	case f.sent:
		l.Text(ui.Muted, word).Gap(2).Text(ui.Text, "under way")
	case f.making:
		l.Text(ui.Muted, word).Gap(2).Text(ui.Text, "looking at what will happen").Gap(2)
		scene.Hint(&l, s.Key(keys.Form, keys.DoBack), "leave that")
	case off != "":
		l.Text(ui.Muted, word).Gap(2).Sentence(ui.Muted, "off: "+off)
	default:
		l.Text(theme.Strong.On(theme.Select).Bold(), word).Gap(2)
		scene.Hint(&l, s.Key(keys.Form, keys.DoOpen), "what will happen comes first")
	}
}
