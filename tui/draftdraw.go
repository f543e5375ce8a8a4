package tui

import (
	"strings"

	"regroup/actions"
	"regroup/internal/words"
	"regroup/tui/cell"
	"regroup/tui/scene"
	"regroup/tui/theme"
	"regroup/tui/ui"
)

// drawDraft is the whole body: the settings, on a wide screen what is known of the one under the cursor and what will happen
// beside them, and the button below.
func drawDraft(s *scene.Scene, dr *draft, r cell.Rect) {
	if dr.choose != nil {
		dr.choose.draw(s, r.Rows(0, r.H-1))
		l := s.Line(r, r.H-1)
		if dr.load != nil {
			drawAsked(&l, "file", dr.load)
		} else if dr.failed != "" {
			l.Sentence(theme.Wrong.Plain(), "! "+ui.Printable(dr.failed))
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
	if dr.failed != "" { // there is room for all of it
		below = max(below, min(len(cell.Wrap(ui.Printable(ui.Flat(dr.failed)), left.W-4))+4, r.H/2))
	}
	upper := left.Rows(0, left.H-below)
	if dr.whole {
		drawSent(s, dr, upper)
	} else {
		drawSettings(s, dr, upper)
	}
	lower := left.Rows(left.H-below, below)
	if side > 0 {
		drawSending(s, dr, lower.Rows(1, below-3))
		drawAbout(s, dr, r.Columns(r.W-side, side))
	} else {
		drawAboutShort(s, dr, lower.Rows(0, lower.H-1))
	}
	drawDraftButton(s, dr, lower)
}

// drawSettings is the list of settings.
func drawSettings(s *scene.Scene, dr *draft, r cell.Rect) {
	keys := len(dr.keys())
	more := words.Thousands(keys) + " of " + dr.things(dr.total())
	switch {
	case dr.find != nil && len(dr.find.runes) > 0:
		more = dr.things(keys) + " found"
	case dr.all || dr.Plain:
		more = dr.things(keys) + ", all"
	case s.Lay.Class > scene.Narrow && !dr.Plain:
		more += ": required, important or set"
	}
	title, list := r, r.Rows(1, r.H-1)
	if dr.find != nil {
		l := s.Line(list, 0)
		l.Gap(2).Text(ui.Muted, "find").Gap(2)
		dr.find.draw(&l, min(l.Left()-2, 40), false, ui.Text)
		l.Gap(2)
		if want := dr.find.String(); keys == 0 && want != "" {
			l.Sentence(ui.Muted, "enter adds "+ui.Printable(want))
		}
		list = list.Rows(1, list.H-1)
	} else if len(dr.rows) > 0 && dr.rows[0].heading == "" && list.H > 10 {
		list = list.Rows(1, list.H-1)
	}
	dr.airRows(list.H)
	dr.list.Fit(len(dr.rows), list.H)
	if c := dr.list.Cursor + 1; c < len(dr.rows) && dr.rows[c].fault != "" && c >= dr.list.Top+dr.list.Height {
		dr.list.Top++ // what is wrong with the one under the cursor is seen
	}
	if dr.list.Cursor == 1 && dr.list.Top == 1 {
		dr.list.Top = 0 // and the heading of the first
	}
	note := "ctrl-f finds the rest"
	switch {
	case s.Lay.Class == scene.Narrow:
		note = dr.says().short
	case dr.list.Rows > dr.list.Height && dr.list.Height > 0:
		note = words.Thousands(dr.list.Top+1) + "-" + words.Thousands(min(dr.list.Top+dr.list.Height, dr.list.Rows)) + " of " + words.Thousands(dr.list.Rows) + " lines"
	case dr.find != nil || dr.all || dr.Plain:
		note = ""
	}
	name, _ := dr.given(keyName)
	if name == "" || dr.Plain {
		name = capitalised(dr.Title)
	}
	s.Title(title, cell.Middle(ui.Printable(name), max(r.W/3, 12)), more, note, !dr.whole)
	width := 8
	for _, row := range dr.rows {
		width = max(width, cell.Width(ui.Printable(row.key)))
	}
	width = min(width, max(r.W*2/5, 12))
	for n := range min(dr.list.Height, len(dr.rows)-dr.list.Top) {
		l := s.Line(list, n)
		switch row := &dr.rows[dr.list.Top+n]; {
		case *row == draftRow{}:
		case row.heading != "":
			l.Gap(2).Text(ui.Muted, cell.End(ui.Printable(row.heading), max(l.Left()-4, 0))).Gap(1).Rune(ui.Faint, '─', l.Left())
		case row.fault != "":
			l.Gap(min(width+4, r.W/3)).Text(theme.Wrong.Bold(), "!").Gap(1).Sentence(theme.Wrong.Plain(), ui.Printable(ui.Flat(row.fault)))
		default:
			drawSetting(s, dr, &l, row.key, width)
		}
	}
}

// drawSetting is one setting: what changed, its name, whether it has to be given, what stands there, and what is usual.
func drawSetting(s *scene.Scene, dr *draft, l *cell.Line, key string, width int) {
	here := key == dr.at && dr.find == nil && dr.load == nil
	name := ui.Text
	if key == dr.at {
		l.Ground(theme.Select).Rune(ui.Strong, '▸', 1)
		name = ui.Strong
	} else if !dr.New && dr.changed(key) {
		l.Rune(theme.Started.Plain(), '▌', 1)
	}
	star := " "
	setting := dr.setting(key)
	if setting != nil && setting.Required || key == keyName || key == keyClass {
		star = "*"
	}
	l.At(2).Name(name, ui.Printable(key), width).Gap(1).Text(ui.Muted, star).Gap(1)
	note := ""
	if n := len(dr.choices(key)); n > 1 {
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
	if len(dr.faults(key)) > 0 {
		style = theme.Wrong.Plain()
	}
	value, given := dr.given(key)
	switch {
	case here && !dr.fixed(key):
		e := dr.typed[key]
		if e == nil {
			e = newEntry(value)
		}
		masked := value == actions.Mask && !e.edited
		if masked {
			e = newEntry(value)
		}
		if !given && setting != nil && setting.Default != nil {
			l.Text(ui.Text.On(theme.Field), " █").Text(ui.Muted.On(theme.Field), " "+cell.Middle("default "+ui.Printable(shown(setting, *setting.Default)), max(room-4, 0)))
			l.Rune(ui.Text.On(theme.Field), ' ', max(room+width+6-l.Used(), 0))
			break
		}
		e.draw(l, room, dr.secret(key), style)
	case value != "" && dr.secret(key):
		l.Gap(1).Words(style, strings.Repeat("*", min(cell.Width(value), 8)), room-1)
	case given && value == "":
		word := `""`
		if v, _ := dr.stands(key); v == nil {
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
func shown(s *actions.Setting, value string) string {
	if s != nil && s.Type == "CLASS" {
		return value[strings.LastIndexByte(value, '.')+1:]
	}
	return value
}

// drawAsked is a line that asks for something.
func drawAsked(l *cell.Line, what string, e *entry) {
	l.Text(ui.Muted, what).Gap(2)
	e.draw(l, max(min(l.Left()-16, 60), 8), false, ui.Text)
	l.Gap(2)
	hint(l, "enter", "read it")
}

// drawDraftButton is the last row: what enter does, or why it does nothing.
func drawDraftButton(s *scene.Scene, dr *draft, r cell.Rect) {
	l := s.Line(r, r.H-1)
	if dr.load != nil {
		drawAsked(&l, "file", dr.load)
		return
	}
	word, off := "[ "+dr.Button+" ]", dr.off()
	switch {
	case dr.sent != 0:
		l.Text(ui.Muted, word).Gap(2).Text(ui.Text, "under way")
	case dr.making:
		l.Text(ui.Muted, word).Gap(2).Text(ui.Text, "looking at what will happen").Gap(2)
		hint(&l, "esc", "leave that")
	case off != "":
		l.Text(ui.Muted, word).Gap(2).Sentence(ui.Muted, "off: "+off)
	default:
		l.Text(theme.Strong.On(theme.Select).Bold(), word).Gap(2)
		hint(&l, "enter", "what will happen comes first")
	}
}
