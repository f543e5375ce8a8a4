package tui

import (
	"slices"
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// nameWidth is how long the names of workers may be here.
func (t *timeline) nameWidth() int {
	longest := 9 // "units not"
	for _, l := range t.memo.workerLanes(t.s.live) {
		longest = max(longest, cell.Width(l.Name))
	}
	return min(longest, t.maxName()+2)
}

// workersSeen are those that were there in the window.
func (t *timeline) workersSeen() []group.WorkerLane {
	return slices.DeleteFunc(slices.Clone(t.memo.workerLanes(t.s.live)), func(l group.WorkerLane) bool {
		for i, step := range l.Steps {
			over := i+1 < len(l.Steps) && !l.Steps[i+1].At.After(t.win.from)
			if (step.Here || step.Wait > 0 || step.Came != "") && step.At.Before(t.win.to()) && !over && (step.Here || !step.At.Before(t.win.from)) {
				return false
			}
		}
		return true
	})
}

// downRows is how much the units that do not run take: a line of costs and an area of two.
const downRows = 3

// leastDown is how many rows there have to be for that.
const leastDown = 6

// laneHeights are how high a worker's lane can be: notes, an area of four rows or of two, and air; then without the one or the
// other. Four are for more units than two can tell apart, and never under other panes.
func (t *timeline) laneHeight(seen []group.WorkerLane, left int) int {
	workers := len(seen)
	for _, h := range []int{6, 4, 3, 2} {
		if workers*h+downRows <= left && (h < 6 || !t.small && t.mostHeld(seen) > 2*8) {
			return h
		}
	}
	return 1
}

func (t *timeline) workerRows(left int) int {
	seen := t.workersSeen()
	n, h := len(seen), t.laneHeight(seen, left)
	if n*h+downRows > left {
		return left
	}
	return n*h + downRows
}

func (t *timeline) workerLanes(r cell.Rect) {
	workers := t.workersSeen()
	most := t.mostHeld(workers)
	h := t.laneHeight(workers, r.H)
	down := cell.Rect{}
	if r.H >= leastDown {
		down = r.Rows(min(len(workers)*h, r.H-downRows), downRows)
		r = r.Rows(0, min(len(workers)*h, r.H-downRows))
	}
	list := &list{}
	if !t.small {
		list = t.s.panes.list(paneTimeline)
	}
	list.window(len(workers), max(r.H/h, 1))
	for i := range min(list.height, len(workers)-list.top) {
		t.workerLane(r.Rows(i*h, h), &workers[list.top+i], most)
	}
	if !down.Empty() {
		t.downLane(down)
	}
}

func (t *timeline) mostHeld(workers []group.WorkerLane) int {
	most := 1
	for _, l := range workers {
		for i, step := range l.Steps {
			if step.At.Before(t.win.to()) && (i+1 == len(l.Steps) || l.Steps[i+1].At.After(t.win.from)) {
				most = max(most, step.Held, step.Wait)
			}
		}
	}
	return most
}

func (t *timeline) workerLane(r cell.Rect, lane *group.WorkerLane, most int) {
	areaRow, areaRows := 0, 1
	switch {
	case r.H >= 5:
		areaRow, areaRows = 1, r.H-2
	case r.H >= 3:
		areaRow, areaRows = 1, 2
	case r.H == 2:
		areaRow = 1
	}
	if r.H >= 2 {
		t.workerNotes(r, lane)
	}
	label := s2(r, areaRow+areaRows-1)
	l := t.s.Line(label, 0)
	l.Name(text, lane.Name, t.from-2)
	a := newArea(r, areaRow, areaRows, t.from, most)
	i := 0
	for c := range t.win.width {
		from, to := t.win.start(c), t.win.start(c+1)
		if from.After(t.s.live.Now) {
			break
		}
		for i+1 < len(lane.Steps) && !lane.Steps[i+1].At.After(from) {
			i++
		}
		last := i
		for last+1 < len(lane.Steps) && lane.Steps[last+1].At.Before(to) {
			last++
		}
		step := lane.Steps[last]
		for k := i; k < last; k++ { // a wait that was over within the column was one all the same
			if lane.Steps[k+1].Wait > 0 {
				step = lane.Steps[k+1]
			}
		}
		switch {
		case !step.At.Before(to):
		case step.Wait > 0:
			a.hatch(t.s, c, step.Wait, theme.Delayed)
		case step.Here && step.Held == 0:
			a.fill(t.s, c, 0, theme.Faint)
		case step.Here:
			a.fill(t.s, c, step.Held, theme.Running)
		}
	}
}

// s2 is one row of a rectangle.
func s2(r cell.Rect, row int) cell.Rect { return r.Rows(row, 1) }

// downLane is how many units did not run, though they should have, and what that cost.
func (t *timeline) downLane(r cell.Rect) {
	steps := t.memo.downtimes(t.s.live)
	a, b := t.s.Line(r, 1), t.s.Line(r, 2)
	a.Text(muted, cell.End("units not", t.from-1))
	b.Text(muted, cell.End("running", t.from-1))
	most := 1
	for i, d := range steps {
		if d.At.Before(t.win.to()) && (i+1 == len(steps) || steps[i+1].At.After(t.win.from)) {
			most = max(most, d.Down+d.Failed)
		}
	}
	draw := newArea(r, 1, 2, t.from, most)
	i, failed := -1, false
	for c := range t.win.width {
		from, to := t.win.start(c), t.win.start(c+1)
		if from.After(t.s.live.Now) {
			break
		}
		for i+1 < len(steps) && !steps[i+1].At.After(from) {
			i++
		}
		var d group.Downtime
		for k := max(i, 0); k < len(steps) && steps[k].At.Before(to); k++ {
			if n := steps[k]; n.Down+n.Failed > d.Down+d.Failed {
				d = n
			}
		}
		switch {
		case d.Down > 0 && d.Waiting*2 > d.Down:
			draw.hatch(t.s, c, d.Down+d.Failed, theme.Delayed)
		case d.Down > 0:
			draw.fill(t.s, c, d.Down+d.Failed, theme.Stopped)
		case d.Failed > 0:
			draw.fill(t.s, c, d.Failed, theme.Wrong)
			if !failed { // where there is no colour, too
				l := t.s.Line(r, downRows-1)
				l.At(t.from+c).Rune(theme.Wrong.Bold(), '!', 1)
			}
		}
		failed = d.Down == 0 && d.Failed > 0
	}
	t.episodeCosts(r)
}

// episodeCosts are written where an episode stopped something.
func (t *timeline) episodeCosts(r cell.Rect) {
	from, to := t.visibleRounds()
	rounds := t.s.live.Rounds
	var notes []note
	for i := from; i < to; {
		var sum group.Cost
		first, last := i, i
		for ; last < to && rounds[last].EpisodeSeq == rounds[i].EpisodeSeq; last++ {
			addCost(&sum, t.s.live, rounds[last])
		}
		if sum.High >= 50*time.Millisecond {
			n := note{column: max(t.win.column(rounds[first].At), 0), style: text, text: costText(sum), weight: 1}
			if len(notes) == 0 {
				n.text += " unit-s"
			}
			if sum.High > 10*time.Second {
				n.weight = 2
			}
			notes = append(notes, n)
		}
		i = last
	}
	t.placeNotes(r, 0, notes)
}
