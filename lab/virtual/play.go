package virtual

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"regroup/exercise"
)

// settleLimit is how long a group may take to settle before the exercise gives up on it.
const settleLimit = 6 * time.Hour

// Player plays exercises on a Sim.
type Player struct {
	s    *Sim
	last string // the worker, or connector, that the last step with one was about
}

// Play begins an exercise on a group that is settled, or not.
func (s *Sim) Play() *Player { return &Player{s: s} }

// Settle lets time pass until nothing more will happen by itself.
func (s *Sim) Settle() error { return s.until(s.quiet, settleLimit, "settled") }

// quiet says whether all workers that are up are members and idle, and nothing is due.
func (s *Sim) quiet() bool {
	up := 0
	for _, w := range s.fleet {
		if !w.alive {
			continue
		}
		up++
		if !w.parked || w.frozen || !w.resolved || w.rejoinNeeded() || w.news.any() || !w.scheduled.IsZero() || len(w.requests) > 0 || !s.in[w.id] {
			return false
		}
	}
	return up == len(s.in) && !s.starting()
}

// starting says whether a unit that somebody holds has not said yet how it does.
func (s *Sim) starting() bool {
	for _, w := range s.fleet {
		if w.alive && w.busy > 0 {
			return true
		}
	}
	return false
}

// Step does one step of an exercise. It is over when what it asks for is done, which is before the group has settled.
func (p *Player) Step(step exercise.Step) error {
	do := steps[step.Do]
	if do == nil {
		return fmt.Errorf("%s: there is no such step", step.Do)
	}
	if err := do(p, step); err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	return nil
}

var steps = map[exercise.Verb]func(*Player, exercise.Step) error{
	exercise.Add: (*Player).add, exercise.Stop: (*Player).stop, exercise.Start: (*Player).start, exercise.Kill: (*Player).kill,
	exercise.Freeze: (*Player).freeze, exercise.Edit: (*Player).edit, exercise.Scale: (*Player).scale, exercise.Create: (*Player).create,
	exercise.Delete: (*Player).delete,
	exercise.Wait:   func(p *Player, step exercise.Step) error { p.s.Run(step.For); return nil },
	exercise.Settle: func(p *Player, step exercise.Step) error {
		return p.s.until(p.s.quiet, cmp.Or(step.For, settleLimit), "settled")
	},
}

func (p *Player) add(step exercise.Step) error {
	name := step.Of
	if name == "" {
		name = p.s.freeName()
	}
	if p.s.worker(name) != nil {
		return fmt.Errorf("worker %s is there already", name)
	}
	p.last = name
	p.s.place(name, p.s.opt.Eager || step.Eager).up()
	return nil
}

func (p *Player) stop(step exercise.Step) error {
	w, err := p.up(step.Of)
	if err != nil {
		return err
	}
	if w.frozen {
		w.wake()
	}
	gone := false
	w.end(func() { gone = true })
	return p.s.until(func() bool { return gone }, settleLimit, w.name+" gone")
}

func (p *Player) start(step exercise.Step) error {
	w, err := p.pick(step.Of)
	switch {
	case err != nil:
		return err
	case w.alive:
		return fmt.Errorf("worker %s is there already", w.name)
	}
	w.up()
	return nil
}

func (p *Player) kill(step exercise.Step) error {
	w, err := p.up(step.Of)
	if err == nil {
		w.crash()
	}
	return err
}

func (p *Player) freeze(step exercise.Step) error {
	w, err := p.up(step.Of)
	if err != nil {
		return err
	}
	w.freeze()
	p.s.Run(step.For)
	w.wake()
	return nil
}

// up finds a worker that is there.
func (p *Player) up(of string) (*worker, error) {
	w, err := p.pick(of)
	if err == nil && !w.alive {
		err = fmt.Errorf("worker %s is gone", w.name)
	}
	return w, err
}

func (p *Player) pick(of string) (*worker, error) {
	var w *worker
	switch of {
	case exercise.Leader:
		w = p.s.leading()
	case exercise.Follower:
		w = p.s.following()
	case exercise.Last:
		w = p.s.worker(p.last)
	default:
		w = p.s.worker(of)
	}
	if w == nil {
		return nil, fmt.Errorf("there is no %s among the workers", of)
	}
	p.last = w.name
	return w, nil
}

func (s *Sim) leading() *worker {
	for _, w := range s.fleet {
		if w.alive && w.leads() {
			return w
		}
	}
	return nil
}

// following is the first worker that does not lead; where there is one worker, that.
func (s *Sim) following() *worker {
	var lone *worker
	for _, w := range s.fleet {
		if w.alive && !w.leads() {
			return w
		}
		if w.alive {
			lone = w
		}
	}
	return lone
}

func (p *Player) connector(of string) (string, error) {
	switch {
	case of == exercise.Some:
		names := p.s.topic.now().names()
		if len(names) == 0 {
			return "", fmt.Errorf("there are no connectors")
		}
		of = names[0]
	case of == exercise.Last:
		of = p.last
	}
	if _, ok := p.s.topic.now().connectors[of]; !ok {
		return "", noConnector(of)
	}
	p.last = of
	return of, nil
}

func (p *Player) edit(step exercise.Step) error {
	name, err := p.connector(step.Of)
	if err != nil {
		return err
	}
	return p.s.put(name, func(was connector, _ bool) (connector, error) {
		was.edits++
		return was, nil
	})
}

func (p *Player) scale(step exercise.Step) error {
	name, err := p.connector(step.Of)
	if err != nil {
		return err
	}
	return p.s.put(name, func(was connector, _ bool) (connector, error) {
		to := step.Tasks
		if step.More != 0 {
			to = was.max + step.More
		}
		was.max = max(to, 1)
		was.edits++
		return was, nil
	})
}

func (p *Player) create(step exercise.Step) error {
	name := step.Of
	if name == "" {
		name = p.s.freeConnector()
	}
	p.last = name
	return p.s.put(name, func(_ connector, there bool) (connector, error) {
		if there {
			return connector{}, fmt.Errorf("connector %s is there already", name)
		}
		return connector{max: step.Tasks, committed: -1}, nil
	})
}

func (s *Sim) freeConnector() string {
	names := s.topic.now().names()
	for n := 1; ; n++ {
		if name := fmt.Sprintf("new-%d", n); !slices.Contains(names, name) {
			return name
		}
	}
}

func (p *Player) delete(step exercise.Step) error {
	name, err := p.connector(step.Of)
	if err != nil {
		return err
	}
	return p.s.remove(name)
}
