package tour

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"regroup/actions/act"

	"regroup/group"
	"regroup/internal/lab"
)

// oldWorker is the name of the one that knows eager alone.
const oldWorker = "old-worker"

// story is what is shown, step after step.
func story(connectors []lab.Connector) []step {
	edited := edit(connectors)
	var crashed, lost string // workers that the story ended
	return []step{
		{
			say:   says("A broker and some workers start, all within this program. What follows is read as from any Kafka: from the coordinator's log and Connect's topics."),
			until: func(s *group.State, _ int) bool { return calm(s) },
			then: func(s *group.State, _ int) string {
				return fmt.Sprintf("%s share the work of %s: %s. Their leader decides who runs what. No REST call tells of it, only the group's own records do.",
					many(workers(s), "worker"), many(s.Connectors, "connector"), many(len(s.Units), "unit"))
			},
		},
		{
			say: says("A worker joins. Under eager rebalancing everything would stop now. Here the leader takes some units back in one round, and the newcomer gets them in the next."),
			do: func(ctx context.Context, t *Tour) error {
				_, err := t.opt.Lab.Add(ctx, lab.WorkerOptions{})
				return err
			},
			until: settledAgain,
			then: func(s *group.State, from int) string {
				sum := since(s, from)
				return fmt.Sprintf("It took %s. %s moved, the other %d never stopped. Eager would have stopped all %d.",
					many(sum.rounds, "round"), many(sum.moved, "unit"), len(s.Units)-sum.moved, sum.eager)
			},
		},
		{
			say: says("Somebody edits " + edited.Name + ". No unit should move, but its own tasks have to start anew with the new configuration."),
			do:  func(ctx context.Context, t *Tour) error { return t.opt.Lab.Reconfigure(ctx, edited) },
			until: func(s *group.State, from int) bool {
				return settledAgain(s, from) && since(s, from).restarted > 0
			},
			then: func(s *group.State, from int) string {
				sum := since(s, from)
				return fmt.Sprintf("%s restarted where they were, %d moved. Eager would have stopped %d.", many(sum.restarted, "unit"), sum.moved, sum.eager)
			},
		},
		{
			say: says("A worker crashes. Nobody is told: the group notices when its heartbeats stay away, and then waits a while in case it comes back."),
			do: func(_ context.Context, t *Tour) error {
				crashed = someWorker(t.seen(), "")
				return t.opt.Lab.Kill(crashed)
			},
			until: func(s *group.State, from int) bool { return newest(s) > from && s.Delay != nil },
			then: func(s *group.State, _ int) string {
				return fmt.Sprintf("%s of %s wait, for up to %s. They run nowhere, though a REST call would still say RUNNING.",
					many(s.Delay.Units, "unit"), crashed, s.Delay.Total.Round(time.Second))
			},
		},
		{
			say: func(s *group.State) string {
				if s.Delay == nil {
					return crashed + " comes back, but too late: the delay is over, and its units are elsewhere."
				}
				return crashed + " comes back before the delay is over. Its units wait all the same: the leader gives nothing out until then."
			},
			do:    func(ctx context.Context, t *Tour) error { return t.opt.Lab.Return(ctx, crashed) },
			until: func(s *group.State, from int) bool { return settledAgain(s, from) && isUp(s, crashed) },
			then: func(s *group.State, from int) string {
				sum := since(s, from)
				if sum.moved > 0 {
					return fmt.Sprintf("It is a newcomer like any other: %s moved to it.", many(sum.moved, "unit"))
				}
				return fmt.Sprintf("The delay is over, and it got its own %s again. Nothing moved, and nobody else stopped anything.", many(sum.started, "unit"))
			},
		},
		{
			say: says("Another worker crashes, and this one stays away."),
			do: func(_ context.Context, t *Tour) error {
				lost = someWorker(t.seen(), crashed)
				return t.opt.Lab.Kill(lost)
			},
			until: func(s *group.State, from int) bool { return newest(s) > from && s.Delay != nil },
			then: func(s *group.State, _ int) string {
				return fmt.Sprintf("%s wait again, for nothing this time. The leader counts down.", many(s.Delay.Units, "unit"))
			},
		},
		{
			say:   says("When the delay is over the leader gives them to the others."),
			until: func(s *group.State, _ int) bool { return calm(s) && !isUp(s, lost) },
			then: func(s *group.State, _ int) string {
				r := s.Round()
				return fmt.Sprintf("%s started elsewhere, %d went on undisturbed. Those that waited were down all the while: a delay has its price.", many(r.Moved, "unit"), r.Kept)
			},
		},
		{
			say: func(*group.State) string {
				return lost + " comes back after all. Its units are elsewhere now: it is a newcomer."
			},
			do:    func(ctx context.Context, t *Tour) error { return t.opt.Lab.Return(ctx, lost) },
			until: func(s *group.State, from int) bool { return settledAgain(s, from) && isUp(s, lost) },
			then: func(s *group.State, from int) string {
				sum := since(s, from)
				return fmt.Sprintf("%s stopped for it in the first round and started on it in the next. Eager would have stopped all %d.", many(sum.stopped, "unit"), sum.eager)
			},
		},
		{
			say: says("A rolling restart: all workers are stopped and started in turn, the leader last. Each is back in seconds, and gets its work again when the delay is over."),
			do:  restartAll,
			then: func(s *group.State, from int) string {
				sum := since(s, from)
				return fmt.Sprintf("In %s %s went down with their workers, %d stopped besides, and %d moved. Eager would have stopped %d: everything, every time.",
					many(sum.rounds, "round"), many(sum.left, "unit"), sum.stopped, sum.moved, sum.eager)
			},
		},
		{
			say: says("Now a worker of an old version joins, which knows eager rebalancing alone. A group speaks what all of its workers speak."),
			do: func(ctx context.Context, t *Tour) error {
				_, err := t.opt.Lab.Add(ctx, lab.OldWorker(oldWorker))
				return err
			},
			until: func(s *group.State, from int) bool { return settledAgain(s, from) && s.Round().Mode == group.ModeEager },
			then: func(s *group.State, from int) string {
				sum := since(s, from)
				text := fmt.Sprintf("The whole group is eager now, because of one worker: %s moved.", many(sum.moved, "unit"))
				if sum.twice > 0 {
					text += fmt.Sprintf(" %d started while their old copy still ran (KAFKA-13816).", sum.twice)
				}
				return text
			},
		},
		{
			say: says("The old worker leaves. Under eager rebalancing everybody stops everything for that."),
			do:  func(ctx context.Context, t *Tour) error { return t.opt.Lab.Stop(ctx, oldWorker) },
			until: func(s *group.State, from int) bool {
				return settledAgain(s, from) && s.Round().Mode == group.ModeCooperative
			},
			then: func(s *group.State, from int) string {
				text := fmt.Sprintf("%s stopped on the workers that stayed, and all started anew. The group is cooperative again.", many(since(s, from).stopped, "unit"))
				if n := in(s, group.UnitDuplicated) + in(s, group.UnitFailed); n > 0 {
					text += fmt.Sprintf(" %d run twice or failed: nobody told their old copies to stop.", n)
				}
				return text
			},
		},
		{say: says("That was the tour. The group lives on: ← and → stand on any of its rounds, 3 shows all of it as a timeline, 6 what the doctor says, q quits.")},
	}
}

func says(text string) func(*group.State) string { return func(*group.State) string { return text } }

// edit is the connector with the most tasks, with a property more.
func edit(connectors []lab.Connector) lab.Connector {
	c := slices.MaxFunc(connectors, func(a, b lab.Connector) int { return cmp.Compare(a.Tasks, b.Tasks) })
	c.Config = maps.Clone(c.Config)
	if c.Config == nil {
		c.Config = map[string]string{}
	}
	c.Config["batch.size"] = "500"
	return c
}

// restartAll bounces all workers but those that lead last, and waits for calm after each.
func restartAll(ctx context.Context, t *Tour) error {
	all := leaderLast(t.seen())
	for i, name := range all {
		from := newest(t.seen())
		t.say(fmt.Sprintf("Restart %d of %d: %s is stopped, and is back in %s.", i+1, len(all), name, downTime))
		if err := t.opt.Lab.Stop(ctx, name); err != nil {
			return err
		}
		skipped := t.pause(ctx, downTime)
		if skipped != nil && !errors.Is(skipped, errSkipped) {
			return skipped
		}
		if err := t.opt.Lab.Return(ctx, name); err != nil {
			return err
		}
		if skipped == nil {
			skipped = t.wait(ctx, func(s *group.State) bool { return settledAgain(s, from) && isUp(s, name) })
		}
		if skipped != nil {
			return skipped
		}
	}
	return nil
}

// downTime is how long a worker of a rolling restart is away: its leaving is a round of its own.
const downTime = 3 * time.Second

// leaderLast are the workers of the group.
func leaderLast(s *group.State) []string {
	var out, leader []string
	for _, w := range s.Workers {
		switch {
		case w.Gone:
		case w.Leader:
			leader = append(leader, w.Client)
		default:
			out = append(out, w.Client)
		}
	}
	return append(out, leader...)
}

func isLed(s *group.State) bool {
	return slices.ContainsFunc(s.Workers, func(w group.Worker) bool { return w.Leader && !w.Gone })
}

// someWorker is one that does not lead, and is not the one named.
func someWorker(s *group.State, not string) string {
	for _, w := range s.Workers {
		if !w.Gone && !w.Leader && w.Client != not {
			return w.Client
		}
	}
	return ""
}

func isUp(s *group.State, client string) bool {
	return slices.ContainsFunc(s.Workers, func(w group.Worker) bool { return w.Client == client && !w.Gone })
}

func in(s *group.State, k group.UnitStateKind) (n int) {
	for i := range s.Units {
		if s.Units[i].State == k {
			n++
		}
	}
	return n
}

func workers(s *group.State) int {
	if r := s.Round(); r != nil {
		return r.Workers
	}
	return 0
}

// calm says whether nothing more will happen by itself, and every connector of the lab is there.
func calm(s *group.State) bool { return len(s.Units) > 0 && act.Unsettled(s) == "" }

func settledAgain(s *group.State, from int) bool { return newest(s) > from && calm(s) }

func newest(s *group.State) int {
	if s == nil {
		return -1
	}
	return act.Newest(s)
}

// sums are of the rounds since one.
type sums struct{ rounds, moved, started, stopped, restarted, left, eager, twice int }

func since(s *group.State, from int) (out sums) {
	for _, r := range s.Rounds {
		if r.Seq <= from {
			continue
		}
		out.rounds++
		out.moved += r.Moved
		out.started += r.Started
		out.stopped += r.Stopped
		out.restarted += r.Restarted
		out.eager += r.EagerWouldStop
		out.twice += r.Twice
		for _, g := range r.Left {
			out.left += g.Held
		}
	}
	return out
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
