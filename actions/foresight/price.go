package foresight

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"regroup/group"
)

// assumedPace stands for a group's own where no status record tells it.
var assumedPace = group.Pace{
	Stop: 100 * time.Millisecond, Stopping: group.Times{High: time.Second},
	Start: 300 * time.Millisecond, Starting: group.Times{High: 2 * time.Second},
}

// PaceText says by what times costs are told.
func (p *Preview) PaceText() string {
	stop, start := paceTime(p.Pace.Stop), paceTime(p.Pace.Start)
	switch {
	case p.Assumed:
		return fmt.Sprintf("costs are assumed: %s to stop a unit, %s to start one; none was measured here yet", stop, start)
	case p.Pace.Stops == 0:
		return fmt.Sprintf("a unit starts within %s here (median of %d); %s to stop one is assumed", start, p.Pace.Starts, stop)
	}
	return fmt.Sprintf("a unit stops within %s and starts within %s here (medians of %d and %d)", stop, start, p.Pace.Stops, p.Pace.Starts)
}

// paceTime is a time as costs are told by it: 0.03 s.
func paceTime(d time.Duration) string {
	return strconv.FormatFloat(d.Round(10*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}

// prices tells, for each of the foreseen rounds, what work will not run because of it: a unit is down while it stops, while
// the others are waited for, while a delay runs, and while it starts. What a worker does that says nothing any more ends when
// it falls silent, and not when the group notices. What nothing starts again is not counted; it makes the cost a growing one.
func (s *simulation) prices(rounds []Foreseen, st *group.State, pace group.Pace, estimated bool) []group.Cost {
	p := pricing{rounds: rounds, pace: pace, down: map[group.Unit]outage{}, silent: s.silent, idle: s.idle, costs: make([]group.Cost, len(rounds))}
	for i := range p.costs {
		p.costs[i].Estimated = estimated
	}
	base := len(st.Rounds) - len(rounds) - 1
	if base < 0 {
		return p.costs
	}
	before := st.Detail(base)
	prev := before.Mode
	for i := range rounds {
		p.round(i, before, prev)
		before, prev = rounds[i].Detail, rounds[i].Mode
	}
	p.end()
	return p.costs
}

// outage is a unit's that is down: by which round, and since when, from the preview's moment.
type outage struct {
	round     int
	since     time.Duration
	early     time.Duration // how much earlier or later the round was that it counts from, by what came before
	late      time.Duration
	uncertain time.Duration // how much earlier that may have been, of its own
	died      bool          // its worker fell silent: it did not stop, so that takes no time
	frozen    bool          // and goes on later: nothing will tell it from one that was cut off and ran all the while
}

// silence is a worker's that says nothing from a moment on, and after a while goes on as if nothing had been; 0: it never does.
type silence struct{ at, lasts time.Duration }

type pricing struct {
	rounds []Foreseen
	pace   group.Pace
	down   map[group.Unit]outage
	silent map[string]silence // by member id
	idle   map[string]bool    // members that run nothing of what they hold
	costs  []group.Cost
}

func (p *pricing) fall(u group.Unit, o outage) {
	if _, already := p.down[u]; !already {
		p.down[u] = o
	}
}

// round takes in one: what goes down in it, and what it gives to somebody.
func (p *pricing) round(i int, before *group.Detail, prev group.Mode) {
	f := p.rounds[i]
	now := outage{round: i, since: f.at, early: f.early, late: f.late}
	for j, gone := range f.Left {
		quiet, mute := p.silent[gone.Member]
		for _, u := range f.LeftHeld[j] {
			switch {
			case p.idle[gone.Member]: // it did not run
			case mute:
				p.fall(u, outage{round: i, since: quiet.at, died: true, frozen: quiet.lasts > 0})
			case !p.back(i, gone.Worker, u):
				p.fall(u, outage{round: i, since: f.at, early: f.early, late: f.late, uncertain: f.slack})
			}
		}
	}
	if prev == group.ModeEager {
		stop := now
		if f.begun < f.at { // everybody stops within a heartbeat of the join's begin
			stop.since, stop.early, stop.late = f.begun, -Heartbeat, 0
		}
		for _, m := range before.Members {
			if slices.ContainsFunc(f.Members, func(n group.WorkerDetail) bool { return n.Worker == m.Worker }) {
				for _, u := range m.Held {
					p.fall(u, p.drop(u, before, stop))
				}
			}
		}
	}
	for _, m := range f.Members {
		for _, u := range m.Revoked {
			p.fall(u, now)
		}
	}
	for _, u := range f.Dropped {
		p.fall(u, p.drop(u, before, now))
	}
	for _, u := range f.Restarted { // where it is: nobody is waited for
		if !u.IsInstance() { // an instance restarts before the round, for its own configuration: that is not the round's cost
			p.add(i, p.pace.Stopping.Low+p.pace.Starting.Low, p.pace.Stopping.High+p.pace.Starting.High)
		}
	}
	for _, m := range f.Members {
		p.wake(i, m)
		for _, u := range m.Held {
			if o, ok := p.down[u]; ok {
				p.rise(o, f)
				delete(p.down, u)
			}
		}
	}
}

// drop is what brings a unit down that its worker does not report: if its process died and a new one is there, the death.
func (p *pricing) drop(u group.Unit, before *group.Detail, now outage) outage {
	for _, m := range before.Members {
		if quiet, mute := p.silent[m.ID]; mute && quiet.lasts == 0 && slices.Contains(m.Held, u) {
			return outage{round: now.round, since: quiet.at, died: true}
		}
	}
	return now
}

// wake lets a worker that was held up go on with what nobody else got meanwhile.
func (p *pricing) wake(i int, m group.WorkerDetail) {
	for _, f := range p.rounds[:i] {
		for _, gone := range f.Left {
			quiet, mute := p.silent[gone.Member]
			if !mute || quiet.lasts == 0 || gone.Worker != m.Worker {
				continue
			}
			for _, u := range m.Reported {
				if o, ok := p.down[u]; ok && o.died {
					p.add(o.round, 0, quiet.lasts)
					delete(p.down, u)
				}
			}
		}
	}
}

// back says whether a worker that left in round i comes back with a unit in hand: it never stopped it.
func (p *pricing) back(i int, worker int32, u group.Unit) bool {
	for _, f := range p.rounds[i+1:] {
		for _, m := range f.Members {
			if m.Worker == worker {
				return slices.Contains(m.Reported, u)
			}
		}
	}
	return false
}

// rise gives a unit to somebody in a round.
func (p *pricing) rise(o outage, f Foreseen) {
	passed := f.at - o.since
	low, high := max(0, passed-(f.early-o.early))+p.pace.Starting.Low, passed+f.late-o.late+p.pace.Starting.High+max(o.uncertain, f.slack)
	switch {
	case o.frozen: // nothing says whether it worked on before it fell silent, or after it woke
		low = 0
	case o.died:
	default:
		low, high = low+p.pace.Stopping.Low, high+p.pace.Stopping.High
	}
	p.add(o.round, low, high)
}

func (p *pricing) add(i int, low, high time.Duration) {
	c := &p.costs[i]
	c.Units++
	c.Low, c.High = c.Low+low, c.High+high
	c.LongestLow, c.LongestHigh = max(c.LongestLow, low), max(c.LongestHigh, high)
}

// end leaves down what nothing starts again, if it is there still.
func (p *pricing) end() {
	if len(p.rounds) == 0 {
		return
	}
	last := p.rounds[len(p.rounds)-1]
	for u, o := range p.down {
		if last.Round.Empty() || slices.Contains(last.Unassigned, u) || slices.Contains(last.Delayed, u) || slices.Contains(last.Released, u) {
			p.costs[o.round].Units++
			p.costs[o.round].Growing = true
		}
	}
}

// total adds up what rounds cost.
func total(costs []group.Cost) group.Cost {
	var out group.Cost
	for _, c := range costs {
		out = out.Plus(c)
	}
	return out
}
