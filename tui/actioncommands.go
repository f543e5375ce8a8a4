package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/actions"
	"regroup/group"
	"regroup/tui/dialog"
	"regroup/tui/ui"
)

// actionCommands are the commands that change the group. Each opens the dialog that a opens, on its target and at its line:
// nothing is done before it is agreed to there.
func actionCommands() []command {
	out := []command{{words: "act", help: "act on what is selected", key: "a", off: actionDisabled, run: func(m *model, _ string) tea.Cmd { return beginAct(m) }}}
	for _, d := range []struct{ word, help string }{
		{"evict", "back in about 3 s, its work never stopped"},
		{"freeze", "held up: back as a zombie"},
		{"kill", "without a word"},
		{"stop", "it stops its units and leaves"},
		{"bounce", "stopped, and started again"},
		{"flap", "evicted again and again"},
	} {
		out = append(out, command{words: "worker " + d.word, arg: "NAME", args: workerArgs, help: d.help, off: actionDisabled, run: openAction(d.word, workerNamed)})
	}
	for _, d := range []struct{ word, help string }{
		{"configure", "its properties, in a form"},
		{"edit", "its properties, in an editor"},
		{"restart", "its tasks too"},
		{"pause", "keeps its tasks assigned"},
		{"resume", "after pause or stop"},
		{"stop", "gives its tasks up"},
		{"scale", "how many tasks it may make"},
		{"offsets", "how far it has got"},
		{"delete", "its configuration is lost"},
	} {
		out = append(out, command{words: "connector " + d.word, arg: "NAME", args: connectorArgs, help: d.help, off: actionDisabled, run: openAction(d.word, connectorNamed)})
	}
	theGroup := func(*model, string) (actions.Target, bool) { return actions.Target{}, true }
	return append(out,
		command{words: "worker add", help: "one more", off: actionDisabled, run: openAction("add a worker", theGroup)},
		command{words: "connector create", help: "a worker checks it first", off: actionDisabled, run: openAction("create a connector", theGroup)},
		command{words: "worker ghost", help: "regroup joins, and runs nothing", off: actionDisabled, run: openAction("a ghost", theGroup)},
		command{words: "exercise", arg: "NAME", args: exerciseArgs, help: "a scripted exercise, with its cost table", off: actionDisabled, run: exercise},
		command{words: "break off", help: "what is under way", off: nothingToEnd, run: endNewest},
	)
}

const shellOnly = "from the shell"

func exerciseArgs(m *model) []suggestion {
	var out []suggestion
	if actionDisabled(m) == "" {
		for _, o := range dialog.Exercises(m.around()) {
			out = append(out, suggestion{value: o.Label, note: o.About, off: o.DisabledReason})
		}
	}
	return out
}

// exercise opens the dialog on an exercise.
func exercise(m *model, name string) tea.Cmd {
	if !slices.ContainsFunc(dialog.Exercises(m.around()), func(o actions.Offer) bool { return o.Label == name }) {
		m.ui.message = "there is no exercise " + ui.Printable(name) + "."
		return nil
	}
	m.ui.dialog = dialog.OnExercises(m.around())
	cmd, _ := m.choose(name)
	return cmd
}

// actionDisabled is why nothing can be done from this screen now. Where it can do nothing at all, the shell can.
func actionDisabled(m *model) string {
	if m.opt.Acts == nil && m.opt.Replay == "" {
		return shellOnly
	}
	return cannotAct(m)
}

// openAction opens the dialog on a target, and chooses the line of that word.
func openAction(word string, target func(m *model, name string) (actions.Target, bool)) func(*model, string) tea.Cmd {
	return func(m *model, name string) tea.Cmd {
		on, ok := target(m, name)
		if !ok {
			m.ui.message = "there is no " + ui.Printable(name) + " in this group."
			return nil
		}
		m.ui.dialog = dialog.On(m.around(), on)
		cmd, ok := m.choose(word)
		if !ok {
			m.ui.message = word + " cannot be done here; this is what can."
		}
		return cmd
	}
}

func workerNamed(m *model, name string) (actions.Target, bool) {
	i := slices.IndexFunc(m.live.Workers, func(w group.Worker) bool { return strings.EqualFold(w.Name, name) && !w.Gone })
	if i < 0 {
		return actions.Target{}, false
	}
	w := m.live.Workers[i]
	return actions.Target{Worker: &w}, true
}

func connectorNamed(m *model, name string) (actions.Target, bool) {
	return actions.Target{Connector: name}, slices.Contains(dialog.ConnectorNames(m.live), name)
}

// noConnector is why nothing can be done to the connector that is selected.
func noConnector(m *model) string {
	if off := cannotAct(m); off != "" {
		return off
	}
	if connectorOf(m.selected()) == "" {
		return "no connector is selected"
	}
	return ""
}

func connectorOf(t actions.Target) string {
	if t.Unit != nil {
		return t.Unit.Connector
	}
	return t.Connector
}

// onConnector opens the dialog on the connector that is selected, and chooses the line of that word.
func onConnector(word string) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd { return openAction(word, connectorNamed)(m, connectorOf(m.selected())) }
}
