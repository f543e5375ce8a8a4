package units

import (
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// sumLines are what a unit's story comes to.
func sumLines(s *scene.Scene, sum group.UnitSum, width int) [][]ui.Piece {
	if sum.Since.IsZero() {
		return nil
	}
	lived := " of " + lifetime(s.State.Now.Sub(sum.Since)) + " since it was first held"
	down := "never down,"
	if sum.Gaps > 0 {
		down = costSeconds(sum.Cost) + " down in " + words.Plural(sum.Gaps, "gap") + ","
		lived += "; longest " + parts.GapText(sum.Cost.LongestLow, sum.Cost.LongestHigh)
	}
	moves := words.Plural(sum.Moves, "move") + "."
	rest := " Stopped in " + words.Plural(sum.Stops, "round") + "; eager would have stopped it in " + words.Thousands(sum.Eager) + "."
	var out [][]ui.Piece
	for n, line := range slices.Concat(cell.Wrap(down+lived, width), cell.Wrap(moves+rest, width)) {
		style := ui.Text
		if n == 0 && sum.Gaps > 0 {
			style = theme.Stopped.Plain()
		}
		cut := min(len(down), len(line))
		if n > 0 {
			cut = 0
		}
		out = append(out, []ui.Piece{{style, line[:cut]}, {ui.Muted, line[cut:]}})
	}
	return out
}

// costSeconds is a sum of gaps: 3.4 s, 36-39 s.
func costSeconds(c group.Cost) string { return parts.CostText(c) + " s" }

func lifetime(d time.Duration) string {
	if d < 48*time.Hour {
		return words.Countdown(d)
	}
	return words.Age(d)
}

// drawWhoSays is the right column of the unit view: what each source says now, whether they agree, and what is configured.
func drawWhoSays(s *scene.Scene, r cell.Rect, i int) {
	u := &s.State.Units[i]
	row := 0
	if u.Trace != "" {
		class, message := label.RootCause(u.Trace)
		s.Title(r, "Root cause", "", "", false)
		row++
		for _, line := range append(cell.Wrap(class, r.W), cell.Wrap(message, r.W)...) {
			l := s.Line(r, row)
			l.Sentence(theme.Wrong.Plain(), line)
			row++
		}
		row++
	}
	pane := r.Rows(row, r.H)
	claims := statusesSaid(s, i)
	note := ""
	if len(claims) > 1 {
		note = agreement(claims)
	}
	s.Title(pane, "Who says what now", "", note, false)
	row = 1
	for _, c := range claims {
		for n, line := range [][]ui.Piece{{{ui.Muted, ui.Pad(c.source, 8)}, {c.style, c.what}}, {{ui.Muted, ui.Pad("", 8) + c.detail}}} {
			if n == 1 && c.detail == "" {
				continue
			}
			l := s.Line(pane, row)
			s.Pieces(&l, line)
			row++
		}
	}
	drawConfigured(s, pane.Rows(row+1, pane.H), u.Unit)
}

// statusSaid is what one source says of a unit.
type statusSaid struct {
	source, what, detail string
	style                theme.Style
	worker               string // that it names; "" for none
	old                  bool   // of a membership that has ended, and the unit's holder has spoken since
}

func statusesSaid(s *scene.Scene, i int) []statusSaid {
	u, st := &s.State.Units[i], s.State
	out := []statusSaid{groupStatus(s, i)}
	claims := st.Claims(i)
	for k := len(claims) - 1; k >= 0; k-- {
		c := claims[k]
		style, gone := ui.Text, hasLeft(st, c.Worker)
		old := (gone || !c.Stands) && heldSince(u, claims[k+1:])
		switch {
		case old && c.State == decode.Running:
			style = ui.Muted
		case gone && c.State == decode.Running:
			style = theme.Delayed.Plain()
		case c.State == decode.Failed:
			style = theme.Wrong.Plain()
		case k < len(claims)-1 && c.Stands && c.State == decode.Running:
			style = theme.Wrong.Plain()
		case k < len(claims)-1 && c.State != decode.Running:
			continue // that it stopped elsewhere, long ago, says nothing now
		}
		source := "status"
		if k < len(claims)-1 {
			source = ""
		}
		detail := "generation " + words.Thousands(int(c.Generation)) + ", " + words.Age(st.Now.Sub(c.At)) + " old"
		switch { // before what may be cut
		case gone:
			detail = "gone, " + detail
		case old:
			detail = "left, " + detail
		}
		out = append(out, statusSaid{source, decode.Printable(c.State) + " on " + decode.Printable(c.WorkerID), detail, style, workerOf(st, c.Worker), old})
	}
	if len(claims) == 0 {
		out = append(out, statusSaid{source: "status", what: "nothing", style: ui.Muted})
	}
	if st.Past {
		return out
	}
	return append(out, restStatuses(s, u.Unit)...)
}

func hasLeft(st *group.State, w int) bool {
	return w < 0 || w >= len(st.Workers) || st.Workers[w].Gone
}

// heldSince says whether the unit's present holder is among those that spoke later: a worker that died never takes its word back, so
// what it said before that says nothing any more.
func heldSince(u *group.UnitState, later []group.Claim) bool {
	return u.Worker >= 0 && slices.ContainsFunc(later, func(c group.Claim) bool { return c.Worker == u.Worker && c.Stands })
}

func workerOf(st *group.State, w int) string {
	if w < 0 || w >= len(st.Workers) {
		return "?"
	}
	return st.Workers[w].Name
}

func groupStatus(s *scene.Scene, i int) statusSaid {
	u := &s.State.Units[i]
	r := s.State.Round()
	out := statusSaid{source: "group", what: "in nobody's hands", style: label.UnitMarks[u.State].Token.Plain()}
	if u.Worker >= 0 {
		out.what, out.style, out.worker = "held by "+label.Holder(s.State, u), ui.Text, label.Holder(s.State, u)
	}
	if r != nil {
		out.detail = "generation " + label.Generation(r) + ", " + words.Age(s.State.Now.Sub(r.At)) + " old"
	}
	return out
}

// restStatuses are what workers' REST interfaces said of a unit when they were asked last.
func restStatuses(s *scene.Scene, u group.Unit) []statusSaid {
	var out []statusSaid
	rest := s.State.REST()
	for k := range s.State.Workers {
		w := &s.State.Workers[k]
		report, ok := rest[w.URL]
		if !ok {
			continue
		}
		for _, said := range report.Statuses {
			if said.Unit == u {
				out = append(out, statusSaid{"rest", decode.Printable(said.State) + " on " + decode.Printable(said.WorkerID), "asked " + w.Name + ", " + words.Age(s.State.Now.Sub(report.At)) + " ago", ui.Text, "", false})
			}
		}
	}
	return out
}

// agreement says whether those that name a worker name the same one.
func agreement(claims []statusSaid) string {
	held := claims[0].worker
	for _, c := range claims[1:] {
		if c.source == "rest" || c.what == "nothing" || c.old {
			continue
		}
		if c.worker != held {
			return "they disagree"
		}
	}
	return "all agree"
}

// drawConfigured is what the config topic says of the unit's connector, and below it its properties. Those are kept nowhere in
// this program: a worker is asked for them where they are shown.
func drawConfigured(s *scene.Scene, r cell.Rect, u group.Unit) {
	c := s.Connector(u.Connector)
	if c == nil || r.H < 3 {
		return
	}
	round, _ := s.Round()
	note := ""
	if round != nil && !round.Empty() {
		note = "config offset " + words.Thousands(int(round.ConfigOffset))
	}
	s.Title(r, "Config", "", note, false)
	row := 1
	line := func(name, value string) {
		if value != "" {
			l := s.Line(r, row)
			l.Words(ui.Muted, name, 10).Sentence(ui.Text, decode.Printable(value))
			row++
		}
	}
	line("class", c.Class)
	line("tasks", words.Thousands(c.Tasks))
	line("target", c.Target)
	if c.RecordOffset >= 0 {
		line("written", "offset "+words.Thousands(int(c.RecordOffset))+", "+s.Clock(c.RecordAt))
	}
	if c.CommitOffset >= 0 {
		line("commit", "offset "+words.Thousands(int(c.CommitOffset))+", "+s.Clock(c.CommitAt))
	}
	drawProperties(s, r.Rows(row+1, r.H-row-1), u.Connector)
}

// drawProperties lists the properties of a connector, as far as there is room.
func drawProperties(s *scene.Scene, r cell.Rect, connector string) {
	p := s.Props
	if r.H < 2 || p.Of.Connector != connector {
		return
	}
	note := ""
	switch {
	case s.State.Past:
		note = "as they are now"
	case s.Acts:
		note = "c changes them"
	}
	s.Title(r, "Properties", "", note, false)
	width := 8
	for _, pair := range p.Pairs {
		width = max(width, cell.Width(ui.Printable(pair.Key)))
	}
	width = min(width, r.W/2)
	switch {
	case p.Err != "":
		for n, line := range cell.Wrap("not read: "+ui.Printable(p.Err), r.W) {
			l := s.Line(r, n+1)
			l.Text(theme.Delayed.Plain(), line)
		}
	case p.Reading:
		l := s.Line(r, 1)
		l.Sentence(ui.Muted, "a worker is asked")
	}
	for n, pair := range p.Pairs {
		l := s.Line(r, n+1)
		if n == r.H-2 && len(p.Pairs) > r.H-1 {
			l.Sentence(ui.Muted, "… "+words.Thousands(len(p.Pairs)-n)+" more")
			return
		}
		l.Name(ui.Muted, ui.Printable(pair.Key), width).Gap(1)
		l.Text(ui.Text, cell.Middle(ui.Printable(ui.Flat(pair.Value)), l.Left()))
	}
}
