package scene

import (
	"strconv"
	"strings"
	"time"

	"regroup/internal/observe"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// Scene is what is drawn: what is known, what the person has set, and the grid to draw on.
type Scene struct {
	*cell.Grid
	Lay     Layout
	Live    *group.State // the newest; nil before the first
	State   *group.State // the one shown: live, or the past one that is stood on
	Fleet   *observe.Fleet
	Detail  func(i int) *group.Detail
	Digest  func() *Digest // of the units of state
	Report  func() *doctor.Report
	Pace    *PaceMemo
	Bytes   BytesState
	Props   *Properties
	Acts    bool // something can be done from here
	Keys    []keys.Binding
	Panes   *Panes      // of the view that is drawn, or asked
	Eager   bool        // rounds are shown as eager would have made them
	Unit    *group.Unit // the one that is open
	Tabs    []TabZone   // where they were drawn
	Form    string      // title of the form that has the screen; "": none does
	View    keys.View
	Loc     *time.Location
	Replay  string
	Newer   int // rounds that came since somebody stands on a past one
	Group   string
	Context Context
}

// HintGap is the air between the keys of the footer.
func (s *Scene) HintGap() int {
	if s.Lay.Class <= Slim {
		return 2
	}
	return 3
}

// Key is how the keys that do something in a place are printed.
func (s *Scene) Key(in keys.View, do keys.ID) string {
	return keys.Shown(s.Keys, in, do)
}

// Hint draws keys and what they do, in pairs, as far as there is room.
func Hint(l *cell.Line, pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if l.Left() < cell.Width(pairs[i])+cell.Width(pairs[i+1])+2 {
			return
		}
		l.Text(ui.Strong, pairs[i]).Gap(1).Text(ui.Muted, pairs[i+1]).Gap(2)
	}
}

// Needs says that a screen is too small.
func Needs(w, h int) string {
	return "needs " + strconv.Itoa(MinWidth) + "x" + strconv.Itoa(MinHeight) + ", this is " + strconv.Itoa(w) + "x" + strconv.Itoa(h)
}

// Clock is a time of day.
func (s *Scene) Clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(s.Loc).Format("15:04:05")
}

// Stamp is a time of day to the millisecond.
func (s *Scene) Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(s.Loc).Format("15:04:05.000")
}

// Round is the round shown, and the one before it; nil where there is none.
func (s *Scene) Round() (r, prev *group.Round) {
	if s.State == nil || s.State.Round() == nil {
		return nil, nil
	}
	if s.State.At > 0 {
		prev = s.State.Rounds[s.State.At-1]
	}
	return s.State.Round(), prev
}

// Blind says that what is shown is old: panes are muted.
func (s *Scene) Blind() bool { return s.Live != nil && s.Live.Verdict.Word == group.VerdictBlind }

// Title draws a pane's first row: its name, what follows the name, a rule to the pane's right edge and a short note at its end.
func (s *Scene) Title(r cell.Rect, name, more, note string, focused bool) {
	if s.Panes.begun != "" {
		s.Panes.Zones, s.Panes.begun = append(s.Panes.Zones, Zone{s.Panes.begun, r, -1}), ""
	}
	l := s.Line(r, 0)
	style, rule, ruleStyle := ui.Bold, '─', ui.Faint
	if focused {
		style, rule, ruleStyle = ui.Strong, '━', ui.Muted
	}
	l.Text(style, cell.End(name, max(l.Left()-2, 0))).Gap(1)
	if more != "" {
		l.Text(ui.Muted, cell.End(more, max(l.Left()-2, 0))).Gap(1)
	}
	width := cell.Width(note)
	if note != "" && l.Left() > width+4 {
		l.Rune(ruleStyle, rule, l.Left()-width-1).Gap(1).Text(ui.Muted, note)
		return
	}
	l.Rune(ruleStyle, rule, l.Left())
}

// Pieces draws one after the other; what does not fit loses its end.
func (s *Scene) Pieces(l *cell.Line, ps []ui.Piece) {
	for _, p := range ps {
		l.Sentence(p.Style, p.Text)
	}
}

// found counts the findings that matter, and says how bad the worst is.
func (s *Scene) found() (n int, worst doctor.Severity) {
	r := s.Report()
	if r == nil {
		return 0, doctor.Info
	}
	worst = doctor.Warning
	for i := range r.Findings {
		if r.Findings[i].Severity == doctor.Critical {
			worst = doctor.Critical
		}
	}
	return r.Count(), worst
}

// FoundStyle is the count of findings, and how it is drawn.
func (s *Scene) FoundStyle() (int, theme.Style) {
	n, worst := s.found()
	if worst == doctor.Critical {
		return n, theme.Wrong.Bold()
	}
	return n, theme.Delayed.Bold()
}

// FilterNote is what is typed, behind the title of the pane that it belongs to.
func FilterNote(s *Scene, focused bool) string {
	f := s.Panes.Filter
	if !focused || !f.On() {
		return ""
	}
	if f.Typing {
		return "/" + f.String() + "█"
	}
	return "/" + f.String()
}

// OpenedUnit is the index of the unit that is open, in the State shown.
func (s *Scene) OpenedUnit() (i int, ok bool) {
	if s.State == nil || s.Unit == nil {
		return 0, false
	}
	return s.State.Find(*s.Unit)
}

// Connector is the configuration of a connector; nil: it is not known.
func (s *Scene) Connector(name string) *group.ConnectorConfig {
	configs := s.State.Configs()
	for i := range configs {
		if configs[i].Name == name {
			return &configs[i]
		}
	}
	return nil
}

// roundText is the round shown, with the story of its episode.
func (s *Scene) roundText() string {
	r, prev := s.Round()
	if r == nil {
		return ""
	}
	text := "round " + label.Generation(r) + " " + When(r.At) + " " + label.LongWhy(r, prev)
	if story := s.Live.Story(min(s.State.At, s.Live.At)); story != "" {
		text += "\n" + story
	}
	return text
}

// WorkersText are the ids and URLs of the workers.
func (s *Scene) WorkersText() string {
	urls := make([]string, 0, len(s.State.Workers))
	for i := range s.State.Workers {
		urls = append(urls, s.State.Workers[i].ID+" "+s.State.Workers[i].URL)
	}
	return strings.Join(urls, "\n")
}

// PaceMemo keeps how long units take to stop and to start: a median over many rounds, which a few more change little.
type PaceMemo struct {
	group string
	at    time.Time
	pace  group.Pace
}

// Of is what is kept for a State, made anew where that is another.
func (m *PaceMemo) Of(s *group.State) group.Pace {
	if m.group != s.Group || s.Now.Sub(m.at).Abs() >= paceFor {
		m.group, m.at, m.pace = s.Group, s.Now, s.Pace()
	}
	return m.pace
}

const paceFor = 10 * time.Second

// BytesState is what the screen knows of a round's bytes.
type BytesState struct {
	Off     string // why there are none to be had
	Reading bool
	Record  *decode.GroupRecord
	Size    int
	Err     error
}

// Properties are those of the connector that is looked at.
type Properties struct {
	Of      PropertiesOf
	Pairs   []actions.Pair
	Err     string
	Reading bool
}

// PropertiesOf names a configuration: a connector's as it was written at an offset of the config topic.
type PropertiesOf struct {
	Group, Connector string
	Offset           int64
}
