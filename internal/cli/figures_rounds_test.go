package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"regroup/group"
	"regroup/tui/parts"
)

// figureRound is a round as -o json has it.
type figureRound struct {
	Event      string
	Generation int
	At         time.Time
	DelayMs    int
	Kept       int
	Started    int
	Stopped    int
	Restarted  int
	Dropped    int
	Moved      int
	Eager      int `json:"eagerWouldStop"`
	Workers    []any
	Released   []any
	Delayed    []any
	Unassigned []any
	Duplicated []any
	Cost       *figureCost
	Episode    *figureCost `json:"episodeCost"`
	Story      string
}

type figureCost struct {
	Units       int
	UnitSeconds [2]float64
	Longest     [2]float64 `json:"longestGapSeconds"`
	Growing     bool
	Open        bool
	Estimated   bool
}

func (c *figureCost) cost() group.Cost {
	if c == nil {
		return group.Cost{}
	}
	second := func(f float64) time.Duration { return time.Duration(math.Round(f * float64(time.Second))) }
	return group.Cost{
		Units: c.Units, Low: second(c.UnitSeconds[0]), High: second(c.UnitSeconds[1]),
		LongestLow: second(c.Longest[0]), LongestHigh: second(c.Longest[1]), Growing: c.Growing, Open: c.Open, Estimated: c.Estimated,
	}
}

// objects reads lines of JSON.
func objects[T any](m *figures, text string) []T {
	m.t.Helper()
	var out []T
	for dec := json.NewDecoder(strings.NewReader(text)); dec.More(); {
		var v T
		must(m.t, dec.Decode(&v))
		out = append(out, v)
	}
	return out
}

func roundName(generation any, what string) string {
	return fmt.Sprintf("round %v: %s", generation, what)
}

func (m *figures) roundObject(place string, r *figureRound) {
	for what, n := range map[string]int{
		"kept": r.Kept, "started": r.Started, "stopped": r.Stopped, "restarted": r.Restarted, "dropped": r.Dropped, "moved": r.Moved, "eager": r.Eager,
		"released": len(r.Released), "delayed": len(r.Delayed), "unassigned": len(r.Unassigned), "duplicated": len(r.Duplicated), "workers": len(r.Workers),
	} {
		m.number(place, roundName(r.Generation, what), n)
	}
	m.say(place, roundName(r.Generation, "delay"), (time.Duration(r.DelayMs) * time.Millisecond).String())
}

func (m *figures) roundsObjects() {
	const place = "rounds -o json"
	m.rounds = objects[figureRound](m, m.run("rounds", "--from", m.file, "-o", "json"))
	var all, hour group.Cost
	now := m.now()
	for i := range m.rounds {
		r := &m.rounds[i]
		m.roundObject(place, r)
		m.say(place, roundName(r.Generation, "unit-s"), parts.CostText(r.Cost.cost()))
		all = all.Plus(r.Cost.cost())
		if now.Sub(r.At) < time.Hour {
			hour = hour.Plus(r.Cost.cost())
		}
		if r.Story != "" {
			m.say(place, roundName(r.Generation, "story"), r.Story)
			if longest, ok := longestTold(r.Story); ok {
				m.say(place, roundName(r.Generation, "longest gap"), longest.as(r.Episode.cost()))
			}
		}
	}
	m.say(place, "unit-s of all rounds", parts.CostText(all))
	m.say(place, "unit-s of the hour", parts.CostText(hour))
}

// now is the moment itself.
func (m *figures) now() time.Time {
	return objects[struct{ At time.Time }](m, m.run("describe", "--from", m.file, "-o", "json"))[0].At
}

// toldGap is how long the longest gap of a story was, as it words that: "under 0.4 s", "2.7-3.4 s", "2 m 12-2 m 38 s".
type toldGap struct {
	text  string
	high  time.Duration // the end of its range
	unit  time.Duration // to which it is rounded
	under bool
}

var storyDown = regexp.MustCompile(`Down: (.*?)\.( |$)`)

// longestTold is the longest of the gaps that a story tells.
func longestTold(story string) (longest toldGap, ok bool) {
	found := storyDown.FindStringSubmatch(story)
	if found == nil {
		return longest, false
	}
	for _, part := range strings.Split(found[1], ", ") {
		_, text, _ := strings.Cut(strings.TrimSuffix(part, " so far"), " for ")
		g := toldGap{text: text, unit: time.Second}
		last := text[strings.LastIndex(text, "-")+1:]
		last, g.under = strings.CutPrefix(last, "under ")
		if minutes, seconds, has := strings.Cut(last, " m "); has {
			n, _ := strconv.Atoi(minutes)
			g.high, last = time.Duration(n)*time.Minute, seconds
		}
		n, err := strconv.ParseFloat(strings.TrimSuffix(last, " s"), 64)
		if err != nil {
			return longest, false
		}
		if strings.Contains(last, ".") {
			g.unit = 100 * time.Millisecond
		}
		g.high += time.Duration(math.Round(n*1000)) * time.Millisecond
		if g.high > longest.high {
			longest = g
		}
	}
	return longest, longest.text != ""
}

// as is the story's own words where the cost's longest gap rounds to them, else that gap.
func (g toldGap) as(c group.Cost) string {
	if g.high-c.LongestHigh <= g.unit && c.LongestHigh-g.high <= g.unit/2 || g.under && c.LongestHigh <= g.high && g.high-c.LongestHigh <= g.unit {
		return g.text
	}
	return c.LongestHigh.String()
}

// column is what stands in a table's column below a head: of a right-aligned one the word that ends where the head ends, else the
// text from where the head begins up to a gap.
func column(head, line, name string, right bool) string {
	at := regexp.MustCompile(`(^|\s)` + regexp.QuoteMeta(name) + `(\s|$)`).FindStringIndex(head)
	if at == nil {
		return "no column " + name
	}
	from := len([]rune(head[:at[0]]))
	if head[at[0]] == ' ' {
		from++
	}
	cells := []rune(line)
	if right {
		end := from + len([]rune(name))
		if end > len(cells) || cells[end-1] == ' ' {
			return ""
		}
		begin := end
		for begin > 0 && cells[begin-1] != ' ' {
			begin--
		}
		return string(cells[begin:end])
	}
	if from >= len(cells) {
		return ""
	}
	text, _, _ := strings.Cut(string(cells[from:]), "  ")
	return strings.TrimSpace(text)
}

// lineWith is the index of the first line that has all these words.
func lineWith(lines []string, words ...string) int {
	return slices.IndexFunc(lines, func(l string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(l, w) })
	})
}

var rowOfRound = regexp.MustCompile(`^[ ▸┌│└]*(\d+)!? +\d\d:\d\d:\d\d`)

// besides are the counts of a round's last column, or of its line: "12 released", "delay 20s".
func (m *figures) besides(place string, generation, text string, always ...string) {
	told := map[string]string{}
	for _, part := range strings.Split(text, ", ") {
		if n, what, ok := strings.Cut(strings.TrimSpace(part), " "); ok && digits.FindString(n) == n {
			told[what] = n
		} else if n == "delay" {
			told[n] = what
		}
	}
	for _, what := range append([]string{"dropped", "released", "unassigned", "duplicated"}, always...) {
		m.say(place, roundName(generation, what), cmp.Or(told[what], "0"))
	}
	m.say(place, roundName(generation, "delay"), cmp.Or(told["delay"], "0s"))
}

func (m *figures) roundsTable() {
	const place = "rounds"
	lines := strings.Split(m.run("rounds", "--from", m.file), "\n")
	head := lines[lineWith(lines, "gen", "eager")]
	last := ""
	for _, line := range lines {
		row := rowOfRound.FindStringSubmatch(line)
		if row == nil {
			if story, told := strings.CutPrefix(line, "     "); told && last != "" {
				m.story(place, last, story)
			}
			continue
		}
		last = row[1]
		for _, what := range []string{"workers", "kept", "started", "stopped", "restarted", "delayed", "moved", "eager"} {
			m.say(place, roundName(last, what), column(head, line, what, true))
		}
		m.say(place, roundName(last, "unit-s"), cmp.Or(column(head, line, "unit-s", true), "0"))
		m.say(place, roundName(last, "why"), column(head, line, "why", false))
		m.besides(place, last, column(head, line, "and", false))
	}
}

func (m *figures) story(place, generation, story string) {
	m.say(place, roundName(generation, "story"), story)
	if longest, ok := longestTold(story); ok && place == "rounds" {
		m.say(place, roundName(generation, "longest gap"), longest.text)
	}
}

// figureWorker is a worker as describe -o json has it.
type figureWorker struct {
	Member     string
	Client     string
	Connectors int
	Tasks      int
}

func (m *figures) describeObject() {
	const place = "describe -o json"
	d := objects[struct {
		Delay   *struct{ RemainingMs int }
		Workers []figureWorker
		Units   []struct {
			Task       *int
			State      string
			LastWorker string
		}
	}](m, m.run("describe", "--from", m.file, "-o", "json"))[0]
	m.number(place, "workers", len(d.Workers))
	for _, w := range d.Workers {
		m.workers = append(m.workers, w.Client)
		m.number(place, "worker "+w.Client+": connectors", w.Connectors)
		m.number(place, "worker "+w.Client+": tasks", w.Tasks)
		m.number(place, "worker "+w.Client+": waiting", 0)
	}
	states := map[string]int{}
	connectors := 0
	for _, u := range d.Units {
		states[u.State]++
		if u.Task == nil {
			connectors++
		}
	}
	m.number(place, "connectors", connectors)
	m.number(place, "tasks", len(d.Units)-connectors)
	m.number(place, "units", len(d.Units))
	m.states(place, states)
	left := 0
	if d.Delay != nil {
		left = d.Delay.RemainingMs
	}
	m.say(place, "delay left", secondsLeft(time.Duration(left)*time.Millisecond))
}

// states says how many units are in each state, in one figure.
func (m *figures) states(place string, states map[string]int) {
	var out []string
	for _, s := range slices.Sorted(maps.Keys(states)) {
		out = append(out, fmt.Sprintf("%d %s", states[s], s))
	}
	m.say(place, "units of state", strings.Join(out, ", "))
}

// secondsLeft is a countdown: it ends when it says 0.
func secondsLeft(d time.Duration) string { return d.Truncate(time.Second).String() }

var (
	headCounts  = regexp.MustCompile(`(\d+) workers?, (\d+) connectors?, (\d+) tasks?`)
	verdictText = regexp.MustCompile(`^([A-Z]+\??)( [0-9ms]+)?: (.*)$`)
)

func (m *figures) verdict(place, line string) {
	v := verdictText.FindStringSubmatch(line)
	if v == nil {
		m.t.Fatalf("%s: no verdict: %q", place, line)
	}
	m.say(place, "verdict", v[1])
	m.say(place, "sentence", v[3])
	if place == "describe" {
		m.say(place, "delay left", cmp.Or(strings.TrimSpace(v[2]), "0s"))
	}
}

func (m *figures) describeTables() {
	const place = "describe"
	lines := strings.Split(m.run("describe", "--from", m.file), "\n")
	n := headCounts.FindStringSubmatch(lines[0])
	m.say(place, "workers", n[1])
	m.say(place, "connectors", n[2])
	m.say(place, "tasks", n[3])
	m.verdict(place, lines[1])
	head := lines[3]
	for _, line := range lines[4:] {
		if line == "" {
			break
		}
		name := strings.Fields(line)[0]
		if column(head, line, "role", false) == "left" {
			continue
		}
		for _, what := range []string{"connectors", "tasks", "kept", "started", "stopped", "waiting"} {
			m.say(place, "worker "+name+": "+what, column(head, line, what, true))
		}
	}
	at := lineWith(lines, "unit", "state", "evidence")
	states, units := map[string]int{}, 0
	for _, line := range lines[at+1:] {
		if line == "" {
			break
		}
		units++
		state, _, _ := strings.Cut(column(lines[at], line, "state", false), ",")
		states[state]++
	}
	m.number(place, "units", units)
	m.states(place, states)
}

// figureFinding is a finding as JSON has it.
type figureFinding struct {
	Event      string
	ID         string
	Severity   string
	Certainty  string
	Title      string
	Evidence   []struct{ Text string }
	Generation *int
	Workers    any
	Verdict    string
	Likely     bool
	Sentence   string
}

func (m *figures) finding(place string, all []figureFinding) {
	var titles, evidence []string
	for _, f := range all {
		titles = append(titles, fmt.Sprintf("%s, %s, %s: %s", f.ID, f.Severity, f.Certainty, f.Title))
		evidence = append(evidence, fmt.Sprintf("%s: %v", f.ID, f.Evidence))
	}
	slices.Sort(titles)
	m.say(place, "finding: title", strings.Join(titles, "\n"))
	if strings.HasSuffix(place, "json") { // elsewhere its lines are wrapped, or cut
		slices.Sort(evidence)
		m.say(place, "finding: evidence", strings.Join(evidence, "\n"))
	}
}

func (m *figures) severities(place string, counts map[string]int) {
	for _, s := range []string{"critical", "warning", "info"} {
		m.number(place, "findings: "+s, counts[s])
	}
}
