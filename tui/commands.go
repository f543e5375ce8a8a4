package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/dialog"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/ui"
)

// command is a line that the palette knows: the words of the command line.
type command struct {
	words string                      // "round", "worker evict"
	arg   string                      // how its argument is called; "": it has none
	args  func(m *model) []suggestion // what can stand there; nil: anything
	help  string                      // what it does, in a few words
	key   string                      // that does the same
	off   func(m *model) string       // why it cannot run now; nil or "": it can
	run   func(m *model, arg string) tea.Cmd
}

// suggestion is one value of an argument, with a word on it, and why it cannot be used.
type suggestion struct{ value, note, off string }

// commands are in the order in which the palette shows them.
var commands []command

func init() { // not a literal: the commands, the handlers and the key table refer to each other
	for _, t := range tabs {
		if t.id != keys.Round {
			commands = append(commands, command{words: string(t.id), help: viewHelp[t.id], key: t.key, off: noGroup, run: func(m *model, _ string) tea.Cmd { return showTab(m, t.id) }})
		}
	}
	commands = append(commands,
		command{words: "round", arg: "GENERATION", args: roundArgs, help: "stand on a round", key: "4", off: noRounds, run: runRound},
		command{words: "follow", help: "the newest round, and those to come", key: "f", off: isFollowing, run: func(m *model, _ string) tea.Cmd { m.follow(); return nil }},
		command{words: "unit", arg: "UNIT", args: unitArgs, help: "one unit's whole story", off: noRounds, run: runUnit},
		command{words: "filter", arg: "TEXT", help: "show what matches alone", key: "/", off: noFilter, run: runFilter},
		command{words: "group", arg: "GROUP", args: groupArgs, help: "open another group", off: noFleet, run: runGroup},
		command{words: "fleet", help: "every Connect group", key: "0", off: noFleet, run: func(m *model, _ string) tea.Cmd { m.show(keys.Fleet); return nil }},
		command{words: "theme", arg: "NAME", args: themeArgs, help: "auto, dark, light or mono", key: "t", run: runTheme},
		command{words: "save", arg: "FILE", help: "what is seen, as .csv, .json, .svg or .txt", key: "ctrl-s", off: nothingToSave, run: func(m *model, arg string) tea.Cmd { return m.save(arg) }},
		command{words: "report", arg: "FILE", help: "all that is known, as one HTML file", off: noRounds, run: func(m *model, arg string) tea.Cmd { return m.saveReport(arg) }},
		command{words: "copy", help: "what the cursor is on", key: "y", off: nothingToCopy, run: func(m *model, _ string) tea.Cmd { return copyFocused(m) }},
		command{words: "mouse", help: "on, or off", key: "m", run: func(m *model, _ string) tea.Cmd { return toggleMouse(m) }},
	)
	commands = append(commands, actionCommands()...)
	commands = append(commands,
		command{words: "help", help: "the keys", key: "?", run: func(m *model, _ string) tea.Cmd { m.ui.help, m.ui.page = true, 0; return nil }},
		command{words: "quit", help: "leave; nothing is stopped by it", key: "q", run: func(*model, string) tea.Cmd { return tea.Quit }},
	)
}

var viewHelp = map[keys.View]string{
	keys.Live: "workers, rounds, units, events", keys.Matrix: "connectors by workers", keys.Timeline: "what ran where",
	keys.Units: "every unit", keys.Doctor: "what is wrong", keys.Events: "everything that was seen",
}

func roundArgs(m *model) []suggestion {
	var out []suggestion
	for i := len(m.live.Rounds) - 1; i >= 0; i-- {
		r := m.live.Rounds[i]
		k := suggestion{value: strings.ReplaceAll(label.Generation(r), ",", "")}
		if len(out) < maxSuggestions {
			k.note = label.LongWhy(r, label.Before(m.live.Rounds, i))
		}
		out = append(out, k)
	}
	return out
}

func runRound(m *model, arg string) tea.Cmd {
	n, err := strconv.Atoi(strings.ReplaceAll(arg, ",", ""))
	for i := len(m.live.Rounds) - 1; i >= 0 && err == nil; i-- {
		if r := m.live.Rounds[i]; !r.Polled && int(r.Generation) == n {
			m.stand(i)
			return nil
		}
	}
	m.ui.message = "round " + ui.Printable(arg) + " is not among the rounds that are known."
	return nil
}

func unitArgs(m *model) []suggestion {
	var out []suggestion
	if s := m.shown(); s != nil {
		for i := range s.Units {
			out = append(out, suggestion{value: s.Units[i].Unit.String(), note: s.Units[i].State.String()})
		}
	}
	return out
}

func runUnit(m *model, arg string) tea.Cmd {
	s := m.shown()
	for i := range s.Units {
		if s.Units[i].Unit.String() == arg {
			m.openUnit(s.Units[i].Unit)
			return nil
		}
	}
	m.ui.message = "there is no unit " + ui.Printable(arg) + "; write it as sink-a 0, or sink-a c."
	return nil
}

func runFilter(m *model, arg string) tea.Cmd {
	beginFilter(m)
	m.panes().Filter = ui.Filter{}
	m.panes().Filter.Add(arg)
	return nil
}

func groupArgs(m *model) []suggestion {
	var out []suggestion
	for _, g := range m.groups() {
		out = append(out, suggestion{value: g.Group, note: string(g.Verdict.Word)})
	}
	return out
}

func runGroup(m *model, arg string) tea.Cmd {
	for _, g := range m.groups() {
		if g.Group == arg {
			m.open(g.Group)
			m.show(keys.Live)
			return nil
		}
	}
	m.ui.message = "there is no group " + ui.Printable(arg) + "."
	return nil
}

func themeArgs(m *model) []suggestion {
	var out []suggestion
	for _, k := range m.opt.Themes.Kinds() {
		out = append(out, suggestion{value: string(k)})
	}
	return out
}

func runTheme(m *model, arg string) tea.Cmd {
	kind, err := m.opt.Themes.Parse(arg)
	if err != nil {
		m.ui.message = ui.Printable(err.Error()) + "."
		return nil
	}
	return m.useTheme(kind)
}

func workerArgs(m *model) []suggestion {
	var out []suggestion
	if s := m.shown(); s != nil {
		for i := range s.Workers {
			w := &s.Workers[i]
			k := suggestion{value: w.Name, note: words.Plural(w.Held, "unit")}
			switch {
			case w.Gone:
				k.note, k.off = "", "no member"
			case w.Leader:
				k.note += ", it leads"
			}
			out = append(out, k)
		}
	}
	return out
}

func connectorArgs(m *model) []suggestion {
	s := m.shown()
	if s == nil {
		return nil
	}
	var out []suggestion
	for i := 0; i < len(s.Units); {
		next, worst, n := i, s.Units[i].State, 0 // states come worst first
		for ; next < len(s.Units) && s.Units[next].Unit.Connector == s.Units[i].Unit.Connector; next++ {
			switch state := s.Units[next].State; {
			case state < worst:
				worst, n = state, 1
			case state == worst:
				n++
			}
		}
		note := worst.String()
		if n < next-i {
			note = strconv.Itoa(n) + " " + note
		}
		out = append(out, suggestion{value: s.Units[i].Unit.Connector, note: note})
		i = next
	}
	return out
}

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
		command{words: "exercise", arg: "NAME", args: exerciseArgs, help: "a scripted exercise, with its cost table", off: actionDisabled, run: openExercise},
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

// openExercise opens the dialog on an exercise.
func openExercise(m *model, name string) tea.Cmd {
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
