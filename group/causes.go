package group

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/internal/words"
)

// expiryTolerance is how much before the ordered end of a delay a round may begin and still be its expiry: workers start
// their timers when they get the assignment, brokers note times in milliseconds.
const expiryTolerance = 100 * time.Millisecond

// causes tells why a round happened, most telling first. What its members let go of is told by statuses: see unreported.
func (l *ledger) causes(r *Round, rec *record, change configChange) causeParts {
	if l.prev == nil {
		return causeParts{first: []Cause{{Kind: CauseFirst, Detail: "history begins here"}}}
	}
	var p causeParts
	joined := l.joiners(rec)
	p.first = l.protocolCause(r, joined)
	var out []Cause
	if r.Error != 0 {
		out = append(out, Cause{Kind: CauseConfigMismatch, Detail: "the leader found its config behind a member's; nothing was decided"})
	}
	out = append(out, l.leaderCause(r, rec)...)
	for _, g := range r.Left {
		out = append(out, Cause{Kind: CauseWorkerLeft, Worker: g.Member, Name: g.Name, Detail: g.Name + paren(g.URL)})
	}
	out = append(out, joined...)
	out = append(out, l.configCauses(change)...)
	p.rest = slices.Concat(out, l.waitCauses(r))
	if len(p.first)+len(p.rest) > 0 {
		return p
	}
	if p.none = l.caughtUp(rec); len(p.none) == 0 {
		detail := "no cause was seen"
		if l.sameMembers(rec) && r.Started == 0 && r.Stopped == 0 && r.Restarted == 0 {
			detail = "nothing changed: same members, same work"
		}
		p.none = []Cause{{Kind: CauseUnknown, Detail: detail}}
	}
	return p
}

// joiners are the members that were not in the round before: new ones, and known ones with a new member id.
func (l *ledger) joiners(rec *record) []Cause {
	var out []Cause
	names := l.namesOf(rec)
	for i := range rec.members {
		m := &rec.members[i]
		if _, here := l.prevMember[m.id]; here {
			continue
		}
		c := Cause{Kind: CauseWorkerJoined, Worker: m.id, Name: names[i], Detail: names[i] + paren(m.url)}
		if l.seen[m.worker] {
			c.Kind = CauseWorkerReturned
		}
		out = append(out, c)
	}
	return out
}

func (l *ledger) protocolCause(r *Round, joined []Cause) []Cause {
	if l.lastProtocol == "" || r.Protocol == "" || r.Protocol == l.lastProtocol {
		return nil
	}
	c := Cause{Kind: CauseProtocolChanged, From: l.lastProtocol, To: r.Protocol}
	if rank(r.Protocol) < rank(l.lastProtocol) {
		c.Inferred = true
		switch len(joined) {
		case 0:
			c.Detail = fmt.Sprintf("from %s to %s; no member joined, so which one forces it is not known", c.From, c.To)
		case 1:
			c.Worker, c.Name = joined[0].Worker, joined[0].Name
			c.Detail = fmt.Sprintf("from %s to %s, forced by %s, which joined (inferred: what members support is on no wire)", c.From, c.To, c.Name)
		default:
			names := make([]string, len(joined))
			for i := range joined {
				names[i] = joined[i].Name
			}
			c.Worker, c.Name = joined[0].Worker, joined[0].Name
			c.Detail = fmt.Sprintf("from %s to %s, forced by one of %s, which joined (inferred)", c.From, c.To, strings.Join(names, ", "))
		}
		return []Cause{c}
	}
	c.Detail = fmt.Sprintf("from %s to %s", c.From, c.To)
	if len(r.Left) == 1 {
		c.Worker, c.Name = r.Left[0].Member, r.Left[0].Name
		c.Inferred = true
		c.Detail += ", " + c.Name + " left (inferred: it supported only the former)"
	}
	return []Cause{c}
}

func rank(protocol string) int {
	return slices.Index([]string{decode.ProtocolEager, decode.ProtocolCompatible, decode.ProtocolSessioned}, strings.ToLower(protocol))
}

func (l *ledger) leaderCause(r *Round, rec *record) []Cause {
	if l.prev.Empty() || r.Empty() || l.prev.Leader == r.Leader {
		return nil
	}
	c := Cause{Kind: CauseLeaderChanged, Worker: r.Leader}
	was := ""
	for i, name := range l.namesOf(rec) {
		if rec.members[i].id == r.Leader {
			c.Name = name
		}
	}
	for i, name := range l.namesOf(l.prevRecord) {
		if l.prevRecord.members[i].id == l.prev.Leader {
			was = name
		}
	}
	c.Detail = c.Name + " leads"
	if was != "" {
		c.Detail = fmt.Sprintf("%s leads, before it %s", c.Name, was)
		c.From = was
	}
	return []Cause{c}
}

func (l *ledger) configCauses(change configChange) []Cause {
	var out []Cause
	for _, k := range change.connectors {
		c := Cause{Connector: l.tables.connectors[k.connector], Tasks: int(k.now), WasTasks: int(k.was)}
		name := decode.Printable(c.Connector)
		switch {
		case k.created:
			c.Kind, c.Detail = CauseConnectorCreated, name
		case k.deleted:
			c.Kind, c.Detail = CauseConnectorDeleted, name
		case !k.committed:
			continue
		case k.wasKnown && k.now == k.was:
			c.Kind, c.Detail = CauseTasksChanged, fmt.Sprintf("%s: the same %s with other configs", name, words.Count(int(k.now), "task"))
		case k.wasKnown:
			c.Kind, c.Detail = CauseTasksChanged, fmt.Sprintf("%s: %s, was %d", name, words.Count(int(k.now), "task"), k.was)
		default:
			c.Kind, c.Detail = CauseTasksChanged, fmt.Sprintf("%s: %s", name, words.Count(int(k.now), "task"))
		}
		out = append(out, c)
	}
	return out
}

// waitCauses are what the rounds before left to come: the end of a delay, and work released a round ago.
func (l *ledger) waitCauses(r *Round) []Cause {
	var out []Cause
	over := l.prev.DelayMs > 0 && !r.At.Before(l.delayEnds.Add(-expiryTolerance))
	switch {
	case over && l.prev.Delayed > 0:
		out = append(out, Cause{
			Kind: CauseDelayExpired, Units: l.prev.Delayed,
			Detail: fmt.Sprintf("the delay is over; %s waited", words.Count(l.prev.Delayed, "unit")),
		})
	case over:
		out = append(out, Cause{Kind: CauseBackoffExpired, Detail: "the leader's pause between revocations is over"})
	}
	n := 0
	for _, p := range l.prev.revoked {
		n += len(p.units)
	}
	if n > 0 && l.prev.Mode == ModeCooperative && r.Mode == ModeCooperative {
		out = append(out, Cause{
			Kind: CauseRelease, Units: l.prev.Released,
			Detail: fmt.Sprintf("%s revoked in the round before", wereUnits(n)),
		})
	}
	return out
}

func (l *ledger) caughtUp(rec *record) []Cause {
	if !l.sameMembers(rec) {
		return nil
	}
	var out []Cause
	names := l.namesOf(rec)
	for i := range rec.members {
		was, now := l.prevRecord.members[i].configOffset, rec.members[i].configOffset
		if l.prevRecord.members[i].problem == "" && was < l.prev.ConfigOffset && now > was {
			out = append(out, Cause{
				Kind: CauseOffsetCaughtUp, Worker: rec.members[i].id, Name: names[i],
				Detail: fmt.Sprintf("%s caught up with the config topic: offset %d, was %d", names[i], now, was),
			})
		}
	}
	return out
}

func wereUnits(n int) string {
	if n == 1 {
		return "1 unit was"
	}
	return fmt.Sprintf("%d units were", n)
}

func paren(s string) string {
	if s == "" {
		return ""
	}
	return " (" + decode.Printable(s) + ")"
}
