package assign

import (
	"slices"
	"strings"
	"testing"

	"regroup/decode"
)

// group is a Connect group whose workers do as they are told: what stories and properties are told of.
type group struct {
	t          testing.TB
	rules      AssignorVersion
	maxDelay   int32
	protocol   string
	now        int64
	generation int32
	config     Config
	workers    []*worker // in the order in which they joined
	leader     *worker
	rejoin     int64 // when the delay that everyone was told ends
	last       Seen  // as the coordinator records the last round
}

// worker is a process. Its member id may change, its state stays.
type worker struct {
	id        string
	state     LeaderState
	completed int32
	offset    int64
	reported  []decode.Share
	before    *Before
	nothing   bool // it has never been told anything
	misses    bool // it will not get what the next round tells it
}

func newGroup(t testing.TB, rules AssignorVersion, maxDelay int32) *group {
	return &group{
		t: t, rules: rules, maxDelay: maxDelay, protocol: decode.ProtocolSessioned, now: 1_000_000,
		config: Config{Offset: 1, Connectors: map[string]int{}},
	}
}

// join starts a new process.
func (g *group) join(id string) *worker {
	w := &worker{id: id, state: New(g.rules, g.maxDelay), completed: -1, offset: g.config.Offset, nothing: true}
	g.add(w)
	return w
}

func (g *group) add(w *worker) {
	g.workers = append(g.workers, w)
	if g.leader == nil {
		g.leader = w
	}
}

// leave takes a worker out with all it has. When it led, the first of the others does.
func (g *group) leave(id string) *worker {
	w := g.worker(id)
	g.workers = slices.DeleteFunc(g.workers, func(o *worker) bool { return o == w })
	if g.leader == w {
		g.leader = nil
		if len(g.workers) > 0 {
			g.leader = g.workers[0]
		}
	}
	return w
}

func (g *group) worker(id string) *worker {
	for _, w := range g.workers {
		if w.id == id {
			return w
		}
	}
	g.t.Fatalf("no worker %q", id)
	return nil
}

// processOf is what stays of a member id when its worker comes back under a new one: "w1~2" was "w1".
func processOf(id string) string {
	name, _, _ := strings.Cut(id, "~")
	return name
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
	r := Request{
		Now: g.now, Generation: g.generation + 1, LastCompleted: g.leader.completed, Leader: g.leader.id, Protocol: g.protocol,
		Config: g.config, Scheduled: g.rejoin, Before: g.leader.before,
	}
	for _, w := range g.workers {
		m := Member{ID: w.id, URL: "http://" + processOf(w.id), Offset: w.offset}
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
	d, state, err := g.leader.state.Decide(req)
	if err != nil {
		g.t.Fatal(err)
	}
	g.leader.state = state
	g.generation = req.Generation
	g.record(req, d)
	for i, w := range g.workers {
		a := d.Assignments[i]
		if w.misses {
			w.misses = false
			continue
		}
		w.completed = req.Generation
		w.nothing = false
		if w.before = nil; g.protocol != decode.ProtocolEager {
			w.before = &Before{req.Leader, req.Config}
		}
		g.rejoin = 0
		if a.DelayMs > 0 {
			g.rejoin = g.now + int64(a.DelayMs)
		}
		switch {
		case a.Error != decode.NoError:
		case g.protocol == decode.ProtocolEager:
			w.reported = Java17.Report(nil, a)
		default:
			w.reported = Java17.Report(w.reported, a)
		}
	}
	return d
}

// record is what an observer sees of a round.
func (g *group) record(req Request, d Decision) {
	config := g.config
	g.last = Seen{At: g.now, Generation: req.Generation, Protocol: req.Protocol, Leader: req.Leader, Config: &config}
	for i, m := range req.Members {
		g.last.Members = append(g.last.Members, SeenMember{
			Member: m, Client: processOf(m.ID), Nothing: g.workers[i].nothing,
			Told: &d.Assignments[i],
		})
	}
}

// settle plays the rounds that come by themselves, at most limit.
func (g *group) settle(d Decision, limit int) (rounds int, ok bool) {
	for range limit {
		switch next(d) {
		case "":
			return rounds, true
		case StepExpiry:
			g.now = g.rejoin
		default:
			g.now += 50
		}
		d = g.round()
		rounds++
	}
	return rounds, next(d) == ""
}
