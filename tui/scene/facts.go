package scene

import (
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// FactItem is one thing of the facts row. The one that matters least goes first when the row is too narrow.
type FactItem struct {
	Pieces []ui.Piece
	Keep   int
}

// KeepAlways is the weight of a fact that is shown whatever happens, as a source that is not well.
const KeepAlways = 100 // a source that is not well is shown whatever happens

// DrawFacts is row 2: what holds for the whole group, and how the sources do.
func DrawFacts(s *Scene, facts func(*Scene) (left, right []FactItem)) {
	r := s.Lay.Facts.Columns(1, s.Lay.Facts.W-2)
	if r.Empty() || s.View != keys.Fleet && s.State == nil {
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
			l.Text(ui.Muted, cell.End(" · ", room-l.Used()))
		}
		for _, p := range f.Pieces {
			l.Text(p.Style, cell.End(p.Text, max(room-l.Used(), 0)))
		}
	}
	l.FromRight(rowWidth(right, "  "))
	for i, f := range right {
		if i > 0 {
			l.Gap(2)
		}
		s.Pieces(&l, f.Pieces)
	}
}

func rowWidth(items []FactItem, between string) int {
	w := 0
	for i, f := range items {
		if i > 0 {
			w += cell.Width(between)
		}
		w += ui.WidthOf(f.Pieces)
	}
	return w
}

func dropLeast(rows ...*[]FactItem) bool {
	var from *[]FactItem
	at, least := 0, KeepAlways
	for _, row := range rows {
		for i, f := range *row {
			if f.Keep < least {
				from, at, least = row, i, f.Keep
			}
		}
	}
	if from == nil {
		return false
	}
	*from = slices.Delete(*from, at, at+1)
	return true
}

// GroupFacts are mode, leader and sizes; and the sources.
func GroupFacts(s *Scene) (left, right []FactItem) {
	st := s.State
	var out []FactItem
	add := func(keep int, text string) {
		if text != "" {
			out = append(out, FactItem{[]ui.Piece{{ui.Muted, text}}, keep})
		}
	}
	r := st.Round()
	if r != nil {
		add(20, modeWords(s))
		add(18, leaderWords(st))
	}
	add(5, theVersion(st.Workers))
	vast := s.Lay.Class >= Vast
	if vast && r != nil {
		add(4, words.Plural(r.Workers, "worker"))
	}
	if st.Connectors > 0 || st.Tasks > 0 {
		add(6, words.Plural(st.Connectors, "connector"))
		add(16, words.Plural(st.Tasks, "task"))
	}
	if flow := st.MirrorFlow(); flow != "" {
		add(8, "MirrorMaker "+ui.Printable(flow))
	}
	if vast && r != nil && r.ConfigOffset >= 0 && !r.Empty() {
		add(3, "config offset "+words.Thousands(int(r.ConfigOffset)))
	}
	if vast && !st.HistoryFrom.IsZero() {
		add(2, "history from "+s.Clock(st.HistoryFrom))
	}
	if st.Forgotten > 0 {
		add(1, words.Plural(st.Forgotten, "older round")+" forgotten")
	}
	if vast && st.Gaps > 0 {
		add(7, words.Plural(int(st.Gaps), "join")+" never synced")
	}
	return out, SourceFacts(s)
}

func modeWords(s *Scene) string {
	r, _ := s.Round()
	switch r.Mode {
	case group.ModeCooperative:
		if s.Lay.Class >= Vast {
			return "cooperative (" + r.Protocol + ")"
		}
	case group.ModeEager:
		if who := ForcedBy(s.State); who != "" {
			return "eager, forced by " + who
		}
	case group.ModeNone:
		return "no workers"
	}
	return string(r.Mode)
}

// ForcedBy names the member that took the group to eager, as far back as the group has been eager.
func ForcedBy(st *group.State) string {
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

// SourceFacts say how each source does, where one stands in the past, or what is replayed.
func SourceFacts(s *Scene) []FactItem {
	st := s.State
	if st.Past && s.Live != nil {
		where := "standing on round " + label.Generation(st.Round())
		if n := len(s.Live.Rounds); n > 0 {
			where += ", newest is " + label.Generation(s.Live.Rounds[n-1])
		}
		return []FactItem{{[]ui.Piece{{theme.Past.Plain(), where + " · f follows again"}}, KeepAlways}}
	}
	if s.Recorded() {
		return []FactItem{{[]ui.Piece{{ui.Muted, cell.Middle(s.recording(), 50)}}, KeepAlways}}
	}
	return SourceItems(st.Sources, st.Now)
}

// Recorded says that nothing more will come: what is shown is a recording.
func (s *Scene) Recorded() bool {
	if s.View == keys.Fleet {
		return s.Replay != ""
	}
	return label.Recorded(s.Replay, s.Live)
}

// recording names what is replayed, and where it was cut.
func (s *Scene) recording() string {
	if s.Replay != "" {
		return s.Replay[strings.LastIndexAny(s.Replay, `/\`)+1:] // which folder it lies in is of no interest here
	}
	return "a recording, up to " + s.Clock(s.Live.Now)
}

var sourceOrder = map[group.Source]int{
	group.SourceLog: 0, group.SourceDescribe: 1, group.SourceStatus: 2, group.SourceConfig: 3, group.SourceREST: 4,
}

var sourceKeep = map[group.Source]int{
	group.SourceLog: 19, group.SourceREST: 17, group.SourceStatus: 12, group.SourceConfig: 11, group.SourceDescribe: 10,
}

// SourceItems has one item a kind of source; the workers' REST interfaces are one together, as 2/3.
func SourceItems(sources []group.SourceState, now time.Time) []FactItem {
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
	var out []FactItem
	for _, kind := range order {
		word, well := sourceWord(kind, kinds[kind], now)
		if kind == group.SourceDescribe && well && kinds[group.SourceLog] != nil {
			continue // it adds nothing to the log while it is well
		}
		f := FactItem{[]ui.Piece{{ui.Muted, string(kind) + " "}, {ui.Text, word}}, sourceKeep[kind]}
		if !well {
			f.Keep, f.Pieces[1].Style = KeepAlways, theme.Wrong.Plain()
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
		return words.Thousands(n) + "/" + words.Thousands(len(all)), n == len(all)
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
		return "!" + words.Countdown(now.Sub(src.Since)), false
	case src.Health == group.HealthCatchingUp || src.Health == group.HealthEnded:
		return string(src.Health), true
	case src.Health != group.HealthOK:
		return string(src.Health), false
	case src.Heard.IsZero() || kind == group.SourceConfig || kind != group.SourceDescribe && heard >= staleAfter:
		return "ok", true // a topic may say nothing for days; one that cannot be read has another health
	case heard >= staleAfter:
		return "!" + words.Countdown(heard), false
	}
	return words.Age(heard), true
}
