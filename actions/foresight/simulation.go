package foresight

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"time"

	"regroup/decode"
	"regroup/group/assign"
)

// stage is a group on which things are tried out: what its members would say next, and what each of them remembers as a
// leader. It plays rounds from there, without a clock: now is part of it.
type simulation struct {
	req        assign.Request // the next round, as everyone would join it
	identities map[string]identity
	leaders    map[string]assign.LeaderState
	guessed    map[string]bool   // leaders that are not known for sure
	forced     map[string]string // the protocol that a member keeps the group from
	since      map[string]string // the member id that a worker has since it came back, by the one before
	silent     map[string]silence
	dying      []death                // members that died, and are in the group until their sessions are over
	early      time.Duration          // how much earlier what comes from here on may come
	late       time.Duration          // and how much later
	idle       map[string]bool        // members that run nothing of what they hold
	begun      int64                  // ms since 1970: the preview's moment
	rules      assign.AssignorVersion // those of the group's leader, for one that never led
	delay      int32                  // ms, the workers' own
	now        int64                  // ms since 1970
	due        int64                  // when the next round comes by itself
	next       assign.StepKind        // and why; "": none comes
	played     []act
	marks      []int // of a sequence: how many rounds were played after each of its changes
	configs    []configStep
	changes    int  // config records so far
	variant    int  // which of the member ids that a broker could make up is tried
	newIDs     bool // one was made up
	caveats    []string
	warned     []string
	eager      bool // tried under eager, to compare
}

// identity is what tells whose a member id is, and how long its session lasts.
type identity struct {
	client, host, url string
	session           time.Duration
}

// act is a round that was played.
type act struct {
	at          int64
	begun       int64         // ms since 1970: before at where the join waited for a session to be over
	early, late time.Duration // see stage
	why         string
	req         assign.Request
	decision    assign.Decision
}

// death is of a member that the group takes for alive until a moment, ms since 1970.
type death struct {
	id, name string
	noticed  int64
}

// maxActs bounds the rounds that come by themselves after a change: a leader whose rules never come to rest must not hold up
// a preview.
const maxActs = 12

// doubt notes once why what is played may not come true.
func (s *simulation) caveat(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(s.caveats, text) {
		s.caveats = append(s.caveats, text)
	}
}

// warn notes once what of it does harm that no count shows.
func (s *simulation) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(s.warned, text) {
		s.warned = append(s.warned, text)
	}
}

// wait lets time pass: the rounds that come by themselves until then are played.
func (s *simulation) wait(d time.Duration) {
	until := s.now + d.Milliseconds()
	for range maxActs {
		switch at, why := s.coming(); {
		case why == "" || at > until:
			s.now = max(s.now, until)
			return
		default:
			s.round(at, why)
		}
	}
	s.now = max(s.now, until)
}

// coming is when a round comes by itself, and why; "": none does.
func (s *simulation) coming() (at int64, why string) {
	if s.next != "" {
		at, why = s.due, reasons[s.next]
	}
	for _, d := range s.dying {
		if why == "" || d.noticed < at {
			at, why = d.noticed, d.name+"'s session is over"
		}
	}
	return at, why
}

// bury takes the dead out of a round that begins at a moment. A join waits for every member, so it does not end before the sessions of
// the dead are over.
func (s *simulation) bury(at int64) int64 {
	for len(s.dying) > 0 {
		d := s.dying[0]
		s.dying = s.dying[1:]
		waits := time.Duration(d.noticed-at) * time.Millisecond
		if waits > 0 && s.late > waits {
			s.caveat("the round may begin only after %s's session is over: then there is one without it before", d.name)
		}
		s.early, s.late = min(s.early+max(0, waits), Heartbeat), max(0, s.late-max(0, waits))
		at = max(at, d.noticed)
		if _, err := s.leave(d.id); err != nil {
			continue // it was put out before
		}
		if n := s.nowhere(); n > 0 {
			s.warn("%s is the last worker: %s nowhere until a worker joins", d.name, run(n))
		}
	}
	return at
}

// settle plays all that still comes by itself.
func (s *simulation) settle() {
	for range maxActs {
		at, why := s.coming()
		if why == "" {
			break
		}
		s.round(at, why)
	}
	if s.next != "" {
		s.caveat("the group does not come to rest within %d rounds", maxActs)
	}
}

var reasons = map[assign.StepKind]string{
	assign.StepRelease: "what was released starts",
	assign.StepExpiry:  "the delay is over",
}

// round plays one: everyone joins, and the leader decides.
func (s *simulation) round(at int64, why string) {
	begun, what := max(s.now, at), why
	if len(s.dying) > 0 && s.dying[len(s.dying)-1].noticed > begun {
		what += ", once " + s.dying[len(s.dying)-1].name + "'s session is over"
	}
	if s.now = s.bury(begun); len(s.req.Members) == 0 {
		s.played = append(s.played, act{at: s.now, begun: begun, early: s.early, late: s.late, why: what, req: s.req})
		s.req.Generation++
		s.next = ""
		return
	}
	s.elect()
	s.req.Now = s.now
	state := s.state(s.req.Leader)
	decision, after, err := state.Decide(s.req)
	if err != nil {
		s.caveat("%v", err)
		s.next = ""
		return
	}
	s.leaders[s.req.Leader] = after
	s.played = append(s.played, act{s.now, begun, s.early, s.late, what, s.req, decision})
	if why != reasons[assign.StepExpiry] {
		s.late += Heartbeat // what workers notice, they notice within one, and what follows counts from there
	}
	s.next = assign.Next(decision)
	s.req = after.After(s.req, decision)
	if s.due = s.now; s.next == assign.StepExpiry {
		s.due = s.req.Scheduled
	}
}

// overtaken plays a round that is decided and on record, and that a join overtakes before anybody is told.
func (s *simulation) overtaken(why string) {
	members, completed := s.req.Members, s.req.LastCompleted
	s.round(s.now, why)
	s.req.Members, s.req.LastCompleted, s.next = members, completed, ""
}

// missedSync: one member did not get to hear of the last round before the next join. It goes on as it was, and says so there. A
// worker that comes back with units that others have meanwhile is told to give them up, as those are; where those join again at
// once, its SyncGroup is answered REBALANCE_IN_PROGRESS (seen on 4.3.1).
func (s *simulation) missedSync(id string) {
	id = s.newest(id)
	if len(s.played) == 0 || s.eager {
		return
	}
	s.req.Members = slices.Clone(s.req.Members)
	for _, said := range s.played[len(s.played)-1].req.Members {
		for i := range s.req.Members {
			if m := &s.req.Members[i]; said.ID == id && m.ID == id {
				m.Reported = said.Reported
			}
		}
	}
}

// elect: who leads goes on leading while it is there; else the first other member does, in the order of the group's record.
func (s *simulation) elect() {
	if slices.ContainsFunc(s.req.Members, func(m assign.Member) bool { return m.ID == s.req.Leader }) {
		return
	}
	s.req.Leader = s.req.Members[0].ID
	if s.guessed[s.req.Leader] && !s.eager {
		s.caveat("%s would lead, and has led before: what it remembers of that is not known", s.identities[s.req.Leader].client)
	}
}

func (s *simulation) state(id string) assign.LeaderState {
	if m, ok := s.leaders[id]; ok {
		return m
	}
	return assign.New(s.rules, s.delay)
}

// newest is the id that a worker has at this point, by one that it had.
func (s *simulation) newest(id string) string {
	for s.since[id] != "" {
		id = s.since[id]
	}
	return id
}

// leave takes a member out, with what it would have said.
func (s *simulation) leave(id string) (left assign.Member, err error) {
	id = s.newest(id)
	i := slices.IndexFunc(s.req.Members, func(m assign.Member) bool { return m.ID == id })
	if i < 0 {
		return left, fmt.Errorf("worker %q: no such member", decode.Printable(id))
	}
	left = s.req.Members[i]
	s.req.Members = slices.Delete(slices.Clone(s.req.Members), i, i+1)
	if to := s.forced[id]; to != "" && !s.eager {
		s.req.Protocol = to
		s.caveat("that %s alone keeps the group eager is inferred", s.identities[id].client)
	}
	return left, nil
}

// join adds a member under an id that the broker makes up: its client id, and random digits that nobody knows before.
func (s *simulation) join(p identity, m assign.Member) string {
	h := fnv.New128a()
	fmt.Fprintf(h, "%s/%d/%d", p.client, s.variant, len(s.identities))
	sum := h.Sum(nil)
	m.ID = fmt.Sprintf("%s-%x-%x-%x-%x-%x", p.client, sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:])
	s.newIDs = true
	s.identities[m.ID] = p
	s.req.Members = append(slices.Clone(s.req.Members), m)
	return m.ID
}

// silence lets a member fall silent at this moment.
func (s *simulation) silence(id string, lasts time.Duration) {
	id = s.newest(id)
	s.silent[id] = silence{time.Duration(s.now-s.begun) * time.Millisecond, lasts}
}

// back lets a worker come back under a new id. kept says whether it is the same process still: with its work in hand, and
// with what it remembers from leading.
func (s *simulation) back(was assign.Member, kept bool) {
	m := assign.Member{URL: was.URL, Offset: s.req.Config.Offset}
	if kept {
		m.Reported = was.Reported
	}
	id := s.join(s.identities[was.ID], m)
	s.since[was.ID] = id
	if !kept {
		return
	}
	if state, ok := s.leaders[was.ID]; ok {
		s.leaders[id] = state
	}
	s.guessed[id] = s.guessed[was.ID]
}

// uuids says how many made-up ids are tried: where all lead to the same, the ids do not matter.
const uuids = 12

// configStep is a record that a change writes to the config topic.
type configStep struct {
	at     int64 // ms
	offset int64
	record decode.ConfigRecord
}

// write puts a record on the simulation's config topic, which every worker reads before it joins.
func (s *simulation) write(r decode.ConfigRecord) {
	s.configs = append(s.configs, configStep{s.now, s.req.Config.Offset, r})
	s.skip(1)
}

// skip passes records that say nothing about which units there are.
func (s *simulation) skip(n int) {
	s.req.Config.Offset += int64(n)
	for i := range s.req.Members {
		s.req.Members[i].Offset = s.req.Config.Offset
	}
}

// tasks gives a connector that many tasks, -1: takes the connector away.
func (s *simulation) tasks(connector string, n int) {
	all := maps.Clone(s.req.Config.Connectors)
	if all == nil {
		all = map[string]int{}
	}
	if n < 0 {
		delete(all, connector)
	} else {
		all[connector] = n
	}
	s.req.Config.Connectors = all
}

// connector says how many tasks a connector has that must be there.
func (s *simulation) connector(name string) (tasks int, err error) {
	n, ok := s.req.Config.Connectors[name]
	if !ok {
		return 0, fmt.Errorf("connector %q: there is none", decode.Printable(name))
	}
	return n, nil
}

// configure is a new record of a connector's configuration. The simulation tells it from the one before by its number alone.
func (s *simulation) configure(connector string) {
	s.changes++
	s.write(decode.ConfigRecord{
		Kind: decode.ConfigConnector, Connector: connector, Key: "connector-" + connector,
		Properties: map[string]string{"name": connector, "change": strconv.Itoa(s.changes)},
	})
}

// commit is what a connector's tasks were made anew: a record each, and one that makes them count.
func (s *simulation) commit(connector string, n int) {
	s.skip(n)
	s.write(decode.ConfigRecord{Kind: decode.ConfigCommit, Connector: connector, Key: "commit-" + connector, Tasks: int32(n)})
	s.tasks(connector, n)
}

// remove is a connector's end: a tombstone of its configuration, and one of its target state.
func (s *simulation) remove(connector string) {
	s.write(decode.ConfigRecord{Kind: decode.ConfigConnector, Connector: connector, Key: "connector-" + connector, Deleted: true})
	s.skip(1)
	s.tasks(connector, -1)
}
