package tui

import (
	"context"
	"time"

	"regroup/tui/keys"
	"regroup/tui/scene"
)

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
	*p = scene.Properties{Of: want, Reading: true}
	m.wants.Ask(m.host.act, "read "+want.Connector, func(ctx context.Context) func() scene.Action {
		ctx, end := context.WithTimeout(ctx, propertiesLimit)
		defer end()
		pairs, err := m.opt.Properties(ctx, want.Group, want.Connector)
		return func() scene.Action {
			p.Pairs, p.Err, p.Reading = pairs, "", false
			if err != nil {
				p.Err = err.Error()
			}
			return nil
		}
	})
}
