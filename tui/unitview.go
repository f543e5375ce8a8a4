package tui

import (
	"time"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// unitView is one unit: its trace if it failed, its whole story, who says what of it, and what it cost.
type unitView struct {
	common
	trace *traceMemo
}

func newUnitView() *unitView { return &unitView{newCommon(paneTrace), &traceMemo{}} }

func (v *unitView) copied() view { return &unitView{v.common.copied(), v.trace} }

// begin shows another unit from its newest line on.
func (v *unitView) begin() { v.panes = newPanes(paneTrace) }

// open goes to the round of a line of the story.
func (v *unitView) open(*scene) action {
	if v.focus != paneUnitStory {
		return sayMessage{"enter opens the round of a line of the story: tab goes there."}
	}
	if key, ok := v.at[paneUnitStory].(storyKey); ok && key.round >= 0 {
		return openRound{key.round}
	}
	return nil
}

func (v *unitView) target(s *scene) actions.Target { return actions.Target{Unit: s.unit} }

func (v *unitView) text(s *scene) string {
	if s.unit == nil {
		return v.common.text(s)
	}
	text := s.unit.String()
	if i, ok := s.openedUnit(); ok && s.state.Units[i].Trace != "" {
		text += "\n" + s.state.Units[i].Trace
	}
	return text
}

// openedUnit is the index of the unit that is open, in the State shown.
func (s *scene) openedUnit() (i int, ok bool) {
	if s.state == nil || s.unit == nil {
		return 0, false
	}
	return s.state.Find(*s.unit)
}

func (*unitView) facts(s *scene) (left, right []factItem) {
	i, ok := s.openedUnit()
	if !ok {
		return nil, sourceFacts(s)
	}
	u := &s.state.Units[i]
	m := unitMarks[u.State]
	left = append(left, factItem{[]piece{{strong, cell.Middle(u.Unit.String(), 40)}}, 20})
	where := ""
	if who := holder(s.state, u); who != "" && u.Worker >= 0 {
		where = " on " + who
	} else if who != "" {
		where = ", was on " + who
	}
	if !u.Since.IsZero() {
		where += " since " + s.clock(u.Since)
	}
	left = append(left, factItem{[]piece{{m.token.Plain(), u.State.String()}, {text, where}}, 19})
	if c := s.connector(u.Unit.Connector); c != nil {
		if c.Class != "" {
			left = append(left, factItem{[]piece{{muted, shortClass(c.Class)}}, 5})
		}
		what := "the connector, " + plural(c.Tasks, "task")
		if !u.Unit.IsInstance() {
			what = "task " + count(int(u.Unit.Task)) + " of " + count(c.Tasks)
		}
		left = append(left, factItem{[]piece{{muted, what}}, 6})
	}
	if s.state.Past || s.recorded() {
		right = sourceFacts(s)
	}
	return left, right
}

func (s *scene) connector(name string) *group.ConnectorConfig {
	configs := s.state.Configs()
	for i := range configs {
		if configs[i].Name == name {
			return &configs[i]
		}
	}
	return nil
}

// shortClass is a Java class without its package, and a connector's without the word that all of them end in.
func shortClass(class string) string {
	for i := len(class) - 1; i >= 0; i-- {
		if class[i] == '.' {
			class = class[i+1:]
			break
		}
	}
	const end = "Connector"
	if len(class) > len(end) && class[len(class)-len(end):] == end {
		return class[:len(class)-len(end)]
	}
	return class
}

func (v *unitView) draw(s *scene, r cell.Rect) {
	i, ok := s.openedUnit()
	if !ok {
		s.title(r, "Unit", "", "", true)
		l := s.Line(r, 1)
		word := "no unit is open: choose one from a list"
		if s.unit != nil {
			word = decode.Printable(s.unit.String()) + " is not known at this moment"
		}
		l.Gap(2).Sentence(muted, word)
		return
	}
	life, sum := s.memo.life.of(s.state, i)
	if s.state.Units[i].Trace != "" {
		s.panes.among(paneTrace, paneUnitStory)
	} else {
		s.panes.among(paneUnitStory)
	}
	side := 0
	if s.lay.class >= classMedium {
		side = min(max(r.W/3, 38), 60)
	}
	main := r.Columns(0, r.W-side-sideGap(side))
	if trace := v.trace.of(s.state.Units[i].Trace, r.W); len(trace) > 0 {
		storyH := min(len(life)+2, max(r.H/3, 4))
		traceH := min(len(trace)+1, max(r.H-storyH-1, 4))
		drawTrace(s, r.Rows(0, traceH), i, trace)
		r = r.Rows(traceH+1, r.H)
		main = main.Rows(traceH+1, main.H)
	} else {
		used := drawLane(s, r, s.state.Units[i].Unit, life)
		r, main = r.Rows(used, r.H), main.Rows(used, main.H)
	}
	sumH := 0
	if lines := sumLines(s, sum, main.W); len(lines) > 0 && main.H > len(lines)+8 {
		sumH = len(lines) + 2
		at := min(len(life)+2, main.H-sumH)
		below := main.Rows(at+1, sumH)
		s.title(below, "Sum", "", "", false)
		for n, line := range lines {
			l := s.Line(below, n+1)
			s.pieces(&l, line)
		}
	}
	drawStory(s, main.Rows(0, main.H-sumH), life)
	if side > 0 {
		drawWhoSays(s, r.Columns(r.W-side, side), i)
	}
}

func sideGap(side int) int {
	if side == 0 {
		return 0
	}
	return 3
}

func drawTrace(s *scene, r cell.Rect, i int, lines []traceLine) {
	focused := s.panes.pane(paneTrace)
	list := s.panes.list(paneTrace)
	list.window(len(lines), r.H-1)
	note := "status topic"
	if said, ok := s.state.Saying(i); ok {
		note += ", generation " + count(int(said.Generation)) + ", " + age(s.state.Now.Sub(said.At)) + " old"
	}
	s.title(r, "Trace", "", note, focused)
	hidden := len(lines) - list.top - list.height
	for n := range min(list.height, len(lines)-list.top) {
		line := lines[list.top+n]
		l := s.Line(r, n+1)
		if hidden > 0 && n == list.height-1 {
			l.Sentence(muted, "… "+plural(hidden+1, "more line"))
			return
		}
		style := muted
		if line.head {
			style = text
		}
		if n+list.top == 0 {
			style = theme.Wrong.Plain()
		}
		l.Text(style, line.text)
	}
}

// storyKey is a line of a unit's story, whatever is added to it.
type storyKey struct {
	round int // Seq; -1 for none
	at    time.Time
	kind  group.LifeKind
}

func drawStory(s *scene, r cell.Rect, life []group.Happening) {
	focused := s.panes.pane(paneUnitStory)
	keys := make([]storyKey, len(life))
	for i, h := range life {
		keys[i] = storyKey{-1, h.At, h.Kind}
		if h.Round != nil {
			keys[i].round = h.Round.Seq
		}
	}
	if s.panes.at[paneUnitStory] == nil {
		s.panes.list(paneUnitStory).cursor = len(life) - 1 // the newest is what one came for
	}
	stick(s.panes, paneUnitStory, keys)
	list := s.panes.list(paneUnitStory)
	list.fit(len(life), r.H-2)
	s.title(r, "Story", "", storyNote(list), focused)
	if len(life) == 0 {
		l := s.Line(r, 1)
		l.Gap(2).Sentence(muted, "no round of the history seen had this unit")
		return
	}
	head := s.Line(r, 1)
	stamp := s.lay.class >= classMedium
	width := 8
	if stamp {
		width = 12
	}
	head.Gap(2).Words(muted, "time", width).Gap(2).Number(muted, "round", 5).Gap(2).Text(muted, "what happened")
	head.FromRight(9).Number(muted, "gap", 9)
	for n := range min(list.height, len(life)-list.top) {
		h := &life[list.top+n]
		l := s.Line(r, n+2)
		if list.top+n == list.cursor {
			s.selected(&l, focused)
		}
		l.At(2)
		when := s.clock(h.At)
		if stamp {
			when = s.stamp(h.At)
		}
		number := ""
		if h.Round != nil {
			number = generation(h.Round)
		}
		glyph, token := happeningMark(h)
		l.Words(muted, when, width).Gap(2).Number(muted, number, 5).Gap(2).Rune(token.Bold(), glyph, 1).Gap(1)
		gap := gapWords(h)
		room := l.Left()
		if gap != "" {
			room = max(room-10, 0)
		}
		l.Words(text, happeningText(s, h), room)
		l.FromRight(9).Number(theme.Stopped.Plain(), gap, 9)
	}
}

func storyNote(l *list) string {
	if l.rows > l.height && l.height > 0 {
		return count(l.top+1) + "-" + count(min(l.top+l.height, l.rows)) + " of " + count(l.rows) + ", newest last"
	}
	return "newest last"
}
