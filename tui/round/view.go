package round

import (
	"strconv"

	"regroup/group"
	"regroup/group/assign"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// View is one round taken apart: what each worker reported, was told to stop and to start, and holds; why; and the bytes.
type View struct {
	scene.Common
	worker    int  // first of the workers shown where not all fit; of the bytes
	reports   bool // the bytes are of what workers reported, not of what they were told
	onlyBytes bool // the bytes have the place of the round's table, where there are not rows for both
	memo      *flowMemo
}

// New is the view as the program begins with it.
func New() *View { return &View{Common: scene.NewCommon(scene.PaneFlow), memo: &flowMemo{}} }

// Copied implements scene.View.
func (v *View) Copied() scene.View {
	out := *v
	out.Common = v.Common.Copied()
	return &out
}

// Open implements scene.View.
func (v *View) Open(*scene.Scene) scene.Action { return v.OpenIn(scene.PaneFlow) }

// Text implements scene.View.
func (v *View) Text(s *scene.Scene) string {
	if v.Focus != scene.PaneFlow {
		return s.WorkersText()
	}
	return v.Common.Text(s)
}

// Sheet implements scene.View.
func (*View) Sheet(s *scene.Scene) *scene.Sheet { return parts.WorkerSheet(s.State) }

// Press implements scene.View.
func (v *View) Press(s *scene.Scene, what keys.ID) scene.Action {
	switch what {
	case keys.DoWorker:
		v.worker++
	case keys.DoBytes:
		v.nextBytes(s)
	}
	return nil
}

// Facts implements scene.View.
func (*View) Facts(s *scene.Scene) (left, right []scene.FactItem) {
	r, _ := s.Round()
	if r == nil {
		return scene.GroupFacts(s)
	}
	add := func(keep int, text string) { left = append(left, scene.FactItem{[]ui.Piece{{ui.Muted, text}}, keep}) }
	add(20, "generation "+label.Generation(r))
	add(12, s.Stamp(r.At))
	protocol := r.Protocol
	if protocol == "" {
		protocol = "no workers"
	}
	add(15, protocol)
	if !r.Empty() {
		add(8, "config offset "+words.Thousands(int(r.ConfigOffset)))
		if r.Error != 0 {
			left = append(left, scene.FactItem{[]ui.Piece{{theme.Wrong.Plain(), "error " + strconv.Itoa(int(r.Error))}}, scene.KeepAlways})
		} else {
			add(5, "error 0")
		}
		add(6, "delay "+delayText(r))
	}
	return left, scene.SourceFacts(s)
}

func delayText(r *group.Round) string {
	if r.DelayMs == 0 {
		return "0"
	}
	return parts.WaitWords(r)[len("wait "):]
}

// Draw implements scene.View.
func (v *View) Draw(s *scene.Scene, r cell.Rect) {
	if s.State == nil {
		return
	}
	round, _ := s.Round()
	if round == nil {
		l := s.Line(r, 0)
		l.Sentence(ui.Muted, "No round is known yet.")
		return
	}
	if r.H < rowsForBytes && v.onlyBytes && !round.Empty() {
		s.Panes.Among(scene.PaneBytes)
		v.drawBytes(s, r)
		return
	}
	rows := v.memo.of(s)
	side := 0
	if s.Lay.Class >= scene.Medium {
		side = min(max(r.W*3/10, 36), 60)
	}
	below := 0
	if r.H >= rowsForBytes && !round.Empty() {
		below = min(max(r.H/4, 8), 16)
	}
	upper := r.Rows(0, r.H-below)
	main := upper.Columns(0, r.W-side-ui.SideGap(side))
	if side == 0 && upper.H >= 16 {
		lines := v.whyLines(s, r.W)
		height := min(len(lines)+1, upper.H/3)
		drawWhy(s, upper.Rows(upper.H-height, height), lines)
		main = main.Rows(0, upper.H-height-1)
	}
	used := v.drawFlow(s, main, rows)
	if side > 0 {
		drawWhy(s, upper.Columns(r.W-side, side), v.whyLines(s, side))
	}
	if below > 0 {
		if side > 0 && used < upper.H-1 { // the bytes go up to what lies above them
			used = max(used, min(len(v.whyLines(s, side))+1, upper.H-1))
			below = min(r.H-used-1, 24)
		} else {
			used = upper.H - 1
		}
		v.drawBytes(s, r.Rows(min(used+1, r.H-below), below))
	}
}

// flowMemo keeps the round taken apart last.
type flowMemo struct {
	round *group.Round
	rows  []group.FlowRow
	shown []int32 // of rows
	less  bool
	made  bool

	told  *group.State
	story string // of the episode, as told
}

// tale is the story of the episode of the round shown.
func (f *flowMemo) tale(s *group.State) string {
	if len(f.rows) == 0 {
		return "" // nothing is known of the round but its numbers
	}
	if f.told != s {
		f.told, f.story = s, s.Story(s.At)
	}
	return f.story
}

func (f *flowMemo) of(s *scene.Scene) []group.FlowRow {
	r, _ := s.Round()
	less := hidesKept(s)
	if f.made && f.round == r && f.less == less {
		return f.rows
	}
	if f.round != r {
		f.rows = s.State.Flow(s.State.At)
	}
	f.made, f.round, f.less = true, r, less
	f.shown = f.shown[:0]
	for i := range f.rows {
		if !less || differs(s, &f.rows[i]) {
			f.shown = append(f.shown, int32(i))
		}
	}
	return f.rows
}

// manyUnits is the size from which a round hides what it only kept, until z is pressed.
const manyUnits = 200

// hidesKept says whether units that a round only kept are left out: as z was pressed, and the other way round in a large round.
func hidesKept(s *scene.Scene) bool {
	r, _ := s.Round()
	return s.Panes.Less != (r != nil && r.Units > manyUnits)
}

// leavesEager says that the round before was eager: everything stopped before this one.
func leavesEager(s *scene.Scene) bool {
	r, prev := s.Round()
	return r != nil && prev != nil && !r.First && prev.Mode == group.ModeEager
}

// differs says whether the round shown did anything about a unit. An eager round assigns also what stays where it is.
func differs(s *scene.Scene, row *group.FlowRow) bool {
	if row.Nobody || leavesEager(s) {
		return true
	}
	told := group.FlowRevoked | group.FlowAssigned | group.FlowRestarted | group.FlowDropped
	if r, _ := s.Round(); r.Mode == group.ModeEager {
		told &^= group.FlowAssigned
	}
	for _, c := range row.Cells {
		if c.Marks&told != 0 || !c.Marks.Has(group.FlowBefore|group.FlowHeld) {
			return true
		}
	}
	return len(row.Cells) > 1
}

// whyLines tell why the round came about, the arithmetic behind it, what came of it and what it cost.
func (v *View) whyLines(s *scene.Scene, width int) [][]ui.Piece {
	r, prev := s.Round()
	out := parts.StoryLines(label.Story(r, prev, s.State.Workers, false), width)
	para := func(lines [][]ui.Piece) {
		if len(lines) > 0 {
			out = append(append(out, nil), lines...)
		}
	}
	para(sumsOf(s, r, width))
	para(parts.NextLines(s, r, width))
	para(costLines(s, r, width))
	// Of a round in the middle of its episode there is no more to tell than what stands above.
	if told := v.memo.tale(s.State); told != "" && r.Released == 0 {
		var lines [][]ui.Piece
		for _, line := range cell.Wrap(told, width) {
			lines = append(lines, []ui.Piece{{ui.Muted, line}})
		}
		para(lines)
	}
	return out
}

func drawWhy(s *scene.Scene, r cell.Rect, lines [][]ui.Piece) {
	focused := s.Panes.Pane(scene.PaneWhy)
	list := s.Panes.List(scene.PaneWhy)
	list.Window(len(lines), r.H-1)
	s.Title(r, "Why", "", parts.RoundNote(s, s.State.Round()), focused)
	for i := range min(list.Height, len(lines)-list.Top) {
		l := s.Line(r, i+1)
		if hidden := len(lines) - list.Top - list.Height; hidden > 0 && i == list.Height-1 {
			l.Sentence(ui.Muted, "… "+words.Plural(hidden+1, "more line"))
			return
		}
		s.Pieces(&l, lines[list.Top+i])
	}
}

// costLines say what the round cost beside eager, and whether the shadow leader would have decided the same.
func costLines(s *scene.Scene, r *group.Round, width int) [][]ui.Piece {
	var out [][]ui.Piece
	var line []ui.Piece
	if c, ok := s.Live.Cost(r); ok {
		line = []ui.Piece{{theme.Stopped.Plain(), parts.CostText(c) + " unit-s"}}
	}
	if r.Mode == group.ModeCooperative {
		eager := []ui.Piece{{ui.Muted, "eager would stop "}, {ui.Text, words.Thousands(r.EagerWouldStop)}}
		switch together := append(append(line[:len(line):len(line)], ui.Piece{ui.Muted, "; "}), eager...); {
		case line == nil:
			line = eager
		case ui.WidthOf(together) <= width:
			line = together
		default:
			out, line = append(out, line), eager
		}
	}
	if line != nil {
		out = append(out, line)
	}
	switch r.Shadow {
	case assign.ShadowSame:
		out = append(out, []ui.Piece{{ui.Muted, "shadow leader: the same"}})
	case assign.ShadowDiffers:
		for _, line := range cell.Wrap("shadow leader: not the same. "+r.ShadowWhy, width) {
			out = append(out, []ui.Piece{{theme.Delayed.Plain(), line}})
		}
	case assign.ShadowNone:
		for _, line := range cell.Wrap("shadow leader: cannot tell, "+r.ShadowWhy, width) {
			out = append(out, []ui.Piece{{ui.Muted, line}})
		}
	}
	return out
}

// maxSums bounds how many workers' sums are told.
const maxSums = 5

// sumsOf is the arithmetic of a cooperative round: what everybody's share is, and what each worker has, gives and gets, as
// connectors + tasks.
func sumsOf(s *scene.Scene, r *group.Round, width int) [][]ui.Piece {
	d := s.Detail(s.State.At)
	if d == nil || r.Mode != group.ModeCooperative || r.Error != 0 || r.Stopped+r.Started == 0 {
		return nil
	}
	var out [][]ui.Piece
	say := func(t string) {
		for _, line := range cell.Wrap(t, width) {
			out = append(out, []ui.Piece{{ui.Muted, line}})
		}
	}
	conns, tasks := 0, 0
	for i := range s.State.Units {
		if s.State.Units[i].Unit.IsInstance() {
			conns++
		} else {
			tasks++
		}
	}
	if n := r.Workers; n > 1 && conns+tasks > 0 {
		say(words.Plural(conns, "connector") + " and " + words.Plural(tasks, "task") + " over " + words.Plural(n, "worker") + " are " + share(conns, n) + " and " + share(tasks, n) + " each.")
	}
	told, gives := 0, false
	for i := range d.Members {
		m := &d.Members[i]
		if len(m.Revoked)+len(m.Assigned) == 0 {
			continue
		}
		if told++; told > maxSums {
			continue
		}
		line := m.Name + " holds " + both(m.Reported)
		if len(m.Revoked) > 0 {
			line += ", gives " + both(m.Revoked)
			gives = true
		}
		if len(m.Assigned) > 0 {
			line += ", gets " + both(m.Assigned)
		}
		say(line)
	}
	if told > maxSums {
		say("… and " + words.Plural(told-maxSums, "more worker"))
	}
	if gives && r.Shadow == assign.ShadowSame {
		say("each the first of its own order.")
	}
	if r.Released > 0 {
		say("Nothing is given out yet: a unit must stop before it may start.")
	}
	return out
}

// share is what falls on each of n: 4, or 4-5.
func share(all, n int) string {
	if all%n == 0 {
		return strconv.Itoa(all / n)
	}
	return strconv.Itoa(all/n) + "-" + strconv.Itoa(all/n+1)
}

// both counts connectors + tasks.
func both(units []group.Unit) string {
	conns := 0
	for _, u := range units {
		if u.IsInstance() {
			conns++
		}
	}
	return strconv.Itoa(conns) + " + " + strconv.Itoa(len(units)-conns)
}
