package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

const (
	restartedOften = 5
	restartWindow  = 10 * time.Minute
)

// unitRestartedOften: a connector is configured again, or its units restart, over and over. Neither needs a round, so the group looks
// settled while the work is interrupted each time.
var unitRestartedOften = rule{"unit-restarted-often", Warning, 0, ofNothing, func(v *view) []Finding {
	after := v.Now.Add(-restartWindow)
	byConnector := map[string]*restarts{}
	of := func(connector string) *restarts {
		if byConnector[connector] == nil {
			byConnector[connector] = &restarts{connector: connector, byUnit: map[group.Unit][]group.Restart{}}
		}
		return byConnector[connector]
	}
	for _, r := range v.Restarts(after) {
		c := of(r.Unit.Connector)
		c.byUnit[r.Unit] = append(c.byUnit[r.Unit], r)
	}
	for _, w := range v.Rewrites(after) {
		c := of(w.Connector)
		c.rewrites = append(c.rewrites, w)
	}
	var out []Finding
	for _, name := range sortedKeys(byConnector) {
		c := byConnector[name]
		c.requests = v.RestartRequests(name, after)
		if f, often := c.finding(); often {
			out = append(out, f)
		}
	}
	return out
}}

// restarts are what restarted of one connector within the window.
type restarts struct {
	connector string
	byUnit    map[group.Unit][]group.Restart
	rewrites  []group.Rewrite
	requests  int // to restart the connector with its tasks
}

func (c *restarts) finding() (Finding, bool) {
	var units []group.Unit
	for u, list := range c.byUnit {
		if len(list) >= restartedOften {
			units = append(units, u)
		}
	}
	slices.SortFunc(units, group.Unit.Compare)
	name := decode.Printable(c.connector)
	f := Finding{Units: units, about: c.connector}
	unchanged := 0
	for _, w := range c.rewrites {
		f.Since = earliest(f.Since, w.At)
		if w.Unchanged {
			unchanged++
		}
	}
	for _, u := range units {
		f.Evidence = append(f.Evidence, restartsOf(c.byUnit[u]))
		f.Since = earliest(f.Since, c.byUnit[u][0].Stop)
	}
	switch written := len(c.rewrites); {
	case written >= restartedOften:
		f.Title = fmt.Sprintf("the configuration of %s was written %d times in %s%s", name, written, lasting(c.rewrites[written-1].At.Sub(c.rewrites[0].At)),
			map[bool]string{true: ", unchanged", false: ""}[unchanged == written])
		f.Why = "Each record of a configuration restarts the connector's instance, also one that changes nothing; its tasks run on while their configurations stay the same. No round comes of it."
		f.Evidence = append([]Evidence{{
			c.rewrites[written-1].At, group.SourceConfig,
			fmt.Sprintf("%s: %s, %d of them unchanged; this is the last", name, words.Count(written, "record"), unchanged),
		}}, f.Evidence...)
		f.Next = []string{
			fmt.Sprintf("Find what writes it (PUT /connectors/%s/config): a deployment tool or an operator that does not compare first.", name),
			"Let it write only what differs: regroup connector apply does.",
		}
	case len(units) == 0:
		return Finding{}, false
	default:
		f.Title = fmt.Sprintf("%s restarted again and again without a round", some(units))
		f.Why = "Each restart interrupts the work, and no round comes of it. Connect restarts nothing by itself: a request over REST does."
		f.Next = []string{fmt.Sprintf("Find what restarts it (POST /connectors/%s/restart, or …/tasks/N/restart): a watchdog or an operator.", name)}
		if c.failedEachTime(units) {
			f.Why = "What failed is restarted and fails again. Connect restarts nothing by itself: a watchdog does."
			f.Next = []string{"Read the trace of the failure (Units, enter) and mend its cause.", "Until then a longer pause between restarts spares the rest of the group."}
		}
		if c.requests > 0 {
			f.Evidence = append(f.Evidence, Evidence{Source: group.SourceConfig, Text: fmt.Sprintf("%s: %s to restart the connector in 10 minutes", name, words.Count(c.requests, "request"))})
		}
	}
	return f, true
}

// restartsOf is how often a unit restarted, and how long it stood still.
func restartsOf(list []group.Restart) Evidence {
	low, high := list[0].Start.Sub(list[0].Stop), time.Duration(0)
	for _, r := range list {
		low, high = min(low, r.Start.Sub(r.Stop)), max(high, r.Start.Sub(r.Stop))
	}
	last := list[len(list)-1]
	text := fmt.Sprintf("%s: stopped and ran again on %s %d times, down for %s", decode.Printable(last.Unit.String()), last.Worker, len(list), lasting(low))
	if lasting(low) != lasting(high) {
		text += " to " + lasting(high)
	}
	return Evidence{last.Start, group.SourceStatus, text}
}

func (c *restarts) failedEachTime(units []group.Unit) bool {
	for _, u := range units {
		if slices.ContainsFunc(c.byUnit[u], func(r group.Restart) bool { return !r.Failed }) {
			return false
		}
	}
	return true
}

// lasting prints a duration that may be far below a second.
func lasting(d time.Duration) string {
	if d < time.Second {
		return strings.TrimSpace(fmt.Sprintf("%d ms", d.Milliseconds()))
	}
	return words.Rough(d)
}
