package tui

import (
	"strings"
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// verdictLook is how the band of a verdict looks.
type verdictLook struct{ band, chip theme.Ground }

var verdictLooks = map[string]verdictLook{
	"BLIND": {theme.BandWrong, theme.ChipWrong}, "STUCK": {theme.BandWrong, theme.ChipWrong},
	"DUPLICATED": {theme.BandWrong, theme.ChipWrong}, "FAILED": {theme.BandWrong, theme.ChipWrong},
	"EMPTY":   {theme.BandWrong, theme.ChipWrong},
	"DELAYED": {theme.BandDelayed, theme.ChipDelayed}, "BACK-OFF": {theme.BandDelayed, theme.ChipDelayed},
	"RELEASED": {theme.BandStopped, theme.ChipStopped}, "REBALANCING": {theme.BandStopped, theme.ChipStopped},
	"UNREACHABLE": {theme.BandStopped, theme.ChipStopped}, "READING": {theme.BandPast, theme.ChipPast},
	"SETTLED": {theme.BandRunning, theme.ChipRunning},
}

func lookOf(word string) verdictLook {
	if l, ok := verdictLooks[word]; ok {
		return l
	}
	return verdictLook{theme.BandPast, theme.ChipPast}
}

func chipGround(word string) theme.Ground { return lookOf(word).chip }

// chipTokens are the colours of the chips as text, for lists.
var chipTokens = map[theme.Ground]theme.Token{
	theme.ChipWrong: theme.Wrong, theme.ChipDelayed: theme.Delayed, theme.ChipStopped: theme.Stopped,
	theme.ChipRunning: theme.Running, theme.ChipPast: theme.Past,
}

func verdictToken(word string) theme.Token { return chipTokens[chipGround(word)] }

// drawBand is row 1, what the eye meets first: one word, what is counting down, one sentence. Narrow screens have two rows.
func drawBand(s *scene) {
	v, left := bandVerdict(s)
	if v.Word == "" {
		l := s.Line(s.lay.band, 0)
		l.Gap(1).Sentence(muted, waitingFor(s))
		return
	}
	ground := lookOf(v.Word).band
	l := s.Line(s.lay.band, 0)
	word := v.Word
	if v.Likely {
		word += "?"
	}
	l.Ground(ground).Gap(1).Text(theme.OnChip.On(chipGround(v.Word)).Bold(), " "+word+" ").Gap(2)
	if left != "" {
		l.Text(strong, left).Gap(1)
		s.gauge(&l, v)
		l.Gap(2)
	}
	if s.lay.band.H < 2 {
		s.sentence(&l, bandSentence(v, l.Left()-1))
		return
	}
	first, second := twoRows(v, l.Left()-1)
	s.sentence(&l, first)
	l = s.Line(s.lay.band, 1)
	l.Ground(ground).Gap(1).Sentence(text, second)
}

// bandVerdict is the verdict to show, and its countdown.
func bandVerdict(s *scene) (group.Verdict, string) {
	if s.view == viewFleet {
		return fleetVerdict(s)
	}
	if s.state == nil {
		return group.Verdict{}, ""
	}
	v := s.state.Verdict
	if v.Ends.IsZero() {
		return v, ""
	}
	return v, countdown(v.Ends.Sub(s.state.Now))
}

func waitingFor(s *scene) string {
	switch {
	case s.view == viewFleet && s.fleet.trouble() != "":
		return printable(s.fleet.trouble())
	case s.view == viewFleet:
		return "Looking for Connect groups."
	case s.state == nil:
		return "Reading the history of " + s.group + "."
	}
	return "Nothing is known of " + s.group + " yet."
}

// gauge drains as the countdown runs.
func (s *scene) gauge(l *cell.Line, v group.Verdict) {
	width := map[class]int{classVast: 40, classWide: 20, classMedium: 20}[s.lay.class]
	if width == 0 {
		width = 10
	}
	full := width
	if v.Total > 0 {
		full = min(max(int((v.Ends.Sub(s.state.Now)*time.Duration(width)+v.Total-1)/v.Total), 0), width)
	}
	l.Rune(verdictToken(v.Word).Plain(), '━', full).Rune(muted, '─', width-full)
}

// sentence draws its first part strong: who. Then what follows from it.
func (s *scene) sentence(l *cell.Line, sentence string) {
	who, rest := splitSentence(sentence)
	room := l.Left() - 1
	l.Text(strong, cell.End(who, room)).Text(text, cell.End(rest, room-cell.Width(who)))
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
