package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"regroup/actions"
	"regroup/tui/keys"
	"regroup/tui/scene"
)

type propertiesMsg struct {
	of    scene.PropertiesOf
	pairs []actions.Pair
	err   error
}

// propertiesLimit bounds how long they are waited for.
const propertiesLimit = 15 * time.Second

// wantProperties asks for the properties of the connector that is looked at, again when they were written again.
func (m *model) wantProperties() {
	if m.view != keys.Unit || m.ui.unit == nil || m.opt.Properties == nil || m.host == nil || m.live == nil {
		return
	}
	want := scene.PropertiesOf{m.group, m.ui.unit.Connector, -1}
	for _, c := range m.live.Configs() {
		if c.Name == want.Connector {
			want.Offset = c.RecordOffset
		}
	}
	p := &m.props
	if p.Of == want {
		return
	}
	if p.End != nil {
		p.End()
	}
	*p = scene.Properties{Of: want, Reading: true}
	p.End = m.host.act("read "+want.Connector, func(ctx context.Context, send func(tea.Msg)) {
		ctx, end := context.WithTimeout(ctx, propertiesLimit)
		defer end()
		pairs, err := m.opt.Properties(ctx, want.Group, want.Connector)
		send(propertiesMsg{want, pairs, err})
	})
}

func (m *model) arrivedProperties(msg propertiesMsg) {
	p := &m.props
	if p.Of != msg.of {
		return
	}
	m.stale = true
	p.Pairs, p.Err, p.Reading = msg.pairs, "", false
	if msg.err != nil {
		p.Err = msg.err.Error()
	}
}
