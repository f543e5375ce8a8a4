package assign

import (
	"slices"
	"testing"

	"regroup/decode"
)

// group is a Connect group whose workers do as they are told: what stories and properties are told of.
type group struct {
	t          testing.TB
	rules      Rules
	maxDelay   int32
	mind       Mind // of the present leader
	leader     string
	protocol   string
	now        int64
	generation int32
	completed  int32 // the leader's last completed join
	rejoin     int64 // when the leader's own worker means to rejoin by itself
	config     Config
	workers    []*worker // in the order in which they joined
}

type worker struct {
	id       string
	offset   int64
	reported []decode.Share
	lost     bool // will not get what the next round tells it
}

func newGroup(t testing.TB, rules Rules, maxDelay int32) *group {
	return &group{t: t, rules: rules, maxDelay: maxDelay, protocol: decode.ProtocolSessioned, now: 1_000_000, generation: 0,
		completed: -1, config: Config{Offset: 1, Connectors: map[string]int{}}, mind: New(rules, maxDelay)}
}

func (g *group) join(id string, reported ...decode.Share) {
	g.workers = append(g.workers, &worker{id: id, offset: g.config.Offset, reported: reported})
	if g.leader == "" {
		g.lead(id)
	}
}

// leave takes a worker out with all it has. When it led, the next one does, with an empty mind.
func (g *group) leave(id string) {
	g.workers = slices.DeleteFunc(g.workers, func(w *worker) bool { return w.id == id })
	if g.leader == id && len(g.workers) > 0 {
		g.lead(g.workers[0].id)
	}
}

func (g *group) lead(id string) { g.leader, g.mind = id, New(g.rules, g.maxDelay) }

func (g *group) worker(id string) *worker {
	for _, w := range g.workers {
		if w.id == id {
			return w
		}
	}
	g.t.Fatalf("no worker %q", id)
	return nil
}

// configure sets a connector's tasks; less than none deletes it.
func (g *group) configure(name string, tasks int) {
	connectors := map[string]int{}
	for n, k := range g.config.Connectors {
		connectors[n] = k
	}
	delete(connectors, name)
	if tasks >= 0 {
		connectors[name] = tasks
	}
	g.config = Config{Offset: g.config.Offset + 1, Connectors: connectors}
	for _, w := range g.workers {
		w.offset = g.config.Offset
	}
}

func (g *group) request() Request {
	r := Request{Now: g.now, Generation: g.generation + 1, LastCompleted: g.completed, Leader: g.leader, Protocol: g.protocol,
		Config: g.config, Scheduled: g.rejoin}
	for _, w := range g.workers {
		m := Member{ID: w.id, URL: "http://" + w.id, Offset: w.offset}
		if g.protocol != decode.ProtocolEager {
			m.Reported = w.reported
		}
		r.Members = append(r.Members, m)
	}
	return r
}

// round lets the leader decide, and everyone do as told.
func (g *group) round() Decision {
	g.t.Helper()
	req := g.request()
	d, mind, err := g.mind.Decide(req)
	if err != nil {
		g.t.Fatal(err)
	}
	g.mind = mind
	g.generation = req.Generation
	for i, w := range g.workers {
		a := d.Assignments[i]
		if w.lost {
			w.lost = false
			continue
		}
		if w.id == g.leader {
			g.completed = req.Generation
		}
		g.rejoin = 0
		if a.DelayMs > 0 {
			g.rejoin = g.now + int64(a.DelayMs)
		}
		switch {
		case a.Error != decode.NoError:
		case g.protocol == decode.ProtocolEager:
			w.reported = a.Assigned
		default:
			w.reported = Java17.Report(w.reported, a)
		}
	}
	return d
}

// settled says whether nothing more happens by itself after d.
func settled(d Decision) bool {
	for _, a := range d.Assignments {
		if a.Error != decode.NoError || a.DelayMs != 0 || len(a.Revoked) > 0 {
			return false
		}
	}
	return !d.Again
}
