package group

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group/assign"
)

// moment is one point of a history: a round, and how far time and the topics had come. A State is made of it.
type moment struct {
	h      *history
	i      int // in h.rounds; -1: no round yet
	now    time.Time
	past   bool
	shadow assign.Shadow

	held     holding
	given    givenTable
	claims   claimTable
	config   []connectorAt         // newest at this moment, by connector
	targets  map[int32]configEvent // target-state records
	restarts map[int32]configEvent // newest restart request
	commits  map[int32]configEvent // newest commit
	seen     bool                  // the config topic was read
	statuses *SourceState          // of the status topic; nil when there is none

	members  []Member           // of the round
	authors  []string           // the names under which their claims are kept
	byWorker map[int32]int      // worker number → index in members
	byID     map[string][]int32 // author of statuses → worker numbers
	index    []int32            // worker number → index in State.Workers
	seats    []int32            // worker number → index in members
	units    ownership          // who holds what
}

// givenTable is when and in which generation the holder of each unit was told to start it, by unit number; 0: before the
// first round seen.
type givenTable struct {
	ms         []int64
	generation []int32
}

func (g *givenTable) of(unit int32) (ms int64, generation int32) {
	if int(unit) >= len(g.ms) {
		return 0, 0
	}
	return g.ms[unit], g.generation[unit]
}

// State is what is known at now.
func (m *Model) State(now time.Time) *State {
	m.publish(now)
	m.placeClaims()
	m.settleDoubts()
	h := m.history()
	x := h.moment(len(h.rounds)-1, now)
	x.claims = m.claimsNow.snapshot()
	s := x.state(m.facts(), m.last)
	s.Gaps, s.Forgotten = m.gaps, m.forgotten+len(h.all)-len(h.rounds)
	m.last = s
	return s
}

func (m *Model) history() *history {
	h := &history{
		group: m.opt.Group, tables: m.tables.view(), all: m.rounds, rounds: m.rounds[m.hidden():], config: m.config.events, claims: m.claims, claimBase: m.claimBase, placed: m.placed, elsewhere: m.elsewhere(), newest: m.claimsNow.snapshot(), heldAt: &heldCache{}, stopped: m.stopped.list, failed: m.failed.list,
		configUpTo: m.config.upTo, configSeen: m.config.seen,
	}
	m.shown = len(m.claims)
	if m.ledger.prev != nil {
		h.end = m.ledger.ending()
	}
	return h
}

// facts are what a State shows as it was told.
func (m *Model) facts() *told {
	phase, since := m.phaseNow()
	return &told{
		phase: phase, phaseSince: since, coordinator: m.coordinator, recordSeen: m.newest.seen, sources: m.toldSources(), settings: m.settings, others: m.others, rest: m.rest, actions: m.actions,
		notes: m.notes, gaps: m.gaps, forgotten: m.forgotten + m.hidden(), phases: m.phases, lives: m.lives, answered: m.answered,
		described: m.described, outages: m.outages, watched: m.watched,
	}
}

// told is what sources said that needs no folding.
type told struct {
	phase       string
	phaseSince  time.Time
	coordinator string
	recordSeen  time.Time
	sources     []SourceState
	settings    []TopicSettings
	others      []OtherGroup
	rest        map[string]RESTReport
	actions     []Action
	notes       []Event
	gaps        int64
	forgotten   int
	phases      []phaseChange
	lives       map[string][]life
	answered    time.Time    // when a broker last answered
	described   *Description // the newest; nil when there is none
	outages     []outage
	watched     []watch
}

// state puts a State together. last is one made before it, whose units are the same while nothing that decides them came.
func (x *moment) state(t *told, last *State) *State {
	s := &State{
		Group: x.h.group, Now: x.now, Past: x.past, Phase: t.phase, PhaseSince: t.phaseSince, Coordinator: t.coordinator, Rounds: x.h.rounds, At: x.i,
		Forgotten: t.forgotten, Gaps: t.gaps, Sources: t.sources, past: x.h, told: t, shadow: x.shadow,
	}
	if !x.past {
		s.end = x.now
	}
	if len(s.Rounds) > 0 {
		s.HistoryFrom = s.Rounds[0].RecordedAt
	}
	for i := range t.sources {
		if t.sources[i].Source == SourceStatus {
			x.statuses = &t.sources[i]
		}
	}
	x.readConfig()
	if r := s.Round(); r != nil {
		x.who(r)
		s.Workers = x.workers(r, t)
		s.Sources = withoutREST(s.Sources, s.Workers)
		s.Delay = x.delay(r)
	}
	if last != nil && x.follows(last.moment) {
		x.again(s, last)
	} else {
		x.listUnits(s)
		x.holds(s)
	}
	s.moment = x
	s.Verdict = verdict(s)
	s.Events = x.events(t)
	s.shareGaps(last)
	return s
}

// readConfig replays the config topic up to this moment.
func (x *moment) readConfig() {
	x.config, x.targets = make([]connectorAt, len(x.h.tables.connectors)), map[int32]configEvent{}
	x.restarts, x.commits = map[int32]configEvent{}, map[int32]configEvent{}
	x.seen = x.h.configSeen
	for _, e := range x.h.config {
		if x.past && e.at.After(x.now) && e.kind != decode.ConfigSessionKey {
			continue
		}
		switch e.kind {
		case decode.ConfigConnector, decode.ConfigCommit:
			x.config[e.connector].take(e)
			if e.kind == decode.ConfigCommit {
				x.commits[e.connector] = e
			}
		case decode.ConfigTargetState:
			x.targets[e.connector] = e
		case decode.ConfigRestart:
			x.restarts[e.connector] = e
		}
	}
}

// who indexes the members of the round.
func (x *moment) who(r *Round) {
	x.byWorker, x.byID = map[int32]int{}, map[string][]int32{}
	for j, id := range r.members.ids {
		m := r.member(j, x.h.tables.members[id])
		x.byWorker[m.Worker] = len(x.members)
		a := author(m.URL, m.Worker)
		x.members, x.authors = append(x.members, m), append(x.authors, a)
		x.byID[a] = append(x.byID[a], m.Worker)
	}
}

func (x *moment) delay(r *Round) *Delay {
	if r.DelayMs <= 0 {
		return nil
	}
	ends := r.RecordedAt.Add(r.delay())
	return &Delay{Total: r.delay(), Ends: ends, Remaining: max(0, ends.Sub(x.now)), Units: r.Delayed, Backoff: r.Delayed == 0}
}

// workers are the members by name, then those that left and whose work waits.
func (x *moment) workers(r *Round, t *told) []Worker {
	change := map[string]WorkerChange{}
	for _, c := range r.Causes {
		switch c.Kind {
		case CauseWorkerJoined:
			change[c.Worker] = WorkerJoined
		case CauseWorkerReturned:
			change[c.Worker] = WorkerBack
		}
	}
	var out []Worker
	for _, m := range x.h.counted(x.i) {
		w := Worker{Member: m, Leader: m.ID == r.Leader, Change: change[m.ID]}
		if rest, ok := t.rest[w.URL]; ok && !x.past {
			w.Version, w.REST = rest.Version, rest.Root
			switch why := rest.Refusal(); {
			case rest.Internal() && decode.FlowOf(w.Client, w.URL) != "":
				w.REST = "internal"
			case why != "":
				w.REST = why
			}
		}
		out = append(out, w)
	}
	slices.SortStableFunc(out, func(a, b Worker) int { return strings.Compare(a.Name, b.Name) })
	return append(out, x.absent(r)...)
}

// absent are the workers that left and whose units nobody holds yet, and those that left in this round.
func (x *moment) absent(r *Round) []Worker {
	wait := map[int32]int{}
	for _, list := range [][]unownedUnit{r.store.delayed, r.store.unassigned} {
		for _, u := range list {
			if _, here := x.byWorker[u.last]; u.last >= 0 && !here {
				wait[u.last]++
			}
		}
	}
	for _, g := range r.Left {
		wait[g.Worker] += 0
	}
	var out []Worker
	for w, n := range wait {
		g, ok := x.h.lastSeen(x.i, w)
		if !ok {
			continue
		}
		out = append(out, Worker{
			Member: Member{ID: g.Member, Client: g.Client, URL: g.URL, Name: g.Name, Worker: w, Held: g.Held, ConfigOffset: -1},
			Change: WorkerLeft, Gone: true, Wait: n,
		})
	}
	slices.SortFunc(out, func(a, b Worker) int { return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Worker, b.Worker)) })
	return out
}

// lastSeen is how a worker that is not in round i left.
func (h *history) lastSeen(i int, worker int32) (Gone, bool) {
	for ; i >= 0; i-- {
		for _, g := range h.rounds[i].Left {
			if g.Worker == worker {
				return g, true
			}
		}
	}
	return Gone{}, false
}

// Evidence is one line of why a unit's state is what it is.
type Evidence struct {
	At     time.Time
	Source Source
	Text   string
}

// Evidence tells why s.Units[i] is in the state that it is in. It is worked out when asked for: of 100,000 units a person
// looks at a few.
func (s *State) Evidence(i int) []Evidence {
	if s.moment == nil || i < 0 || i >= len(s.numbers) {
		return nil
	}
	w, u := &witness{}, UnitState{}
	s.moment.unit(&u, s.numbers[i], w)
	return w.lines
}

// follows says whether the units of a moment are in the same states as at an earlier one.
func (x *moment) follows(y *moment) bool {
	return y != nil && !x.past && !y.past && x.i >= 0 && y.i >= 0 && x.h.rounds[x.i] == y.h.rounds[y.i] && x.claims.epoch == y.claims.epoch &&
		len(x.h.config) == len(y.h.config) && len(x.h.tables.units) == len(y.h.tables.units) && x.statusesMissing() == y.statusesMissing()
}

// again takes the units of an earlier State over.
func (x *moment) again(s, last *State) {
	s.Units, s.numbers, s.counts, s.Connectors, s.Tasks = last.Units, last.numbers, last.counts, last.Connectors, last.Tasks
	for i := range s.Workers {
		s.Workers[i].Holds = last.Workers[i].Holds
	}
	y := last.moment
	x.index, x.seats, x.units = y.index, y.seats, y.units
}

// witness writes down why a unit's state is decided as it is. A nil one writes nothing; whoever makes a line for it asks
// first, because the line costs more than the decision.
type witness struct{ lines []Evidence }

func (w *witness) say(at time.Time, s Source, text string) {
	w.lines = append(w.lines, Evidence{at, s, text})
}
