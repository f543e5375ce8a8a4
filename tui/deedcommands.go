package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/group"
)

// deedCommands are the commands that change the group. Each opens the dialog that a opens, on its target and at its line:
// nothing is done before it is agreed to there.
func deedCommands() []command {
	out := []command{{words: "act", help: "act on what is selected", key: "a", off: deedOff, run: func(m *model, _ string) tea.Cmd { return beginAct(m) }}}
	for _, d := range []struct{ word, help string }{
		{"evict", "back in about 3 s, its work never stopped"},
		{"freeze", "held up: back as a zombie"},
		{"kill", "without a word"},
		{"stop", "it stops its units and leaves"},
		{"bounce", "stopped, and started again"},
	} {
		out = append(out, command{words: "worker " + d.word, arg: "NAME", args: workerArgs, help: d.help, off: deedOff, run: deed(d.word, workerNamed)})
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
		out = append(out, command{words: "connector " + d.word, arg: "NAME", args: connectorArgs, help: d.help, off: deedOff, run: deed(d.word, connectorNamed)})
	}
	theGroup := func(*model, string) (Target, bool) { return Target{}, true }
	return append(out,
		command{words: "worker add", help: "one more", off: deedOff, run: deed("add a worker", theGroup)},
		command{words: "connector create", help: "a worker checks it first", off: deedOff, run: deed("create a connector", theGroup)},
		command{words: "exercise", arg: "NAME", help: "a scripted exercise, with its cost table", off: fromTheShell},
	)
}

const shellOnly = "from the shell"

func fromTheShell(*model) string { return shellOnly }

// deedOff is why nothing can be done from this screen now. Where it can do nothing at all, the shell can.
func deedOff(m *model) string {
	if m.opt.Acts == nil && m.opt.Replay == "" {
		return shellOnly
	}
	return cannotAct(m)
}

// deed opens the dialog on a target, and chooses the line of that word.
func deed(word string, target func(m *model, name string) (Target, bool)) func(*model, string) tea.Cmd {
	return func(m *model, name string) tea.Cmd {
		on, ok := target(m, name)
		if !ok {
			m.ui.message = "there is no " + printable(name) + " in this group."
			return nil
		}
		m.ui.dialog = &dialog{}
		n := m.menuOf(on)
		m.openMenu(n)
		i := slices.IndexFunc(n.lines, func(l menuLine) bool { return l.Word == word })
		switch {
		case i < 0:
			m.ui.message = word + " cannot be done here; this is what can."
		case n.lines[i].Off != "":
			n.list.cursor = i // its reason stands beside it
		default:
			n.list.cursor = i
			m.choose(&n.lines[i])
		}
		return nil
	}
}

func workerNamed(m *model, name string) (Target, bool) {
	i := slices.IndexFunc(m.live.Workers, func(w group.Worker) bool { return strings.EqualFold(w.Name, name) && !w.Gone })
	if i < 0 {
		return Target{}, false
	}
	w := m.live.Workers[i]
	return Target{Worker: &w}, true
}

func connectorNamed(m *model, name string) (Target, bool) {
	return Target{Connector: name}, slices.Contains(connectorNames(m.live), name)
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

func connectorOf(t Target) string {
	if t.Unit != nil {
		return t.Unit.Connector
	}
	return t.Connector
}

// onConnector opens the dialog on the connector that is selected, and chooses the line of that word.
func onConnector(word string) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd { return deed(word, connectorNamed)(m, connectorOf(m.selected())) }
}
