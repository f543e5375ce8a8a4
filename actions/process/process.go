package process

import (
	"context"
	"errors"
	"fmt"
	"time"

	"regroup/actions/act"

	"regroup/actions/foresight"
	"regroup/group"
)

// Reacher finds the process of a worker: on this machine, through a command, or in the lab.
type Reacher interface {
	// Reach gives the worker's process, or says why it must not, or cannot, be touched this way.
	Reach(ctx context.Context, s *group.State, w group.Worker) (Process, error)
}

// Process is a worker's. What it cannot do is an error of errors.ErrUnsupported's kind.
type Process interface {
	String() string // "process 21847 on this machine"
	// Terminate asks it to end; it stops its work and leaves the group.
	Terminate(ctx context.Context) error
	// Kill ends it without a word.
	Kill(ctx context.Context) error
	// Freeze holds it up until thaw is called, or this program has ended, however it does.
	Freeze(ctx context.Context) (thaw func() error, err error)
	// Again starts it again, as the same worker, after it has ended.
	Again(ctx context.Context) error
}

// Reach asks one Reacher after the other; where none will do, the error has the reasons of all.
func (k *Workers) Reach(ctx context.Context, s *group.State, w group.Worker) (Process, error) {
	var why []error
	for _, r := range k.Reachers {
		p, err := r.Reach(ctx, s, w)
		if err == nil {
			return p, nil
		}
		why = append(why, err)
	}
	if len(why) == 0 {
		return nil, fmt.Errorf("worker %s: no way to reach its process is given", w.Name)
	}
	return nil, errors.Join(why...)
}

// Stop sends TERM to a worker's process: it stops its units and leaves the group.
func (k *Workers) Stop(ctx context.Context, w group.Worker) (act.Action, error) {
	return k.signal(ctx, w, Stopping)
}

// Kill sends KILL to a worker's process: the group notices when its session is over.
func (k *Workers) Kill(ctx context.Context, w group.Worker) (act.Action, error) {
	return k.signal(ctx, w, Killing)
}

func (k *Workers) signal(ctx context.Context, w group.Worker, prepare func(group.Worker, Process) act.Action) (act.Action, error) {
	p, err := k.Reach(ctx, k.Watch.State(), w)
	if err != nil {
		return act.Action{}, err
	}
	return prepare(w, p), nil
}

// Stopping ends a process that was found, politely.
func Stopping(w group.Worker, p Process) act.Action {
	return act.Action{
		Verb: "stop", Target: w.Name, Destructive: true, Change: foresight.Stop{Worker: w.ID},
		Harm: p.String() + " gets TERM: it stops its units and leaves the group",
		Do: func(ctx context.Context, _ func(string)) (string, error) {
			return "TERM to " + p.String(), p.Terminate(ctx)
		},
	}
}

// Killing ends a process that was found, without a word.
func Killing(w group.Worker, p Process) act.Action {
	return act.Action{
		Verb: "kill", Target: w.Name, Destructive: true, Change: foresight.Crash{Worker: w.ID},
		Harm: p.String() + " gets KILL: it does not stop its units, and the group notices when its session is over",
		Do: func(ctx context.Context, _ func(string)) (string, error) {
			return "KILL to " + p.String(), p.Kill(ctx)
		},
	}
}

// Freeze holds a worker's process up for a while, as a long garbage collection does.
func (k *Workers) Freeze(ctx context.Context, w group.Worker, d time.Duration) (act.Action, error) {
	p, err := k.Reach(ctx, k.Watch.State(), w)
	if err != nil {
		return act.Action{}, err
	}
	return Freezing(w, p, d), nil
}

// Freezing stops a process that was found for a while, and has it go on.
func Freezing(w group.Worker, p Process, d time.Duration) act.Action {
	return act.Action{
		Verb: "freeze", Target: w.Name, Destructive: true, Change: foresight.Freeze{Worker: w.ID, For: d},
		Harm: fmt.Sprintf("%s is held up for %s", p, d),
		Do: func(ctx context.Context, tell func(string)) (answer string, err error) {
			thaw, err := p.Freeze(ctx)
			if err != nil {
				return "", err
			}
			defer func() { err = errors.Join(err, thaw()) }() // also on a panic
			tell(fmt.Sprintf("%s is frozen for %s", p, d))
			timer := time.NewTimer(d)
			defer timer.Stop()
			select {
			case <-timer.C:
				return fmt.Sprintf("%s was frozen for %s", p, d), nil
			case <-ctx.Done():
				return "", fmt.Errorf("freeze %s: it goes on earlier: %w", w.Name, ctx.Err())
			}
		},
	}
}

// FreezeTime is how long a worker is frozen: where it is not told, longer than anybody waits for it.
func (k *Workers) FreezeTime(ctx context.Context, s *group.State, w group.Worker, told time.Duration) time.Duration {
	if told > 0 {
		return told
	}
	session := s.SessionTimeout(w.ID)
	if session == 0 {
		session = foresight.DefaultSession
	}
	return session + k.MaxDelay(ctx, s) + 2*foresight.Heartbeat
}
