package units

import (
	"time"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/lanes"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// Unit is one unit: its trace if it failed, its whole story, who says what of it, and what it cost.
type Unit struct {
	scene.Common
	trace *traceMemo
	life  *lifeMemo
	lanes *lanes.Memo
}

// NewUnit is the view of one unit as the program begins with it.
func NewUnit() *Unit {
	return &Unit{scene.NewCommon(scene.PaneTrace), &traceMemo{}, &lifeMemo{}, &lanes.Memo{}}
}

// Copied implements scene.View.
func (v *Unit) Copied() scene.View { return &Unit{v.Common.Copied(), v.trace, v.life, v.lanes} }

// Begin shows another unit from its newest line on.
func (v *Unit) Begin() { v.Panes = scene.NewPanes(scene.PaneTrace) }

// Open goes to the round of a line of the story.
func (v *Unit) Open(*scene.Scene) scene.Action {
	if v.Focus != scene.PaneUnitStory {
		return scene.SayMessage{"enter opens the round of a line of the story: tab goes there."}
	}
	if key, ok := v.At[scene.PaneUnitStory].(storyKey); ok && key.round >= 0 {
		return scene.OpenRound{key.round}
	}
	return nil
}

// Sheet implements scene.View.
func (v *Unit) Sheet(s *scene.Scene) *scene.Sheet { return parts.UnitSheet(s, v.Filter.String(), 1) }

// Target implements scene.View.
func (v *Unit) Target(s *scene.Scene) actions.Target { return actions.Target{Unit: s.Unit} }

// Text implements scene.View.
func (v *Unit) Text(s *scene.Scene) string {
	if s.Unit == nil {
		return v.Common.Text(s)
	}
	text := s.Unit.String()
	if i, ok := s.OpenedUnit(); ok && s.State.Units[i].Trace != "" {
		text += "\n" + s.State.Units[i].Trace
	}
	return text
}

// Facts implements scene.View.
func (*Unit) Facts(s *scene.Scene) (left, right []scene.FactItem) {
	i, ok := s.OpenedUnit()
	if !ok {
		return nil, scene.SourceFacts(s)
	}
	u := &s.State.Units[i]
	m := label.UnitMarks[u.State]
	left = append(left, scene.FactItem{[]ui.Piece{{ui.Strong, cell.Middle(u.Unit.String(), 40)}}, 20})
	where := ""
	if who := label.Holder(s.State, u); who != "" && u.Worker >= 0 {
		where = " on " + who
	} else if who != "" {
		where = ", was on " + who
	}
	if !u.Since.IsZero() {
		where += " since " + s.Clock(u.Since)
	}
	left = append(left, scene.FactItem{[]ui.Piece{{m.Token.Plain(), u.State.String()}, {ui.Text, where}}, 19})
	if c := s.Connector(u.Unit.Connector); c != nil {
		if c.Class != "" {
			left = append(left, scene.FactItem{[]ui.Piece{{ui.Muted, label.ShortClass(c.Class)}}, 5})
		}
		what := "the connector, " + words.Plural(c.Tasks, "task")
		if !u.Unit.IsInstance() {
			what = "task " + words.Thousands(int(u.Unit.Task)) + " of " + words.Thousands(c.Tasks)
		}
		left = append(left, scene.FactItem{[]ui.Piece{{ui.Muted, what}}, 6})
	}
	if s.State.Past || s.Recorded() {
		right = scene.SourceFacts(s)
	}
	return left, right
}

// Draw implements scene.View.
func (v *Unit) Draw(s *scene.Scene, r cell.Rect) {
	i, ok := s.OpenedUnit()
	if !ok {
		s.Title(r, "Unit", "", "", true)
		l := s.Line(r, 1)
		word := "no unit is open: choose one from a list"
		if s.Unit != nil {
			word = decode.Printable(s.Unit.String()) + " is not known at this moment"
		}
		l.Gap(2).Sentence(ui.Muted, word)
		return
	}
	life, sum := v.life.of(s.State, i)
	if s.State.Units[i].Trace != "" {
		s.Panes.Among(scene.PaneTrace, scene.PaneUnitStory)
	} else {
		s.Panes.Among(scene.PaneUnitStory)
	}
	side := 0
	if s.Lay.Class >= scene.Medium {
		side = min(max(r.W/3, 38), 60)
	}
	main := r.Columns(0, r.W-side-ui.SideGap(side))
	if trace := v.trace.of(s.State.Units[i].Trace, r.W); len(trace) > 0 {
		storyH := min(len(life)+2, max(r.H/3, 4))
		traceH := min(len(trace)+1, max(r.H-storyH-1, 4))
		drawTrace(s, r.Rows(0, traceH), i, trace)
		r = r.Rows(traceH+1, r.H)
		main = main.Rows(traceH+1, main.H)
	} else {
		used := lanes.DrawLane(s, v.lanes, r, s.State.Units[i].Unit, life)
		r, main = r.Rows(used, r.H), main.Rows(used, main.H)
	}
	sumH := 0
	if lines := sumLines(s, sum, main.W); len(lines) > 0 && main.H > len(lines)+8 {
		sumH = len(lines) + 2
		at := min(len(life)+2, main.H-sumH)
		below := main.Rows(at+1, sumH)
		s.Title(below, "Sum", "", "", false)
		for n, line := range lines {
			l := s.Line(below, n+1)
			s.Pieces(&l, line)
		}
	}
	drawStory(s, main.Rows(0, main.H-sumH), life)
	if side > 0 {
		drawWhoSays(s, r.Columns(r.W-side, side), i)
	}
}

func drawTrace(s *scene.Scene, r cell.Rect, i int, lines []label.TraceLine) {
	focused := s.Panes.Pane(scene.PaneTrace)
	list := s.Panes.List(scene.PaneTrace)
	list.Window(len(lines), r.H-1)
	note := "status topic"
	if said, ok := s.State.LatestStatus(i); ok {
		note += ", generation " + words.Thousands(int(said.Generation)) + ", " + words.Age(s.State.Now.Sub(said.At)) + " old"
	}
	s.Title(r, "Trace", "", note, focused)
	hidden := len(lines) - list.Top - list.Height
	for n := range min(list.Height, len(lines)-list.Top) {
		line := lines[list.Top+n]
		l := s.Line(r, n+1)
		if hidden > 0 && n == list.Height-1 {
			l.Sentence(ui.Muted, "… "+words.Plural(hidden+1, "more line"))
			return
		}
		style := ui.Muted
		if line.Head {
			style = ui.Text
		}
		if n+list.Top == 0 {
			style = theme.Wrong.Plain()
		}
		l.Text(style, line.Text)
	}
}

// storyKey is a line of a unit's story, whatever is added to it.
type storyKey struct {
	round int // Seq; -1 for none
	at    time.Time
	kind  group.EntryKind
}

func drawStory(s *scene.Scene, r cell.Rect, life []group.Entry) {
	focused := s.Panes.Pane(scene.PaneUnitStory)
	keys := make([]storyKey, len(life))
	for i, h := range life {
		keys[i] = storyKey{-1, h.At, h.Kind}
		if h.Round != nil {
			keys[i].round = h.Round.Seq
		}
	}
	if s.Panes.At[scene.PaneUnitStory] == nil {
		s.Panes.List(scene.PaneUnitStory).Cursor = len(life) - 1 // the newest is what one came for
	}
	scene.Stick(s.Panes, scene.PaneUnitStory, keys)
	list := s.Panes.List(scene.PaneUnitStory)
	list.Fit(len(life), r.H-2)
	s.Title(r, "Story", "", storyNote(list), focused)
	if len(life) == 0 {
		l := s.Line(r, 1)
		l.Gap(2).Sentence(ui.Muted, "no round of the history seen had this unit")
		return
	}
	head := s.Line(r, 1)
	stamp := s.Lay.Class >= scene.Medium
	width := 8
	if stamp {
		width = 12
	}
	head.Gap(2).Words(ui.Muted, "time", width).Gap(2).Number(ui.Muted, "round", 5).Gap(2).Text(ui.Muted, "what happened")
	head.FromRight(9).Number(ui.Muted, "gap", 9)
	for n := range min(list.Height, len(life)-list.Top) {
		h := &life[list.Top+n]
		l := s.Line(r, n+2)
		if list.Top+n == list.Cursor {
			s.Selected(&l, focused)
		}
		l.At(2)
		when := s.Clock(h.At)
		if stamp {
			when = s.Stamp(h.At)
		}
		number := ""
		if h.Round != nil {
			number = label.Generation(h.Round)
		}
		glyph, token := parts.EntryMark(h)
		l.Words(ui.Muted, when, width).Gap(2).Number(ui.Muted, number, 5).Gap(2).Rune(token.Bold(), glyph, 1).Gap(1)
		gap := parts.GapWords(h)
		room := l.Left()
		if gap != "" {
			room = max(room-10, 0)
		}
		l.Words(ui.Text, parts.EntryText(s, h), room)
		l.FromRight(9).Number(theme.Stopped.Plain(), gap, 9)
	}
}

func storyNote(l *ui.List) string {
	if l.Rows > l.Height && l.Height > 0 {
		return words.Thousands(l.Top+1) + "-" + words.Thousands(min(l.Top+l.Height, l.Rows)) + " of " + words.Thousands(l.Rows) + ", newest last"
	}
	return "newest last"
}

// traceMemo keeps the trace looked at last, wrapped.
type traceMemo struct {
	trace string
	width int
	lines []label.TraceLine
}

func (m *traceMemo) of(trace string, width int) []label.TraceLine {
	if m.trace != trace || m.width != width {
		m.trace, m.width, m.lines = trace, width, label.TraceLines(trace, width)
	}
	return m.lines
}

// lifeMemo keeps the story of the unit looked at last.
type lifeMemo struct {
	state *group.State
	unit  group.Unit
	lines []group.Entry
	sum   group.UnitSum
}

func (m *lifeMemo) of(s *group.State, i int) ([]group.Entry, group.UnitSum) {
	if u := s.Units[i].Unit; m.state != s || m.unit != u {
		m.state, m.unit = s, u
		m.lines, m.sum = s.UnitHistory(i), s.UnitSum(i)
	}
	return m.lines, m.sum
}
