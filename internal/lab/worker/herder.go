package worker

import (
	"context"
	"sync"
	"time"

	"regroup/decode"
	"regroup/internal/lab/herder"
)

// driver is the one goroutine that has the herder's effects happen.
type driver struct {
	w *Worker

	mu        sync.Mutex
	herder    *herder.Herder
	interrupt context.CancelFunc
	last      func() // what a polite end has it do
}

func newDriver(w *Worker) *driver {
	o := &w.opt
	return &driver{w: w, herder: herder.New(herder.Options{
		Group: o.Group, URL: w.url, Speaks: string(o.Protocol), Rules: o.Rules, Old: o.old(), Lag: o.Lag,
		Heartbeat: o.Heartbeat, Session: o.Session, Rebalance: o.Rebalance,
		MaxDelay: o.MaxDelay, KeyTTL: o.KeyTTL, UnsyncBackoff: o.UnsyncBackoff,
	}, w.configs)}
}

func (d *driver) run(ctx context.Context) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	d.mu.Lock()
	d.interrupt = cancel
	ended := d.last != nil
	d.mu.Unlock()
	var a herder.Answer
	for !ended && inner.Err() == nil {
		d.w.gate.pass(inner)
		a = d.do(inner, d.next(a))
	}
	d.mu.Lock()
	last := d.last
	d.mu.Unlock()
	if ctx.Err() == nil && last != nil {
		last()
	}
}

// end has the herder leave whatever it waits for, do one thing more, and do nothing ever after.
func (d *driver) end(last func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last = last
	if d.interrupt != nil {
		d.interrupt()
	}
}

func (d *driver) next(a herder.Answer) herder.Effect {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.herder.Next(time.Now(), a)
}

// do has an effect happen, and returns when that is done.
func (d *driver) do(ctx context.Context, e herder.Effect) (a herder.Answer) {
	switch e := e.(type) {
	case herder.Ask:
		a.Response, a.Err = d.w.cl.Request(ctx, e.Request)
	case herder.ReadConfigs:
		a.Err = d.w.tail.toEnd(ctx, d.w.opt.SyncTimeout, d.w.opt.Topics.Config)
	case herder.Sleep:
		sleep(ctx, e.For)
	case herder.Wait:
		d.wait(ctx, e.Until)
	case herder.Stop:
		units := e.Units
		if e.Everything {
			units = d.w.units.everything()
		}
		d.w.units.stop(units)
		if e.Flush {
			d.w.flush()
		}
	case herder.Start:
		for _, u := range e.Units {
			d.w.units.start(u)
		}
	case herder.SetTarget:
		if _, _, target, ok := d.w.configs.of(e.Connector); ok {
			d.w.units.setTarget(e.Connector, target)
		}
	case herder.DeleteStatuses:
		for _, u := range d.w.statuses.all() {
			if e.Deleted(u) {
				d.w.statuses.forget(u)
			}
		}
	case herder.WriteKey:
		d.w.writeKey(ctx)
	case herder.Serve:
		e.Do(func() {})
	}
	return a
}

func (d *driver) wait(ctx context.Context, until time.Time) {
	var up <-chan time.Time
	if !until.IsZero() {
		t := time.NewTimer(time.Until(until))
		defer t.Stop()
		up = t.C
	}
	select {
	case <-ctx.Done():
	case <-d.w.pokes:
	case <-up:
	}
}

// ask has the herder do something after what it is doing now, and after a time.
func (d *driver) ask(after time.Duration, do func()) {
	d.mu.Lock()
	d.herder.Want(time.Now().Add(after), func(func()) { do() })
	d.mu.Unlock()
	d.w.poke()
}

// place is the worker's in the group just now.
func (d *driver) place() herder.Place {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.herder.Place
}

// heartbeats go on beside the effects.
func (d *driver) heartbeats(ctx context.Context) {
	for {
		d.mu.Lock()
		interval := d.herder.Interval()
		d.mu.Unlock()
		if !sleep(ctx, interval) {
			return
		}
		d.w.gate.pass(ctx)
		d.heartbeat(ctx)
	}
}

func (d *driver) heartbeat(ctx context.Context) {
	d.mu.Lock()
	req := d.herder.Heartbeat()
	d.mu.Unlock()
	if req == nil {
		return
	}
	var a herder.Answer
	a.Response, a.Err = d.w.cl.Request(ctx, req)
	if ctx.Err() != nil {
		return
	}
	d.mu.Lock()
	poke := d.herder.OnHeartbeat(time.Now(), req, a)
	d.mu.Unlock()
	if poke {
		d.w.poke()
	}
}

// leave takes the worker out of its group when it ends; what the coordinator does not hear of expires.
func (d *driver) leave(ctx context.Context) {
	if id := d.place().ID; id != "" {
		_, _ = d.w.cl.Request(ctx, herder.Leave(d.w.opt.Group, id))
	}
}

// restart restarts what was asked of the whole group.
func (d *driver) restart(r decode.ConfigRecord) {
	var units []decode.Unit
	for _, u := range d.place().Units() {
		if u.Connector == r.Connector && (r.WithTasks || u.IsInstance()) && (!r.OnlyFailed || d.w.statuses.failed(u)) {
			units = append(units, u)
		}
	}
	d.w.units.stop(units)
	for _, u := range units {
		d.w.statuses.put(u, decode.Restarting, "")
		d.w.units.start(u)
	}
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
