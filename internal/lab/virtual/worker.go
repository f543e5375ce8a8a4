package virtual

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/lab/coordinator"
	"regroup/internal/lab/herder"
)

// worker is a place for a process, and the process in it if there is one.
type worker struct {
	s       *Sim
	name    string
	address string // host:port, as in statuses
	eager   bool

	life   int // of processes here; what an earlier one had in mind does not happen
	alive  bool
	booted bool
	frozen bool
	held   []func() // what happens when it wakes

	*herder.Herder
	waiting
	on     map[decode.Unit]*run
	busy   int // starts that are under way
	readTo int // batches of the config topic
	news   herder.Changes
}

// place makes room for a worker.
func (s *Sim) place(name string, eager bool) *worker {
	w := &worker{s: s, name: name, address: name + ":8083", eager: eager}
	s.fleet = append(s.fleet, w)
	return w
}

func (s *Sim) freeName() string {
	for n := 1; ; n++ {
		if name := fmt.Sprintf("worker-%d", n); s.worker(name) == nil {
			return name
		}
	}
}

func (s *Sim) worker(name string) *worker {
	for _, w := range s.fleet {
		if w.name == name {
			return w
		}
	}
	return nil
}

// forget takes a place away that nobody comes back to.
func (s *Sim) forget(w *worker) {
	s.fleet = slices.DeleteFunc(s.fleet, func(other *worker) bool { return other == w })
}

func (w *worker) url() string { return "http://" + w.address + "/" }

func (w *worker) client() coordinator.Client {
	return coordinator.Client{ID: w.name, Host: "/" + w.name}
}

// up starts a process: it knows nothing, reads the config topic, and joins.
func (w *worker) up() {
	w.life++
	w.alive, w.booted, w.frozen, w.held = true, false, false, nil
	w.Herder, w.waiting = w.newHerder(), waiting{}
	w.on, w.busy = map[decode.Unit]*run{}, 0
	w.after(w.s.opt.Boot+beginTime, func() {
		w.readTo, w.news, w.booted = len(w.s.topic.changes), herder.Changes{}, true
		w.after(w.s.opt.Heartbeat, w.beat)
		w.goOn()
	})
}

// die ends the process; nobody is told.
func (w *worker) die() {
	w.s.stopped(len(w.on))
	w.life++
	w.alive, w.booted, w.frozen, w.held = false, false, false, nil
	w.on, w.busy = nil, 0
}

// crash is die as an observer of the worker's REST interface sees it.
func (w *worker) crash() {
	w.s.fact(group.RESTReport{At: w.s.now, URL: w.url(), Root: "ok", Herder: "ok"})
	w.die()
	w.s.fact(group.RESTReport{At: w.s.now, URL: w.url(), Closed: true})
	w.s.crashes = append(w.s.crashes, w.s.now)
}

// happen runs what a live, waking process does; what a frozen one has to do waits.
func (w *worker) happen(life int, do func()) {
	switch {
	case w.life != life:
	case w.frozen:
		w.held = append(w.held, do)
	default:
		do()
	}
}

// after plans what the process does later.
func (w *worker) after(d time.Duration, do func()) {
	life := w.life
	w.s.at(d, func() { w.happen(life, do) })
}

func (w *worker) freeze() { w.frozen = true }

// wake does what has come up meanwhile, in its order.
func (w *worker) wake() {
	w.frozen = false
	w.read()
	held := w.held
	w.held = nil
	for _, do := range held {
		w.happen(w.life, do)
	}
}

// read takes in what the config topic brought.
func (w *worker) read() {
	if !w.booted || w.frozen {
		return
	}
	for ; w.readTo < len(w.s.topic.changes); w.readTo++ {
		w.news.Add(w.s.topic.changes[w.readTo])
	}
	w.poke()
}

// speaks is its connect.protocol.
func (w *worker) speaks() string {
	if w.eager {
		return "eager"
	}
	return "sessioned"
}
