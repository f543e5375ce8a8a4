//go:build kafka && unix

package test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// What a watch may find in such a life: brokers and workers that are away, delays, and that loads are uneven; units that a worker who was
// evicted brought back while another had them; stops that took too long, of consumers that lost their own coordinator; and what churn is:
// evictions and configurations without end. What lostWorkers tells is held to the workers' logs. All else is false: no unit ever fails
// or is stuck.
var soundFindings = []string{
	"no-coordinator", "coordinator-lost", "delay-running", "backoff-delay", "delay-ill-fitting", "uneven", "uneven-per-connector",
	"member-churn", "config-offset-behind", "known-bug", "mixed-versions", "internal-topic-settings", "leader-unreachable", "worker-blocked",
	"status-stale", "tasks-not-generated", "unit-duplicated", "slow-stop", "unit-restarted-often", "rebalance-storm",
}

// check holds every verdict and finding to what was the matter when it was told.
func (l *troubled) check(ill []span, rounds []Round) {
	l.t.Helper()
	inTrouble := func(at time.Time) bool {
		return slices.ContainsFunc(ill, func(s span) bool { return !at.Before(s[0]) && !at.After(s[1]) })
	}
	for _, e := range findings(l.t, l.watch) {
		at := e.At.Format("15:04:05.000")
		l.t.Logf("%s finding %s over=%v: %s", at, e.ID, e.Over, e.Title)
		switch {
		case e.Over, e.ID == "unit-failed" && l.failed():
		case slices.Contains([]string{"unit-orphaned", "worker-expelled", "no-workers", "join-never-syncs"}, e.ID):
			i := slices.IndexFunc(ill, func(s span) bool { return !e.At.Before(s[0]) && !e.At.After(s[1]) })
			if i < 0 {
				l.t.Errorf("%s: no broker is away, and %s: %s", at, e.ID, e.Title)
				continue
			}
			var why string
			if e.ID == "join-never-syncs" {
				why = l.joinRan(e.Found, rounds)
			} else {
				why = l.lostWorkers(e.Found, rounds, ill[i])
			}
			if why != "" {
				l.t.Errorf("%s: a finding that is not so: %s: %s: %s", at, e.ID, e.Title, why)
			}
		case !slices.Contains(soundFindings, e.ID):
			l.t.Errorf("%s: a finding that is not so: %s: %s", at, e.ID, e.Title)
		case e.ID == "no-coordinator" && !inTrouble(e.At):
			l.t.Errorf("%s: no broker is away, and %s: %s", at, e.ID, e.Title)
		}
	}
	for _, e := range l.events("state") {
		switch {
		case e.Verdict == "FAILED" && l.failed():
		case e.Verdict == "STUCK" || e.Verdict == "FAILED":
			l.t.Errorf("%s: a verdict that is not so: %s %s", e.At.Format("15:04:05.000"), e.Verdict, e.Sentence)
		case e.Verdict == "BLIND" && !inTrouble(e.At):
			l.t.Errorf("%s: no broker is away, and %s %s", e.At.Format("15:04:05.000"), e.Verdict, e.Sentence)
		}
	}
}

// cutOff is what a worker logs once it learns that the group went on without it.
var cutOff = regexp.MustCompile(`\[Worker clientId=.*(?:UNKNOWN_MEMBER_ID|ILLEGAL_GENERATION|poll timeout has expired)`)

// lostWorkers says why a finding about workers that the group lost is not so; "" if it is. no-workers is so when the round is empty, and what
// still runs on workers that were cut off is not said to run nowhere. worker-expelled is so when the round has no such worker, whose log
// says that it was cut off; unit-orphaned when that worker, or one that was killed, ran the units since the trouble began: a worker that
// stops them in it cannot say so while a broker that leads the status topic is away.
func (l *troubled) lostWorkers(f Found, rounds []Round, ill span) string {
	l.t.Helper()
	now := rounds[0]
	for _, r := range rounds {
		if !r.Time().After(f.At) {
			now = r
		}
	}
	if f.ID == "no-workers" {
		if len(now.Workers) > 0 {
			return fmt.Sprintf("%v has %d workers", now, len(now.Workers))
		}
		for _, w := range l.workers {
			for _, r := range l.runs(w) {
				if slices.Contains(f.Units, r.Unit) && r.between(f.At.Add(-tick), f.At) && !strings.Contains(f.Title, "still run") {
					return fmt.Sprintf("%v ran on %s", r.Unit, w.Client)
				}
			}
		}
		return ""
	}
	i := slices.IndexFunc(l.workers, f.at)
	if i < 0 {
		return "it names no worker"
	}
	w := l.workers[i]
	if slices.ContainsFunc(now.Workers, func(m RoundWorker) bool { return m.Client == w.Client }) {
		return fmt.Sprintf("%v has %s", now, w.Client)
	}
	killed := slices.ContainsFunc(l.halts[w.Client], func(h Halt) bool { return !h.At.High.After(f.At) })
	for _, u := range f.Units {
		if !slices.ContainsFunc(l.runs(w), func(r Run) bool { return r.Unit == u && (r.between(ill[0], f.At) || killed && r.End == Killed) }) {
			return fmt.Sprintf("%s did not run %v between %s and %s", w.Client, u, ill[0].Format("15:04:05.000"), f.At.Format("15:04:05.000"))
		}
	}
	if killed {
		return ""
	}
	for line := range strings.Lines(w.Log(l.t)) {
		if at, err := loggedAt(line); err == nil && cutOff.MatchString(line) && at.After(now.Time().Add(-back)) {
			l.t.Logf("%s had %d of these units when it was lost, and logged later: %.230s", w.Client, len(f.Units), line)
			return ""
		}
	}
	return w.Client + " was not cut off"
}

func (l *troubled) runs(w *Worker) []Run {
	l.t.Helper()
	runs, err := ReadRuns(w.Client, strings.NewReader(w.Log(l.t)), l.halts[w.Client])
	if err != nil {
		l.t.Fatal(err)
	}
	return runs
}

// between reports whether the unit ran at some moment between two.
func (r Run) between(from, to time.Time) bool {
	return r.Start.Low.Before(to) && (r.Stop == (Moment{}) || r.Stop.High.After(from))
}

// joinRan says why no join ran for as long as a finding says; "" if one did: the group recorded no round in that time, and a worker that
// asked to join as it began had not joined at its end.
func (l *troubled) joinRan(f Found, rounds []Round) string {
	l.t.Helper()
	for _, r := range rounds {
		if r.Time().After(f.Since.Add(tick)) && r.Time().Before(f.At.Add(-tick)) {
			return fmt.Sprintf("%v came meanwhile", r)
		}
	}
	for _, w := range l.workers {
		var asked time.Time // zero while it is not joining
		for line := range strings.Lines(w.Log(l.t)) {
			at, err := loggedAt(line)
			if err != nil || at.After(f.At) {
				continue
			}
			switch {
			case !strings.Contains(line, "[Worker clientId="):
			case strings.Contains(line, "Joined group at generation"):
				asked = time.Time{}
			case strings.Contains(line, "Rebalance started") && asked.IsZero():
				asked = at
			}
		}
		if !asked.IsZero() && asked.Before(f.Since.Add(2*tick)) {
			l.t.Logf("%s asked to join at %s, and had not at %s", w.Client, asked.Format("15:04:05.000"), f.At.Format("15:04:05.000"))
			return ""
		}
	}
	return "no worker waited for it"
}

func loggedAt(line string) (time.Time, error) {
	m := logTime.FindStringSubmatch(line)
	if m == nil {
		return time.Time{}, errors.New("no time")
	}
	return time.Parse("2006-01-02 15:04:05,000", m[1])
}

// failed reports whether a worker logged that a task failed: after an eviction it may start one that it has not stopped yet.
func (l *troubled) failed() bool {
	return slices.ContainsFunc(l.workers, func(w *Worker) bool {
		log := w.Log(l.t)
		return strings.Contains(log, "Failed to start task") || strings.Contains(log, "Task threw an uncaught and unrecoverable exception")
	})
}

// checkDeath: the worker that died together with its coordinator is known to have died within a range that holds the moment.
func checkDeath(t *testing.T, rounds []Round, w *Worker, died span) {
	t.Helper()
	for i, r := range rounds {
		at := slices.IndexFunc(r.Left, func(l RoundLeft) bool { return l.URL == w.URL })
		when, err := time.Parse(time.RFC3339Nano, r.At)
		if err != nil {
			t.Fatal(err)
		}
		if at < 0 || when.Before(died[0]) {
			continue
		}
		had := r.Left[at].Held
		seen := map[Unit]bool{}
		for _, later := range rounds[i:] {
			for _, g := range later.Gaps {
				if !slices.Contains(had, g.Unit) || seen[g.Unit] {
					continue
				}
				seen[g.Unit] = true
				t.Logf("generation %d: %v stopped between %s and %s; its worker was killed at %s", *later.Generation, g.Unit,
					g.Stopped[0].Format("15:04:05.000"), g.Stopped[1].Format("15:04:05.000"), died[0].Format("15:04:05.000"))
				if g.Stopped[1].Before(died[0]) || g.Stopped[0].After(died[1]) {
					t.Errorf("generation %d: %v is said to have stopped between %s and %s", *later.Generation, g.Unit, g.Stopped[0], g.Stopped[1])
				}
			}
			if later.Settled {
				break
			}
		}
		if len(seen) < len(had) {
			t.Errorf("%d of the %d units of %s are known to have stood still from its death on", len(seen), len(had), w.Client)
		}
		return
	}
	t.Errorf("no round without %s after %s", w.Client, died[0])
}
