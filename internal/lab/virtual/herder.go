package virtual

import (
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group/assign"
	"regroup/internal/lab/herder"
)

// waiting is how a worker's herder waits for its last effect.
type waiting struct {
	turn    int    // of waits that can be broken off
	parked  bool   // waits for something to happen
	poked   bool   // something happened before it waited
	blocked bool   // in something that is not broken off
	last    func() // what a polite end has it do
}

func (w *worker) newHerder() *herder.Herder {
	o := &w.s.opt
	return herder.New(herder.Options{
		Group: o.Group, URL: w.url(), Speaks: w.speaks(), Rules: o.Rules,
		Heartbeat: o.Heartbeat, Session: o.Session, Rebalance: o.Rebalance, MaxDelay: o.Delay, KeyTTL: keyTTL,
		History: func(offset int64) assign.Config { return w.s.topic.at(offset).config() },
	}, w)
}

// next has the herder's next effect happen, and goes on when that is done.
func (w *worker) next(a herder.Answer) {
	switch e := w.Next(w.s.now, a).(type) {
	case herder.Ask:
		life, turn := w.life, w.turn
		w.s.ask(w.client(), e.Request, func(resp kmsg.Response) {
			w.happen(life, func() {
				if w.turn == turn {
					w.next(herder.Answer{Response: resp})
				}
			})
		})
	case herder.Sleep:
		w.sleep(e.For)
	case herder.Wait:
		w.wait(e.Until)
	case herder.Stop:
		units := e.Units
		if e.Everything {
			units = w.everything()
		}
		w.block(func(over func()) { w.stopUnits(units, over) }, w.goOn)
	case herder.Start:
		w.startUnits(e.Units)
		w.goOn()
	case herder.DeleteStatuses:
		w.deleteStatuses(e)
		w.goOn()
	case herder.WriteKey:
		w.writeKey(w.goOn)
	case herder.Serve:
		e.Do(w.goOn)
	case herder.ReadConfigs, herder.SetTarget: // it reads at once, and nothing here has a target state
		w.goOn()
	}
}

func (w *worker) goOn() { w.next(herder.Answer{}) }

// sleep goes on later unless the wait is broken off.
func (w *worker) sleep(d time.Duration) {
	turn := w.turn
	w.after(d, func() {
		if w.turn == turn {
			w.goOn()
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
				if w.ID != "" {
					w.s.ask(w.client(), herder.Leave(w.s.opt.Group, w.ID), ignored)
				}
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

func ignored(kmsg.Response) {}

// wait is over when something happens, or is due.
func (w *worker) wait(until time.Time) {
	w.parked = true
	if w.poked {
		w.poked = false
		w.unpark()
		return
	}
	if !until.IsZero() {
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
	w.sleep(0)
}

// poke has the herder look for something to do.
func (w *worker) poke() {
	if !w.parked {
		w.poked = true
		return
	}
	w.unpark()
}

// want has the herder do something after what it is doing now, and after d.
func (w *worker) want(d time.Duration, do func(then func())) {
	w.Want(w.s.now.Add(d), do)
	w.poke()
}

// beat is how a worker learns of a rebalance that others began.
func (w *worker) beat() {
	w.after(w.Interval(), w.beat)
	req := w.Heartbeat()
	if req == nil {
		return
	}
	life := w.life
	w.s.ask(w.client(), req, func(resp kmsg.Response) {
		w.happen(life, func() {
			if w.OnHeartbeat(w.s.now, req, herder.Answer{Response: resp}) {
				w.poke()
			}
		})
	})
}

// What the worker has read of the config topic.

func (w *worker) configs() *view { return &w.s.topic.views[w.readTo] }

// Config is what an assignor needs to know of it.
func (w *worker) Config() assign.Config { return w.configs().config() }

// KeyCreated is the session key's; zero: there is none.
func (w *worker) KeyCreated() time.Time { return w.configs().keyCreated }

// Pending reports whether it has read what it has not acted on.
func (w *worker) Pending() bool { return w.news.Any() }

// Take gives that.
func (w *worker) Take() herder.Changes {
	c := w.news
	w.news = herder.Changes{}
	return c
}

// writeKey puts a session key into it.
func (w *worker) writeKey(then func()) {
	created := w.s.now
	record := decode.ConfigRecord{Kind: decode.ConfigSessionKey, Key: "session-key", Algorithm: "HmacSHA256", CreatedAt: created}
	w.write([]decode.ConfigRecord{record}, func(v *view) herder.Changes { v.keyCreated = created; return herder.Changes{} }, then)
}

// write puts records into the config topic, which takes a moment, and goes on when they are read.
func (w *worker) write(records []decode.ConfigRecord, sum func(*view) herder.Changes, then func()) {
	w.block(func(over func()) {
		w.after(appendTime, func() {
			w.s.append(records, sum)
			over()
		})
	}, then)
}
