package tui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/ui"
	"regroup/tui/ui/theme"
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
		out = append(out, suggestion{value: g.Group, note: g.Verdict.Word})
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

func themeArgs(*model) []suggestion {
	var out []suggestion
	for _, k := range theme.Kinds {
		out = append(out, suggestion{value: string(k)})
	}
	return out
}

func runTheme(m *model, arg string) tea.Cmd {
	kind, err := theme.Parse(arg)
	if err != nil {
		m.ui.message = ui.Printable(err.Error()) + "."
		return nil
	}
	m.kind = kind
	m.retheme()
	if kind == theme.Auto {
		return tea.RequestBackgroundColor
	}
	return nil
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
