package parts

import (
	"slices"
	"strconv"
	"strings"

	"regroup/group"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// EventText words a round as the list of rounds does; every other event speaks for itself.
func EventText(s *scene.Scene, e *group.Event, room int) string {
	rounds := s.State.Rounds
	i, known := group.FindRound(rounds, e.Seq)
	if !known || e.Unit != nil || e.Source != group.SourceLog && e.Source != group.SourceDescribe {
		return UnitWords(e, room)
	}
	return "round " + label.Generation(rounds[i]) + ": " + label.LongWhy(rounds[i], label.Before(rounds, i))
}

// CutRound parts what eventText says of a round: its name, and why it came about.
func CutRound(text string) (round, why string, ok bool) {
	if !strings.HasPrefix(text, "round ") {
		return "", text, false
	}
	return strings.Cut(text, ": ")
}

// UnitWords name the units of an event that is about several, where there is room for them all.
func UnitWords(e *group.Event, room int) string {
	how := strconv.Itoa(len(e.Units)) + " units"
	rest, counted := strings.CutPrefix(e.Text, how)
	if len(e.Units) == 0 || !counted { // more than the event names
		return e.Text
	}
	var names []string
	for _, run := range label.UnitRuns(e.Units, room) {
		names = append(names, run.Connector+" "+run.Tasks)
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

// SourceOf is who an event comes from. What befell the log itself is no news of the group.
func SourceOf(e *group.Event) string {
	if e.Source == group.SourceLog && e.Seq < 0 {
		return string(e.Source)
	}
	return sourceName(e.Source)
}

// EventStyle is how an event is drawn: those that say that something is wrong stand out.
func EventStyle(e *group.Event) theme.Style {
	if slices.Contains(loud, e.Kind) {
		return theme.Wrong.Plain()
	}
	return ui.Text
}

// loud are the states whose events stand out.
var loud = []group.UnitStateKind{group.UnitFailed, group.UnitDuplicated, group.UnitUnassigned}

// EventSource is how the source of an event is called here.
func EventSource(e *group.Event) string {
	switch {
	case e.Seq >= 0 && e.Unit == nil && (e.Source == group.SourceLog || e.Source == group.SourceDescribe):
		return "round"
	case e.Source == group.SourceLog || e.Source == group.SourceDescribe:
		return "group"
	}
	name, _, _ := strings.Cut(string(e.Source), " ")
	return name
}

// EventRows are the events of the list, newest first, as indices into State.Events.
func EventRows(s *group.State, source, filter string) []int {
	want := strings.ToLower(strings.TrimSpace(filter))
	var out []int
	for i := len(s.Events) - 1; i >= 0; i-- {
		e := &s.Events[i]
		if source != "" && EventSource(e) != source && (source != "round" || EventSource(e) != "group") {
			continue
		}
		if want != "" && !strings.Contains(strings.ToLower(e.Text), want) && !strings.Contains(EventSource(e), want) && !namesUnit(e, want) {
			continue
		}
		out = append(out, i)
	}
	return out
}

// EventSources are what s cycles through; "" is all.
var EventSources = []string{"", "round", "status", "config", "rest", "action"}

// namesUnit says whether one of several units of an event is called so.
func namesUnit(e *group.Event, want string) bool {
	return slices.ContainsFunc(e.Units, func(u group.Unit) bool { return strings.Contains(strings.ToLower(u.String()), want) })
}

// EventSheet is the table of events of one source ("": all) that pass a filter.
func EventSheet(s *group.State, source, filter string) *scene.Sheet {
	out := &scene.Sheet{Name: "events", Head: []string{"at", "source", "text"}}
	for _, i := range EventRows(s, source, filter) {
		e := &s.Events[i]
		out.Rows = append(out.Rows, []string{scene.When(e.At), EventSource(e), e.Text})
	}
	return out
}
