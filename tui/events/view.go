package events

import (
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// View is everything that was seen, newest first; of one source alone if asked.
type View struct{ scene.Common }

// New is the view as the program begins with it.
func New() *View { return &View{scene.NewCommon(scene.PaneEventList)} }

// Copied implements scene.View.
func (v *View) Copied() scene.View { return &View{v.Common.Copied()} }

// eventKey tells an event from the others when more come.
type eventKey struct {
	at   time.Time
	text string
}

// Facts implements scene.View.
func (*View) Facts(s *scene.Scene) (left, right []scene.FactItem) {
	which := parts.EventSources[s.Panes.Sort%len(parts.EventSources)]
	if which == "" {
		which = "all"
	}
	left = []scene.FactItem{{[]ui.Piece{{ui.Muted, "everything that was seen, newest first"}}, 20}}
	if s.State.Past || s.Recorded() {
		return left, append([]scene.FactItem{{[]ui.Piece{{ui.Muted, "sources: "}, {ui.Text, which}}, 10}}, scene.SourceFacts(s)...)
	}
	return left, []scene.FactItem{{[]ui.Piece{{ui.Muted, "s sources: "}, {ui.Text, which}}, scene.KeepAlways}}
}

// selected is the event under the cursor; nil: there is none.
func (v *View) selected(s *scene.Scene) *group.Event {
	rows := parts.EventRows(s.State, v.source(), v.Filter.String())
	if i := v.List(scene.PaneEventList).Cursor; i < len(rows) {
		return &s.State.Events[rows[i]]
	}
	return nil
}

// source is the one whose events are shown; "": all.
func (v *View) source() string { return parts.EventSources[v.Sort%len(parts.EventSources)] }

// Open goes to what an event is about: a unit, or a round.
func (v *View) Open(s *scene.Scene) scene.Action {
	e := v.selected(s)
	switch {
	case e == nil:
		return nil
	case e.Unit != nil:
		return scene.OpenUnit{*e.Unit}
	case len(e.Units) > 0:
		return scene.ListUnits{e.Units[0]}
	case e.Seq >= 0:
		return scene.OpenRound{e.Seq}
	}
	return scene.SayMessage{"nothing more is known of this event."}
}

// Text implements scene.View.
func (v *View) Text(s *scene.Scene) string {
	if e := v.selected(s); e != nil {
		return scene.When(e.At) + " " + parts.EventSource(e) + " " + e.Text
	}
	return ""
}

// Sheet implements scene.View.
func (v *View) Sheet(s *scene.Scene) *scene.Sheet {
	return parts.EventSheet(s.State, v.source(), v.Filter.String())
}

// Draw implements scene.View.
func (*View) Draw(s *scene.Scene, r cell.Rect) {
	if s.State == nil {
		return
	}
	focused := s.Panes.Pane(scene.PaneEventList)
	rows := parts.EventRows(s.State, parts.EventSources[s.Panes.Sort%len(parts.EventSources)], s.Panes.Filter.String())
	list := s.Panes.List(scene.PaneEventList)
	if list.Cursor > 0 || list.Moved { // at the top one follows what is new
		scene.StickTo(s.Panes, scene.PaneEventList, len(rows), func(i int) eventKey { return keyOfEvent(&s.State.Events[rows[i]]) }, func(k eventKey) int {
			return slices.IndexFunc(rows, func(i int) bool { return keyOfEvent(&s.State.Events[i]) == k })
		})
	}
	list.Fit(len(rows), r.H-1)
	note := words.Thousands(len(s.State.Events)) + " since " + s.Clock(s.State.HistoryFrom)
	if len(rows) < len(s.State.Events) {
		note = words.Thousands(len(rows)) + " of " + note
	}
	s.Title(r, "Events", scene.FilterNote(s, focused), note, focused)
	for n := range min(list.Height, len(rows)-list.Top) {
		drawEventRow(s, r, n+1, &s.State.Events[rows[list.Top+n]], list.Top+n == list.Cursor, focused)
	}
	if len(rows) == 0 {
		l := s.Line(r, 1)
		word := "nothing was seen yet"
		if len(s.State.Events) > 0 {
			word = "no event matches"
		}
		l.Gap(2).Sentence(ui.Muted, word)
	}
}

func keyOfEvent(e *group.Event) eventKey { return eventKey{e.At, e.Text} }

func drawEventRow(s *scene.Scene, r cell.Rect, row int, e *group.Event, selected, focused bool) {
	l := s.Line(r, row)
	if selected {
		s.Selected(&l, focused)
	}
	l.At(2)
	if s.Lay.Class >= scene.Slim {
		l.Words(ui.Muted, s.Stamp(e.At), 12)
	} else {
		l.Words(ui.Muted, s.Clock(e.At), 8)
	}
	l.Gap(2).Words(ui.Muted, parts.EventSource(e), 6).Gap(2)
	glyph, token := eventMark(s, e)
	l.Rune(token.Bold(), glyph, 1).Gap(1)
	number := ""
	if i, ok := group.FindRound(s.State.Rounds, e.Seq); ok && e.Seq >= 0 {
		number = label.Generation(s.State.Rounds[i])
	}
	room := l.Left()
	if number != "" {
		room = max(room-cell.Width(number)-2, 0)
	}
	l.Words(parts.EventStyle(e), eventWords(s, e, room), room)
	l.FromRight(8).Number(ui.Muted, number, 8)
}

// eventWords are an event's own text; a round's is why it came about and what it did.
func eventWords(s *scene.Scene, e *group.Event, room int) string {
	i, known := group.FindRound(s.State.Rounds, e.Seq)
	if parts.EventSource(e) != "round" || !known {
		return parts.UnitWords(e, room) + failedWords(s, e)
	}
	r := s.State.Rounds[i]
	out := label.Generation(r) + ": " + label.ShortWhy(r, label.Before(s.State.Rounds, i))
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
			parts = append(parts, words.Thousands(c.n)+" "+c.what)
		}
	}
	if len(parts) > 0 {
		out += "; " + strings.Join(parts, ", ")
	}
	return out
}

// failedWords say why a unit failed, as long as it is so.
func failedWords(s *scene.Scene, e *group.Event) string {
	if e.Kind != group.UnitFailed || e.Unit == nil {
		return ""
	}
	i, ok := s.State.Find(*e.Unit)
	if !ok || s.State.Units[i].Trace == "" {
		return ""
	}
	return ": " + label.TraceWords(s.State.Units[i].Trace, *e.Unit)
}

// eventMark is the mark of what an event tells: a round's is that of its loudest part.
func eventMark(s *scene.Scene, e *group.Event) (rune, theme.Token) {
	if parts.EventSource(e) == "status" {
		switch m := label.UnitMarks[e.Kind]; e.Kind {
		case group.UnitRunning:
			return '▲', theme.Started
		case group.UnitUnknown:
			return ' ', theme.Text
		default:
			return m.Glyph, m.Token
		}
	}
	i, known := group.FindRound(s.State.Rounds, e.Seq)
	if parts.EventSource(e) != "round" || !known {
		return ' ', theme.Text
	}
	parts := label.RoundParts(s.State.Rounds[i], label.Before(s.State.Rounds, i))
	for k := len(parts) - 1; k > 0; k-- {
		if parts[k].N > 0 {
			return parts[k].Glyph, parts[k].Token
		}
	}
	return '■', theme.Running
}
