package cli

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"regroup/tui/parts"
)

func (m *figures) doctorObject() {
	const place = "doctor -o json"
	r := objects[struct{ Findings []figureFinding }](m, m.run("doctor", "--from", m.file, "-o", "json"))[0]
	m.finding(place, r.Findings)
	counts := map[string]int{}
	for _, f := range r.Findings {
		counts[f.Severity]++
	}
	m.severities(place, counts)
	m.number(place, "findings that count", counts["critical"]+counts["warning"])
}

var (
	findingHead   = regexp.MustCompile(`^ *[!-] ([a-z-]+): (.*)$`)
	findingUnder  = regexp.MustCompile(`^ *(critical|warning|info), (seen|likely|cannot tell)`)
	severityCount = regexp.MustCompile(`(\d+) (critical|warning|info)`)
)

func severitiesIn(text string) map[string]int {
	counts := map[string]int{}
	for _, n := range severityCount.FindAllStringSubmatch(text, -1) {
		counts[n[2]], _ = strconv.Atoi(n[1])
	}
	return counts
}

func (m *figures) doctorText() {
	const place = "doctor"
	lines := strings.Split(m.run("doctor", "--from", m.file), "\n")
	m.severities(place, severitiesIn(lines[0]))
	var all []figureFinding
	for i, line := range lines[:len(lines)-1] {
		head, under := findingHead.FindStringSubmatch(line), findingUnder.FindStringSubmatch(lines[i+1])
		if head != nil && under != nil {
			all = append(all, figureFinding{ID: head[1], Title: head[2], Severity: under[1], Certainty: strings.Replace(under[2], "cannot tell", "unknown", 1)})
		}
	}
	m.finding(place, all)
}

func (m *figures) watchObjects() {
	const place = "watch -o json"
	text := m.run("watch", "--from", m.file, "--since", "2026-11-30T00:00", "-o", "json")
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		switch {
		case strings.HasPrefix(line, `{"event":"round"`):
			r := objects[figureRound](m, line)[0]
			m.roundObject(place, &r)
			m.say(place, roundName(r.Generation, "unit-s"), parts.CostText(r.Cost.cost()))
			if r.Story != "" {
				m.say(place, roundName(r.Generation, "story"), r.Story)
			}
		case strings.HasPrefix(line, `{"event":"state"`):
			s := objects[figureFinding](m, line)[0]
			m.say(place, "verdict", word(s.Verdict, s.Likely))
			m.say(place, "sentence", s.Sentence)
			m.say(place, "workers", fmt.Sprint(s.Workers))
		}
	}
	m.finding(place, findingsWatched(m, text))
}

func word(verdict string, likely bool) string {
	if likely {
		return verdict + "?"
	}
	return verdict
}

func findingsWatched(m *figures, text string) []figureFinding {
	var all []figureFinding
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, `{"event":"finding"`) {
			all = append(all, objects[figureFinding](m, line)...)
		}
	}
	return all
}

var (
	watchedRound   = regexp.MustCompile(`^\S+ +round (\d+)  (.*): (\d+ kept, .*)$`)
	watchedState   = regexp.MustCompile(`^\S+ +state +(?:[A-Z][a-z]\w*  )?(.*)$`)
	watchedFinding = regexp.MustCompile(`^\S+ +doctor ([a-z-]+), (critical|warning|info), (\w+): (.*)$`)
)

func (m *figures) watchLines() {
	const place = "watch"
	var all []figureFinding
	for _, line := range strings.Split(m.run("watch", "--from", m.file, "--since", "2026-11-30T00:00"), "\n") {
		if r := watchedRound.FindStringSubmatch(line); r != nil {
			m.say(place, roundName(r[1], "why"), r[2])
			m.besides(place, r[1], r[3], "kept", "started", "stopped", "restarted", "delayed")
		} else if s := watchedState.FindStringSubmatch(line); s != nil {
			m.verdict(place, s[1])
		} else if f := watchedFinding.FindStringSubmatch(line); f != nil {
			all = append(all, figureFinding{ID: f[1], Severity: f[2], Certainty: f[3], Title: f[4]})
		}
	}
	m.finding(place, all)
}

var (
	tag           = regexp.MustCompile(`<[^>]*>`)
	reportedRow   = regexp.MustCompile(`(?s)<tr>(<td class="n">\d.*?)</tr>`)
	reportedCell  = regexp.MustCompile(`(?s)<td[^>]*>(.*?)</td>`)
	reportedStory = regexp.MustCompile(`<tr class="story">.*?<td colspan[^>]*>(.*?)</td></tr>`)
	reportedFound = regexp.MustCompile(`<h3><span class="\w+">(\w+)</span> (.*?) <span class="m">([a-z-]+)</span></h3>\s*<p class="m">([a-z ]+),`)
	reportedTotal = regexp.MustCompile(`<h2>Rounds</h2><p>(.*?) <span`)
	reportedHead  = regexp.MustCompile(`(?s)<p><span class="chip[^>]*>(.*?)</span>(.*?)</p>\s*<p class="m">(.*?)<br>`)
	spelledCounts = regexp.MustCompile(`(\d+) (worker|connector|task)s?\b`)
)

func (m *figures) report() {
	const place = "report"
	page := m.run("report", "--from", m.file)
	head := reportedHead.FindStringSubmatch(page)
	m.say(place, "verdict", html.UnescapeString(head[1]))
	m.say(place, "sentence", html.UnescapeString(head[2]))
	for _, n := range spelledCounts.FindAllStringSubmatch(head[3], -1) {
		m.say(place, n[2]+"s", n[1])
	}
	var all []figureFinding
	for _, f := range reportedFound.FindAllStringSubmatch(page, -1) {
		all = append(all, figureFinding{ID: f[3], Severity: f[1], Certainty: f[4], Title: html.UnescapeString(f[2])})
	}
	m.finding(place, all)
	if total := reportedTotal.FindStringSubmatch(page); total != nil {
		m.say(place, "unit-s of all rounds", html.UnescapeString(total[1]))
	}
	_, table, _ := strings.Cut(page, "<tbody>")
	for _, body := range strings.Split(table, "<tbody>") {
		last := ""
		for _, row := range reportedRow.FindAllStringSubmatch(body, -1) {
			var cells []string
			for _, c := range reportedCell.FindAllStringSubmatch(row[1], -1) {
				cells = append(cells, html.UnescapeString(tag.ReplaceAllString(c[1], "")))
			}
			last = strings.TrimSuffix(cells[0], "!")
			m.say(place, roundName(last, "why"), cells[2])
			for i, what := range []string{"kept", "started", "stopped", "restarted", "dropped", "delayed", "moved", "eager"} {
				m.say(place, roundName(last, what), cells[4+i])
			}
			m.say(place, roundName(last, "unit-s"), cmp.Or(cells[12], "0"))
		}
		if story := reportedStory.FindStringSubmatch(body); story != nil && m.ended(last) {
			m.say(place, roundName(last, "story"), html.UnescapeString(story[1]))
		}
	}
}

// ended says whether a round is the last of its episode: only then -o json and rounds tell its story.
func (m *figures) ended(generation string) bool {
	return slices.ContainsFunc(m.said[roundName(generation, "story")], func(f figure) bool { return f.place == "rounds -o json" })
}
