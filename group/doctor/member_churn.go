package doctor

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// memberChurn: one worker came and went again and again: a crash loop, or sessions that expire.
var memberChurn = rule{"member-churn", Warning, 0, ofRounds, func(v *view) []Finding {
	const least, window, most = 3, 5 * time.Minute, 5000
	type visits struct {
		came, went int
		id         string
		first      time.Time
		lines      []Evidence
	}
	byName := map[string]*visits{}
	of := func(name, id string, at time.Time) *visits {
		w := byName[name]
		if w == nil {
			w = &visits{id: id}
			byName[name] = w
		}
		w.first = at
		return w
	}
	for i := v.At; i >= 0 && i > v.At-most && v.Now.Sub(v.Rounds[i].RecordedAt) < window; i-- {
		r := v.Rounds[i]
		for _, g := range r.Left {
			w := of(g.Name, g.Member, r.RecordedAt)
			w.went++
			w.lines = append(w.lines, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s left in %s", decode.Printable(g.Name), called(r))})
		}
		for _, c := range r.Causes {
			if c.Kind == group.CauseWorkerReturned {
				w := of(c.Name, c.Worker, r.RecordedAt)
				w.came++
				w.lines = append(w.lines, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s came back in %s as member %s", decode.Printable(c.Name), called(r), decode.Printable(c.Worker))})
			}
		}
	}
	var out []Finding
	for _, who := range sortedKeys(byName) {
		w := byName[who]
		times := max(w.came, w.went)
		if times < least {
			continue
		}
		for _, m := range v.members {
			if m.Name == who {
				w.id = m.ID
			}
		}
		f := Finding{
			Title: fmt.Sprintf("%s came and went %d times within 5 minutes", decode.Printable(who), times),
			Why:   "Each time costs the group at least two rounds. A process that restarts again and again does that, and one that loses its session: long pauses, a slow network, a herder that blocks.",
			Since: w.first, Workers: []string{w.id},
			Next: []string{
				fmt.Sprintf("Look at the log of %s, and at what restarts it: an out-of-memory kill, a probe that fails.", decode.Printable(who)),
				"If its process is the same all the time, look at long pauses (garbage collection) and at session.timeout.ms.",
			},
		}
		for i := min(8, len(w.lines)) - 1; i >= 0; i-- { // the newest ones, oldest first
			f.Evidence = append(f.Evidence, w.lines[i])
		}
		if n := v.acted(w.first); n > 0 {
			f.Evidence = append(f.Evidence, Evidence{Source: "action", Text: fmt.Sprintf("%s done with this program since then", words.Count(n, "action"))})
		}
		out = append(out, f)
	}
	return out
}}

// acted counts what was done with this program since a time.
func (v *view) acted(since time.Time) int {
	n := 0
	for _, a := range v.Actions() {
		if !a.At.Before(since) && a.Answer != "" {
			n++
		}
	}
	return n
}
