package herder

import (
	"time"

	"regroup/decode"
	"regroup/group/assign"
)

// Options of a herder.
type Options struct {
	Group, URL string
	Speaks     string // connect.protocol
	Rules      assign.AssignorVersion
	Old        bool          // a worker of 2.2 and before, which keeps its work while the coordinator is away
	Lag        time.Duration // how much later than it could it joins

	Heartbeat, Session, Rebalance   time.Duration
	MaxDelay, KeyTTL, UnsyncBackoff time.Duration
	// History is what the config topic had up to an offset. Only the leader that KIP-415 proposed looks at it.
	History func(offset int64) assign.Config
}

// Times that Connect takes.
const (
	joinTime         = time.Millisecond       // between two joins that it wants at once; a worker with another config topic does nothing else all day
	RetryBackoff     = 100 * time.Millisecond // retry.backoff.ms
	readRetries      = 5                      // of a cooperative worker that cannot read the config topic, until it lets go
	reconfigureFirst = 250 * time.Millisecond
	reconfigureMost  = time.Minute
)

// ReconfigureBackoff is how long a worker waits after an attempt, from 0, before it asks again for a connector's tasks to be written.
func ReconfigureBackoff(attempt int) time.Duration {
	return min(reconfigureFirst<<min(attempt, 8), reconfigureMost)
}

// Herder decides what one worker does. It is not safe for concurrent use.
type Herder struct {
	Place

	opt     Options
	configs Configs
	work    work

	now    time.Time // of the call of Next
	answer Answer    // to the last effect
	plan   []step    // left of this tick

	leader    assign.LeaderState // what it remembers as a leader
	joined    assign.Config      // the configs when it last joined
	completed int32              // generation of the last completed join, -1 before any
	again     bool               // as a leader it decided a round that another has to follow
	scheduled time.Time          // when to join again because of a delay; zero: never
	keyEnds   time.Time          // when the leader has to write another session key; zero: never
	away      time.Time          // since when the coordinator cannot be reached; zero: it can
	unread    bool               // it could not read the config topic
	retries   int                // left before it lets go because of that
	requests  []request
}

// step is a part of the herder's tick. It gives the effect that the plan waits for; nil: it goes on at once.
type step func() Effect

// request is something that the herder does when it comes to it, not before at.
type request struct {
	at time.Time
	do func(done func())
}

// New is the herder of a new process.
func New(opt Options, configs Configs) *Herder {
	return &Herder{
		Place: Place{Protocol: decode.Offers(opt.Speaks)[0], rejoin: true},
		opt:   opt, configs: configs, work: newWork(), completed: -1, retries: readRetries,
		leader: assign.New(opt.Rules, int32(opt.MaxDelay.Milliseconds())),
	}
}

// Next takes in the answer to the last effect, and gives the next one. Ticks follow each other without end.
func (h *Herder) Next(now time.Time, answer Answer) Effect {
	h.now, h.answer = now, answer
	for {
		if len(h.plan) == 0 {
			h.plan = []step{
				h.catchUp, h.letGoIfAway, h.active, h.settle, h.rotateKey, h.serve, h.applyChanges, h.wait, h.letGoIfAway, h.settle,
			}
		}
		next := h.plan[0]
		h.plan = h.plan[1:]
		if e := next(); e != nil {
			return e
		}
	}
}

// first puts steps before the rest of the plan.
func (h *Herder) first(steps ...step) Effect {
	h.plan = append(steps, h.plan...)
	return nil
}

// await gives an effect after which steps come before the rest of the plan.
func (h *Herder) await(e Effect, then ...step) Effect {
	h.first(then...)
	return e
}

// instead drops the rest of the tick.
func (h *Herder) instead(steps ...step) Effect {
	h.plan = steps
	return nil
}

// wait is over when something happens, or is due.
func (h *Herder) wait() Effect {
	if h.MustJoin() || h.configs.Pending() {
		return nil
	}
	until := earlier(h.scheduled, h.keyEnds)
	for _, r := range h.requests {
		until = earlier(until, r.at)
	}
	return Wait{until}
}

// Want has the herder do something after what it is doing now, and not before at. The driver ends a Wait.
func (h *Herder) Want(at time.Time, do func(done func())) {
	h.requests = append(h.requests, request{at, do})
}

func (h *Herder) serve() Effect {
	for i, r := range h.requests {
		if !r.at.After(h.now) {
			h.requests = append(h.requests[:i:i], h.requests[i+1:]...)
			return h.await(Serve{r.do}, h.serve)
		}
	}
	return nil
}

// rotateKey has the leader of a sessioned group write a session key when there is none, or it is too old.
func (h *Herder) rotateKey() Effect {
	h.keyEnds = time.Time{}
	if !h.Leads() || h.Protocol != decode.ProtocolSessioned {
		return nil
	}
	h.keyEnds = h.configs.KeyCreated().Add(h.opt.KeyTTL)
	if h.keyEnds.After(h.now) {
		return nil
	}
	h.keyEnds = h.now.Add(h.opt.KeyTTL)
	return WriteKey{}
}

// Idle reports whether the herder will do nothing more by itself.
func (h *Herder) Idle() bool {
	return h.work.resolved && !h.MustJoin() && !h.configs.Pending() && h.scheduled.IsZero() && len(h.requests) == 0
}
