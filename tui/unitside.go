package tui

import (
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// sumLines are what a unit's story comes to.
func sumLines(s *scene, sum group.LifeSum, width int) [][]piece {
	if sum.Since.IsZero() {
		return nil
	}
	lived := " of " + lifetime(s.state.Now.Sub(sum.Since)) + " since it was first held"
	down := "never down,"
	if sum.Gaps > 0 {
		down = costSeconds(sum.Cost) + " down in " + plural(sum.Gaps, "gap") + ","
		lived += "; longest " + gapText(sum.Cost.LongestLow, sum.Cost.LongestHigh)
	}
	moves := plural(sum.Moves, "move") + "."
	rest := " Stopped in " + plural(sum.Stops, "round") + "; eager would have stopped it in " + count(sum.Eager) + "."
	var out [][]piece
	for n, line := range slices.Concat(cell.Wrap(down+lived, width), cell.Wrap(moves+rest, width)) {
		style := text
		if n == 0 && sum.Gaps > 0 {
			style = theme.Stopped.Plain()
		}
		cut := min(len(down), len(line))
		if n > 0 {
			cut = 0
		}
		out = append(out, []piece{{style, line[:cut]}, {muted, line[cut:]}})
	}
	return out
}

// costSeconds is a sum of gaps: 3.4 s, 36-39 s.
func costSeconds(c group.Cost) string { return costText(c) + " s" }

func lifetime(d time.Duration) string {
	if d < 48*time.Hour {
		return countdown(d)
	}
	return age(d)
}

// drawWhoSays is the right column of the unit view: what each source says now, whether they agree, and what is configured.
func drawWhoSays(s *scene, r cell.Rect, i int) {
	u := &s.state.Units[i]
	row := 0
	if u.Trace != "" {
		class, message := rootCause(u.Trace)
		s.title(r, "Root cause", "", "", false)
		row++
		for _, line := range append(cell.Wrap(class, r.W), cell.Wrap(message, r.W)...) {
			l := s.Line(r, row)
			l.Sentence(theme.Wrong.Plain(), line)
			row++
		}
		row++
	}
	pane := r.Rows(row, r.H)
	claims := sayings(s, i)
	note := ""
	if len(claims) > 1 {
		note = agreement(claims)
	}
	s.title(pane, "Who says what now", "", note, false)
	row = 1
	for _, c := range claims {
		for n, line := range [][]piece{{{muted, pad(c.source, 8)}, {c.style, c.what}}, {{muted, pad("", 8) + c.detail}}} {
			if n == 1 && c.detail == "" {
				continue
			}
			l := s.Line(pane, row)
			s.pieces(&l, line)
			row++
		}
	}
	drawConfigured(s, pane.Rows(row+1, pane.H), u.Unit)
}

// saying is what one source says of a unit.
type saying struct {
	source, what, detail string
	style                theme.Style
	worker               string // that it names; "" for none
	old                  bool   // of a membership that has ended, and the unit's holder has spoken since
}

func sayings(s *scene, i int) []saying {
	u, st := &s.state.Units[i], s.state
	out := []saying{groupSaying(s, i)}
	claims := st.Claims(i)
	for k := len(claims) - 1; k >= 0; k-- {
		c := claims[k]
		style, gone := text, hasLeft(st, c.Worker)
		old := (gone || !c.Stands) && heldSince(u, claims[k+1:])
		switch {
		case old && c.State == decode.Running:
			style = muted
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
		detail := "generation " + count(int(c.Generation)) + ", " + age(st.Now.Sub(c.At)) + " old"
		switch { // before what may be cut
		case gone:
			detail = "gone, " + detail
		case old:
			detail = "left, " + detail
		}
		out = append(out, saying{source, decode.Printable(c.State) + " on " + decode.Printable(c.WorkerID), detail, style, workerOf(st, c.Worker), old})
	}
	if len(claims) == 0 {
		out = append(out, saying{source: "status", what: "nothing", style: muted})
	}
	if st.Past {
		return out
	}
	return append(out, restSayings(s, u.Unit)...)
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

func groupSaying(s *scene, i int) saying {
	u := &s.state.Units[i]
	r := s.state.Round()
	out := saying{source: "group", what: "in nobody's hands", style: unitMarks[u.State].token.Plain()}
	if u.Worker >= 0 {
		out.what, out.style, out.worker = "held by "+holder(s.state, u), text, holder(s.state, u)
	}
	if r != nil {
		out.detail = "generation " + generation(r) + ", " + age(s.state.Now.Sub(r.At)) + " old"
	}
	return out
}

// restSayings are what workers' REST interfaces said of a unit when they were asked last.
func restSayings(s *scene, u group.Unit) []saying {
	var out []saying
	rest := s.state.REST()
	for k := range s.state.Workers {
		w := &s.state.Workers[k]
		report, ok := rest[w.URL]
		if !ok {
			continue
		}
		for _, said := range report.Statuses {
			if said.Unit == u {
				out = append(out, saying{"rest", decode.Printable(said.State) + " on " + decode.Printable(said.WorkerID), "asked " + w.Name + ", " + age(s.state.Now.Sub(report.At)) + " ago", text, "", false})
			}
		}
	}
	return out
}

// agreement says whether those that name a worker name the same one.
func agreement(claims []saying) string {
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
func drawConfigured(s *scene, r cell.Rect, u group.Unit) {
	c := s.connector(u.Connector)
	if c == nil || r.H < 3 {
		return
	}
	round, _ := s.round()
	note := ""
	if round != nil && !round.Empty() {
		note = "config offset " + count(int(round.ConfigOffset))
	}
	s.title(r, "Config", "", note, false)
	row := 1
	line := func(name, value string) {
		if value != "" {
			l := s.Line(r, row)
			l.Words(muted, name, 10).Sentence(text, decode.Printable(value))
			row++
		}
	}
	line("class", c.Class)
	line("tasks", count(c.Tasks))
	line("target", c.Target)
	if c.RecordOffset >= 0 {
		line("written", "offset "+count(int(c.RecordOffset))+", "+s.clock(c.RecordAt))
	}
	if c.CommitOffset >= 0 {
		line("commit", "offset "+count(int(c.CommitOffset))+", "+s.clock(c.CommitAt))
	}
	drawProperties(s, r.Rows(row+1, r.H-row-1), u.Connector)
}
