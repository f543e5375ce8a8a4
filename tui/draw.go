package tui

import (
	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// draw makes the grid anew: the frame around, the view, and the dialog over it.
func (m *model) draw() {
	m.grid.Reset(m.lay.screen.W, m.lay.screen.H, m.opt.ASCII)
	if m.lay.screen.Empty() {
		return
	}
	s := m.scene()
	if m.lay.class == classSmall {
		drawSmall(s)
		return
	}
	v := m.views[m.view].copied()
	s.panes = v.state()
	drawHeader(s)
	drawBand(s)
	if m.ui.draft != nil {
		drawDraftFacts(s, m.ui.draft)
		drawDraft(s, m.ui.draft, m.lay.body)
	} else {
		drawFacts(s, v.facts)
		v.draw(s, m.freeBody(s))
	}
	m.views[m.view], m.ui.tabs = v, s.tabs // what follows asks what is on the screen
	if s.blind() && m.view != viewFleet {
		s.Mute(m.lay.body)
	}
	drawNotice(s, m.opt.Trouble)
	drawCaption(s, m.caption)
	drawActing(s, &m.acting)
	drawMessage(s, m.ui.message)
	drawFooter(s)
	if m.ui.palette.open {
		s.Restyle(theme.Behind.Plain())
		drawPalette(s, &m.ui.palette)
	}
	if m.ui.help {
		s.Restyle(theme.Behind.Plain())
		m.ui.page, m.ui.pages = drawHelp(s, m.opt.Version, m.opt.Broker, m.ui.page)
	}
	if m.ui.dialog != nil {
		drawDialog(s, m.ui.dialog)
	}
}

// freeBody is the body without the message row, where a narrow screen has lent that to the body and something stands there: it
// would hide the line that the cursor is on.
func (m *model) freeBody(s *scene) cell.Rect {
	r := m.lay.body
	if r.Y+r.H > m.lay.message.Y && (m.ui.message != "" || m.acting.shown(s) || noticed(s, m.opt.Trouble) != "") {
		r.H = m.lay.message.Y - r.Y
	}
	return r
}

func (m *model) scene() *scene {
	s := &scene{
		Grid: m.grid, lay: m.lay, live: m.live, state: m.shown(), fleet: m.fleet, panes: m.panes(), eager: m.ui.eager, unit: m.ui.unit, view: m.view, loc: m.loc,
		replay: m.opt.Replay, ascii: m.opt.ASCII, newer: m.newer(), group: m.group, last: m.last, context: m.opt.Context, keys: m.keyLines,
	}
	s.detail = func(i int) *group.Detail { return m.detail.of(s.state, i) }
	s.digest = func() *digest {
		if m.view != viewLive {
			return m.digest.of(s.state, filter{}, "")
		}
		return m.digest.of(s.state, m.panes().filter, m.panes().focus)
	}
	s.report = m.report
	s.memo, s.bytes, s.props = &m.memo, m.raw.of(s), &m.props
	s.acts = m.opt.Acts != nil
	if m.ui.draft != nil {
		s.form = m.ui.draft.Title
	}
	if m.view == viewFleet {
		s.groups = m.groups()
	}
	return s
}

// keyLine is a key as help and footer show it.
type keyLine struct {
	*binding
	off string // why it cannot work now
}

// keyLines are the keys that mean something in this view, for the footer (hinted) or for the help.
func (m *model) keyLines(hinted bool) []keyLine {
	var out []keyLine
	if dr := m.ui.draft; dr != nil {
		if own := dr.asks(); hinted && own != nil {
			return own
		}
		return m.draftKeyLines(hinted)
	}
	for i := range m.keys {
		b := &m.keys[i]
		if hinted && (b.hint == "" || b.when != nil && !b.when(m)) || !hinted && b.help == "" || !b.there(m) {
			continue
		}
		out = append(out, m.keyLine(b))
	}
	return out
}

// keyLine is a key as it is told: with why it does nothing now, where it does not.
func (m *model) keyLine(b *binding) keyLine {
	k := keyLine{binding: b}
	if b.off != nil {
		k.off = b.off(m)
	}
	return k
}

// drawMessage says what the last key did not do, or nothing.
func drawMessage(s *scene, message string) {
	if message == "" {
		return
	}
	s.Fill(s.lay.message, text)
	l := s.Line(s.lay.message, 0)
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
func drawSmall(s *scene) {
	screen := s.lay.screen
	word, likely := "regroup", false
	sentence := ""
	if s.live != nil && s.live.Verdict.Word != "" {
		word, likely, sentence = s.live.Verdict.Word, s.live.Verdict.Likely, s.live.Verdict.Short
	}
	l := s.Line(screen, 0)
	chip := " " + word
	if likely {
		chip += "?"
	}
	l.Text(theme.OnChip.On(chipGround(word)).Bold(), chip+" ").Gap(1)
	if s.live != nil && !s.live.Verdict.Ends.IsZero() {
		l.Text(strong, countdown(s.live.Verdict.Ends.Sub(s.live.Now))).Gap(1)
	}
	l.Sentence(text, sentence)
	l = s.Line(screen, 1)
	l.Gap(1).Text(muted, cell.End(needs(screen.W, screen.H), l.Left()))
}
