package tui

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"regroup/group"
	"regroup/tui/cell"
)

// fleetView is the list of groups, worst first.
type fleetView struct {
	common
	order fleetOrder
}

func newFleetView() *fleetView { return &fleetView{common: newCommon(paneGroups)} }

func (v *fleetView) copied() view { return &fleetView{v.common.copied(), v.order} }

// fleetOrder keeps the groups as the list shows them.
type fleetOrder struct {
	of     *Fleet
	filter filter
	sort   int
	groups []*GroupSummary
}

// groups are those that pass the filter, in the order that was chosen.
func (v *fleetView) groups(f *Fleet) []*GroupSummary {
	if f == nil {
		return nil
	}
	if o := &v.order; o.of != f || o.filter != v.filter || o.sort != v.sort {
		groups := make([]*GroupSummary, 0, len(f.Groups))
		for i := range f.Groups {
			if g := &f.Groups[i]; !v.filter.on() || v.filter.matches(g.Group, g.Verdict.Word, string(g.Mode)) {
				groups = append(groups, g)
			}
		}
		slices.SortFunc(groups, fleetSorts[v.sort%len(fleetSorts)].compare)
		*o = fleetOrder{f, v.filter, v.sort, groups}
	}
	return v.order.groups
}

// selected is the group under the cursor; nil: there is none.
func (v *fleetView) selected(f *Fleet) *GroupSummary {
	groups := v.groups(f)
	if i := v.list(paneGroups).cursor; i < len(groups) {
		return groups[i]
	}
	return nil
}

func (v *fleetView) open(s *scene) action {
	if g := v.selected(s.fleet); g != nil {
		return openGroup{g.Group}
	}
	return nil
}

func (v *fleetView) text(s *scene) string {
	if g := v.selected(s.fleet); g != nil {
		return g.Group
	}
	return ""
}

func (v *fleetView) sheet(s *scene) *sheet { return fleetSheet(v.groups(s.fleet)) }

// groupSort is an order of the fleet.
type groupSort struct {
	name    string
	compare func(a, b *GroupSummary) int
}

var fleetSorts = []groupSort{
	{"worst first", worseGroup},
	{"by name", func(a, b *GroupSummary) int { return cmp.Compare(a.Group, b.Group) }},
	{"dearest hour first", func(a, b *GroupSummary) int {
		return cmp.Or(cmp.Compare(b.HourCost.High, a.HourCost.High), worseGroup(a, b))
	}},
}

func worseGroup(a, b *GroupSummary) int {
	return cmp.Or(a.Verdict.Rank()-b.Verdict.Rank(), b.Findings-a.Findings, cmp.Compare(a.Group, b.Group))
}

// blind is the verdict on a list of which no broker has told anything for a while.
func (f *Fleet) blind() (group.Verdict, bool) {
	if len(f.Sources) == 0 || f.Sources[0].Heard.IsZero() || f.Now.Sub(f.Sources[0].Heard) < group.BlindAfter {
		return group.Verdict{}, false
	}
	what := fmt.Sprintf("What you see is %s old.", age(f.Now.Sub(f.Sources[0].Heard)))
	alone := "Workers that stay cut off stop their work."
	return group.Verdict{
		Word: "BLIND", Sentence: "The brokers do not answer. " + what + " " + alone, Short: "The brokers do not answer.", Second: what,
		Fewer: []string{"The brokers do not answer. " + what},
	}, true
}

// fleetVerdict is that of the worst group, with its name before the sentence.
func fleetVerdict(s *scene) (group.Verdict, string) {
	if s.fleet == nil || len(s.fleet.Groups) == 0 {
		return group.Verdict{}, ""
	}
	if v, ok := s.fleet.blind(); ok {
		return v, ""
	}
	worst := slices.MinFunc(s.fleet.Groups, func(a, b GroupSummary) int { return worseGroup(&a, &b) })
	v := worst.Verdict
	if v.Word == "SETTLED" {
		v.Sentence = "All " + plural(len(s.fleet.Groups), "group") + " are settled."
		if len(s.fleet.Groups) == 1 {
			v.Sentence = worst.Group + " is settled."
		}
		v.Short, v.Second = v.Sentence, ""
	} else {
		v.Sentence = worst.Group + ": " + v.Sentence
		if v.Short != "" {
			v.Short = worst.Group + ": " + v.Short
		}
	}
	for i, fewer := range v.Fewer {
		v.Fewer = slices.Clone(v.Fewer)
		v.Fewer[i] = worst.Group + ": " + fewer
	}
	v.Ends, v.Total = time.Time{}, 0 // the countdown stands in the list, beside its group
	return v, ""
}

func (*fleetView) facts(s *scene) (left, right []factItem) {
	if s.fleet == nil {
		return nil, nil
	}
	var workers, connectors, tasks int
	for i := range s.fleet.Groups {
		g := &s.fleet.Groups[i]
		workers, connectors, tasks = workers+g.Workers, connectors+g.Connectors, tasks+g.Tasks
	}
	fact := func(keep, n int, what string) {
		left = append(left, factItem{[]piece{{muted, plural(n, what)}}, keep})
	}
	fact(20, len(s.fleet.Groups), "Connect group")
	fact(18, workers, "worker")
	fact(5, connectors, "connector")
	fact(6, tasks, "task")
	return left, sourceItems(s.fleet.Sources, s.fleet.Now)
}

func (*fleetView) draw(s *scene, r cell.Rect) {
	focused := s.panes.pane(paneGroups)
	if s.fleet == nil {
		return
	}
	notShown := s.fleet.NotShown
	below := 0
	if len(notShown) > 0 && r.H > len(notShown)+8 {
		below = len(notShown) + 2
	}
	list, side, hour := fleetHeights(s, r.H-below)
	drawGroups(s, r.Rows(0, list), focused)
	if side > 0 {
		drawGroupSide(s, r.Rows(list+1, side-1))
	}
	if hour > 0 {
		drawFleetHour(s, r.Rows(list+side+1, hour-1))
	}
	if below == 0 {
		return
	}
	r = r.Rows(r.H-below+1, below)
	s.title(r, "Not shown", "", "", false)
	width := 0
	for _, n := range notShown {
		width = max(width, min(cell.Width(n.Group), 30))
	}
	for i, n := range notShown {
		l := s.Line(r, i+1)
		if n.Group != "" {
			l.Name(text, n.Group, width).Gap(2)
		}
		l.Sentence(muted, n.Why)
	}
}

// fleetHeights shares rows out: the list first, then what happened to the group under the cursor, then how all did in the last
// hour. side and hour are with the empty row above them; 0: there is no room, or nothing is watched.
func fleetHeights(s *scene, rows int) (list, side, hour int) {
	const leastList, leastSide, mostSide = 6, 6, 14
	watched := 0
	for _, g := range s.groups {
		if g.State != nil {
			watched++
		}
	}
	list = max(len(s.groups)+2, 3)
	if watched == 0 || s.lay.class <= classNarrow {
		return rows, 0, 0
	}
	if list+leastSide > rows {
		list = max(rows-leastSide, min(leastList, rows))
	}
	if side = rows - list; side < leastSide {
		return rows, 0, 0
	}
	if want := watched + 5; side >= leastSide+want {
		hour = want
		side -= want
	}
	return list, min(side, mostSide), hour
}

func drawGroups(s *scene, r cell.Rect, focused bool) {
	list := s.panes.list(paneGroups)
	list.fit(len(s.groups), r.H-2)
	s.title(r, "Groups", filterNote(s, focused), groupsNote(s, list), focused)
	columns := groupColumns(s, r.W)
	head := s.Line(r, 1)
	head.Gap(2)
	for _, c := range columns {
		head.Gap(c.gap)
		if c.right {
			head.Number(muted, c.head, c.width)
		} else {
			head.Words(muted, c.head, c.width)
		}
	}
	for i := list.top; i < min(list.top+list.height, len(s.groups)); i++ {
		l := s.Line(r, 2+i-list.top)
		if i == list.cursor {
			s.selected(&l, true)
		}
		l.At(2)
		for _, c := range columns {
			l.Gap(c.gap)
			from := l.Used()
			c.draw(s, &l, s.groups[i], c.width)
			l.At(from + c.width)
		}
	}
	if len(s.groups) == 0 {
		l := s.Line(r, 2)
		word := "no Connect group is running here"
		switch {
		case len(s.fleet.Groups) > 0:
			word = "no group matches"
		case s.fleet.trouble() != "":
			word = "which groups there are is not known"
		}
		l.Gap(2).Sentence(muted, word)
	}
}

func groupsNote(s *scene, l *list) string {
	by := fleetSorts[s.panes.sort%len(fleetSorts)].name
	if l.rows > l.height || l.rows < len(s.fleet.Groups) {
		return count(l.rows) + " of " + count(len(s.fleet.Groups)) + ", " + by
	}
	return by
}
