package tui

import (
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// eventsView is everything that was seen, newest first; of one source alone if asked.
type eventsView struct{ common }

func newEventsView() *eventsView { return &eventsView{newCommon(paneEventList)} }

func (v *eventsView) copied() view { return &eventsView{v.common.copied()} }

// eventKey tells an event from the others when more come.
type eventKey struct {
	at   time.Time
	text string
}

// eventSources are what s cycles through; "" is all.
var eventSources = []string{"", "round", "status", "config", "rest", "action"}

func (*eventsView) facts(s *scene) (left, right []factItem) {
	which := eventSources[s.panes.sort%len(eventSources)]
	if which == "" {
		which = "all"
	}
	left = []factItem{{[]piece{{muted, "everything that was seen, newest first"}}, 20}}
	if s.state.Past || s.recorded() {
		return left, append([]factItem{{[]piece{{muted, "sources: "}, {text, which}}, 10}}, sourceFacts(s)...)
	}
	return left, []factItem{{[]piece{{muted, "s sources: "}, {text, which}}, keepAlways}}
}

// eventSource is how the source of an event is called here.
func eventSource(e *group.Event) string {
	switch {
	case e.Seq >= 0 && e.Unit == nil && (e.Source == group.SourceLog || e.Source == group.SourceDescribe):
		return "round"
	case e.Source == group.SourceLog || e.Source == group.SourceDescribe:
		return "group"
	}
	name, _, _ := strings.Cut(string(e.Source), " ")
	return name
}

// eventRows are the events of the list, newest first, as indices into State.Events.
func eventRows(s *group.State, source, filter string) []int {
	want := strings.ToLower(strings.TrimSpace(filter))
	var out []int
	for i := len(s.Events) - 1; i >= 0; i-- {
		e := &s.Events[i]
		if source != "" && eventSource(e) != source && (source != "round" || eventSource(e) != "group") {
			continue
		}
		if want != "" && !strings.Contains(strings.ToLower(e.Text), want) && !strings.Contains(eventSource(e), want) && !namesUnit(e, want) {
			continue
		}
		out = append(out, i)
	}
	return out
}

// namesUnit says whether one of several units of an event is called so.
func namesUnit(e *group.Event, want string) bool {
	return slices.ContainsFunc(e.Units, func(u group.Unit) bool { return strings.Contains(strings.ToLower(u.String()), want) })
}

// selected is the event under the cursor; nil: there is none.
func (v *eventsView) selected(s *scene) *group.Event {
	rows := eventRows(s.state, v.source(), v.filter.text)
	if i := v.list(paneEventList).cursor; i < len(rows) {
		return &s.state.Events[rows[i]]
	}
	return nil
}

// source is the one whose events are shown; "": all.
func (v *eventsView) source() string { return eventSources[v.sort%len(eventSources)] }

// open goes to what an event is about: a unit, or a round.
func (v *eventsView) open(s *scene) action {
	e := v.selected(s)
	switch {
	case e == nil:
		return nil
	case e.Unit != nil:
		return openUnit{*e.Unit}
	case len(e.Units) > 0:
		return listUnits{e.Units[0]}
	case e.Seq >= 0:
		return openRound{e.Seq}
	}
	return sayMessage{"nothing more is known of this event."}
}

func (v *eventsView) text(s *scene) string {
	if e := v.selected(s); e != nil {
		return when(e.At) + " " + eventSource(e) + " " + e.Text
	}
	return ""
}

func (v *eventsView) sheet(s *scene) *sheet { return eventSheet(s.state, v.source(), v.filter.text) }

func (*eventsView) draw(s *scene, r cell.Rect) {
	if s.state == nil {
		return
	}
	focused := s.panes.pane(paneEventList)
	rows := eventRows(s.state, eventSources[s.panes.sort%len(eventSources)], s.panes.filter.text)
	list := s.panes.list(paneEventList)
	if list.cursor > 0 || list.moved { // at the top one follows what is new
		stickTo(s.panes, paneEventList, len(rows), func(i int) eventKey { return keyOfEvent(&s.state.Events[rows[i]]) }, func(k eventKey) int {
			return slices.IndexFunc(rows, func(i int) bool { return keyOfEvent(&s.state.Events[i]) == k })
		})
	}
	list.fit(len(rows), r.H-1)
	note := count(len(s.state.Events)) + " since " + s.clock(s.state.HistoryFrom)
	if len(rows) < len(s.state.Events) {
		note = count(len(rows)) + " of " + note
	}
	s.title(r, "Events", filterNote(s, focused), note, focused)
	for n := range min(list.height, len(rows)-list.top) {
		drawEventRow(s, r, n+1, &s.state.Events[rows[list.top+n]], list.top+n == list.cursor, focused)
	}
	if len(rows) == 0 {
		l := s.Line(r, 1)
		word := "nothing was seen yet"
		if len(s.state.Events) > 0 {
			word = "no event matches"
		}
		l.Gap(2).Sentence(muted, word)
	}
}

func keyOfEvent(e *group.Event) eventKey { return eventKey{e.At, e.Text} }

func drawEventRow(s *scene, r cell.Rect, row int, e *group.Event, selected, focused bool) {
	l := s.Line(r, row)
	if selected {
		s.selected(&l, focused)
	}
	l.At(2)
	if s.lay.class >= classSlim {
		l.Words(muted, s.stamp(e.At), 12)
	} else {
		l.Words(muted, s.clock(e.At), 8)
	}
	l.Gap(2).Words(muted, eventSource(e), 6).Gap(2)
	glyph, token := eventMark(s, e)
	l.Rune(token.Bold(), glyph, 1).Gap(1)
	number := ""
	if i, ok := slices.BinarySearchFunc(s.state.Rounds, e.Seq, func(r *group.Round, seq int) int { return r.Seq - seq }); ok && e.Seq >= 0 {
		number = generation(s.state.Rounds[i])
	}
	room := l.Left()
	if number != "" {
		room = max(room-cell.Width(number)-2, 0)
	}
	l.Words(eventStyle(e), eventWords(s, e, room), room)
	l.FromRight(8).Number(muted, number, 8)
}

// eventWords are an event's own text; a round's is why it came about and what it did.
func eventWords(s *scene, e *group.Event, room int) string {
	i, known := slices.BinarySearchFunc(s.state.Rounds, e.Seq, func(r *group.Round, seq int) int { return r.Seq - seq })
	if eventSource(e) != "round" || !known {
		return unitWords(e, room) + failedWords(s, e)
	}
	r := s.state.Rounds[i]
	out := generation(r) + ": " + shortWhy(r, before(s.state.Rounds, i))
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{
		{r.Kept, "kept"},
		{r.Started, "started"},
		{r.Stopped, "stopped"},
		{r.Restarted, "restarted"},
		{r.Dropped, "dropped"},
		{r.Moved, "moved"},
		{r.Released, "released"},
		{r.Delayed, "wait"},
		{r.Unassigned, "unassigned"},
		{r.Twice, "twice"},
	} {
		if c.n > 0 {
			parts = append(parts, count(c.n)+" "+c.what)
		}
	}
	if len(parts) > 0 {
		out += "; " + strings.Join(parts, ", ")
	}
	return out
}

// failedWords say why a unit failed, as long as it is so.
func failedWords(s *scene, e *group.Event) string {
	if e.Kind != group.UnitFailed || e.Unit == nil {
		return ""
	}
	i, ok := s.state.Find(*e.Unit)
	if !ok || s.state.Units[i].Trace == "" {
		return ""
	}
	return ": " + traceWords(s.state.Units[i].Trace, *e.Unit)
}

// eventMark is the mark of what an event tells: a round's is that of its loudest part.
func eventMark(s *scene, e *group.Event) (rune, theme.Token) {
	if eventSource(e) == "status" {
		switch m := unitMarks[e.Kind]; e.Kind {
		case group.UnitRunning:
			return '▲', theme.Started
		case group.UnitUnknown:
			return ' ', theme.Text
		default:
			return m.glyph, m.token
		}
	}
	i, known := slices.BinarySearchFunc(s.state.Rounds, e.Seq, func(r *group.Round, seq int) int { return r.Seq - seq })
	if eventSource(e) != "round" || !known {
		return ' ', theme.Text
	}
	parts := roundParts(s.state.Rounds[i], before(s.state.Rounds, i))
	for k := len(parts) - 1; k > 0; k-- {
		if parts[k].n > 0 {
			return parts[k].glyph, parts[k].token
		}
	}
	return '■', theme.Running
}
