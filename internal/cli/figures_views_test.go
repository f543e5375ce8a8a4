package cli

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"regroup/group"
	"regroup/tui/parts"
)

var (
	bandText     = regexp.MustCompile(`^  ([A-Z]+\??)(?:  +(\d+:\d\d|\d+ m|\d+ h))?[ ━─]*  (\S.*?) *$`)
	headerCounts = regexp.MustCompile(`(\d+) (worker|connector|task|unit)s?\b`)
	tabFindings  = regexp.MustCompile(`6 doctor (\d+)`)
)

// band is what stands at the top of every view.
func (m *figures) band(place string, lines []string, kinds ...string) {
	v := bandText.FindStringSubmatch(lines[1])
	if v == nil {
		m.t.Fatalf("%s: no verdict: %q", place, lines[1])
	}
	m.say(place, "verdict", v[1])
	for _, n := range headerCounts.FindAllStringSubmatch(lines[2], -1) {
		if slices.Contains(kinds, n[2]) {
			m.say(place, n[2]+"s", n[1])
		}
	}
	if place == "live view" {
		m.say(place, "sentence", v[3])
		left := time.Duration(0)
		if minutes, seconds, ok := strings.Cut(v[2], ":"); ok {
			a, _ := strconv.Atoi(minutes)
			b, _ := strconv.Atoi(seconds)
			left = time.Duration(a)*time.Minute + time.Duration(b)*time.Second
		}
		m.say(place, "delay left", secondsLeft(left))
	}
	if n := tabFindings.FindStringSubmatch(lines[0]); n != nil {
		m.say(place, "findings that count", n[1])
	}
}

func (m *figures) liveView() {
	const place = "live view"
	lines := m.frame("live", "tab") // the list of rounds has the focus, and so all room there is
	m.band(place, lines, "worker", "connector", "task")
	at := lineWith(lines, "worker", "conn", "kept", "holds")
	for _, line := range lines[at+1:] {
		name := strings.Fields(strings.Trim(line, " ▌▎▸"))
		if len(name) == 0 {
			break
		}
		if !slices.Contains(m.workers, name[0]) || strings.Contains(line, name[0]+"  left") {
			continue
		}
		for what, head := range map[string]string{"connectors": "conn", "tasks": "task", "kept": "kept", "started": "+", "stopped": "-", "waiting": "wait"} {
			m.say(place, "worker "+name[0]+": "+what, column(lines[at], line, head, true))
		}
	}
	at = lineWith(lines, "gen", "why", "eager", "moved")
	list, _, costs := strings.Cut(lines[at], "unit-s") // no column where nothing has cost anything yet
	pane := len([]rune(list + "unit-s"))
	for _, line := range lines[at+1:] {
		row := rowOfRound.FindStringSubmatch(line)
		if row == nil {
			break
		}
		if r := m.round(row[1]); r == nil || len(r.Workers) == 0 {
			continue // the row of an empty round is blank
		}
		for what, head := range map[string]string{
			"kept": "kept", "started": "▲", "stopped": "▼", "restarted": "◆", "dropped": "drop", "delayed": "░", "moved": "moved", "eager": "eager",
		} {
			if head != "drop" || strings.Contains(lines[at], " drop ") {
				m.say(place, roundName(row[1], what), column(lines[at], line, head, true))
			} else {
				m.say(place, roundName(row[1], what), "0") // no column: nothing was dropped
			}
		}
		if costs && !strings.HasSuffix(string([]rune(line)[:pane]), " twice") { // what is wrong goes before what it cost
			m.say(place, roundName(row[1], "unit-s"), cmp.Or(column(lines[at], line, "unit-s", true), "0"))
		}
	}
	m.roundPane(lines)
	if i := lineWith(lines, " Units "); i >= 0 {
		m.say(place, "units", regexp.MustCompile(` Units (\d+)`).FindStringSubmatch(lines[i])[1])
	}
}

func (m *figures) round(generation string) *figureRound {
	i := slices.IndexFunc(m.rounds, func(r figureRound) bool { return strconv.Itoa(r.Generation) == generation })
	if i < 0 {
		return nil
	}
	return &m.rounds[i]
}

var paneCounts = regexp.MustCompile(`(\d+) (kept|started|stopped|restarted|dropped|wait|moved)\b`)

// roundPane is the pane of the round that is stood on: its counts.
func (m *figures) roundPane(lines []string) {
	const place = "round pane"
	at := lineWith(lines, " Round ", "─── ")
	text := strings.Join(lines[at:at+8], " ")
	generation := regexp.MustCompile(` Round (\d+)`).FindStringSubmatch(text)[1]
	if r := m.round(generation); len(r.Workers) == 0 {
		return
	}
	counts := map[string]string{}
	for _, line := range lines[at : at+8] {
		if !strings.Contains(line, " kept") || !strings.Contains(line, " started") {
			continue
		}
		for _, n := range paneCounts.FindAllStringSubmatch(line, -1) {
			counts[n[2]] = n[1]
		}
	}
	counts["delayed"] = counts["wait"]
	for _, what := range []string{"kept", "started", "stopped", "restarted", "dropped", "delayed", "moved"} {
		m.say(place, roundName(generation, what), cmp.Or(counts[what], "0"))
	}
}

var eventOfRound = regexp.MustCompile(`round +\S (\d+): ([^;]*)(?:; (.*?))?(?:  |$)`)

func (m *figures) eventsView() {
	const place = "events view"
	for _, line := range m.frame("events") {
		e := eventOfRound.FindStringSubmatch(line)
		if e == nil {
			continue
		}
		counts := map[string]string{}
		for _, part := range strings.Split(e[3], ", ") {
			n, what, _ := strings.Cut(part, " ")
			counts[what] = n
		}
		counts["delayed"] = counts["wait"]
		for _, what := range []string{"kept", "started", "stopped", "restarted", "dropped", "delayed", "moved", "released", "unassigned"} {
			m.say(place, roundName(e[1], what), cmp.Or(counts[what], "0"))
		}
	}
}

var stateCount = regexp.MustCompile(`· (\d+) ([a-z]+)`)

func (m *figures) unitsView() {
	const place = "units view"
	lines := m.frame("units")
	m.band(place, lines, "unit")
	states := map[string]int{}
	for _, n := range stateCount.FindAllStringSubmatch(lines[2], -1) {
		states[n[2]], _ = strconv.Atoi(n[1])
	}
	m.states(place, states)
}

func (m *figures) matrixView() {
	const place = "matrix view"
	lines := m.frame("matrix")
	m.band(place, lines, "worker", "connector", "unit")
	head := lines[lineWith(lines, "connector", "units", "spread")]
	at := lineWith(lines, "   connectors ")
	m.say(place, "tasks", column(head, lines[at+1], "units", true))
	for _, name := range m.workers {
		for i, what := range []string{"connectors", "tasks"} {
			before, _, _ := strings.Cut(head, " "+name)
			from := len([]rune(before)) + 1
			m.say(place, "worker "+name+": "+what, digits.FindString(string([]rune(lines[at+i])[from:])))
		}
	}
}

var downFrom = regexp.MustCompile(`(\S+) unit-s down from (\S+) to (\S+)`)

func (m *figures) timelineView() {
	const place = "timeline view"
	lines := m.frame("timeline")
	m.band(place, lines)
	down := downFrom.FindStringSubmatch(strings.Join(lines, "\n"))
	if down == nil {
		return
	}
	m.say(place, "unit-s of the timeline", down[1])
	var sum group.Cost
	from := m.clock(down[2])
	for i := range m.rounds {
		if !m.rounds[i].At.Before(from) {
			sum = sum.Plus(m.rounds[i].Cost.cost())
		}
	}
	m.say("rounds -o json", "unit-s of the timeline", parts.CostText(sum))
}

// clock is the last moment that a clock showed so.
func (m *figures) clock(text string) time.Time {
	now := m.now()
	at, err := time.Parse(time.TimeOnly, text)
	must(m.t, err)
	t := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
	if t.After(now) {
		t = t.AddDate(0, 0, -1)
	}
	return t
}

func (m *figures) smallViews() {
	lines := m.frame("round")
	m.band("round view", lines)
	if n := regexp.MustCompile(` (\d+) units?\b`).FindStringSubmatch(lines[4]); n != nil {
		m.say("round view", "units", n[1])
	}
	lines = m.frame("doctor")
	m.band("doctor view", lines)
	head := lines[lineWith(lines, " Findings ")]
	m.severities("doctor view", severitiesIn(string([]rune(head)[:74])))
}

func (m *figures) fleetView() {
	const place = "fleet view"
	lines := m.frame("fleet")
	v := regexp.MustCompile(`^  ([A-Z]+\??) +connect-rig(?:: (.*?)| is settled\.) *$`).FindStringSubmatch(lines[1])
	if v == nil {
		m.t.Fatalf("%s: no verdict: %q", place, lines[1])
	}
	m.say(place, "verdict", v[1])
	if v[2] != "" {
		m.say(place, "sentence", v[2])
	}
	at := lineWith(lines, "group", "verdict", "unit-s 1h")
	for what, head := range map[string]string{
		"workers": "workers", "connectors": "conn", "tasks": "task", "unit-s of the hour": "unit-s 1h", "findings that count": "findings",
	} {
		m.say(place, what, column(lines[at], lines[at+1], head, true))
	}
}
