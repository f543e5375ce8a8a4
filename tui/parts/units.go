package parts

import (
	"strconv"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// NoUnits says why a list of units is empty.
func NoUnits(s *scene.Scene) string {
	switch {
	case len(s.State.Units) == 0:
		return "no unit is known"
	case s.Panes.Filter.String() == ui.OnlyLook:
		return "no unit needs a look"
	}
	return "no unit matches"
}

// NarrowPane is the width below which a pane on the right says things in fewer words.
const NarrowPane = 45

// RoundNote says how long ago a round was; of a past one its place in its episode.
func RoundNote(s *scene.Scene, r *group.Round) string {
	switch {
	case r == nil:
		return ""
	case !s.State.Past:
		return words.Age(s.State.Now.Sub(r.At)) + " ago"
	}
	n, place := 0, 0
	for i, other := range s.State.Rounds {
		if other.EpisodeSeq == r.EpisodeSeq {
			n++
			if i == s.State.At {
				place = n
			}
		}
	}
	if n < 2 {
		return "an episode of its own"
	}
	return ordinal(place) + " of " + words.Thousands(n) + " in this episode"
}

// StoryLines wraps sentences; the first stands out.
func StoryLines(sentences []string, width int) [][]ui.Piece {
	var out [][]ui.Piece
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
		out = append(out, []ui.Piece{{theme.Strong.Plain(), first}, {ui.Text, rest}})
	}
	return out
}

// WaitWords says how long the delay of a round is.
func WaitWords(r *group.Round) string {
	return "wait " + words.Span(time.Duration(r.DelayMs)*time.Millisecond)
}

// DrawUnitReason is the last column of a unit's line: its trace, the claim that does not fit, or the newest status.
func DrawUnitReason(s *scene.Scene, l *cell.Line, i int) {
	u := &s.State.Units[i]
	switch said, ok := s.State.LatestStatus(i); {
	case u.State == group.UnitFailed:
		l.Sentence(ui.Text, label.TraceWords(u.Trace, u.Unit))
	case u.State == group.UnitDuplicated || !ok:
		DrawEvidence(l, s.State, i)
	case u.Orphaned:
		l.Text(theme.Delayed.Plain(), "@ ").Sentence(ui.Muted, "status still claims RUNNING on "+said.Worker)
	default:
		l.Sentence(ui.Muted, "status "+said.State+", generation "+words.Thousands(int(said.Generation)))
	}
}

// DrawEvidence draws the last line of a unit's evidence.
func DrawEvidence(l *cell.Line, s *group.State, i int) {
	u := &s.Units[i]
	if u.Orphaned {
		l.Text(theme.Delayed.Plain(), "@ ")
	} else if u.Stale {
		l.Text(ui.Muted, "~ ")
	}
	switch why := s.Evidence(i); {
	case u.State == group.UnitFailed && u.Trace != "":
		l.Sentence(ui.Muted, label.TraceWords(u.Trace, u.Unit))
	case u.Orphaned:
		l.Sentence(ui.Muted, orphanWords(s, i))
	case len(why) > 0:
		l.Sentence(ui.Muted, why[len(why)-1].Text)
	case u.Reported != "":
		l.Sentence(ui.Muted, u.Reported)
	}
}

// FindingMark is the mark of a finding's severity.
func FindingMark(f *doctor.Finding) (string, theme.Style) {
	switch f.Severity {
	case doctor.Critical:
		return "!", theme.Wrong.Plain()
	case doctor.Warning:
		return "!", theme.Delayed.Plain()
	}
	return "-", ui.Muted
}

// ListedFindings are the findings of the list. Folded, what follows from another is left out.
func ListedFindings(r *doctor.Report, folded bool) []*doctor.Finding {
	if r == nil {
		return nil
	}
	var out []*doctor.Finding
	for i := range r.Findings {
		if f := &r.Findings[i]; !folded || f.Cause == "" {
			out = append(out, f)
		}
	}
	return out
}

// VerdictToken is the colour of a verdict in a list.
func VerdictToken(word group.VerdictWord) theme.Token { return chipTokens[ChipGround(word)] }

// VerdictLook is how the band of a verdict looks.
type VerdictLook struct{ Band, chip theme.Ground }

// LookOf is how the band of a verdict looks.
func LookOf(word group.VerdictWord) VerdictLook {
	if l, ok := verdictLooks[word]; ok {
		return l
	}
	return VerdictLook{theme.BandPast, theme.ChipPast}
}

// ChipGround is the ground of a verdict's chip.
func ChipGround(word group.VerdictWord) theme.Ground { return LookOf(word).chip }

// chipTokens are the colours of the chips as text, for lists.
var chipTokens = map[theme.Ground]theme.Token{
	theme.ChipWrong: theme.Wrong, theme.ChipDelayed: theme.Delayed, theme.ChipStopped: theme.Stopped,
	theme.ChipRunning: theme.Running, theme.ChipPast: theme.Past,
}

var verdictLooks = map[group.VerdictWord]VerdictLook{
	group.VerdictBlind: {theme.BandWrong, theme.ChipWrong}, group.VerdictStuck: {theme.BandWrong, theme.ChipWrong},
	group.VerdictDuplicated: {theme.BandWrong, theme.ChipWrong}, group.VerdictFailed: {theme.BandWrong, theme.ChipWrong},
	group.VerdictEmpty:   {theme.BandWrong, theme.ChipWrong},
	group.VerdictDelayed: {theme.BandDelayed, theme.ChipDelayed}, group.VerdictBackOff: {theme.BandDelayed, theme.ChipDelayed},
	group.VerdictReleased: {theme.BandStopped, theme.ChipStopped}, group.VerdictRebalancing: {theme.BandStopped, theme.ChipStopped},
	group.VerdictUnreachable: {theme.BandStopped, theme.ChipStopped}, group.VerdictReading: {theme.BandPast, theme.ChipPast},
	group.VerdictSettled: {theme.BandRunning, theme.ChipRunning},
}

// orphanWords say what still claims to run a unit, and whether an older copy does as well.
func orphanWords(s *group.State, i int) string {
	u, out := &s.Units[i], "RUNNING there"
	for _, c := range s.Claims(i) {
		if c.Worker >= 0 && c.Worker != u.Worker && c.Stands && c.State == decode.Running && !s.Workers[c.Worker].Gone {
			return out + ", a copy on " + s.Workers[c.Worker].Name
		}
	}
	return out
}

func ordinal(n int) string {
	ordinals := []string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"}
	if n < len(ordinals) {
		return ordinals[n]
	}
	return "number " + words.Thousands(n)
}

// UnitSheet is the table of units that pass a filter, in one of UnitSorts.
func UnitSheet(sc *scene.Scene, filter string, by int) *scene.Sheet {
	s := sc.State
	out := &scene.Sheet{Name: "units", Head: []string{"connector", "task", "state", "worker", "since", "status", "orphaned", "stale"}}
	var order UnitOrder
	for _, i := range order.Of(s, filter, by) {
		u := &s.Units[i]
		task := ""
		if !u.Unit.IsInstance() {
			task = strconv.Itoa(int(u.Unit.Task))
		}
		out.Rows = append(out.Rows, []string{
			u.Unit.Connector, task, u.State.String(), label.Holder(s, u), scene.When(u.Since), u.Reported, strconv.FormatBool(u.Orphaned), strconv.FormatBool(u.Stale),
		})
	}
	return out
}

// WorkerSheet is the table of workers.
func WorkerSheet(s *group.State) *scene.Sheet {
	out := &scene.Sheet{Name: "workers", Head: []string{
		"worker", "member", "url", "leader", "change", "connectors", "held", "kept", "started", "stopped", "restarted", "wait", "config_offset",
	}}
	for i := range s.Workers {
		w := &s.Workers[i]
		out.Rows = append(out.Rows, []string{
			w.Name, w.ID, w.URL, strconv.FormatBool(w.Leader), string(w.Change), strconv.Itoa(w.HeldConns), strconv.Itoa(w.Held), strconv.Itoa(w.Kept),
			strconv.Itoa(w.Started), strconv.Itoa(w.Stopped), strconv.Itoa(w.Restarted), strconv.Itoa(w.Wait), strconv.FormatInt(w.ConfigOffset, 10),
		})
	}
	return out
}
