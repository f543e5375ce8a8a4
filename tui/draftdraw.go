package tui

import (
	"strings"

	"regroup/actions"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// drawDraft is the whole body: the settings, on a wide screen what is known of the one under the cursor and what will happen
// beside them, and the button below.
func drawDraft(s *scene, dr *draft, r cell.Rect) {
	if dr.choose != nil {
		dr.choose.draw(s, r.Rows(0, r.H-1))
		l := s.Line(r, r.H-1)
		if dr.load != nil {
			drawAsked(&l, "file", dr.load)
		} else if dr.failed != "" {
			l.Sentence(theme.Wrong.Plain(), "! "+printable(dr.failed))
		}
		return
	}
	side := 0
	if s.lay.class >= classMedium {
		side = min(max(r.W*3/8, 38), 70)
	}
	left := r.Columns(0, r.W-side-sideGap(side))
	below := min(max((r.H-8)/2, 2), 6) + 1
	if side > 0 {
		below = 6
	}
	if dr.failed != "" { // there is room for all of it
		below = max(below, min(len(cell.Wrap(printable(flat(dr.failed)), left.W-4))+4, r.H/2))
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
func drawSettings(s *scene, dr *draft, r cell.Rect) {
	keys := len(dr.keys())
	more := count(keys) + " of " + dr.things(dr.total())
	switch {
	case dr.find != nil && len(dr.find.runes) > 0:
		more = dr.things(keys) + " found"
	case dr.all || dr.Plain:
		more = dr.things(keys) + ", all"
	case s.lay.class > classNarrow && !dr.Plain:
		more += ": required, important or set"
	}
	title, list := r, r.Rows(1, r.H-1)
	if dr.find != nil {
		l := s.Line(list, 0)
		l.Gap(2).Text(muted, "find").Gap(2)
		dr.find.draw(&l, min(l.Left()-2, 40), false, text)
		l.Gap(2)
		if want := dr.find.String(); keys == 0 && want != "" {
			l.Sentence(muted, "enter adds "+printable(want))
		}
		list = list.Rows(1, list.H-1)
	} else if len(dr.rows) > 0 && dr.rows[0].heading == "" && list.H > 10 {
		list = list.Rows(1, list.H-1)
	}
	dr.airRows(list.H)
	dr.list.fit(len(dr.rows), list.H)
	if c := dr.list.cursor + 1; c < len(dr.rows) && dr.rows[c].fault != "" && c >= dr.list.top+dr.list.height {
		dr.list.top++ // what is wrong with the one under the cursor is seen
	}
	if dr.list.cursor == 1 && dr.list.top == 1 {
		dr.list.top = 0 // and the heading of the first
	}
	note := "ctrl-f finds the rest"
	switch {
	case s.lay.class == classNarrow:
		note = dr.says().short
	case dr.list.rows > dr.list.height && dr.list.height > 0:
		note = count(dr.list.top+1) + "-" + count(min(dr.list.top+dr.list.height, dr.list.rows)) + " of " + count(dr.list.rows) + " lines"
	case dr.find != nil || dr.all || dr.Plain:
		note = ""
	}
	name, _ := dr.given(keyName)
	if name == "" || dr.Plain {
		name = capitalised(dr.Title)
	}
	s.title(title, cell.Middle(printable(name), max(r.W/3, 12)), more, note, !dr.whole)
	width := 8
	for _, row := range dr.rows {
		width = max(width, cell.Width(printable(row.key)))
	}
	width = min(width, max(r.W*2/5, 12))
	for n := range min(dr.list.height, len(dr.rows)-dr.list.top) {
		l := s.Line(list, n)
		switch row := &dr.rows[dr.list.top+n]; {
		case *row == draftRow{}:
		case row.heading != "":
			l.Gap(2).Text(muted, cell.End(printable(row.heading), max(l.Left()-4, 0))).Gap(1).Rune(faint, '─', l.Left())
		case row.fault != "":
			l.Gap(min(width+4, r.W/3)).Text(theme.Wrong.Bold(), "!").Gap(1).Sentence(theme.Wrong.Plain(), printable(flat(row.fault)))
		default:
			drawSetting(s, dr, &l, row.key, width)
		}
	}
}

// drawSetting is one setting: what changed, its name, whether it has to be given, what stands there, and what is usual.
func drawSetting(s *scene, dr *draft, l *cell.Line, key string, width int) {
	here := key == dr.at && dr.find == nil && dr.load == nil
	name := text
	if key == dr.at {
		l.Ground(theme.Select).Rune(strong, '▸', 1)
		name = strong
	} else if !dr.New && dr.changed(key) {
		l.Rune(theme.Started.Plain(), '▌', 1)
	}
	star := " "
	setting := dr.setting(key)
	if setting != nil && setting.Required || key == keyName || key == keyClass {
		star = "*"
	}
	l.At(2).Name(name, printable(key), width).Gap(1).Text(muted, star).Gap(1)
	note := ""
	if n := len(dr.choices(key)); n > 1 {
		note = plural(n, "choice")
		if key == keyClass {
			note = plural(n, "plugin")
		}
	}
	room := l.Left() - 1
	if s.lay.class > classNarrow {
		room -= 12
	}
	room = max(room, 4)
	style := text
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
			l.Text(text.On(theme.Field), " █").Text(muted.On(theme.Field), " "+cell.Middle("default "+printable(shown(setting, *setting.Default)), max(room-4, 0)))
			l.Rune(text.On(theme.Field), ' ', max(room+width+6-l.Used(), 0))
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
		l.Gap(1).Text(style, cell.Middle(printable(shown(setting, value)), room-1))
	case setting != nil && setting.Default != nil:
		l.Gap(1).Text(muted, cell.Middle("default "+printable(shown(setting, *setting.Default)), room-1))
	}
	if s.lay.class > classNarrow && note != "" {
		l.FromRight(12).Number(muted, note, 11)
	}
}

// shown is a value as the list has room for it: a class without its package.
func shown(s *actions.Setting, value string) string {
	if s != nil && s.Type == "CLASS" {
		return value[strings.LastIndexByte(value, '.')+1:]
	}
	return value
}

// flat is a text on one line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// drawAsked is a line that asks for something.
func drawAsked(l *cell.Line, what string, e *entry) {
	l.Text(muted, what).Gap(2)
	e.draw(l, max(min(l.Left()-16, 60), 8), false, text)
	l.Gap(2)
	hint(l, "enter", "read it")
}

// drawDraftButton is the last row: what enter does, or why it does nothing.
func drawDraftButton(s *scene, dr *draft, r cell.Rect) {
	l := s.Line(r, r.H-1)
	if dr.load != nil {
		drawAsked(&l, "file", dr.load)
		return
	}
	word, off := "[ "+dr.Button+" ]", dr.off()
	switch {
	case dr.sent != 0:
		l.Text(muted, word).Gap(2).Text(text, "under way")
	case dr.making:
		l.Text(muted, word).Gap(2).Text(text, "looking at what will happen").Gap(2)
		hint(&l, "esc", "leave that")
	case off != "":
		l.Text(muted, word).Gap(2).Sentence(muted, "off: "+off)
	default:
		l.Text(theme.Strong.On(theme.Select).Bold(), word).Gap(2)
		hint(&l, "enter", "what will happen comes first")
	}
}
