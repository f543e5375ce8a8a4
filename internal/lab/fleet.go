package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"regroup/internal/lab/worker"
)

// place is where a worker is, or was and may come back: it keeps its name and its URL.
type place struct {
	opt    worker.Options
	worker *worker.Worker // nil: gone
	url    string
	frozen bool
}

// State says how a worker of the lab is.
type State string

// The states.
const (
	Up     State = "up"
	Frozen State = "frozen"
	Gone   State = "gone"
)

// Member is a worker of the lab.
type Member struct {
	Name  string
	URL   string
	ID    string // in the group; "" while it has none
	State State
}

// Workers lists the lab's workers in the order in which they came, also those that are gone.
func (l *Lab) Workers() []Member {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]Member, 0, len(l.order))
	for _, name := range l.order {
		p := l.fleet[name]
		m := Member{Name: name, URL: p.url, State: Gone}
		if p.worker != nil {
			m.ID, m.State = p.worker.Member(), Up
			if p.frozen {
				m.State = Frozen
			}
		}
		out = append(out, m)
	}
	return out
}

// Add starts one more worker and gives its name.
func (l *Lab) Add(ctx context.Context, opt WorkerOptions) (string, error) {
	l.mu.Lock()
	if opt.Name == "" {
		opt.Name = l.freeName()
	}
	if l.fleet[opt.Name] != nil {
		l.mu.Unlock()
		return "", fmt.Errorf("worker %s is there already", opt.Name)
	}
	p := &place{opt: l.options(opt)}
	l.fleet[opt.Name] = p
	l.order = append(l.order, opt.Name)
	l.mu.Unlock()
	return opt.Name, l.up(ctx, p)
}

func (l *Lab) freeName() string {
	for n := 1; ; n++ {
		if name := fmt.Sprintf("worker-%d", n); l.fleet[name] == nil {
			return name
		}
	}
}

func (l *Lab) options(o WorkerOptions) worker.Options {
	out := worker.Options{
		Name: o.Name, Group: l.opt.Group, Brokers: l.Brokers(), Net: l.net, Port: o.Port,
		Version: o.Version, Topics: l.topics, Heartbeat: l.opt.Heartbeat, Session: l.opt.Session, Rebalance: l.opt.Rebalance,
		MaxDelay: l.opt.Delay, Lag: o.Lag, Fail: o.Fail,
	}
	out.Start = cmp.Or(o.Start, l.opt.Start, startTime)
	out.Stop = cmp.Or(o.Stop, l.opt.Stop, stopTime)
	out.Protocol = cmp.Or(o.Protocol, l.opt.Protocol)
	out.Rules = cmp.Or(o.Rules, l.opt.Rules)
	if o.ConfigTopic != "" {
		out.Topics.Config = o.ConfigTopic
	}
	return out
}

// up starts the worker of a place.
func (l *Lab) up(ctx context.Context, p *place) error {
	if p.opt.Topics.Config != l.topics.Config {
		if err := l.broker.CreateTopic(ctx, p.opt.Topics.Config, worker.ConfigPartitions, map[string]string{"cleanup.policy": "compact"}); err != nil {
			return err
		}
	}
	w, err := worker.Start(ctx, p.opt)
	if err != nil {
		return err
	}
	l.mu.Lock()
	closed := l.closed
	if !closed {
		p.worker, p.opt, p.url, p.frozen = w, w.Options(), w.URL(), false
	}
	l.mu.Unlock()
	if closed {
		return errors.Join(errors.New("the lab is closed"), w.Kill())
	}
	return nil
}

// take gives the worker of that name and marks it gone.
func (l *Lab) take(name string) (*worker.Worker, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, err := l.running(name)
	if err != nil {
		return nil, err
	}
	w := p.worker
	p.worker, p.frozen = nil, false
	return w, nil
}

func (l *Lab) running(name string) (*place, error) {
	p := l.fleet[name]
	switch {
	case p == nil:
		return nil, fmt.Errorf("no worker %s in the lab", name)
	case p.worker == nil:
		return nil, fmt.Errorf("worker %s is gone", name)
	}
	return p, nil
}

// Kill is a crash: nobody is told, and the group notices when the session is over.
func (l *Lab) Kill(name string) error {
	w, err := l.take(name)
	if err != nil {
		return err
	}
	return w.Kill()
}

// Stop is a polite end: the worker stops its work and leaves the group.
func (l *Lab) Stop(ctx context.Context, name string) error {
	w, err := l.take(name)
	if err != nil {
		return err
	}
	return w.Stop(ctx)
}

// Return starts a worker that is gone again, with its name and its URL.
func (l *Lab) Return(ctx context.Context, name string) error {
	l.mu.Lock()
	p := l.fleet[name]
	l.mu.Unlock()
	switch {
	case p == nil:
		return fmt.Errorf("no worker %s in the lab", name)
	case p.worker != nil:
		return fmt.Errorf("worker %s is there already", name)
	}
	return l.up(ctx, p)
}

// Bounce stops a worker politely and starts it again after a while.
func (l *Lab) Bounce(ctx context.Context, name string, after time.Duration) error {
	if err := l.Stop(ctx, name); err != nil {
		return err
	}
	if err := pause(ctx, after); err != nil {
		return err
	}
	return l.Return(ctx, name)
}

// Freeze stops a worker where it stands, its sockets open, as SIGSTOP or a long garbage collection does.
func (l *Lab) Freeze(name string) error { return l.setFrozen(name, true) }

// Wake lets a frozen worker go on.
func (l *Lab) Wake(name string) error { return l.setFrozen(name, false) }

func (l *Lab) setFrozen(name string, frozen bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, err := l.running(name)
	if err != nil {
		return err
	}
	p.frozen = frozen
	if frozen {
		p.worker.Freeze()
	} else {
		p.worker.Wake()
	}
	return nil
}
