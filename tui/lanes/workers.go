package lanes

import (
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// nameWidth is how long the names of workers may be here.
func (t *Timeline) nameWidth() int {
	longest := 9 // "units not"
	for _, l := range t.memo.workerLanes(t.s.Live) {
		longest = max(longest, cell.Width(l.Name))
	}
	return min(longest, t.maxName()+2)
}

// workersSeen are those that were there in the window.
func (t *Timeline) workersSeen() []group.WorkerLane {
	return slices.DeleteFunc(slices.Clone(t.memo.workerLanes(t.s.Live)), func(l group.WorkerLane) bool {
		for i, step := range l.Steps {
			over := i+1 < len(l.Steps) && !l.Steps[i+1].At.After(t.win.From)
			if (step.Here || step.Wait > 0 || step.Came != "") && step.At.Before(t.win.To()) && !over && (step.Here || !step.At.Before(t.win.From)) {
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
func (t *Timeline) laneHeight(seen []group.WorkerLane, left int) int {
	workers := len(seen)
	for _, h := range []int{6, 4, 3, 2} {
		if workers*h+downRows <= left && (h < 6 || !t.Small && t.mostHeld(seen) > 2*8) {
			return h
		}
	}
	return 1
}

func (t *Timeline) workerRows(left int) int {
	seen := t.workersSeen()
	n, h := len(seen), t.laneHeight(seen, left)
	if n*h+downRows > left {
		return left
	}
	return n*h + downRows
}

func (t *Timeline) workerLanes(r cell.Rect) {
	workers := t.workersSeen()
	most := t.mostHeld(workers)
	h := t.laneHeight(workers, r.H)
	down := cell.Rect{}
	if r.H >= leastDown {
		down = r.Rows(min(len(workers)*h, r.H-downRows), downRows)
		r = r.Rows(0, min(len(workers)*h, r.H-downRows))
	}
	list := &ui.List{}
	if !t.Small {
		list = t.s.Panes.List(scene.PaneTimeline)
	}
	list.Window(len(workers), max(r.H/h, 1))
	for i := range min(list.Height, len(workers)-list.Top) {
		t.workerLane(r.Rows(i*h, h), &workers[list.Top+i], most)
	}
	if !down.Empty() {
		t.downLane(down)
	}
}

func (t *Timeline) mostHeld(workers []group.WorkerLane) int {
	most := 1
	for _, l := range workers {
		for i, step := range l.Steps {
			if step.At.Before(t.win.To()) && (i+1 == len(l.Steps) || l.Steps[i+1].At.After(t.win.From)) {
				most = max(most, step.Held, step.Wait)
			}
		}
	}
	return most
}

func (t *Timeline) workerLane(r cell.Rect, lane *group.WorkerLane, most int) {
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
	l.Name(ui.Text, lane.Name, t.from-2)
	a := ui.NewArea(r, areaRow, areaRows, t.from, most)
	i := 0
	for c := range t.win.Width {
		from, to := t.win.Start(c), t.win.Start(c+1)
		if from.After(t.s.Live.Now) {
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
			a.Hatch(t.s.Grid, c, step.Wait, theme.Delayed)
		case step.Here && step.Held == 0:
			a.Fill(t.s.Grid, c, 0, theme.Faint)
		case step.Here:
			a.Fill(t.s.Grid, c, step.Held, theme.Running)
		}
	}
}

// s2 is one row of a rectangle.
func s2(r cell.Rect, row int) cell.Rect { return r.Rows(row, 1) }

// downLane is how many units did not run, though they should have, and what that cost.
func (t *Timeline) downLane(r cell.Rect) {
	steps := t.memo.downtimes(t.s.Live)
	a, b := t.s.Line(r, 1), t.s.Line(r, 2)
	a.Text(ui.Muted, cell.End("units not", t.from-1))
	b.Text(ui.Muted, cell.End("running", t.from-1))
	most := 1
	for i, d := range steps {
		if d.At.Before(t.win.To()) && (i+1 == len(steps) || steps[i+1].At.After(t.win.From)) {
			most = max(most, d.Down+d.Failed)
		}
	}
	draw := ui.NewArea(r, 1, 2, t.from, most)
	i, failed := -1, false
	for c := range t.win.Width {
		from, to := t.win.Start(c), t.win.Start(c+1)
		if from.After(t.s.Live.Now) {
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
			draw.Hatch(t.s.Grid, c, d.Down+d.Failed, theme.Delayed)
		case d.Down > 0:
			draw.Fill(t.s.Grid, c, d.Down+d.Failed, theme.Stopped)
		case d.Failed > 0:
			draw.Fill(t.s.Grid, c, d.Failed, theme.Wrong)
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
func (t *Timeline) episodeCosts(r cell.Rect) {
	from, to := t.visibleRounds()
	rounds := t.s.Live.Rounds
	var notes []note
	for i := from; i < to; {
		var sum group.Cost
		first, last := i, i
		for ; last < to && rounds[last].EpisodeSeq == rounds[i].EpisodeSeq; last++ {
			sum = sum.Plus(t.s.Live.CostOf(rounds[last]))
		}
		if sum.High >= 50*time.Millisecond {
			n := note{column: max(t.win.Column(rounds[first].At), 0), style: ui.Text, text: parts.CostText(sum), weight: 1}
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

// note is something written over a lane at a column.
type note struct {
	column int
	style  theme.Style
	text   string
	weight int
	stem   string // of one that ends in a number of units: what stands before it
	counts bool
	held   int
}

// settles is how many columns on a number of units still belongs to the note: what settles at once is told once, as it settled.
func (n *note) settles() int { return min(cell.Width(n.text), 8) }

// settling says whether a worker only holds more or less than just before: the next round of an episode.
func settling(before, step group.WorkerStep) bool {
	return step.Here && step.Came == "" && step.Leads == before.Leads && step.Held > 0 && step.At.Sub(before.At) <= 15*time.Second
}

// holding is what a note says with so many units.
func (n *note) holding(held int) {
	n.counts, n.held, n.text = true, held, n.stem
	if held > 0 {
		n.text += words.Thousands(held)
	}
	n.text = strings.TrimRight(n.text, " :,")
}

// workerNotes says over a lane when its worker came and went, and how many units it held when that changed.
func (t *Timeline) workerNotes(r cell.Rect, lane *group.WorkerLane) {
	var notes []note
	shown := -1
	for i, step := range lane.Steps {
		c := t.win.Column(step.At)
		if c < 0 || c >= t.win.Width {
			shown = step.Held
			continue
		}
		n := note{column: c, style: ui.Muted}
		if k := len(notes) - 1; k >= 0 && notes[k].counts && settling(lane.Steps[i-1], step) && c <= notes[k].column+notes[k].settles() {
			notes[k].holding(step.Held)
			shown = step.Held
			continue
		}
		switch {
		case step.Came == group.WorkerLeft && step.Wait > 0:
			n.style, n.text, n.weight = theme.Delayed.Plain(), "left, "+words.Thousands(step.Wait)+" wait", 3
		case step.Came == group.WorkerLeft:
			n.style, n.text, n.weight = theme.Stopped.Plain(), "left", 3
		case step.Came != "":
			n.style, n.stem, n.weight = theme.Started.Plain(), string(step.Came)+" ", 3
			if t.forcesEager(step.Seq, lane.Name) {
				n.style, n.stem = theme.Wrong.Plain(), "joined, eager only: "
			}
			n.holding(step.Held)
		case step.Leads && i > 0 && !lane.Steps[i-1].Leads:
			n.style, n.stem, n.weight = ui.Text, "leads, ", 2
			n.holding(step.Held)
		case step.Held > 0 && step.Held != shown:
			n.weight = 1
			n.holding(step.Held)
		}
		shown = step.Held
		if n.text != "" {
			notes = append(notes, n)
		}
	}
	t.placeNotes(r, 0, withoutRepeats(notes))
}

// withoutRepeats leaves out numbers that the note before them tells already, if that has room: what came between was over at once.
func withoutRepeats(notes []note) []note {
	var out []note
	for _, n := range notes {
		k := len(out) - 1
		seen := k == 0 || k > 0 && out[k-1].column+cell.Width(out[k-1].text) < out[k].column
		if seen && n.weight == 1 && out[k].counts && out[k].held == n.held {
			continue
		}
		out = append(out, n)
	}
	return out
}

// placeNotes writes the weightiest notes first, and others where they find room.
func (t *Timeline) placeNotes(r cell.Rect, row int, notes []note) {
	taken := make([]bool, t.win.Width)
	for weight := 3; weight >= 0; weight-- {
		for _, n := range notes {
			if n.weight != weight {
				continue
			}
			width := cell.Width(n.text)
			at := min(n.column, t.win.Width-width)
			if at < 0 || slices.Contains(taken[max(at-1, 0):min(at+width+1, len(taken))], true) {
				continue
			}
			for c := at; c < at+width; c++ {
				taken[c] = true
			}
			l := t.s.Line(r, row)
			l.At(t.from+at).Text(n.style, n.text)
		}
	}
}

func (t *Timeline) forcesEager(seq int, name string) bool {
	rounds := t.s.Live.Rounds
	i, ok := group.FindRound(rounds, seq)
	return ok && rounds[i].Mode == group.ModeEager && slices.ContainsFunc(rounds[i].Causes, func(c group.Cause) bool {
		return c.Kind == group.CauseProtocolChanged && c.Name == name
	})
}
