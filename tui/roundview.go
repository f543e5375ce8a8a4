package tui

import (
	"strconv"

	"regroup/group"
	"regroup/group/assign"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// roundView is one round taken apart: what each worker reported, was told to stop and to start, and holds; why; and the bytes.
type roundView struct {
	common
	worker    int  // first of the workers shown where not all fit; of the bytes
	reports   bool // the bytes are of what workers reported, not of what they were told
	onlyBytes bool // the bytes have the place of the round's table, where there are not rows for both
	memo      *flowMemo
}

func newRoundView() *roundView { return &roundView{common: newCommon(paneFlow), memo: &flowMemo{}} }

func (v *roundView) copied() view {
	out := *v
	out.common = v.common.copied()
	return &out
}

func (v *roundView) open(*scene) action { return v.openIn(paneFlow) }

func (v *roundView) text(s *scene) string {
	if v.focus != paneFlow {
		return s.workersText()
	}
	return v.common.text(s)
}

func (*roundView) sheet(s *scene) *sheet { return workerSheet(s.state) }

func (v *roundView) press(s *scene, what handlerID) action {
	switch what {
	case doWorker:
		v.worker++
	case doBytes:
		v.nextBytes(s)
	}
	return nil
}

func (*roundView) facts(s *scene) (left, right []factItem) {
	r, _ := s.round()
	if r == nil {
		return groupFacts(s)
	}
	add := func(keep int, text string) { left = append(left, factItem{[]piece{{muted, text}}, keep}) }
	add(20, "generation "+generation(r))
	add(12, s.stamp(r.At))
	protocol := r.Protocol
	if protocol == "" {
		protocol = "no workers"
	}
	add(15, protocol)
	if !r.Empty() {
		add(8, "config offset "+count(int(r.ConfigOffset)))
		if r.Error != 0 {
			left = append(left, factItem{[]piece{{theme.Wrong.Plain(), "error " + strconv.Itoa(int(r.Error))}}, keepAlways})
		} else {
			add(5, "error 0")
		}
		add(6, "delay "+delayText(r))
	}
	return left, sourceFacts(s)
}

func delayText(r *group.Round) string {
	if r.DelayMs == 0 {
		return "0"
	}
	return waitWords(r)[len("wait "):]
}

func (v *roundView) draw(s *scene, r cell.Rect) {
	if s.state == nil {
		return
	}
	round, _ := s.round()
	if round == nil {
		l := s.Line(r, 0)
		l.Sentence(muted, "No round is known yet.")
		return
	}
	if r.H < rowsForBytes && v.onlyBytes && !round.Empty() {
		s.panes.among(paneBytes)
		v.drawBytes(s, r)
		return
	}
	rows := v.memo.of(s)
	side := 0
	if s.lay.class >= classMedium {
		side = min(max(r.W*3/10, 36), 60)
	}
	below := 0
	if r.H >= rowsForBytes && !round.Empty() {
		below = min(max(r.H/4, 8), 16)
	}
	upper := r.Rows(0, r.H-below)
	main := upper.Columns(0, r.W-side-sideGap(side))
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

func (f *flowMemo) of(s *scene) []group.FlowRow {
	r, _ := s.round()
	less := s.hidesKept()
	if f.made && f.round == r && f.less == less {
		return f.rows
	}
	if f.round != r {
		f.rows = s.state.Flow(s.state.At)
	}
	f.made, f.round, f.less = true, r, less
	f.shown = f.shown[:0]
	for i := range f.rows {
		if !less || s.differs(&f.rows[i]) {
			f.shown = append(f.shown, int32(i))
		}
	}
	return f.rows
}

// manyUnits is the size from which a round hides what it only kept, until z is pressed.
const manyUnits = 200

// hidesKept says whether units that a round only kept are left out: as z was pressed, and the other way round in a large round.
func (s *scene) hidesKept() bool {
	r, _ := s.round()
	return s.panes.less != (r != nil && r.Units > manyUnits)
}

// leavesEager says that the round before was eager: everything stopped before this one.
func (s *scene) leavesEager() bool {
	r, prev := s.round()
	return r != nil && prev != nil && !r.First && prev.Mode == group.ModeEager
}

// differs says whether the round shown did anything about a unit. An eager round assigns also what stays where it is.
func (s *scene) differs(row *group.FlowRow) bool {
	if row.Nobody || s.leavesEager() {
		return true
	}
	told := group.FlowRevoked | group.FlowAssigned | group.FlowRestarted | group.FlowDropped
	if r, _ := s.round(); r.Mode == group.ModeEager {
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
func (v *roundView) whyLines(s *scene, width int) [][]piece {
	r, prev := s.round()
	out := storyLines(story(r, prev, s.state.Workers, false), width)
	para := func(lines [][]piece) {
		if len(lines) > 0 {
			out = append(append(out, nil), lines...)
		}
	}
	para(sumsOf(s, r, width))
	para(nextLines(s, r, width))
	para(costLines(s, r, width))
	// Of a round in the middle of its episode there is no more to tell than what stands above.
	if told := v.memo.tale(s.state); told != "" && r.Released == 0 {
		var lines [][]piece
		for _, line := range cell.Wrap(told, width) {
			lines = append(lines, []piece{{muted, line}})
		}
		para(lines)
	}
	return out
}

func drawWhy(s *scene, r cell.Rect, lines [][]piece) {
	focused := s.panes.pane(paneWhy)
	list := s.panes.list(paneWhy)
	list.window(len(lines), r.H-1)
	s.title(r, "Why", "", roundNote(s, s.state.Round()), focused)
	for i := range min(list.height, len(lines)-list.top) {
		l := s.Line(r, i+1)
		if hidden := len(lines) - list.top - list.height; hidden > 0 && i == list.height-1 {
			l.Sentence(muted, "… "+plural(hidden+1, "more line"))
			return
		}
		s.pieces(&l, lines[list.top+i])
	}
}

// costLines say what the round cost beside eager, and whether the shadow leader would have decided the same.
func costLines(s *scene, r *group.Round, width int) [][]piece {
	var out [][]piece
	var line []piece
	if c, ok := s.live.Cost(r); ok {
		line = []piece{{theme.Stopped.Plain(), costText(c) + " unit-s"}}
	}
	if r.Mode == group.ModeCooperative {
		eager := []piece{{muted, "eager would stop "}, {text, count(r.EagerWouldStop)}}
		switch together := append(append(line[:len(line):len(line)], piece{muted, "; "}), eager...); {
		case line == nil:
			line = eager
		case widthOf(together) <= width:
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
		out = append(out, []piece{{muted, "shadow leader: the same"}})
	case assign.ShadowDiffers:
		for _, line := range cell.Wrap("shadow leader: not the same. "+r.ShadowWhy, width) {
			out = append(out, []piece{{theme.Delayed.Plain(), line}})
		}
	case assign.ShadowNone:
		for _, line := range cell.Wrap("shadow leader: cannot tell, "+r.ShadowWhy, width) {
			out = append(out, []piece{{muted, line}})
		}
	}
	return out
}
