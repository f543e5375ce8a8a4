package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"regroup/actions"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// properties are those of the connector that is looked at.
type properties struct {
	of      propertiesOf
	pairs   []actions.Pair
	err     string
	reading bool
	end     context.CancelFunc
}

// propertiesOf names a configuration: a connector's as it was written at an offset of the config topic.
type propertiesOf struct {
	group, connector string
	offset           int64
}

type propertiesMsg struct {
	of    propertiesOf
	pairs []actions.Pair
	err   error
}

// propertiesLimit bounds how long they are waited for.
const propertiesLimit = 15 * time.Second

// wantProperties asks for the properties of the connector that is looked at, again when they were written again.
func (m *model) wantProperties() {
	if m.view != viewUnit || m.ui.unit == nil || m.opt.Properties == nil || m.host == nil || m.live == nil {
		return
	}
	want := propertiesOf{m.group, m.ui.unit.Connector, -1}
	for _, c := range m.live.Configs() {
		if c.Name == want.connector {
			want.offset = c.RecordOffset
		}
	}
	p := &m.props
	if p.of == want {
		return
	}
	if p.end != nil {
		p.end()
	}
	*p = properties{of: want, reading: true}
	p.end = m.host.act("read "+want.connector, func(ctx context.Context, send func(tea.Msg)) {
		ctx, end := context.WithTimeout(ctx, propertiesLimit)
		defer end()
		pairs, err := m.opt.Properties(ctx, want.group, want.connector)
		send(propertiesMsg{want, pairs, err})
	})
}

func (m *model) arrivedProperties(msg propertiesMsg) {
	p := &m.props
	if p.of != msg.of {
		return
	}
	m.stale = true
	p.pairs, p.err, p.reading = msg.pairs, "", false
	if msg.err != nil {
		p.err = msg.err.Error()
	}
}

// drawProperties lists the properties of a connector, as far as there is room.
func drawProperties(s *scene, r cell.Rect, connector string) {
	p := s.props
	if r.H < 2 || p.of.connector != connector {
		return
	}
	note := ""
	switch {
	case s.state.Past:
		note = "as they are now"
	case s.acts:
		note = "c changes them"
	}
	s.title(r, "Properties", "", note, false)
	width := 8
	for _, pair := range p.pairs {
		width = max(width, cell.Width(printable(pair.Key)))
	}
	width = min(width, r.W/2)
	switch {
	case p.err != "":
		for n, line := range cell.Wrap("not read: "+printable(p.err), r.W) {
			l := s.Line(r, n+1)
			l.Text(theme.Delayed.Plain(), line)
		}
	case p.reading:
		l := s.Line(r, 1)
		l.Sentence(muted, "a worker is asked")
	}
	for n, pair := range p.pairs {
		l := s.Line(r, n+1)
		if n == r.H-2 && len(p.pairs) > r.H-1 {
			l.Sentence(muted, "… "+count(len(p.pairs)-n)+" more")
			return
		}
		l.Name(muted, printable(pair.Key), width).Gap(1)
		l.Text(text, cell.Middle(printable(flat(pair.Value)), l.Left()))
	}
}
