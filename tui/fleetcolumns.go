package tui

import (
	"slices"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// groupColumn is one of the fleet's table.
type groupColumn struct {
	head       string
	gap, width int
	right      bool
	keep       int // the smallest leaves first when there is no room
	draw       func(s *scene, l *cell.Line, g *GroupSummary, w int)
}

func groupColumns(s *scene, room int) []groupColumn {
	name, verdict, conn, task, gen, cost := 8, 13, 4, 4, 5, 9
	watched, last := false, false
	for _, g := range s.groups {
		name, verdict = max(name, cell.Width(g.Group)), max(verdict, cell.Width(groupVerdict(s, g)))
		conn, task, gen = max(conn, len(count(g.Connectors))), max(task, len(count(g.Tasks))), max(gen, len(count(int(g.Generation))))
		cost = max(cost, cell.Width(costText(g.HourCost)))
		watched, last = watched || g.State != nil || g.Findings > 0, last || !g.LastRound.IsZero()
	}
	out := []groupColumn{
		{"group", 0, min(name, 30), false, 99, func(_ *scene, l *cell.Line, g *GroupSummary, w int) { l.Name(strong, g.Group, w) }},
		{"verdict", 3, verdict, false, 98, drawGroupVerdict},
		{"mode", 2, 11, false, 3, func(_ *scene, l *cell.Line, g *GroupSummary, w int) { l.Words(muted, modeOf(g), w) }},
		{"workers", 2, 7, true, 9, groupNumber(func(g *GroupSummary) int { return g.Workers })},
		{"conn", 2, conn, true, 7, groupNumber(func(g *GroupSummary) int { return g.Connectors })},
		{"task", 2, task, true, 8, groupNumber(func(g *GroupSummary) int { return g.Tasks })},
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

func modeOf(g *GroupSummary) string {
	if g.Mode == group.ModeNone {
		return g.Phase
	}
	return string(g.Mode)
}

// groupVerdict is the word and what is counted down.
func groupVerdict(s *scene, g *GroupSummary) string {
	word := g.Verdict.Word
	if g.Verdict.Likely {
		word += "?"
	}
	if !g.Verdict.Ends.IsZero() {
		word += "  " + countdown(g.Verdict.Ends.Sub(s.fleet.Now))
	}
	return word
}

func drawGroupVerdict(s *scene, l *cell.Line, g *GroupSummary, w int) {
	style := verdictToken(g.Verdict.Word).Plain()
	if g.Verdict.Word != "SETTLED" {
		style = style.Bold()
	}
	l.Words(style, groupVerdict(s, g), w)
}

func drawGroupCost(_ *scene, l *cell.Line, g *GroupSummary, w int) {
	switch {
	case g.State == nil:
	case g.HourCost.Units == 0:
		l.Number(faint, "0", w)
	default:
		l.Number(text, costText(g.HourCost), w)
	}
}

func groupNumber(n func(*GroupSummary) int) func(*scene, *cell.Line, *GroupSummary, int) {
	return func(_ *scene, l *cell.Line, g *GroupSummary, w int) {
		style := text
		if n(g) == 0 {
			style = faint
		}
		l.Number(style, count(n(g)), w)
	}
}

func drawGroupUnits(_ *scene, l *cell.Line, g *GroupSummary, w int) {
	var parts []part
	for k := unitKinds - 1; k >= 0; k-- {
		kind := group.UnitStateKind(k)
		m := unitMarks[kind]
		parts = append(parts, part{m.glyph, m.token, g.States[kind]})
	}
	drawStrip(l, parts, max(total(parts), 1), w)
}

func drawGroupGeneration(_ *scene, l *cell.Line, g *GroupSummary, w int) {
	if g.Generation >= 0 {
		l.Number(text, count(int(g.Generation)), w)
	}
}

func drawGroupLast(s *scene, l *cell.Line, g *GroupSummary, w int) {
	if !g.LastRound.IsZero() {
		l.Number(text, age(s.fleet.Now.Sub(g.LastRound)), w)
	}
}

func drawGroupFindings(_ *scene, l *cell.Line, g *GroupSummary, w int) {
	if g.Findings == 0 && g.State == nil && g.Report == nil {
		return
	}
	if g.Findings == 0 {
		l.Number(faint, "0", w)
		return
	}
	l.Number(theme.Wrong.Bold(), count(g.Findings), w)
}
