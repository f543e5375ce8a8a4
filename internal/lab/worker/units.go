package worker

import (
	"context"
	"fmt"
	"sync"

	"regroup/decode"
)

// units is what runs in this process, whatever the group says about it.
type units struct {
	w  *Worker
	mu sync.Mutex
	on map[decode.Unit]*unit
}

// unit is a connector instance or a task that was started here and has not been stopped.
type unit struct {
	stop   context.CancelFunc
	ended  chan struct{}
	target chan string // newest target state; size 1
	failed bool        // read once ended is closed
}

func newUnits(w *Worker) *units { return &units{w: w, on: map[decode.Unit]*unit{}} }

// start starts a unit; how that ends is in its status.
func (s *units) start(u decode.Unit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.on[u] != nil {
		s.w.statuses.put(u, decode.Failed, alreadyThere(u))
		return
	}
	ctx, cancel := context.WithCancel(s.w.ctx)
	run := &unit{stop: cancel, ended: make(chan struct{}), target: make(chan string, 1)}
	s.on[u] = run
	s.w.tasks.Run("unit "+u.String(), func(context.Context) {
		defer close(run.ended)
		s.run(ctx, u, run)
	})
}

// alreadyThere is what a worker says that is given a unit which it still runs: a downgrade to eager leaves such behind.
func alreadyThere(u decode.Unit) string {
	const thrown = "org.apache.kafka.connect.errors.ConnectException: "
	if u.IsInstance() {
		return thrown + "Connector with name " + u.Connector + " already exists"
	}
	return fmt.Sprintf("%sTask already exists in this worker: %s-%d\n\tat org.apache.kafka.connect.runtime.Worker.startTask(Worker.java)", thrown, u.Connector, u.Task)
}

func (s *units) run(ctx context.Context, u decode.Unit, run *unit) {
	p := s.plan(u)
	if !sleep(ctx, p.start) {
		return
	}
	s.w.gate.pass(ctx)
	if p.trace != "" {
		run.failed = true
		s.w.statuses.put(u, decode.Failed, p.trace)
		<-ctx.Done()
		return
	}
	target := p.target
	for {
		s.w.statuses.put(u, stateFor(u, target), "")
		if u.IsInstance() && target == decode.TargetStarted {
			s.w.herder.ask(0, func() { s.w.reconfigure(u.Connector, 0) })
		}
		select {
		case <-ctx.Done():
			s.w.gate.pass(s.w.ctx)
			return
		case target = <-run.target:
		}
	}
}

func stateFor(u decode.Unit, target string) string {
	switch {
	case target == decode.TargetPaused:
		return decode.Paused
	case target == decode.TargetStopped && u.IsInstance():
		return decode.Stopped
	case target == decode.TargetStopped:
		return decode.Paused
	}
	return decode.Running
}

// stop stops units side by side and returns when all have stopped. A unit that failed has nothing to say.
func (s *units) stop(list []decode.Unit) {
	var wg sync.WaitGroup
	for _, u := range list {
		s.mu.Lock()
		run := s.on[u]
		s.mu.Unlock()
		if run == nil {
			continue
		}
		wg.Add(1)
		if !s.w.tasks.Run("stopping "+u.String(), func(ctx context.Context) {
			defer wg.Done()
			run.stop()
			<-run.ended
			stopped := sleep(ctx, s.plan(u).stop)
			s.w.gate.pass(ctx)
			if stopped && !run.failed {
				s.w.statuses.put(u, decode.Unassigned, "")
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.on, u)
		}) {
			wg.Done()
		}
	}
	wg.Wait()
}

// setTarget tells what runs here of a connector.
func (s *units) setTarget(name, target string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for u, run := range s.on {
		if u.Connector != name {
			continue
		}
		select { // an older wish that nobody has read yet is out of date
		case <-run.target:
		default:
		}
		run.target <- target
	}
}

// everything lists what runs here.
func (s *units) everything() []decode.Unit {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]decode.Unit, 0, len(s.on))
	for u := range s.on {
		out = append(out, u)
	}
	return decode.SortUnits(out)
}
