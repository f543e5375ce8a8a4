package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/ui"
)

// menuLine is an offer, or a way to another menu.
type menuLine struct {
	actions.Offer
	into *actions.Target
	list []menuLine // of one that only leads on
	ends int        // number of what is under way, and is ended by it
	read bool       // it shows what the last exercise did
}

// menu is a list to choose from.
type menu struct {
	title string
	lines []menuLine
	list  ui.List
}

// menuOf lists what can be done to a target, and what is near it.
func (m *model) menuOf(on actions.Target) *menu {
	out := &menu{title: "Act on " + on.String()}
	if on == (actions.Target{}) {
		out.title = "Act on the group"
	}
	if on == (actions.Target{}) {
		out.lines = m.endLines()
	}
	busy := m.busy()
	for _, o := range m.opt.Acts(m.live, on) {
		out.lines = append(out.lines, offerLine(o, busy))
	}
	if on == (actions.Target{}) && m.last != nil {
		out.lines = append(out.lines, menuLine{Offer: actions.Offer{Label: "the last cost table", About: "of " + m.last.title}, read: true})
	}
	var workers, connectors []menuLine
	for _, w := range m.live.Workers {
		about := words.Plural(w.Held, "unit")
		if w.Leader {
			about += ", leads"
		}
		if w.Gone {
			about = "has left"
		}
		workers = append(workers, menuLine{Offer: actions.Offer{Label: w.Name, About: about}, into: &actions.Target{Worker: &w}})
	}
	for _, name := range connectorNames(m.live) {
		connectors = append(connectors, menuLine{Offer: actions.Offer{Label: name}, into: &actions.Target{Connector: name}})
	}
	if on.Unit != nil {
		out.lines = append(out.lines, menuLine{Offer: actions.Offer{Label: on.Unit.Connector, About: "all of this connector"}, into: &actions.Target{Connector: on.Unit.Connector}})
		if i, ok := m.live.Find(*on.Unit); ok && m.live.Units[i].Worker >= 0 {
			w := m.live.Workers[m.live.Units[i].Worker]
			out.lines = append(out.lines, menuLine{Offer: actions.Offer{Label: w.Name, About: "the worker that holds it"}, into: &actions.Target{Worker: &w}})
		}
	}
	worker, connector := "a worker", "a connector"
	if on.Worker != nil {
		worker = "another worker"
	}
	if on.Connector != "" {
		connector = "another connector"
	}
	if len(workers) > 0 && on.Unit == nil {
		out.lines = append(out.lines, menuLine{Offer: actions.Offer{Label: worker, About: "evict, kill, freeze"}, list: workers})
	}
	if len(connectors) > 0 && on.Unit == nil {
		out.lines = append(out.lines, menuLine{Offer: actions.Offer{Label: connector, About: "pause, stop, restart, scale, delete"}, list: connectors})
	}
	if on != (actions.Target{}) {
		out.lines = append(out.lines, menuLine{Offer: actions.Offer{Label: "the group", About: "add workers, create connectors"}, into: &actions.Target{}})
	}
	return out
}

// offerLine is an offer's line; busy is why nothing can be done now.
func offerLine(o actions.Offer, busy string) menuLine {
	if o.DisabledReason == "" {
		o.DisabledReason = busy
	}
	l := menuLine{Offer: o}
	for _, below := range o.List {
		l.list = append(l.list, offerLine(below, busy))
	}
	return l
}

// connectorNames are those that are configured; where the config topic is not known, those that were seen held.
func connectorNames(s *group.State) []string {
	var out []string
	for _, c := range s.Configs() {
		if c.Live {
			out = append(out, c.Name)
		}
	}
	for i := range s.Units {
		if s.ConfigEnd() <= 0 && !slices.Contains(out, s.Units[i].Unit.Connector) {
			out = append(out, s.Units[i].Unit.Connector)
		}
	}
	slices.Sort(out)
	return out
}

// openMenu opens one more menu, and finds out what of it cannot be done.
func (m *model) openMenu(n *menu) {
	d := m.ui.dialog
	d.stage, d.failed = choosing, ""
	d.menus = append(d.menus, n)
	m.asked++
	d.number = m.asked
	probes := map[int]func(context.Context) string{}
	for i := range n.lines {
		if l := &n.lines[i]; l.DisabledReason == "" && l.Probe != nil {
			probes[i] = l.Probe
		}
	}
	if len(probes) == 0 {
		return
	}
	number := d.number
	d.end = m.host.act("what can be done", func(ctx context.Context, send func(tea.Msg)) {
		for i, probe := range probes {
			send(probedMsg{number, i, probe(ctx)})
		}
	})
}

// probedMsg says why a line of a menu cannot be done, or that it can.
type probedMsg struct {
	number, line int
	off          string
}

func (m *model) probedOffers(msg probedMsg) {
	if d := m.ui.dialog; d != nil && d.number == msg.number && d.stage == choosing {
		d.menus[len(d.menus)-1].lines[msg.line].DisabledReason = msg.off
		m.stale = true
	}
}

func (m *model) pressedInMenu(key string) {
	d := m.ui.dialog
	n := d.menus[len(d.menus)-1]
	if d.failed != "" {
		d.failed = ""
		return
	}
	switch key {
	case "up", "k", "shift+tab":
		n.list.Cursor--
	case "down", "j", "tab":
		n.list.Cursor++
	case "pgup":
		n.list.Cursor -= n.list.Height
	case "pgdown":
		n.list.Cursor += n.list.Height
	case "g", "home":
		n.list.Cursor = 0
	case "G", "end":
		n.list.Cursor = len(n.lines) - 1
	case "q", "a":
		m.closeDialog()
		return
	case "enter", "right", "l":
		if len(n.lines) > 0 {
			m.choose(&n.lines[n.list.Cursor])
		}
		return
	case "left", "h":
		if len(d.menus) > 1 {
			m.stepBack()
		}
		return
	}
	n.list.Cursor = min(max(n.list.Cursor, 0), max(len(n.lines)-1, 0))
}

func (m *model) choose(l *menuLine) {
	d := m.ui.dialog
	d.direct = false
	switch {
	case l.ends > 0:
		m.endAction(l.ends)
	case l.read:
		m.readReport()
	case l.list != nil:
		m.openMenu(&menu{title: capitalised(l.Label), lines: l.list})
	case l.into != nil:
		m.openMenu(m.menuOf(*l.into))
	case l.DisabledReason != "": // its reason stands beside it
	case l.Form != nil:
		d.offer, d.form = &l.Offer, nil
		m.askDraft()
	case len(l.Fields) > 0:
		d.offer, d.form, d.stage = &l.Offer, newForm(l.Fields), telling
	default:
		d.offer, d.form = &l.Offer, nil
		m.makeReady(nil)
	}
}
