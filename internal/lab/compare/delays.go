package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/group/assign"
	"regroup/internal/words"
)

// delay is a stretch of rounds in which units wait.
type delay struct {
	first, end int // rounds; end is the one that gives them out, -1 when none does
	units      int
	who        []string // whose they were
	back       time.Duration
	returned   string // who came back meanwhile; "" for nobody
	more       bool   // others left meanwhile
	newLeader  string // who took over meanwhile
	led        string // who led, if it began with the leader's loss
	again      bool   // who came back was gone once more when it ended
	forgotten  bool   // that one knew of no delay
	scheduled  time.Duration
	waited     time.Duration
}

func (r *Run) delays() []delay {
	var out []delay
	open := false
	for i, round := range r.Rounds() {
		if round.Delayed > 0 && !open {
			open = true
			out = append(out, delay{first: i, end: -1, scheduled: time.Duration(round.DelayMs) * time.Millisecond})
		}
		if !open {
			continue
		}
		d := &out[len(out)-1]
		d.follow(r, i, round)
		if round.Delayed == 0 {
			open = false
			d.end = i
			d.waited = r.At(i) - r.At(d.first)
			d.again = d.returned != "" && !r.member(i, d.returned)
		}
	}
	return out
}

// member says whether a worker of that name is in one of the exercise's rounds.
func (r *Run) member(i int, name string) bool {
	return slices.ContainsFunc(r.State.Detail(r.First+i).Members, func(m group.WorkerDetail) bool { return m.Name == name })
}

func (d *delay) follow(r *Run, i int, round *group.Round) {
	d.units = max(d.units, round.Delayed)
	for _, g := range round.Left {
		if g.Held > 0 && round.Delayed > 0 {
			d.who = append(d.who, g.Name)
		}
		d.more = d.more || i > d.first && g.Held > 0
	}
	for _, c := range round.Causes {
		switch c.Kind {
		case group.CauseWorkerReturned:
			if d.returned == "" {
				d.returned, d.back = c.Name, r.At(i)-r.At(d.first)
			}
		case group.CauseLeaderChanged:
			if i > d.first {
				d.newLeader, d.forgotten = c.Name, round.Delayed == 0
			} else if prev := r.Before(i); prev != nil {
				d.led = leftLeading(round, prev)
			}
		}
	}
}

func (r *Run) tellDelay() string {
	var back, away []delay
	for _, d := range r.delays() {
		switch {
		case d.forgotten: // the leader's rule tells that
		case d.returned != "":
			back = append(back, d)
		default:
			away = append(away, d)
		}
	}
	var out []string
	if len(back) > 0 {
		d, n := back[0], units(back)
		end := ": nothing ends a delay early, and whoever has nothing when it does end gets what waited."
		if d.again {
			end = ". Nothing ends a delay early; it was gone again when it did end, so others got them."
		}
		text := fmt.Sprintf("%s of %s waited for %s, although %s was back after %s", words.Plural(n, "unit"), names(back), words.Short(d.waited), d.returned, words.Short(d.back))
		if len(back) > 1 {
			text = fmt.Sprintf("%s of %s waited for up to %s, although each of these was back sooner", words.Plural(n, "unit"), names(back), words.Short(longest(back)))
		}
		out = append(out, text+end)
	}
	if len(away) > 0 {
		n := units(away)
		out = append(out, fmt.Sprintf("%s of %s waited for %s, in case who left came back, and then went to others.", words.Plural(n, "unit"), names(away), words.Short(longest(away))))
	}
	for _, d := range append(back, away...) {
		if d.more {
			out = append(out, fmt.Sprintf("Who left while it ran did not start it anew: it is at most %s from the first departure on.", words.Short(d.scheduled)))
			break
		}
	}
	return strings.Join(out, " ")
}

func units(of []delay) int {
	n := 0
	for _, d := range of {
		n += d.units
	}
	return n
}

func longest(of []delay) time.Duration {
	var out time.Duration
	for _, d := range of {
		out = max(out, d.waited)
	}
	return out
}

func names(of []delay) string {
	var out []string
	for _, d := range of {
		out = append(out, d.who...)
	}
	return list(out)
}

// list names a few and counts the rest.
func list(names []string) string {
	const most = 4
	var once []string
	seen := map[string]bool{}
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			once = append(once, n)
		}
	}
	switch {
	case len(once) == 0:
		return "a worker"
	case len(once) > most:
		return fmt.Sprintf("%s and %d other workers", strings.Join(once[:most-1], ", "), len(once)-most+1)
	case len(once) == 1:
		return once[0]
	}
	return strings.Join(once[:len(once)-1], ", ") + " and " + once[len(once)-1]
}

// What the same exercise costs with another delay is worth a sentence, where playing it again takes no time that anybody notices.
const (
	smallGroup   = 20_000 // workers × units
	defaultDelay = 5 * time.Minute
)

// otherDelay is a delay, and what the exercise costs with it.
type otherDelay struct {
	delay, lost time.Duration
	never       bool
}

// tryDelays plays the exercise again under the mode as released, if a delay ran there: with one that just covers a worker's absence,
// and with Connect's default.
func (c *Comparison) tryDelays() []otherDelay {
	o := c.Options
	if o.Workers*(o.Connectors+o.Tasks) > smallGroup {
		return nil
	}
	var out []otherDelay
	differ := false
	for _, r := range c.Runs {
		if r.Mode.eager || r.Mode.rules != assign.Released || len(r.delays()) == 0 {
			continue
		}
		for _, delay := range []time.Duration{(o.Down + o.Heartbeat).Round(time.Second), defaultDelay} {
			if delay == o.Delay || delay == 0 {
				continue
			}
			o.Delay = delay
			if again, err := o.play(r.Mode); err == nil {
				out = append(out, otherDelay{delay, again.Sum.Lost, again.Sum.Never})
				differ = differ || again.Sum.Lost != r.Sum.Lost
			}
		}
	}
	if !differ {
		return nil
	}
	return out
}

func (c *Comparison) tellDelays() string {
	var out []string
	for _, d := range c.delays {
		what := "a delay of " + words.Short(d.delay)
		if d.delay == defaultDelay {
			what = "the default, " + words.Short(d.delay) + ","
		}
		cost := " would cost " + words.Sum(d.lost) + " unit-s"
		if len(out) > 0 {
			cost = " " + words.Sum(d.lost)
		}
		if !d.never {
			out = append(out, what+cost)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return title(strings.Join(out, "; ")) + "."
}
