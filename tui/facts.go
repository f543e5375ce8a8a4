package tui

import (
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// factItem is one thing of the facts row. The one that matters least goes first when the row is too narrow.
type factItem struct {
	pieces []piece
	keep   int
}

const keepAlways = 100 // a source that is not well is shown whatever happens

// drawFacts is row 2: what holds for the whole group, and how the sources do.
func drawFacts(s *scene, facts func(*scene) (left, right []factItem)) {
	r := s.lay.facts.Columns(1, s.lay.facts.W-2)
	if r.Empty() || s.view != viewFleet && s.state == nil {
		return
	}
	left, right := facts(s)
	for rowWidth(left, " · ")+2+rowWidth(right, "  ") > r.W {
		if !dropLeast(&left, &right) {
			break
		}
	}
	l := s.Line(r, 0)
	room := r.W - rowWidth(right, "  ") - 2
	for i, f := range left {
		if i > 0 {
			l.Text(muted, cell.End(" · ", room-l.Used()))
		}
		for _, p := range f.pieces {
			l.Text(p.style, cell.End(p.text, max(room-l.Used(), 0)))
		}
	}
	l.FromRight(rowWidth(right, "  "))
	for i, f := range right {
		if i > 0 {
			l.Gap(2)
		}
		s.pieces(&l, f.pieces)
	}
}

func rowWidth(items []factItem, between string) int {
	w := 0
	for i, f := range items {
		if i > 0 {
			w += cell.Width(between)
		}
		w += widthOf(f.pieces)
	}
	return w
}

func dropLeast(rows ...*[]factItem) bool {
	var from *[]factItem
	at, least := 0, keepAlways
	for _, row := range rows {
		for i, f := range *row {
			if f.keep < least {
				from, at, least = row, i, f.keep
			}
		}
	}
	if from == nil {
		return false
	}
	*from = slices.Delete(*from, at, at+1)
	return true
}

// groupFacts are mode, leader and sizes; and the sources.
func groupFacts(s *scene) (left, right []factItem) {
	st := s.state
	var out []factItem
	add := func(keep int, text string) {
		if text != "" {
			out = append(out, factItem{[]piece{{muted, text}}, keep})
		}
	}
	r := st.Round()
	if r != nil {
		add(20, modeWords(s))
		add(18, leaderWords(st))
	}
	add(5, theVersion(st.Workers))
	vast := s.lay.class >= classVast
	if vast && r != nil {
		add(4, plural(r.Workers, "worker"))
	}
	if st.Connectors > 0 || st.Tasks > 0 {
		add(6, plural(st.Connectors, "connector"))
		add(16, plural(st.Tasks, "task"))
	}
	if flow := st.MirrorFlow(); flow != "" {
		add(8, "MirrorMaker "+printable(flow))
	}
	if vast && r != nil && r.ConfigOffset >= 0 && !r.Empty() {
		add(3, "config offset "+count(int(r.ConfigOffset)))
	}
	if vast && !st.HistoryFrom.IsZero() {
		add(2, "history from "+s.clock(st.HistoryFrom))
	}
	if st.Forgotten > 0 {
		add(1, plural(st.Forgotten, "older round")+" forgotten")
	}
	if vast && st.Gaps > 0 {
		add(7, plural(int(st.Gaps), "join")+" never synced")
	}
	return out, sourceFacts(s)
}

func modeWords(s *scene) string {
	r, _ := s.round()
	switch r.Mode {
	case group.ModeCooperative:
		if s.lay.class >= classVast {
			return "cooperative (" + r.Protocol + ")"
		}
	case group.ModeEager:
		if who := forcedBy(s.state); who != "" {
			return "eager, forced by " + who
		}
	case group.ModeNone:
		return "no workers"
	}
	return string(r.Mode)
}

// forcedBy names the member that took the group to eager, as far back as the group has been eager.
func forcedBy(st *group.State) string {
	for i := st.At; i >= 0 && st.Rounds[i].Mode == group.ModeEager; i-- {
		for _, c := range st.Rounds[i].Causes {
			if c.Kind == group.CauseProtocolChanged {
				return c.Name
			}
		}
	}
	return ""
}

func leaderWords(st *group.State) string {
	for i := range st.Workers {
		if st.Workers[i].Leader {
			return "leader " + cell.Middle(st.Workers[i].Name, 30)
		}
	}
	return ""
}

// theVersion is the workers' version where all that are known agree.
func theVersion(ws []group.Worker) string {
	version := ""
	for i := range ws {
		switch v := ws[i].Version; {
		case v == "":
		case version == "":
			version = v
		case v != version:
			return ""
		}
	}
	return version
}

// sourceFacts say how each source does, where one stands in the past, or what is replayed.
func sourceFacts(s *scene) []factItem {
	st := s.state
	if st.Past && s.live != nil {
		where := "standing on round " + generation(st.Round())
		if n := len(s.live.Rounds); n > 0 {
			where += ", newest is " + generation(s.live.Rounds[n-1])
		}
		return []factItem{{[]piece{{theme.Past.Plain(), where + " · f follows again"}}, keepAlways}}
	}
	if s.recorded() {
		return []factItem{{[]piece{{muted, cell.Middle(s.recording(), 50)}}, keepAlways}}
	}
	return sourceItems(st.Sources, st.Now)
}

// recorded says that nothing more will come: what is shown is a recording.
func (s *scene) recorded() bool {
	if s.view == viewFleet {
		return s.replay != ""
	}
	return recorded(s.replay, s.live)
}

// recording names what is replayed, and where it was cut.
func (s *scene) recording() string {
	if s.replay != "" {
		return s.replay[strings.LastIndexAny(s.replay, `/\`)+1:] // which folder it lies in is of no interest here
	}
	return "a recording, up to " + s.clock(s.live.Now)
}

var sourceOrder = map[group.Source]int{
	group.SourceLog: 0, group.SourceDescribe: 1, group.SourceStatus: 2, group.SourceConfig: 3, group.SourceREST: 4,
}

var sourceKeep = map[group.Source]int{
	group.SourceLog: 19, group.SourceREST: 17, group.SourceStatus: 12, group.SourceConfig: 11, group.SourceDescribe: 10,
}

// sourceItems has one item a kind of source; the workers' REST interfaces are one together, as 2/3.
func sourceItems(sources []group.SourceState, now time.Time) []factItem {
	kinds := map[group.Source][]group.SourceState{}
	var order []group.Source
	for _, src := range sources {
		if src.Health == group.HealthOff {
			continue
		}
		kind := group.Source(strings.SplitN(string(src.Source), " ", 2)[0])
		if kinds[kind] == nil {
			order = append(order, kind)
		}
		kinds[kind] = append(kinds[kind], src)
	}
	slices.SortStableFunc(order, func(a, b group.Source) int { return sourceOrder[a] - sourceOrder[b] })
	var out []factItem
	for _, kind := range order {
		word, well := sourceWord(kind, kinds[kind], now)
		if kind == group.SourceDescribe && well && kinds[group.SourceLog] != nil {
			continue // it adds nothing to the log while it is well
		}
		f := factItem{[]piece{{muted, string(kind) + " "}, {text, word}}, sourceKeep[kind]}
		if !well {
			f.keep, f.pieces[1].style = keepAlways, theme.Wrong.Plain()
		}
		out = append(out, f)
	}
	return out
}

// staleAfter is when silence of a source is said: three of its slowest intervals.
const staleAfter = 10 * time.Second

func sourceWord(kind group.Source, all []group.SourceState, now time.Time) (word string, well bool) {
	if kind == group.SourceREST {
		n := 0
		for _, src := range all {
			if src.Health == group.HealthOK {
				n++
			}
		}
		return count(n) + "/" + count(len(all)), n == len(all)
	}
	src := all[0]
	for _, other := range all[1:] {
		if src.Health == group.HealthOK && other.Health != group.HealthOK {
			src = other
		}
	}
	heard := now.Sub(src.Heard)
	switch {
	case src.Health == group.HealthUnreachable:
		return "!" + countdown(now.Sub(src.Since)), false
	case src.Health == group.HealthCatchingUp || src.Health == group.HealthEnded:
		return string(src.Health), true
	case src.Health != group.HealthOK:
		return string(src.Health), false
	case src.Heard.IsZero() || kind == group.SourceConfig || kind != group.SourceDescribe && heard >= staleAfter:
		return "ok", true // a topic may say nothing for days; one that cannot be read has another health
	case heard >= staleAfter:
		return "!" + countdown(heard), false
	}
	return age(heard), true
}
