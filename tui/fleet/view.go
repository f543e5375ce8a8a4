package fleet

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"regroup/group"
	"regroup/internal/observe"
	"regroup/internal/words"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
)

// View is the list of groups, worst first.
type View struct {
	scene.Common
	order fleetOrder
}

// New is the view as the program begins with it.
func New() *View { return &View{Common: scene.NewCommon(scene.PaneGroups)} }

// Copied implements scene.View.
func (v *View) Copied() scene.View { return &View{v.Common.Copied(), v.order} }

// fleetOrder keeps the groups as the list shows them.
type fleetOrder struct {
	of     *observe.Fleet
	filter ui.Filter
	sort   int
	groups []*observe.FleetGroup
}

// Groups are those that pass the filter, in the order that was chosen.
func (v *View) Groups(f *observe.Fleet) []*observe.FleetGroup {
	if f == nil {
		return nil
	}
	if o := &v.order; o.of != f || o.filter != v.Filter || o.sort != v.Sort {
		groups := make([]*observe.FleetGroup, 0, len(f.Groups))
		for i := range f.Groups {
			if g := &f.Groups[i]; !v.Filter.On() || v.Filter.Matches(g.Group, string(g.Verdict.Word), string(g.Mode)) {
				groups = append(groups, g)
			}
		}
		slices.SortFunc(groups, fleetSorts[v.Sort%len(fleetSorts)].compare)
		*o = fleetOrder{f, v.Filter, v.Sort, groups}
	}
	return v.order.groups
}

// selected is the group under the cursor; nil: there is none.
func (v *View) selected(f *observe.Fleet) *observe.FleetGroup {
	groups := v.Groups(f)
	if i := v.List(scene.PaneGroups).Cursor; i < len(groups) {
		return groups[i]
	}
	return nil
}

// Open implements scene.View.
func (v *View) Open(s *scene.Scene) scene.Action {
	if g := v.selected(s.Fleet); g != nil {
		return scene.OpenGroup{g.Group}
	}
	return nil
}

// Text implements scene.View.
func (v *View) Text(s *scene.Scene) string {
	if g := v.selected(s.Fleet); g != nil {
		return g.Group
	}
	return ""
}

// Sheet implements scene.View.
func (v *View) Sheet(s *scene.Scene) *scene.Sheet { return fleetSheet(v.Groups(s.Fleet)) }

// groupSort is an order of the fleet.
type groupSort struct {
	name    string
	compare func(a, b *observe.FleetGroup) int
}

var fleetSorts = []groupSort{
	{"worst first", worseGroup},
	{"by name", func(a, b *observe.FleetGroup) int { return cmp.Compare(a.Group, b.Group) }},
	{"dearest hour first", func(a, b *observe.FleetGroup) int {
		return cmp.Or(cmp.Compare(b.HourCost.High, a.HourCost.High), worseGroup(a, b))
	}},
}

func worseGroup(a, b *observe.FleetGroup) int {
	return cmp.Or(a.Verdict.Rank()-b.Verdict.Rank(), b.Findings-a.Findings, cmp.Compare(a.Group, b.Group))
}

// FleetVerdict is that of the worst group, with its name before the sentence.
func FleetVerdict(s *scene.Scene) (group.Verdict, string) {
	if s.Fleet == nil || len(s.Fleet.Groups) == 0 {
		return group.Verdict{}, ""
	}
	if v, ok := s.Fleet.Blind(); ok {
		return v, ""
	}
	worst := slices.MinFunc(s.Fleet.Groups, func(a, b observe.FleetGroup) int { return worseGroup(&a, &b) })
	v := worst.Verdict
	if v.Word == group.VerdictSettled {
		v.Sentence = "All " + words.Plural(len(s.Fleet.Groups), "group") + " are settled."
		if len(s.Fleet.Groups) == 1 {
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

// Facts implements scene.View.
func (*View) Facts(s *scene.Scene) (left, right []scene.FactItem) {
	if s.Fleet == nil {
		return nil, nil
	}
	var workers, connectors, tasks int
	for i := range s.Fleet.Groups {
		g := &s.Fleet.Groups[i]
		workers, connectors, tasks = workers+g.Workers, connectors+g.Connectors, tasks+g.Tasks
	}
	fact := func(keep, n int, what string) {
		left = append(left, scene.FactItem{[]ui.Piece{{ui.Muted, words.Plural(n, what)}}, keep})
	}
	fact(20, len(s.Fleet.Groups), "Connect group")
	fact(18, workers, "worker")
	fact(5, connectors, "connector")
	fact(6, tasks, "task")
	return left, scene.SourceItems(s.Fleet.Sources, s.Fleet.Now)
}

// Draw implements scene.View.
func (v *View) Draw(s *scene.Scene, r cell.Rect) {
	focused := s.Panes.Pane(scene.PaneGroups)
	if s.Fleet == nil {
		return
	}
	notShown := s.Fleet.NotShown
	below := 0
	if len(notShown) > 0 && r.H > len(notShown)+8 {
		below = len(notShown) + 2
	}
	groups := v.Groups(s.Fleet)
	list, side, hour := fleetHeights(s, groups, r.H-below)
	drawGroups(s, r.Rows(0, list), groups, focused)
	if g := v.selected(s.Fleet); g != nil && side > 0 {
		drawGroupSide(s, g, r.Rows(list+1, side-1))
	}
	if hour > 0 {
		drawFleetHour(s, groups, r.Rows(list+side+1, hour-1))
	}
	if below == 0 {
		return
	}
	r = r.Rows(r.H-below+1, below)
	s.Title(r, "Not shown", "", "", false)
	width := 0
	for _, n := range notShown {
		width = max(width, min(cell.Width(n.Group), 30))
	}
	for i, n := range notShown {
		l := s.Line(r, i+1)
		if n.Group != "" {
			l.Name(ui.Text, n.Group, width).Gap(2)
		}
		l.Sentence(ui.Muted, n.Why)
	}
}

// fleetHeights shares rows out: the list first, then what happened to the group under the cursor, then how all did in the last
// hour. side and hour are with the empty row above them; 0: there is no room, or nothing is watched.
func fleetHeights(s *scene.Scene, groups []*observe.FleetGroup, rows int) (list, side, hour int) {
	const leastList, leastSide, mostSide = 6, 6, 14
	watched := 0
	for _, g := range groups {
		if g.State != nil {
			watched++
		}
	}
	list = max(len(groups)+2, 3)
	if watched == 0 || s.Lay.Class <= scene.Narrow {
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

func drawGroups(s *scene.Scene, r cell.Rect, groups []*observe.FleetGroup, focused bool) {
	list := s.Panes.List(scene.PaneGroups)
	list.Fit(len(groups), r.H-2)
	s.Title(r, "Groups", scene.FilterNote(s, focused), groupsNote(s, list), focused)
	columns := groupColumns(s, groups, r.W)
	head := s.Line(r, 1)
	head.Gap(2)
	for _, c := range columns {
		head.Gap(c.gap)
		if c.right {
			head.Number(ui.Muted, c.head, c.width)
		} else {
			head.Words(ui.Muted, c.head, c.width)
		}
	}
	for i := list.Top; i < min(list.Top+list.Height, len(groups)); i++ {
		l := s.Line(r, 2+i-list.Top)
		if i == list.Cursor {
			s.Selected(&l, true)
		}
		l.At(2)
		for _, c := range columns {
			l.Gap(c.gap)
			from := l.Used()
			c.draw(s, &l, groups[i], c.width)
			l.At(from + c.width)
		}
	}
	if len(groups) == 0 {
		l := s.Line(r, 2)
		word := "no Connect group is running here"
		switch {
		case len(s.Fleet.Groups) > 0:
			word = "no group matches"
		case s.Fleet.Trouble() != "":
			word = "which groups there are is not known"
		}
		l.Gap(2).Sentence(ui.Muted, word)
	}
}

func groupsNote(s *scene.Scene, l *ui.List) string {
	by := fleetSorts[s.Panes.Sort%len(fleetSorts)].name
	if l.Rows > l.Height || l.Rows < len(s.Fleet.Groups) {
		return words.Thousands(l.Rows) + " of " + words.Thousands(len(s.Fleet.Groups)) + ", " + by
	}
	return by
}

func fleetSheet(groups []*observe.FleetGroup) *scene.Sheet {
	out := &scene.Sheet{Name: "fleet", Head: []string{"group", "verdict", "state", "mode", "generation", "workers", "connectors", "tasks", "delayed"}}
	for _, g := range groups {
		generation := ""
		if g.Generation >= 0 {
			generation = strconv.Itoa(int(g.Generation))
		}
		out.Rows = append(out.Rows, []string{
			g.Group, string(g.Verdict.Word), g.Phase, string(g.Mode), generation, strconv.Itoa(g.Workers), strconv.Itoa(g.Connectors),
			strconv.Itoa(g.Tasks), strconv.Itoa(g.States[group.UnitDelayed]),
		})
	}
	return out
}
