package virtual

import (
	"time"

	"regroup/decode"
	"regroup/internal/lab/rules"
)

// herder is the one thing in a worker that does what matters, in rounds of one tick. Where Connect's waits, ours plans to go on:
// then is what follows.
type herder struct {
	rules.Work

	assignment *decode.Assignment
	claimed    int32     // generation that its statuses carry
	scheduled  time.Time // when to join again because of a delay; zero: never
	keyEnds    time.Time // when the leader has to write another session key; zero: never
	requests   []request

	turn    int    // of waits that can be broken off
	parked  bool   // waits for something to happen
	poked   bool   // something happened before it waited
	blocked bool   // in something that is not broken off
	last    func() // what a polite end has it do
}

// request is something that the herder does when it comes to it, not before at.
type request struct {
	at time.Time
	do func(then func())
}

func newHerder() herder {
	return herder{Work: rules.NewWork()}
}

// sleep goes on later unless the wait is broken off.
func (w *worker) sleep(d time.Duration, then func()) {
	turn := w.turn
	w.after(d, func() {
		if w.turn == turn {
			then()
		}
	})
}

// block goes on when something is over that nothing breaks off.
func (w *worker) block(f func(over func()), then func()) {
	w.blocked = true
	f(func() {
		w.blocked = false
		if w.last != nil {
			w.last()
			return
		}
		then()
	})
}

// end has the herder leave whatever it waits for, stop everything, leave the group and be gone.
func (w *worker) end(gone func()) {
	w.last = func() {
		w.last = nil
		w.stopUnits(w.everything(), func() {
			w.after(flushTime, func() {
				w.leave()
				w.die()
				gone()
			})
		})
	}
	if !w.blocked {
		w.turn++
		w.parked = false
		w.last()
	}
}

// tick joins where that is needed, does what was asked for, and waits for something to happen.
func (w *worker) tick() {
	w.ensureActive(func() {
		w.settle(func(settled bool) {
			if !settled {
				w.tick()
				return
			}
			w.rotateKey(func() { w.serve(w.act) })
		})
	})
}

func (w *worker) act() {
	if !w.scheduled.IsZero() {
		w.Resolved = false
	}
	w.applyChanges(func(joinFirst bool) {
		if joinFirst {
			w.tick()
			return
		}
		w.wait()
	})
}

// wait is over when something happens, or is due.
func (w *worker) wait() {
	if w.rejoinNeeded() || w.news.any() {
		w.goOn()
		return
	}
	w.parked = true
	if w.poked {
		w.poked = false
		w.unpark()
		return
	}
	if until := w.next(); !until.IsZero() {
		turn := w.turn
		w.after(until.Sub(w.s.now), func() {
			if w.turn == turn && w.parked {
				w.unpark()
			}
		})
	}
}

func (w *worker) unpark() {
	w.parked = false
	w.turn++
	w.sleep(0, w.goOn)
}

func (w *worker) goOn() { w.settle(func(bool) { w.tick() }) }

// poke has the herder look for something to do.
func (w *worker) poke() {
	if !w.parked {
		w.poked = true
		return
	}
	w.unpark()
}

// next is when something is due at the latest; zero: when it comes.
func (w *worker) next() time.Time {
	next := rules.Earlier(w.scheduled, w.keyEnds)
	for _, r := range w.requests {
		next = rules.Earlier(next, r.at)
	}
	return next
}

// want has the herder do something after what it is doing now, and after d.
func (w *worker) want(d time.Duration, do func(then func())) {
	w.requests = append(w.requests, request{w.s.now.Add(d), do})
	w.poke()
}

func (w *worker) serve(then func()) {
	for i, r := range w.requests {
		if !r.at.After(w.s.now) {
			w.requests = append(w.requests[:i:i], w.requests[i+1:]...)
			r.do(func() { w.serve(then) })
			return
		}
	}
	then()
}

// leads says whether the last assignment was the worker's own.
func (w *worker) leads() bool { return w.assignment != nil && w.assignment.Leader == w.id }

// mine lists what the worker holds by the last assignment.
func (w *worker) mine() []decode.Unit {
	if w.assignment == nil {
		return nil
	}
	return decode.Units(w.assignment.Assigned)
}
