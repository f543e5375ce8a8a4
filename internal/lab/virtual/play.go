package virtual

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"regroup/actions/exercise"

	"regroup/decode"
	"regroup/internal/lab/herder"
)

// settleLimit is how long a group may take to settle before the exercise gives up on it: five delays, and what joins take.
func (s *Sim) settleLimit() time.Duration {
	return 5*s.opt.Delay + 2*s.opt.Session + 2*s.opt.Rebalance + time.Minute
}

// Player plays the steps of exercises on a Sim, in the words of package actions.
type Player struct {
	s    *Sim
	last *worker              // that was ended
	undo map[string]connector // what connectors were before they were edited
}

// Play begins an exercise.
func (s *Sim) Play() *Player { return &Player{s: s, undo: map[string]connector{}} }

// Settle lets time pass until nothing more will happen by itself.
func (s *Sim) Settle() error { return s.until(s.quiet, s.settleLimit(), "settled") }

// quiet says whether all workers that are up are members and idle, and nothing is due.
func (s *Sim) quiet() bool {
	up := 0
	for _, w := range s.fleet {
		if !w.alive {
			continue
		}
		up++
		if !w.parked || w.frozen || !w.Idle() || w.busy > 0 || !s.in[w.ID] {
			return false
		}
	}
	return up == len(s.in)
}

// Step does one step of an exercise, and waits for what it says.
func (p *Player) Step(step exercise.Step) error {
	verb, what, _ := strings.Cut(strings.TrimSpace(step.Do), " ")
	do := verbs[verb]
	if do == nil {
		return fmt.Errorf("step %s: nobody can do that in a simulation", decode.Printable(step.Do))
	}
	p.s.Run(step.Wait)
	err := do(p, strings.TrimSpace(what), step)
	if err == nil && step.Until != "nothing" {
		err = p.s.until(p.s.quiet, cmp.Or(step.Limit, p.s.settleLimit()), "settled")
	}
	if err != nil {
		return fmt.Errorf("step %s: %w", decode.Printable(step.String()), err)
	}
	return nil
}

var verbs = map[string]func(p *Player, what string, step exercise.Step) error{
	"add": (*Player).add, "stop": (*Player).stop, "start": (*Player).start, "kill": (*Player).crash, "crash": (*Player).crash, "evict": (*Player).evict,
	"freeze": (*Player).freeze, "ghost": (*Player).ghost, "edit": (*Player).edit, "scale": (*Player).scale, "create": (*Player).create,
	"revert": (*Player).revert, "delete": (*Player).delete,
}

func (p *Player) add(what string, step exercise.Step) error {
	if what == "" {
		what = p.s.freeName()
	}
	if p.s.worker(what) != nil {
		return fmt.Errorf("worker %s is there already", what)
	}
	p.s.place(what, p.s.opt.Eager || step.Eager).up()
	return nil
}

func (p *Player) stop(what string, _ exercise.Step) error {
	w, err := p.up(what)
	if err != nil {
		return err
	}
	p.last = w
	return p.end(w)
}

func (p *Player) end(w *worker) error {
	if w.frozen {
		w.wake()
	}
	gone := false
	w.end(func() { gone = true })
	return p.s.until(func() bool { return gone }, p.s.settleLimit(), w.name+" gone")
}

func (p *Player) start(what string, _ exercise.Step) error {
	w := p.last
	if what != "" {
		w = p.s.worker(what)
	}
	switch {
	case w == nil:
		return fmt.Errorf("worker %q was never there", what)
	case w.alive:
		return fmt.Errorf("worker %s is there already", w.name)
	}
	w.up()
	return nil
}

func (p *Player) crash(what string, _ exercise.Step) error {
	w, err := p.up(what)
	if err == nil {
		p.last = w
		w.crash()
	}
	return err
}

// noticed is how soon somebody who watches sees that a worker is back.
const noticed = 500 * time.Millisecond

// evict puts a worker out of the group as often as told, the next time when it is back.
func (p *Player) evict(what string, step exercise.Step) error {
	w, err := p.up(what)
	if err != nil {
		return err
	}
	for n := range max(1, step.Times) {
		if n > 0 {
			p.s.Run(noticed)
		}
		was := w.ID
		p.s.ask(w.client(), herder.Leave(p.s.opt.Group, was), ignored)
		back := func() bool { return w.ID != was && p.s.in[w.ID] && w.parked }
		if err := p.s.until(back, p.s.settleLimit(), w.name+" back"); err != nil {
			return err
		}
	}
	return nil
}

// freeze holds a worker up, where it is not told how long, for longer than anybody waits for it.
func (p *Player) freeze(what string, step exercise.Step) error {
	w, err := p.up(what)
	if err != nil {
		return err
	}
	w.freeze()
	p.s.Run(cmp.Or(step.For, p.s.opt.Session+p.s.opt.Delay+2*p.s.opt.Heartbeat))
	w.wake()
	return nil
}

// ghost is a worker that joins, stays and leaves within its step. Here it does run what it is given.
func (p *Player) ghost(_ string, step exercise.Step) error {
	w := p.s.place("ghost", p.s.opt.Eager || step.Eager)
	w.up()
	p.s.Run(cmp.Or(step.For, 10*p.s.opt.Heartbeat))
	err := p.end(w)
	p.s.forget(w)
	return err
}

// up finds a worker that is there: the leader, a follower (the first that does not lead, or the only one), or one by name.
func (p *Player) up(what string) (*worker, error) {
	var lone *worker
	for _, w := range p.s.fleet {
		if !w.alive {
			continue
		}
		lone = w
		if w.name == what || what == "leader" && w.Leads() || (what == "follower" || what == "") && !w.Leads() {
			return w, nil
		}
	}
	if lone != nil && (what == "follower" || what == "") {
		return lone, nil
	}
	return nil, fmt.Errorf("worker %q is not there", what)
}

func (p *Player) edit(name string, step exercise.Step) error {
	return p.change(name, func(c *connector) error {
		c.edits++
		if step.Set["tasks.max"] == "" {
			return nil
		}
		n, err := tasksMax(step.Set)
		c.max = n
		return err
	})
}

func (p *Player) scale(name string, step exercise.Step) error {
	return p.change(name, func(c *connector) error {
		c.max = step.Tasks
		c.edits++
		return nil
	})
}

func (p *Player) change(name string, with func(*connector) error) error {
	return p.s.put(name, func(c connector, there bool) (connector, error) {
		if !there {
			return c, fmt.Errorf("there is no connector %s", name)
		}
		p.undo[name] = c
		err := with(&c)
		return c, err
	})
}

func (p *Player) revert(name string, _ exercise.Step) error {
	was, ok := p.undo[name]
	if !ok {
		return fmt.Errorf("connector %s was not edited in this exercise", name)
	}
	return p.s.put(name, func(c connector, there bool) (connector, error) {
		if !there {
			return c, fmt.Errorf("there is no connector %s", name)
		}
		c.max = was.max
		c.edits++ // the tasks are made from yet another config
		return c, nil
	})
}

func (p *Player) create(name string, step exercise.Step) error {
	n, err := tasksMax(step.Set)
	if err != nil {
		return err
	}
	return p.s.put(name, func(c connector, there bool) (connector, error) {
		if there {
			return c, fmt.Errorf("connector %s is there already", name)
		}
		return connector{max: n, committed: -1}, nil
	})
}

// tasksMax reads a config's tasks.max, 1 where there is none, as Connect does. 0 is a simulated connector that has no tasks.
func tasksMax(set map[string]string) (int, error) {
	text := cmp.Or(set["tasks.max"], "1")
	n := 0
	if _, err := fmt.Sscanf(text, "%d", &n); err != nil || n < 0 || n > 1<<20 {
		return 0, errors.New("tasks.max " + text + " is no number of tasks")
	}
	return n, nil
}

func (p *Player) delete(name string, _ exercise.Step) error { return p.s.remove(name) }
