package tui

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
	"regroup/tui/keys"
	"regroup/tui/scene"
)

// Where the first list of any has one group, that one is opened; where somebody was quicker, or there may be others, the list stays.
func TestOneGroupIsOpened(t *testing.T) {
	one, other := scene.GroupSummary{Group: "connect-a"}, scene.GroupSummary{Group: "connect-b"}
	unreachable := &scene.Fleet{Sources: []group.SourceState{{Health: group.HealthUnreachable, Detail: "nothing listens"}}}
	key := tea.KeyPressMsg{Code: 'j', Text: "j"}
	for _, of := range []struct {
		name string
		msgs []tea.Msg
		want string
	}{
		{"one", []tea.Msg{fleetMsg{&scene.Fleet{Groups: []scene.GroupSummary{one}}}}, "connect-a"},
		{"one, once the brokers answer", []tea.Msg{fleetMsg{unreachable}, fleetMsg{&scene.Fleet{Groups: []scene.GroupSummary{one}}}}, "connect-a"},
		{"two", []tea.Msg{fleetMsg{&scene.Fleet{Groups: []scene.GroupSummary{one, other}}}}, ""},
		{"two, then one", []tea.Msg{fleetMsg{&scene.Fleet{Groups: []scene.GroupSummary{one, other}}}, fleetMsg{&scene.Fleet{Groups: []scene.GroupSummary{one}}}}, ""},
		{"one, and one that may not be seen", []tea.Msg{fleetMsg{&scene.Fleet{Groups: []scene.GroupSummary{one}, NotShown: []scene.NotShown{{}}}}}, ""},
		{"none", []tea.Msg{fleetMsg{&scene.Fleet{}}}, ""},
		{"none, then one", []tea.Msg{fleetMsg{&scene.Fleet{}}, fleetMsg{&scene.Fleet{Groups: []scene.GroupSummary{one}}}}, "connect-a"},
		{"a key before", []tea.Msg{key, fleetMsg{&scene.Fleet{Groups: []scene.GroupSummary{one}}}}, ""},
	} {
		m := newModel(Options{Fleet: func(context.Context, func(*scene.Fleet)) error { return nil }})
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
