package tui

import (
	"strings"
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// roundLines are the lines of the pane that tells the round shown: its story, its counts, and what comes next or came of it.
func roundLines(s *scene, width int) [][]piece {
	r, prev := s.round()
	if r == nil {
		return [][]piece{{{muted, "No round is known yet."}}}
	}
	out := storyLines(story(r, prev, s.state.Workers, width < narrowPane), width)
	out = append(out, wrapPieces(countPieces(r, width < narrowPane), countGap(width), width)...)
	if line := costPieces(s, r, width < narrowPane); line != nil {
		out = append(out, line)
	}
	if cost := s.eagerCost(r); cost != "" {
		out = append(out, []piece{{muted, "under eager "}, {text, cost + " unit-s"}, {muted, " down"}})
	}
	if next := nextLines(s, r, width); len(next) > 0 {
		out = append(append(out, nil), next...)
	}
	return out
}

// narrowPane is the width below which a pane on the right says things in fewer words.
const narrowPane = 45

// countGap lies between the counts of a round: what they need on a slim pane.
func countGap(width int) int {
	if width < narrowPane {
		return 2
	}
	return 3
}

// storyLines wraps sentences; the first stands out.
func storyLines(sentences []string, width int) [][]piece {
	var out [][]piece
	head := ""
	if len(sentences) > 0 {
		head = sentences[0]
	}
	left := len(strings.Fields(head)) // words that stand out
	for _, line := range cell.Wrap(strings.Join(sentences, " "), width) {
		words := strings.Fields(line)
		n := min(left, len(words))
		left -= n
		first, rest := strings.Join(words[:n], " "), strings.Join(words[n:], " ")
		if first != "" && rest != "" {
			first += " "
		}
		out = append(out, []piece{{theme.Strong.Plain(), first}, {text, rest}})
	}
	return out
}

// countPieces are pairs: a number and its word, or its glyph.
func countPieces(r *group.Round, narrow bool) []piece {
	if r.Empty() {
		return nil
	}
	var out []piece
	add := func(n int, what string, some theme.Style) {
		style := some
		if n == 0 {
			style = theme.Faint.Bold()
		}
		out = append(out, piece{style, count(n)}, piece{muted, " " + what})
	}
	add(r.Kept, "kept", bold)
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
		{r.Delayed, waitWords(r), theme.Delayed.Bold()},
		{r.Unassigned, "unassigned", theme.Wrong.Bold()},
		{r.Twice, "twice", theme.Wrong.Bold()},
		{r.Moved, "moved", bold},
	} {
		if c.n > 0 {
			add(c.n, c.what, c.some)
		}
	}
	if len(out) == always {
		add(0, "wait", text)
	}
	return out
}

func waitWords(r *group.Round) string {
	return "wait " + span(time.Duration(r.DelayMs)*time.Millisecond)
}

// wrapPieces lays pairs of pieces out in lines, gap columns between them.
func wrapPieces(ps []piece, gap, width int) [][]piece {
	var out [][]piece
	var line []piece
	used := 0
	for i := 0; i+1 < len(ps); i += 2 {
		w := cell.Width(ps[i].text) + cell.Width(ps[i+1].text)
		if used > 0 && used+gap+w > width {
			out, line, used = append(out, line), nil, 0
		}
		if used > 0 {
			line = append(line, piece{text, strings.Repeat(" ", gap)})
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

func drawRoundPane(s *scene, r cell.Rect, lines [][]piece) {
	name := "Round"
	round, _ := s.round()
	if round != nil {
		name = "Round " + generation(round)
	}
	s.title(r, name, "", roundNote(s, round), false)
	for i, line := range lines[:min(len(lines), max(r.H-1, 0))] {
		l := s.Line(r, i+1)
		if hidden := len(lines) - i; hidden > 1 && i == r.H-2 {
			l.Sentence(muted, "… "+plural(hidden, "more line")+", enter tells all")
			return
		}
		s.pieces(&l, line)
	}
}

// roundNote says how long ago a round was; of a past one its place in its episode.
func roundNote(s *scene, r *group.Round) string {
	switch {
	case r == nil:
		return ""
	case !s.state.Past:
		return age(s.state.Now.Sub(r.At)) + " ago"
	}
	n, place := 0, 0
	for i, other := range s.state.Rounds {
		if other.EpisodeSeq == r.EpisodeSeq {
			n++
			if i == s.state.At {
				place = n
			}
		}
	}
	if n < 2 {
		return "an episode of its own"
	}
	return ordinal(place) + " of " + count(n) + " in this episode"
}

func ordinal(n int) string {
	words := []string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"}
	if n < len(words) {
		return words[n]
	}
	return "number " + count(n)
}

// drawRoundInOneLine is what a narrow screen has room for: what the round did.
func drawRoundInOneLine(s *scene, r cell.Rect) {
	round, _ := s.round()
	if round == nil || round.Empty() {
		return
	}
	l := s.Line(r, 0)
	l.Text(muted, "Round "+generation(round)+": ")
	drawCounts(s, &l, round)
}

// drawCounts are a round's counts in a row: what it stopped always, else only what there is.
func drawCounts(s *scene, l *cell.Line, round *group.Round) {
	ps := countPieces(round, false)
	for i := 0; i+1 < len(ps); i += 2 {
		if i > 0 && ps[i].text == "0" && ps[i+1].text != " stopped" {
			continue
		}
		if i > 0 {
			l.Text(muted, ", ")
		}
		s.pieces(l, ps[i:i+2])
	}
}

// drawRoundInTwoLines is the round pane of a slim screen.
func drawRoundInTwoLines(s *scene, r cell.Rect) {
	round, _ := s.round()
	if round == nil {
		return
	}
	l := s.Line(r, 0)
	if line := nextInOneLine(s, r.W); line != nil {
		s.pieces(&l, line)
	} else if next := nextLines(s, round, r.W); len(next) > 0 {
		s.pieces(&l, next[0])
		for _, more := range next[1:] {
			l.Gap(1)
			s.pieces(&l, more)
		}
	}
	l = s.Line(r, 1)
	drawCounts(s, &l, round)
	if line := costPieces(s, round, true); line != nil {
		l.Text(muted, " · ")
		s.pieces(&l, line)
	}
}
