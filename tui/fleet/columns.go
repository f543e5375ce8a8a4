package fleet

import (
	"slices"

	"regroup/group"
	"regroup/internal/observe"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// groupColumn is one of the fleet's table.
type groupColumn struct {
	head       string
	gap, width int
	right      bool
	keep       int // the smallest leaves first when there is no room
	draw       func(s *scene.Scene, l *cell.Line, g *observe.FleetGroup, w int)
}

func groupColumns(s *scene.Scene, groups []*observe.FleetGroup, room int) []groupColumn {
	name, verdict, conn, task, gen, cost := 8, 13, 4, 4, 5, 9
	watched, last := false, false
	for _, g := range groups {
		name, verdict = max(name, cell.Width(g.Group)), max(verdict, cell.Width(groupVerdict(s, g)))
		conn, task, gen = max(conn, len(words.Thousands(g.Connectors))), max(task, len(words.Thousands(g.Tasks))), max(gen, len(words.Thousands(int(g.Generation))))
		cost = max(cost, cell.Width(parts.CostText(g.HourCost)))
		watched, last = watched || g.State != nil || g.Findings > 0, last || !g.LastRound.IsZero()
	}
	out := []groupColumn{
		{"group", 0, min(name, 30), false, 99, func(_ *scene.Scene, l *cell.Line, g *observe.FleetGroup, w int) { l.Name(ui.Strong, g.Group, w) }},
		{"verdict", 3, verdict, false, 98, drawGroupVerdict},
		{"mode", 2, 11, false, 3, func(_ *scene.Scene, l *cell.Line, g *observe.FleetGroup, w int) { l.Words(ui.Muted, modeOf(g), w) }},
		{"workers", 2, 7, true, 9, groupNumber(func(g *observe.FleetGroup) int { return g.Workers })},
		{"conn", 2, conn, true, 7, groupNumber(func(g *observe.FleetGroup) int { return g.Connectors })},
		{"task", 2, task, true, 8, groupNumber(func(g *observe.FleetGroup) int { return g.Tasks })},
	}
	if last || watched {
		out = append(out, groupColumn{"units", 2, 16, false, 6, drawGroupUnits}, groupColumn{"gen", 2, gen, true, 5, drawGroupGeneration})
	}
	if last {
		out = append(out, groupColumn{"last", 2, 6, true, 4, drawGroupLast})
	}
	if watched {
		out = append(out, groupColumn{"unit-s 1h", 1, cost, true, 4, drawGroupCost}, groupColumn{"findings", 2, 8, true, 9, drawGroupFindings})
	}
	return fittingColumns(out, room)
}

// fittingColumns takes columns in, those that matter most first, as long as each finds room.
func fittingColumns(all []groupColumn, room int) []groupColumn {
	byKeep := slices.Clone(all)
	slices.SortStableFunc(byKeep, func(a, b groupColumn) int { return b.keep - a.keep })
	fits, width := map[string]bool{}, 2
	for i, c := range byKeep {
		if w := c.gap + c.width; i < 2 || width+w <= room {
			fits[c.head], width = true, width+w
		}
	}
	return slices.DeleteFunc(all, func(c groupColumn) bool { return !fits[c.head] })
}

func modeOf(g *observe.FleetGroup) string {
	if g.Mode == group.ModeNone {
		return g.Phase
	}
	return string(g.Mode)
}

// groupVerdict is the word and what is counted down.
func groupVerdict(s *scene.Scene, g *observe.FleetGroup) string {
	word := string(g.Verdict.Word)
	if g.Verdict.Likely {
		word += "?"
	}
	if !g.Verdict.Ends.IsZero() {
		word += "  " + words.Countdown(g.Verdict.Ends.Sub(s.Fleet.Now))
	}
	return word
}

func drawGroupVerdict(s *scene.Scene, l *cell.Line, g *observe.FleetGroup, w int) {
	style := parts.VerdictToken(g.Verdict.Word).Plain()
	if g.Verdict.Word != group.VerdictSettled {
		style = style.Bold()
	}
	l.Words(style, groupVerdict(s, g), w)
}

func drawGroupCost(_ *scene.Scene, l *cell.Line, g *observe.FleetGroup, w int) {
	switch {
	case g.State == nil:
	case g.HourCost.Units == 0:
		l.Number(ui.Faint, "0", w)
	default:
		l.Number(ui.Text, parts.CostText(g.HourCost), w)
	}
}

func groupNumber(n func(*observe.FleetGroup) int) func(*scene.Scene, *cell.Line, *observe.FleetGroup, int) {
	return func(_ *scene.Scene, l *cell.Line, g *observe.FleetGroup, w int) {
		style := ui.Text
		if n(g) == 0 {
			style = ui.Faint
		}
		l.Number(style, words.Thousands(n(g)), w)
	}
}

func drawGroupUnits(_ *scene.Scene, l *cell.Line, g *observe.FleetGroup, w int) {
	var parts []ui.Part
	for k := scene.UnitKinds - 1; k >= 0; k-- {
		kind := group.UnitStateKind(k)
		m := label.UnitMarks[kind]
		parts = append(parts, ui.Part{m.Glyph, m.Token, g.States[kind]})
	}
	ui.DrawStrip(l, parts, max(label.Total(parts), 1), w)
}

func drawGroupGeneration(_ *scene.Scene, l *cell.Line, g *observe.FleetGroup, w int) {
	if g.Generation >= 0 {
		l.Number(ui.Text, words.Thousands(int(g.Generation)), w)
	}
}

func drawGroupLast(s *scene.Scene, l *cell.Line, g *observe.FleetGroup, w int) {
	if !g.LastRound.IsZero() {
		l.Number(ui.Text, words.Age(s.Fleet.Now.Sub(g.LastRound)), w)
	}
}

func drawGroupFindings(_ *scene.Scene, l *cell.Line, g *observe.FleetGroup, w int) {
	if g.Findings == 0 && g.State == nil && g.Report == nil {
		return
	}
	if g.Findings == 0 {
		l.Number(ui.Faint, "0", w)
		return
	}
	l.Number(theme.Wrong.Bold(), words.Thousands(g.Findings), w)
}
