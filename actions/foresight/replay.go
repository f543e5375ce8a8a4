package foresight

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
)

// What was played becomes records, and the group's own fold makes rounds of them: what is foreseen is counted by the same
// rules as what happens.

// replay gives the State after a play. Its newest len(acts) rounds are the foreseen ones.
func (b *before) replay(s *simulation) *group.State {
	m := group.New(group.Options{Group: b.s.Group})
	at := b.round.RecordedAt
	b.topic(m, s)
	log := &synthetic{model: m, offset: 1}
	log.put(at.Add(-time.Second), b.earlier(s))
	log.put(at, b.present(s.eager))
	end := b.s.Now
	for _, a := range s.played {
		end = time.UnixMilli(a.at).UTC()
		log.put(end, s.record(a))
	}
	return m.State(end)
}

// synthetic is a log that nobody wrote.
type synthetic struct {
	model  *group.Model
	offset int64
}

func (l *synthetic) put(at time.Time, r *decode.GroupRecord) {
	r.ProtocolType, r.StateAt = decode.ProtocolType, at
	l.model.Apply(group.LogRecord{At: at, Offset: l.offset, Record: r}, at)
	l.offset++
}

// topic gives the model the config topic: what is configured now, and what the play wrote.
func (b *before) topic(m *group.Model, s *simulation) {
	at := b.round.RecordedAt
	if !b.known {
		m.Apply(group.SourceReport{At: at, Source: group.SourceConfig, Health: group.HealthOff}, at)
		return
	}
	var all []configStep
	for _, c := range b.s.Configs() {
		if c.RecordOffset >= 0 {
			all = append(all, configStep{c.RecordAt.UnixMilli(), c.RecordOffset, decode.ConfigRecord{
				Kind: decode.ConfigConnector,
				Key:  "connector-" + c.Name, Connector: c.Name, Deleted: !c.Live, Properties: map[string]string{"connector.class": c.Class},
			}})
		}
		if c.CommitOffset >= 0 {
			all = append(all, configStep{c.CommitAt.UnixMilli(), c.CommitOffset, decode.ConfigRecord{
				Kind: decode.ConfigCommit,
				Key:  "commit-" + c.Name, Connector: c.Name, Tasks: int32(c.Tasks),
			}})
		}
	}
	all = append(all, s.configs...)
	slices.SortFunc(all, func(x, y configStep) int { return int(x.offset - y.offset) })
	for _, c := range all {
		m.Apply(group.ConfigRecord{At: time.UnixMilli(c.at).UTC(), Topic: "config", Offset: c.offset, Record: c.record}, at)
	}
	m.Apply(group.Progress{At: at, Source: group.SourceConfig, UpTo: s.req.Config.Offset + 1, CaughtUp: true}, at)
}

// earlier is a round in which every worker that is known, also one that left, holds what it held last: so the fold can tell
// what moves.
func (b *before) earlier(s *simulation) *decode.GroupRecord {
	eager := s.eager
	held := map[string][]group.Unit{}
	order := []string{}
	members := map[string]group.Member{}
	add := func(m group.Member, units []group.Unit) {
		if _, there := members[m.ID]; !there {
			members[m.ID] = m
			order = append(order, m.ID)
		}
		held[m.ID] = append(held[m.ID], units...)
	}
	for _, m := range b.members() {
		units := m.Reported
		if b.round.Mode == group.ModeEager || eager {
			units = m.Held
		}
		add(m.Member, units)
	}
	byNumber := map[int32]group.Member{}
	for _, w := range b.s.Workers {
		if old, there := byNumber[w.Worker]; !there || old.ID == "" {
			byNumber[w.Worker] = w.Member
		}
	}
	known := map[group.Unit]bool{}
	for _, u := range b.s.Units {
		known[u.Unit] = true
		if m, ok := byNumber[u.Last]; ok && u.Worker < 0 && !slices.Contains(held[m.ID], u.Unit) {
			add(m, []group.Unit{u.Unit})
		}
	}
	for u, worker := range b.lastHeld(s.started(known)) {
		if m, ok := byNumber[worker]; ok {
			add(m, []group.Unit{u})
		}
	}
	r := b.header(eager, b.round.Generation-1)
	for _, id := range order {
		r.Members = append(r.Members, b.member(members[id], eager, held[id], held[id], decode.Assignment{}))
	}
	return r
}

// started are the units that the play gives out and that are not known now: they were stopped, or never there.
func (s *simulation) started(known map[group.Unit]bool) map[group.Unit]bool {
	out := map[group.Unit]bool{}
	for _, a := range s.played {
		for _, told := range a.decision.Assignments {
			for _, u := range decode.Units(told.Assigned) {
				if !known[u] {
					out[u] = true
				}
			}
		}
	}
	return out
}

// lookBack bounds how many rounds are searched for who held a unit last.
const lookBack = 200

// lastHeld finds who held units last, by worker number.
func (b *before) lastHeld(units map[group.Unit]bool) map[group.Unit]int32 {
	out := map[group.Unit]int32{}
	for i := b.s.At; i >= max(0, b.s.At-lookBack) && len(out) < len(units); i-- {
		for _, m := range b.s.Detail(i).Members {
			for _, u := range m.Held {
				if _, found := out[u]; units[u] && !found {
					out[u] = m.Worker
				}
			}
		}
	}
	return out
}

// present is the last round again.
func (b *before) present(eager bool) *decode.GroupRecord {
	r := b.header(eager, b.round.Generation)
	for _, m := range b.members() {
		told := decode.Assignment{Assigned: shares(m.Assigned), Revoked: shares(m.Revoked), DelayMs: b.round.DelayMs, Error: b.round.Error}
		r.Members = append(r.Members, b.member(m.Member, eager, m.Reported, m.Held, told))
	}
	return r
}

func (b *before) header(eager bool, generation int32) *decode.GroupRecord {
	r := &decode.GroupRecord{Generation: generation, Protocol: b.round.Protocol, Leader: b.round.Leader}
	if eager && r.Protocol != "" {
		r.Protocol = decode.ProtocolEager
	}
	return r
}

// member writes what a member said and was told, in the words of the round's mode: under eager all that it holds is assigned.
func (b *before) member(m group.Member, eager bool, reported, held []group.Unit, told decode.Assignment) decode.Member {
	offset, leader, version := b.round.ConfigOffset, b.round.Leader, version(b.round.Protocol)
	if eager {
		version = 0
	}
	told.Version, told.Leader, told.LeaderURL, told.ConfigOffset = version, leader, b.round.LeaderURL, offset
	sub := decode.Subscription{Version: version, URL: m.URL, ConfigOffset: offset}
	if version == 0 {
		told.Assigned, told.Revoked, told.DelayMs = shares(held), nil, 0
	} else {
		sub.Allocation = &decode.Assignment{Version: version, Leader: leader, LeaderURL: b.round.LeaderURL, ConfigOffset: offset, Assigned: shares(reported)}
	}
	return decode.Member{
		ID: m.ID, Client: m.Client, Host: "/" + m.Host, SessionTimeout: b.session(m.ID),
		Subscription: decode.AppendSubscription(nil, sub), Assignment: decode.AppendAssignment(nil, told),
	}
}

// record is a played round as the coordinator would write it.
func (s *simulation) record(a act) *decode.GroupRecord {
	r := &decode.GroupRecord{Generation: a.req.Generation}
	if len(a.req.Members) == 0 {
		return r
	}
	r.Protocol, r.Leader = a.req.Protocol, a.req.Leader
	for i, m := range a.req.Members {
		p := s.identities[m.ID]
		told := a.decision.Assignments[i]
		sub := decode.Subscription{Version: version(a.req.Protocol), URL: m.URL, ConfigOffset: m.Offset}
		if sub.Version > 0 && m.Reported != nil {
			sub.Allocation = &decode.Assignment{
				Version: sub.Version, Leader: told.Leader, LeaderURL: told.LeaderURL, ConfigOffset: m.Offset,
				Assigned: m.Reported,
			}
		}
		r.Members = append(r.Members, decode.Member{
			ID: m.ID, Client: p.client, Host: "/" + p.host, SessionTimeout: p.session,
			Subscription: decode.AppendSubscription(nil, sub), Assignment: decode.AppendAssignment(nil, told),
		})
	}
	return r
}

func version(protocol string) int16 {
	switch protocol {
	case decode.ProtocolEager:
		return 0
	case decode.ProtocolCompatible:
		return 1
	}
	return 2
}

// AssumedDelay is Connect's scheduled.rebalance.max.delay.ms, ms.
const AssumedDelay = 300_000

func assignmentDelayed(a decode.Assignment) bool { return a.DelayMs > 0 }

// list is what shares hold, sorted, for comparing.
func list(shares []decode.Share) string {
	var b strings.Builder
	for _, u := range decode.SortUnits(decode.Units(shares)) {
		fmt.Fprintf(&b, "%q/%d ", u.Connector, u.Task)
	}
	return b.String()
}

// tally counts instances and tasks.
func tally(shares []decode.Share) string {
	instances, tasks := 0, 0
	for _, u := range decode.Units(shares) {
		if u.IsInstance() {
			instances++
		} else {
			tasks++
		}
	}
	return fmt.Sprintf(" %d,%d", instances, tasks)
}
