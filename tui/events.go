package tui

import (
	"slices"
	"strconv"
	"strings"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// drawEvents is what was seen, newest first; of a past round what was seen around it.
func drawEvents(s *scene, r cell.Rect) {
	focused := s.panes.pane(paneEvents)
	name := "Events"
	if s.state.Past {
		name = "Events around this round"
	}
	s.title(r, name, filterNote(s, focused), "", focused)
	events := s.state.Events
	list := s.panes.list(paneEvents)
	list.window(len(events), r.H-1)
	row := 1
	for i := len(events) - 1 - list.top; i >= 0 && row < r.H; i-- {
		e := &events[i]
		l := s.Line(r, row)
		l.Words(muted, s.clock(e.At), 8).Gap(2).Words(muted, sourceOf(e), 6).Gap(2)
		l.Sentence(eventStyle(e), eventText(s, e, l.Left()))
		row++
	}
	if len(events) == 0 {
		l := s.Line(r, 1)
		l.Sentence(muted, "nothing was seen yet")
	}
}

// eventText words a round as the list of rounds does; every other event speaks for itself.
func eventText(s *scene, e *group.Event, room int) string {
	rounds := s.state.Rounds
	i, known := slices.BinarySearchFunc(rounds, e.Seq, func(r *group.Round, seq int) int { return r.Seq - seq })
	if !known || e.Unit != nil || e.Source != group.SourceLog && e.Source != group.SourceDescribe {
		return unitWords(e, room)
	}
	return "round " + generation(rounds[i]) + ": " + longWhy(rounds[i], before(rounds, i))
}

// cutRound parts what eventText says of a round: its name, and why it came about.
func cutRound(text string) (round, why string, ok bool) {
	if !strings.HasPrefix(text, "round ") {
		return "", text, false
	}
	return strings.Cut(text, ": ")
}

// unitWords name the units of an event that is about several, where there is room for them all.
func unitWords(e *group.Event, room int) string {
	how := strconv.Itoa(len(e.Units)) + " units"
	rest, counted := strings.CutPrefix(e.Text, how)
	if len(e.Units) == 0 || !counted { // more than the event names
		return e.Text
	}
	var names []string
	for _, run := range unitRuns(e.Units, room) {
		names = append(names, run.connector+" "+run.tasks)
	}
	if words := strings.Join(names, ", ") + rest; cell.Width(words) <= room {
		return words
	}
	return e.Text
}

// sourceName is how a source is called in a list: the log speaks for the group.
func sourceName(src group.Source) string {
	switch src {
	case group.SourceLog, group.SourceDescribe:
		return "group"
	}
	return string(src)
}

// sourceOf is who an event comes from. What befell the log itself is no news of the group.
func sourceOf(e *group.Event) string {
	if e.Source == group.SourceLog && e.Seq < 0 {
		return string(e.Source)
	}
	return sourceName(e.Source)
}

// loud are the states whose events stand out.
var loud = []group.UnitStateKind{group.UnitFailed, group.UnitDuplicated, group.UnitUnassigned}

func eventStyle(e *group.Event) theme.Style {
	if slices.Contains(loud, e.Kind) {
		return theme.Wrong.Plain()
	}
	return text
}
