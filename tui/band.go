package tui

import (
	"strings"
	"time"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/fleet"
	"regroup/tui/keys"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// drawBand is row 1, what the eye meets first: one word, what is counting down, one sentence. Narrow screens have two rows.
func drawBand(s *scene.Scene) {
	v, left := bandVerdict(s)
	if v.Word == "" {
		l := s.Line(s.Lay.Band, 0)
		l.Gap(1).Sentence(ui.Muted, waitingFor(s))
		return
	}
	ground := parts.LookOf(v.Word).Band
	l := s.Line(s.Lay.Band, 0)
	word := string(v.Word)
	if v.Likely {
		word += "?"
	}
	l.Ground(ground).Gap(1).Text(theme.OnChip.On(parts.ChipGround(v.Word)).Bold(), " "+word+" ").Gap(2)
	if left != "" {
		l.Text(ui.Strong, left).Gap(1)
		gauge(s, &l, v)
		l.Gap(2)
	}
	if s.Lay.Band.H < 2 {
		drawSentence(&l, bandSentence(v, l.Left()-1))
		return
	}
	first, second := twoRows(v, l.Left()-1)
	drawSentence(&l, first)
	l = s.Line(s.Lay.Band, 1)
	l.Ground(ground).Gap(1).Sentence(ui.Text, second)
}

// bandVerdict is the verdict to show, and its countdown.
func bandVerdict(s *scene.Scene) (group.Verdict, string) {
	if s.View == keys.Fleet {
		return fleet.FleetVerdict(s)
	}
	if s.State == nil {
		return group.Verdict{}, ""
	}
	v := s.State.Verdict
	if v.Ends.IsZero() {
		return v, ""
	}
	return v, words.Countdown(v.Ends.Sub(s.State.Now))
}

func waitingFor(s *scene.Scene) string {
	switch {
	case s.View == keys.Fleet && s.Fleet.Trouble() != "":
		return ui.Printable(s.Fleet.Trouble())
	case s.View == keys.Fleet:
		return "Looking for Connect groups."
	case s.State == nil:
		return "Reading the history of " + s.Group + "."
	}
	return "Nothing is known of " + s.Group + " yet."
}

// gauge drains as the countdown runs.
func gauge(s *scene.Scene, l *cell.Line, v group.Verdict) {
	width := map[scene.Class]int{scene.Vast: 40, scene.Wide: 20, scene.Medium: 20}[s.Lay.Class]
	if width == 0 {
		width = 10
	}
	full := width
	if v.Total > 0 {
		full = min(max(int((v.Ends.Sub(s.State.Now)*time.Duration(width)+v.Total-1)/v.Total), 0), width)
	}
	l.Rune(parts.VerdictToken(v.Word).Plain(), '━', full).Rune(ui.Muted, '─', width-full)
}

// drawSentence draws its first part strong: who. Then what follows from it.
func drawSentence(l *cell.Line, sentence string) {
	who, rest := splitSentence(sentence)
	room := l.Left() - 1
	l.Text(ui.Strong, cell.End(who, room)).Text(ui.Text, cell.End(rest, room-cell.Width(who)))
}

// splitSentence parts the first sentence from the rest; a single one at its first comma or colon.
func splitSentence(s string) (first, rest string) {
	for _, end := range []string{". ", ": ", ", "} {
		if i := strings.Index(s, end); i >= 0 {
			return s[:i+1], s[i+1:]
		}
	}
	return "", s
}

// bandSentence is the longest wording that fits.
func bandSentence(v group.Verdict, width int) string {
	best, shortest := "", v.Sentence
	for _, words := range append([]string{v.Sentence, v.Short}, v.Fewer...) {
		if words == "" {
			continue
		}
		if cell.Width(words) <= width && cell.Width(words) > cell.Width(best) {
			best = words
		}
		if cell.Width(words) < cell.Width(shortest) {
			shortest = words
		}
	}
	if best == "" {
		return shortest
	}
	return best
}

// twoRows gives narrow screens what happens, and below it what comes next; or the sentence, wrapped.
func twoRows(v group.Verdict, width int) (first, second string) {
	if v.Short != "" && v.Second != "" {
		v.Sentence = ""
		return bandSentence(v, width), v.Second
	}
	lines := cell.Wrap(v.Sentence, width)
	if len(lines) == 0 {
		return "", v.Second
	}
	return lines[0], strings.Join(lines[1:], " ")
}
