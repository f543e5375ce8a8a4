package dialog

import (
	"context"
	"slices"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
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
func (d *Dialog) menuOf(on actions.Target) *menu {
	live := d.Live()
	out := &menu{title: "Act on " + on.String()}
	if on == (actions.Target{}) {
		out.title = "Act on the group"
	}
	if on == (actions.Target{}) {
		out.lines = d.endLines()
	}
	busy := d.busy()
	for _, o := range d.Acts(live, on) {
		out.lines = append(out.lines, offerLine(o, busy))
	}
	if costs := d.Costs(); on == (actions.Target{}) && costs != nil {
		out.lines = append(out.lines, menuLine{Offer: actions.Offer{Label: "the last cost table", About: "of " + costs.title}, read: true})
	}
	var workers, connectors []menuLine
	for _, w := range live.Workers {
		about := words.Plural(w.Held, "unit")
		if w.Leader {
			about += ", leads"
		}
		if w.Gone {
			about = "has left"
		}
		workers = append(workers, menuLine{Offer: actions.Offer{Label: w.Name, About: about}, into: &actions.Target{Worker: &w}})
	}
	for _, name := range ConnectorNames(live) {
		connectors = append(connectors, menuLine{Offer: actions.Offer{Label: name}, into: &actions.Target{Connector: name}})
	}
	if on.Unit != nil {
		out.lines = append(out.lines, menuLine{Offer: actions.Offer{Label: on.Unit.Connector, About: "all of this connector"}, into: &actions.Target{Connector: on.Unit.Connector}})
		if i, ok := live.Find(*on.Unit); ok && live.Units[i].Worker >= 0 {
			w := live.Workers[live.Units[i].Worker]
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

// ConnectorNames are those that are configured; where the config topic is not known, those that were seen held.
func ConnectorNames(s *group.State) []string {
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

// open opens one more menu, and finds out what of it cannot be done.
func (d *Dialog) open(n *menu) {
	d.stage, d.failed = choosing, ""
	d.menus = append(d.menus, n)
	probes := map[int]func(context.Context) string{}
	for i := range n.lines {
		if l := &n.lines[i]; l.DisabledReason == "" && l.Probe != nil {
			probes[i] = l.Probe
		}
	}
	d.wait.Drop()
	if len(probes) == 0 {
		return
	}
	d.wait.AskEach(d.Run, "what can be done", func(ctx context.Context, tell func(func() scene.Action)) {
		for i, probe := range probes {
			off := probe(ctx)
			tell(func() scene.Action {
				n.lines[i].DisabledReason = off
				return nil
			})
		}
	})
}

func (d *Dialog) pressedInMenu(what keys.ID) scene.Action {
	n := d.menus[len(d.menus)-1]
	if d.failed != "" {
		d.failed = ""
		return nil
	}
	switch what {
	case keys.DoUp:
		n.list.Cursor--
	case keys.DoDown:
		n.list.Cursor++
	case keys.DoPageUp:
		n.list.Cursor -= n.list.Height
	case keys.DoPageDown:
		n.list.Cursor += n.list.Height
	case keys.DoTop:
		n.list.Cursor = 0
	case keys.DoBottom:
		n.list.Cursor = len(n.lines) - 1
	case keys.DoClose:
		return scene.CloseDialog{}
	case keys.DoOpen:
		if len(n.lines) > 0 {
			return d.choose(&n.lines[n.list.Cursor])
		}
	case keys.DoOut:
		if len(d.menus) > 1 {
			return d.stepBack()
		}
	}
	n.list.Cursor = min(max(n.list.Cursor, 0), max(len(n.lines)-1, 0))
	return nil
}

func (d *Dialog) choose(l *menuLine) scene.Action {
	d.direct = false
	switch {
	case l.ends > 0:
		return scene.EndAction{Number: l.ends}
	case l.read:
		return scene.ShowCosts{}
	case l.list != nil:
		d.open(&menu{title: ui.Capitalised(l.Label), lines: l.list})
	case l.into != nil:
		d.open(d.menuOf(*l.into))
	case l.DisabledReason != "": // its reason stands beside it
	case l.Form != nil:
		d.offer, d.fields = &l.Offer, nil
		d.openForm()
	case len(l.Fields) > 0:
		d.offer, d.fields, d.stage = &l.Offer, newFields(l.Fields), editing
	default:
		d.offer, d.fields = &l.Offer, nil
		d.makeReady(nil)
	}
	return nil
}

// endLines are the menu's lines for what can be ended.
func (d *Dialog) endLines() []menuLine {
	var out []menuLine
	for _, o := range d.Doing() {
		if o.Ends != "" {
			out = append(out, menuLine{Offer: actions.Offer{Label: o.Ends, About: o.What + " is under way"}, ends: o.Number})
		}
	}
	return out
}

// busy is why nothing else can be done now; "": it can.
func (d *Dialog) busy() string {
	for _, o := range d.Doing() {
		if o.Exclusive {
			return "once " + o.What + " is over"
		}
	}
	return ""
}

// exerciseWord is the group's line that leads to the exercises.
const exerciseWord = "an exercise"

// exercises are the menu's lines of them.
func (d *Dialog) exercises() *menu {
	for _, l := range d.menuOf(actions.Target{}).lines {
		if l.Label == exerciseWord {
			return &menu{title: "Act on " + l.Label, lines: l.list}
		}
	}
	return &menu{}
}

// Exercises are what the menu of exercises offers.
func Exercises(a Around) []actions.Offer {
	d := &Dialog{Around: a}
	var out []actions.Offer
	for _, l := range d.exercises().lines {
		out = append(out, l.Offer)
	}
	return out
}

// Choose chooses a line by its word, and says whether there is one; where it cannot be done, its reason stands beside it.
func (d *Dialog) Choose(word string) (scene.Action, bool) {
	n := d.menus[len(d.menus)-1]
	i := slices.IndexFunc(n.lines, func(l menuLine) bool { return l.Label == word })
	if i < 0 {
		return nil, false
	}
	n.list.Cursor = i
	if n.lines[i].DisabledReason != "" {
		return nil, true
	}
	a := d.choose(&n.lines[i])
	d.direct = d.stage != choosing
	return a, true
}

func (d *Dialog) drawMenu(s *scene.Scene) {
	n := d.menus[len(d.menus)-1]
	word := 10
	for i := range n.lines {
		word = max(word, cell.Width(ui.Printable(n.lines[i].Label)))
	}
	word = min(word, 36)
	wide := 88
	for i := range n.lines {
		wide = max(wide, word+cell.Width(ui.Printable(n.lines[i].About))+15)
	}
	rows := max(len(n.lines), 1) + 2
	inner := drawBox(s, n.title, s.Group, min(wide, 112), rows+1)
	n.list.Fit(len(n.lines), inner.H-3)
	for row := range min(n.list.Height, len(n.lines)-n.list.Top) {
		i := n.list.Top + row
		o := &n.lines[i]
		l := s.Line(inner, row)
		l.Ground(theme.Dialog)
		name, about := ui.Text, o.About
		if i == n.list.Cursor {
			l.Ground(theme.Select).Rune(ui.Strong, '▸', 1)
			name = ui.Strong
		}
		if o.DisabledReason != "" {
			name, about = ui.Muted, "off: "+o.DisabledReason
		}
		l.At(2).Name(name, ui.Printable(o.Label), word).Gap(2)
		arrow := o.list != nil || o.into != nil
		if arrow {
			about = cell.End(ui.Printable(about), max(l.Left()-3, 0))
		}
		l.Sentence(ui.Muted, ui.Printable(about))
		if arrow {
			l.FromRight(2).Text(ui.Muted, "▸")
		}
	}
	l := s.Line(inner, inner.H-1)
	l.Ground(theme.Dialog)
	if d.failed != "" {
		l.Sentence(theme.Wrong.Plain(), "! "+ui.Printable(d.failed))
		return
	}
	if off := n.offHere(); off != "" && cell.Width(off) > inner.W-word-10 { // its line has no room for it
		l.Sentence(ui.Muted, "off: "+ui.Printable(off))
		return
	}
	back := "leave"
	if len(d.menus) > 1 {
		back = "back"
	}
	scene.Hint(&l, s.Key(keys.Menu, keys.DoUp), "choose", s.Key(keys.Menu, keys.DoOpen), "go on", s.Key(keys.Menu, keys.DoBack), back)
}

func (n *menu) offHere() string {
	if n.list.Cursor < len(n.lines) {
		return n.lines[n.list.Cursor].DisabledReason
	}
	return ""
}
