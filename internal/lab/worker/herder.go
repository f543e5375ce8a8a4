package worker

import (
	"context"
	"sync"
	"time"

	"regroup/decode"
	"regroup/internal/lab/rules"
)

// herder is the one goroutine that does what matters. What other goroutines look at lies behind mu.
type herder struct {
	rules.Work

	w       *Worker
	canRead bool
	retries int // left before a worker that cannot read the config topic lets go of everything

	mu         sync.Mutex
	assignment *decode.Assignment
	generation int32
	scheduled  time.Time // when to join again because of a delay; zero: never
	keyEnds    time.Time // when the leader has to write another session key; zero: never
	requests   []request
	interrupt  context.CancelFunc
	last       func() // what a polite end has it do
	protocol   string // of the last join
}

// request is a task for the herder, not before at.
type request struct {
	at time.Time
	do func()
}

// readRetries is how often a cooperative worker tries to read the config topic before it lets go.
const readRetries = 5

func newHerder(w *Worker) *herder {
	return &herder{w: w, Work: rules.NewWork(), canRead: true, retries: readRetries}
}

func (h *herder) run(ctx context.Context) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	h.mu.Lock()
	h.interrupt = cancel
	ended := h.last != nil
	h.mu.Unlock()
	for !ended && inner.Err() == nil {
		h.w.gate.pass(inner)
		h.tick(inner)
	}
	h.mu.Lock()
	last := h.last
	h.mu.Unlock()
	if ctx.Err() == nil && last != nil {
		last()
	}
}

// end has the herder leave whatever it waits for, do one thing more, and do nothing ever after.
func (h *herder) end(last func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = last
	if h.interrupt != nil {
		h.interrupt()
	}
}

// tick joins where that is needed, does what was asked for, and waits for something to happen.
func (h *herder) tick(ctx context.Context) {
	if !h.canRead && !h.readConfigs(ctx) {
		return
	}
	h.w.member.ensureActive(ctx)
	if ctx.Err() != nil || !h.settle(ctx) {
		return
	}
	h.rotateKey(ctx)
	h.serve()
	h.restartUnits()
	if !h.due().IsZero() {
		h.Resolved = false
	}
	if h.applyChanges() {
		return
	}
	h.wait(ctx)
	if ctx.Err() == nil {
		h.settle(ctx)
	}
}

func (h *herder) wait(ctx context.Context) {
	if h.w.member.rejoinNeeded() || h.w.configs.pending() {
		return
	}
	until := h.next()
	var up <-chan time.Time
	if !until.IsZero() {
		t := time.NewTimer(time.Until(until))
		defer t.Stop()
		up = t.C
	}
	select {
	case <-ctx.Done():
	case <-h.w.pokes:
	case <-up:
	}
	h.w.member.letGoIfAway()
}

// next is when something is due at the latest; zero: when it comes.
func (h *herder) next() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	next := rules.Earlier(h.scheduled, h.keyEnds)
	for _, r := range h.requests {
		next = rules.Earlier(next, r.at)
	}
	return next
}

func (h *herder) due() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.scheduled
}

// ask has the herder do something after what it is doing now, and after d.
func (h *herder) ask(d time.Duration, do func()) {
	h.mu.Lock()
	h.requests = append(h.requests, request{time.Now().Add(d), do})
	h.mu.Unlock()
	h.w.poke()
}

func (h *herder) serve() {
	for {
		do := h.pop()
		if do == nil {
			return
		}
		do()
	}
}

func (h *herder) pop() func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	for i, r := range h.requests {
		if !r.at.After(now) {
			h.requests = append(h.requests[:i:i], h.requests[i+1:]...)
			return r.do
		}
	}
	return nil
}

// leads says whether the last assignment was the worker's own.
func (h *herder) leads() bool {
	id, _ := h.w.member.place()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.assignment != nil && h.assignment.Leader == id
}

func (h *herder) protocolNow() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.protocol
}

func (h *herder) leaderURL() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.assignment == nil {
		return ""
	}
	return h.assignment.LeaderURL
}

// holds says whether the unit is the worker's own by the last assignment.
func (h *herder) holds(u decode.Unit) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.assignment == nil {
		return false
	}
	for _, s := range h.assignment.Assigned {
		if s.Connector != u.Connector {
			continue
		}
		for _, t := range s.Tasks {
			if t == u.Task {
				return true
			}
		}
	}
	return false
}

// mine lists what the worker holds by the last assignment.
func (h *herder) mine() []decode.Unit {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.assignment == nil {
		return nil
	}
	return decode.Units(h.assignment.Assigned)
}

func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
