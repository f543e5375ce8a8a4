package compare

import (
	"strings"
	"time"

	"regroup/group/assign"
)

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
		what := "a delay of " + Short(d.delay)
		if d.delay == defaultDelay {
			what = "the default, " + Short(d.delay) + ","
		}
		cost := " would cost " + UnitSeconds(d.lost) + " unit-s"
		if len(out) > 0 {
			cost = " " + UnitSeconds(d.lost)
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
