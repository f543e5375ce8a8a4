package live

import (
	"strings"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// roundLines are the lines of the pane that tells the round shown: its story, its counts, and what comes next or came of it.
func roundLines(s *scene.Scene, width int) [][]ui.Piece {
	r, prev := s.Round()
	if r == nil {
		return [][]ui.Piece{{{ui.Muted, "No round is known yet."}}}
	}
	out := parts.StoryLines(label.Story(r, prev, s.State.Workers, width < parts.NarrowPane), width)
	out = append(out, wrapPieces(countPieces(r, width < parts.NarrowPane), countGap(width), width)...)
	if line := parts.CostPieces(s, r, width < parts.NarrowPane); line != nil {
		out = append(out, line)
	}
	if cost := parts.EagerCost(s, r); cost != "" {
		out = append(out, []ui.Piece{{ui.Muted, "under eager "}, {ui.Text, cost + " unit-s"}, {ui.Muted, " down"}})
	}
	if next := parts.NextLines(s, r, width); len(next) > 0 {
		out = append(append(out, nil), next...)
	}
	return out
}

// countGap lies between the counts of a round: what they need on a slim pane.
func countGap(width int) int {
	if width < parts.NarrowPane {
		return 2
	}
	return 3
}

// countPieces are pairs: a number and its word, or its glyph.
func countPieces(r *group.Round, narrow bool) []ui.Piece {
	if r.Empty() {
		return nil
	}
	var out []ui.Piece
	add := func(n int, what string, some theme.Style) {
		style := some
		if n == 0 {
			style = theme.Faint.Bold()
		}
		out = append(out, ui.Piece{style, words.Thousands(n)}, ui.Piece{ui.Muted, " " + what})
	}
	add(r.Kept, "kept", ui.Bold)
	started, stopped := "started", "stopped"
	if narrow {
		started, stopped = "▲", "▼"
	}
	add(r.Started, started, theme.Started.Bold())
	add(r.Stopped, stopped, theme.Stopped.Bold())
	always := len(out)
	for _, c := range []struct {
		n    int
		what string
		some theme.Style
	}{
		{r.Restarted, "restarted", theme.Stopped.Bold()},
		{r.Dropped, "dropped", theme.Stopped.Bold()},
		{r.Delayed, parts.WaitWords(r), theme.Delayed.Bold()},
		{r.Unassigned, "unassigned", theme.Wrong.Bold()},
		{r.Twice, "twice", theme.Wrong.Bold()},
		{r.Moved, "moved", ui.Bold},
	} {
		if c.n > 0 {
			add(c.n, c.what, c.some)
		}
	}
	if len(out) == always {
		add(0, "wait", ui.Text)
	}
	return out
}

// wrapPieces lays pairs of pieces out in lines, gap columns between them.
func wrapPieces(ps []ui.Piece, gap, width int) [][]ui.Piece {
	var out [][]ui.Piece
	var line []ui.Piece
	used := 0
	for i := 0; i+1 < len(ps); i += 2 {
		w := cell.Width(ps[i].Text) + cell.Width(ps[i+1].Text)
		if used > 0 && used+gap+w > width {
			out, line, used = append(out, line), nil, 0
		}
		if used > 0 {
			line = append(line, ui.Piece{ui.Text, strings.Repeat(" ", gap)})
			used += gap
		}
		line = append(line, ps[i], ps[i+1])
		used += w
	}
	if len(line) > 0 {
		out = append(out, line)
	}
	return out
}

func drawRoundPane(s *scene.Scene, r cell.Rect, lines [][]ui.Piece) {
	name := "Round"
	round, _ := s.Round()
	if round != nil {
		name = "Round " + label.Generation(round)
	}
	s.Title(r, name, "", parts.RoundNote(s, round), false)
	for i, line := range lines[:min(len(lines), max(r.H-1, 0))] {
		l := s.Line(r, i+1)
		if hidden := len(lines) - i; hidden > 1 && i == r.H-2 {
			l.Sentence(ui.Muted, "… "+words.Plural(hidden, "more line")+", enter tells all")
			return
		}
		s.Pieces(&l, line)
	}
}

// drawRoundInOneLine is what a narrow screen has room for: what the round did.
func drawRoundInOneLine(s *scene.Scene, r cell.Rect) {
	round, _ := s.Round()
	if round == nil || round.Empty() {
		return
	}
	l := s.Line(r, 0)
	l.Text(ui.Muted, "Round "+label.Generation(round)+": ")
	drawCounts(s, &l, round)
}

// drawCounts are a round's counts in a row: what it stopped always, else only what there is.
func drawCounts(s *scene.Scene, l *cell.Line, round *group.Round) {
	ps := countPieces(round, false)
	for i := 0; i+1 < len(ps); i += 2 {
		if i > 0 && ps[i].Text == "0" && ps[i+1].Text != " stopped" {
			continue
		}
		if i > 0 {
			l.Text(ui.Muted, ", ")
		}
		s.Pieces(l, ps[i:i+2])
	}
}

// drawRoundInTwoLines is the round pane of a slim screen.
func drawRoundInTwoLines(s *scene.Scene, r cell.Rect) {
	round, _ := s.Round()
	if round == nil {
		return
	}
	l := s.Line(r, 0)
	if line := parts.NextInOneLine(s, r.W); line != nil {
		s.Pieces(&l, line)
	} else if next := parts.NextLines(s, round, r.W); len(next) > 0 {
		s.Pieces(&l, next[0])
		for _, more := range next[1:] {
			l.Gap(1)
			s.Pieces(&l, more)
		}
	}
	l = s.Line(r, 1)
	drawCounts(s, &l, round)
	if line := parts.CostPieces(s, round, true); line != nil {
		l.Text(ui.Muted, " · ")
		s.Pieces(&l, line)
	}
}
