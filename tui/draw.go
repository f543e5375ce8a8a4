package tui

import (
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// draw makes the grid anew: the frame around, the view, and the dialog over it.
func (m *model) draw() {
	m.grid.Reset(m.lay.Screen.W, m.lay.Screen.H, m.opt.ASCII)
	if m.lay.Screen.Empty() {
		return
	}
	s := m.scene()
	if m.lay.Class == scene.Small {
		drawSmall(s)
		return
	}
	v := m.views[m.view].Copied()
	s.Panes = v.State()
	drawHeader(s)
	drawBand(s)
	if m.ui.form != nil {
		m.ui.form.DrawFacts(s)
		m.ui.form.Draw(s, m.lay.Body)
	} else {
		scene.DrawFacts(s, v.Facts)
		v.Draw(s, m.freeBody(s))
	}
	m.views[m.view], m.ui.tabs = v, s.Tabs // what follows asks what is on the screen
	if s.Blind() && m.view != keys.Fleet {
		s.Mute(m.lay.Body)
	}
	drawNotice(s, m.opt.Trouble)
	drawCaption(s, m.caption)
	drawActing(s, &m.acting)
	drawMessage(s, m.ui.message)
	drawFooter(s, m.keyLines(m.body(), true))
	if m.ui.palette.open {
		s.Restyle(theme.Behind.Plain())
		drawPalette(s, &m.ui.palette)
	}
	if m.ui.help {
		s.Restyle(theme.Behind.Plain())
		of := m.view
		if m.ui.form != nil {
			of = keys.Form
		}
		m.ui.page, m.ui.pages = drawHelp(s, m.keyLines(of, false), m.opt.Version, m.opt.Broker, m.ui.page)
	}
	if m.ui.dialog != nil {
		m.ui.dialog.Draw(s)
	}
}

// freeBody is the body without the message row, where a narrow screen has lent that to the body and something stands there: it
// would hide the line that the cursor is on.
func (m *model) freeBody(s *scene.Scene) cell.Rect {
	r := m.lay.Body
	if r.Y+r.H > m.lay.Message.Y && (m.ui.message != "" || m.acting.shown(s) || noticed(s, m.opt.Trouble) != "") {
		r.H = m.lay.Message.Y - r.Y
	}
	return r
}

func (m *model) scene() *scene.Scene {
	s := &scene.Scene{
		Grid: m.grid, Lay: m.lay, Live: m.live, State: m.shown(), Fleet: m.fleet, Panes: m.panes(), Eager: m.ui.eager, Unit: m.ui.unit, View: m.view, Loc: m.loc,
		Replay: m.opt.Replay, Newer: m.newer(), Group: m.group, Context: m.opt.Context,
	}
	s.Detail = func(i int) *group.Detail { return m.detail.of(s.State, i) }
	s.Digest = func() *scene.Digest {
		if m.view != keys.Live {
			return m.digest.Of(s.State, ui.Filter{}, "")
		}
		return m.digest.Of(s.State, m.panes().Filter, m.panes().Focus)
	}
	s.Report = m.report
	s.Pace, s.Bytes, s.Props = &m.pace, m.raw.of(s), &m.props
	s.Acts, s.Keys = m.opt.Acts != nil, m.keys
	if m.ui.form != nil {
		s.Form = m.ui.form.Title
	}
	return s
}

// keyLines are the keys that mean something in a place, for the footer (hinted) or for the help, each with why it does nothing now.
func (m *model) keyLines(in keys.View, hinted bool) []keys.Line {
	var out []keys.Line
	for i := range m.keys {
		b := &m.keys[i]
		if hinted && (b.Hint == "" || b.When != "" && !conditions[b.When](m)) || !hinted && b.Help == "" || !b.WorksIn(in) || !m.there(b) {
			continue
		}
		out = append(out, keys.Line{b, m.off(b)})
	}
	return out
}

// drawMessage says what the last key did not do, or nothing.
func drawMessage(s *scene.Scene, message string) {
	if message == "" {
		return
	}
	s.Fill(s.Lay.Message, ui.Text)
	l := s.Line(s.Lay.Message, 0)
	l.Gap(1).Sentence(theme.Delayed.Plain(), message)
}

// detailCache keeps the details that were asked for last: the round stood on and the one after it.
type detailCache struct {
	rounds  [4]*group.Round
	details [4]*group.Detail
	next    int
}

func (c *detailCache) of(s *group.State, i int) *group.Detail {
	if s == nil || i < 0 || i >= len(s.Rounds) {
		return nil
	}
	r := s.Rounds[i]
	for k, known := range c.rounds {
		if known == r {
			return c.details[k]
		}
	}
	d := s.Detail(i)
	c.rounds[c.next], c.details[c.next] = r, d
	c.next = (c.next + 1) % len(c.rounds)
	return d
}

// drawSmall is all that a screen below 60×15 has room for.
func drawSmall(s *scene.Scene) {
	screen := s.Lay.Screen
	word, likely := "regroup", false
	sentence := ""
	if s.Live != nil && s.Live.Verdict.Word != "" {
		word, likely, sentence = string(s.Live.Verdict.Word), s.Live.Verdict.Likely, s.Live.Verdict.Short
	}
	l := s.Line(screen, 0)
	chip := " " + word
	if likely {
		chip += "?"
	}
	l.Text(theme.OnChip.On(parts.ChipGround(group.VerdictWord(word))).Bold(), chip+" ").Gap(1)
	if s.Live != nil && !s.Live.Verdict.Ends.IsZero() {
		l.Text(ui.Strong, words.Countdown(s.Live.Verdict.Ends.Sub(s.Live.Now))).Gap(1)
	}
	l.Sentence(ui.Text, sentence)
	l = s.Line(screen, 1)
	l.Gap(1).Text(ui.Muted, cell.End(scene.Needs(screen.W, screen.H), l.Left()))
}

// drawFooter is the last row: the keys that work here, most used first.
func drawFooter(s *scene.Scene, lines []keys.Line) {
	r := s.Lay.Footer.Columns(1, s.Lay.Footer.W-2)
	keys.DrawHints(s.Grid, r, s.HintGap(), lines)
}

// notice is what keeps part of the screen from its work for as long as it lasts, and what to do about it; "": nothing does. It
// has the message row while nothing else needs it.
func notice(trouble string, st *group.State) string {
	if trouble != "" {
		return trouble
	}
	if st == nil {
		return ""
	}
	all, denied, why := 0, 0, ""
	for _, src := range st.Sources {
		if src.Source != group.SourceREST || src.Health == group.HealthOff {
			continue
		}
		if all++; src.Health == group.HealthDenied {
			if denied++; why == "" {
				why = src.Detail
			}
		}
	}
	switch {
	case denied == 0:
		return ""
	case all == 1:
		return "rest: " + why
	}
	return "rest: " + words.Thousands(denied) + " of " + words.Plural(all, "worker") + ": " + why
}

// noticed is the notice as far as the view that is open has one.
func noticed(s *scene.Scene, trouble string) string {
	if s.View == keys.Fleet || s.Recorded() {
		return ""
	}
	return notice(trouble, s.Live)
}

func drawNotice(s *scene.Scene, trouble string) {
	words := noticed(s, trouble)
	if words == "" {
		return
	}
	s.Fill(s.Lay.Message, ui.Text)
	l := s.Line(s.Lay.Message, 0)
	l.Gap(1).Text(theme.Wrong.Bold(), "! ").Sentence(theme.Wrong.Plain(), ui.Printable(words))
}
