package tui

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
)

// Where the first list of any has one group, that one is opened; where somebody was quicker, or there may be others, the list stays.
func TestOneGroupIsOpened(t *testing.T) {
	one, other := GroupSummary{Group: "connect-a"}, GroupSummary{Group: "connect-b"}
	unreachable := &Fleet{Sources: []group.SourceState{{Health: group.HealthUnreachable, Detail: "nothing listens"}}}
	key := tea.KeyPressMsg{Code: 'j', Text: "j"}
	for _, of := range []struct {
		name string
		msgs []tea.Msg
		want string
	}{
		{"one", []tea.Msg{fleetMsg{&Fleet{Groups: []GroupSummary{one}}}}, "connect-a"},
		{"one, once the brokers answer", []tea.Msg{fleetMsg{unreachable}, fleetMsg{&Fleet{Groups: []GroupSummary{one}}}}, "connect-a"},
		{"two", []tea.Msg{fleetMsg{&Fleet{Groups: []GroupSummary{one, other}}}}, ""},
		{"two, then one", []tea.Msg{fleetMsg{&Fleet{Groups: []GroupSummary{one, other}}}, fleetMsg{&Fleet{Groups: []GroupSummary{one}}}}, ""},
		{"one, and one that may not be seen", []tea.Msg{fleetMsg{&Fleet{Groups: []GroupSummary{one}, NotShown: []NotShown{{}}}}}, ""},
		{"none", []tea.Msg{fleetMsg{&Fleet{}}}, ""},
		{"none, then one", []tea.Msg{fleetMsg{&Fleet{}}, fleetMsg{&Fleet{Groups: []GroupSummary{one}}}}, "connect-a"},
		{"a key before", []tea.Msg{key, fleetMsg{&Fleet{Groups: []GroupSummary{one}}}}, ""},
	} {
		m := newModel(Options{Fleet: func(context.Context, func(*Fleet)) error { return nil }})
		m.host = still{m}
		m.show(viewFleet)
		for _, msg := range of.msgs {
			m.Update(msg)
		}
		want := viewFleet
		if of.want != "" {
			want = viewLive
		}
		if m.group != of.want || m.view != want {
			t.Errorf("%s: %q is open, in view %s", of.name, m.group, m.view)
		}
	}
}
