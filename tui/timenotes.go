package tui

import (
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

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
		n.text += count(held)
	}
	n.text = strings.TrimRight(n.text, " :,")
}

// workerNotes says over a lane when its worker came and went, and how many units it held when that changed.
func (t *timeline) workerNotes(r cell.Rect, lane *group.WorkerLane) {
	var notes []note
	shown := -1
	for i, step := range lane.Steps {
		c := t.win.column(step.At)
		if c < 0 || c >= t.win.width {
			shown = step.Held
			continue
		}
		n := note{column: c, style: muted}
		if k := len(notes) - 1; k >= 0 && notes[k].counts && settling(lane.Steps[i-1], step) && c <= notes[k].column+notes[k].settles() {
			notes[k].holding(step.Held)
			shown = step.Held
			continue
		}
		switch {
		case step.Came == "left" && step.Wait > 0:
			n.style, n.text, n.weight = theme.Delayed.Plain(), "left, "+count(step.Wait)+" wait", 3
		case step.Came == "left":
			n.style, n.text, n.weight = theme.Stopped.Plain(), "left", 3
		case step.Came != "":
			n.style, n.stem, n.weight = theme.Started.Plain(), step.Came+" ", 3
			if t.forcesEager(step.Seq, lane.Name) {
				n.style, n.stem = theme.Wrong.Plain(), "joined, eager only: "
			}
			n.holding(step.Held)
		case step.Leads && i > 0 && !lane.Steps[i-1].Leads:
			n.style, n.stem, n.weight = text, "leads, ", 2
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
func (t *timeline) placeNotes(r cell.Rect, row int, notes []note) {
	taken := make([]bool, t.win.width)
	for weight := 3; weight >= 0; weight-- {
		for _, n := range notes {
			if n.weight != weight {
				continue
			}
			width := cell.Width(n.text)
			at := min(n.column, t.win.width-width)
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

func (t *timeline) forcesEager(seq int, name string) bool {
	rounds := t.s.live.Rounds
	i, ok := slices.BinarySearchFunc(rounds, seq, func(r *group.Round, seq int) int { return r.Seq - seq })
	return ok && rounds[i].Mode == group.ModeEager && slices.ContainsFunc(rounds[i].Causes, func(c group.Cause) bool {
		return c.Kind == group.CauseProtocolChanged && c.Name == name
	})
}
