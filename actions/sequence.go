package actions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/assign"
)

// Sequence is several changes one after the other, each going the likeliest way.
type Sequence []Then

// Then is one change of a Sequence.
type Then struct {
	Change Change
	After  time.Duration // passes before it
	Hasty  bool          // the next one does not wait until the group is settled
}

func (c Sequence) ways(b *before) ([]way, error) {
	var plays []func(*stage) error
	for _, then := range c {
		ways, err := then.Change.ways(b)
		if err != nil {
			return nil, err
		}
		plays = append(plays, ways[0].play)
	}
	return only(func(s *stage) error {
		for i, play := range plays {
			if s.wait(c[i].After); i > 0 { // what comes meanwhile is counted with the change before
				s.marks[i-1] = len(s.played)
			}
			if err := play(s); err != nil {
				return err
			}
			if !c[i].Hasty {
				s.settle()
			}
			s.marks = append(s.marks, len(s.played))
		}
		return nil
	})
}

// Visit is a worker's coming, and its leaving once the group has settled.
type Visit struct {
	Client string
	Eager  bool
	For    time.Duration // it stays so long; 0: until it is told to leave
	Idle   bool          // what it holds it does not run
}

func (c Visit) ways(*before) ([]way, error) {
	return only(func(s *stage) error {
		was := s.req.Protocol
		id := s.join(identity{client: c.Client, session: defaultSession}, assign.Member{Offset: s.req.Config.Offset})
		if c.Eager {
			s.req.Protocol = decode.ProtocolEager
		}
		begun := s.now
		s.round(s.now, c.Client+" joins")
		s.settle()
		if c.For > 0 {
			s.wait(c.For - time.Duration(s.now-begun)*time.Millisecond)
		} else {
			s.doubt("%s leaves when it is told to: what comes then counts from then", decode.Printable(c.Client))
		}
		if c.Idle {
			s.warn("what %s holds stands still until it has left: that is not in the cost", decode.Printable(c.Client))
			s.idle[id] = true
		}
		if _, err := s.leave(id); err != nil {
			return err
		}
		if !s.eager {
			s.req.Protocol = was
		}
		s.round(s.now, c.Client+" leaves")
		return nil
	})
}

// changes are what an exercise means for the group, one for each step, told without touching anything.
func (t *Trainer) changes(ctx context.Context, s *group.State, ex Exercise) (Sequence, error) {
	var out Sequence
	tasks := map[string]int{}
	for _, c := range s.Configs() {
		tasks[c.Name] = c.Tasks
	}
	was := map[string]int{}
	var last group.Worker
	for _, step := range ex.Steps {
		verb, what := step.parts()
		var c Change
		w, err := pick(s, what)
		switch verb {
		case "stop", "kill", "evict", "freeze":
			if err != nil {
				return nil, err
			}
		}
		switch verb {
		case "stop":
			last, c = w, Stop{Worker: w.ID}
		case "kill":
			last, c = w, Crash{Worker: w.ID}
			if step.Until == "nothing" {
				c = Die{w.ID}
			}
		case "start":
			if what != "" {
				last = w
			}
			c = Join{Client: last.Client, URL: last.URL, Starts: t.Workers.starts(s)}
		case "evict":
			c = Evict{w.ID, step.Times}
		case "freeze":
			c = Freeze{w.ID, t.Workers.freezeTime(ctx, s, w, step.For)}
		case "add":
			c = Join{Client: or(t.New.Client, "new-worker"), Starts: t.Workers.starts(s)}
		case "ghost":
			c = Visit{or(t.Ghost.Client, "ghost"), step.Eager || t.Ghost.Protocol == "eager", or(step.For, ghostStays), true}
		case "create":
			c = Create{what, atoi(step.Set["tasks.max"])}
			tasks[what] = atoi(step.Set["tasks.max"])
		case "edit":
			was[what] = tasks[what]
			c = Configure{Connector: what, Tasks: tasks[what]}
		case "scale":
			was[what], tasks[what] = tasks[what], step.Tasks
			c = Configure{Connector: what, Tasks: step.Tasks}
		case "revert":
			tasks[what] = was[what]
			c = Configure{Connector: what, Tasks: was[what]}
		case "delete":
			c = Delete{what}
		default:
			return nil, noVerb(verb)
		}
		out = append(out, Then{c, step.Wait, step.Until == "nothing"})
	}
	return out, nil
}

// Foresee is a dry run: the report that an exercise would have, told without touching anything.
func (t *Trainer) Foresee(ctx context.Context, s *group.State, ex Exercise) (*Report, error) {
	changes, err := t.changes(ctx, s, ex)
	if err != nil {
		return nil, fmt.Errorf("exercise %s: %w", ex.Name, err)
	}
	p, err := t.Workers.Foresee(ctx, s, changes)
	if err != nil {
		return nil, fmt.Errorf("exercise %s: %w", ex.Name, err)
	}
	o := &p.Outcomes[0]
	r := &Report{Exercise: ex.Name, Group: s.Group, Mode: s.Round().Mode, From: p.Seq, Doubts: slices.Concat(o.Warnings, o.Doubts)}
	first := len(o.State.Rounds) - len(o.Rounds)
	from, begun := o.State.Rounds[first-1].Seq, 0
	for i, step := range ex.Steps {
		to := o.State.Rounds[first-1+o.Parts[i]].Seq
		line := StepReport{Do: step.String(), State: StepForeseen, Sum: sum(o.State, from, to), from: from}
		line.Sum.price(o.Rounds[begun:o.Parts[i]])
		begun = o.Parts[i]
		r.Steps = append(r.Steps, line)
		r.Total.add(line.Sum)
		from = to
	}
	return r, nil
}
