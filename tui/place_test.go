package tui

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
	"regroup/internal/observe"
	"regroup/tui/keys"
)

// Where the first list of any has one group, that one is opened; where somebody was quicker, or there may be others, the list stays.
func TestOneGroupIsOpened(t *testing.T) {
	one, other := observe.FleetGroup{Group: "connect-a"}, observe.FleetGroup{Group: "connect-b"}
	unreachable := &observe.Fleet{Sources: []group.SourceState{{Health: group.HealthUnreachable, Detail: "nothing listens"}}}
	key := tea.KeyPressMsg{Code: 'j', Text: "j"}
	for _, of := range []struct {
		name string
		msgs []tea.Msg
		want string
	}{
		{"one", []tea.Msg{fleetMsg{&observe.Fleet{Groups: []observe.FleetGroup{one}}}}, "connect-a"},
		{"one, once the brokers answer", []tea.Msg{fleetMsg{unreachable}, fleetMsg{&observe.Fleet{Groups: []observe.FleetGroup{one}}}}, "connect-a"},
		{"two", []tea.Msg{fleetMsg{&observe.Fleet{Groups: []observe.FleetGroup{one, other}}}}, ""},
		{"two, then one", []tea.Msg{fleetMsg{&observe.Fleet{Groups: []observe.FleetGroup{one, other}}}, fleetMsg{&observe.Fleet{Groups: []observe.FleetGroup{one}}}}, ""},
		{"one, and one that may not be seen", []tea.Msg{fleetMsg{&observe.Fleet{Groups: []observe.FleetGroup{one}, NotShown: []observe.NotShown{{}}}}}, ""},
		{"none", []tea.Msg{fleetMsg{&observe.Fleet{}}}, ""},
		{"none, then one", []tea.Msg{fleetMsg{&observe.Fleet{}}, fleetMsg{&observe.Fleet{Groups: []observe.FleetGroup{one}}}}, "connect-a"},
		{"a key before", []tea.Msg{key, fleetMsg{&observe.Fleet{Groups: []observe.FleetGroup{one}}}}, ""},
	} {
		m := newModel(Options{Fleet: func(context.Context, func(*observe.Fleet)) error { return nil }})
		m.host = still{m}
		m.show(keys.Fleet)
		for _, msg := range of.msgs {
			m.Update(msg)
		}
		want := keys.Fleet
		if of.want != "" {
			want = keys.Live
		}
		if m.group != of.want || m.view != want {
			t.Errorf("%s: %q is open, in view %s", of.name, m.group, m.view)
		}
	}
}
