package group

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group/assign"
)

// record is a coordinator's record (or a polled description) with its members decoded and its units numbered: what the
// fold reads.
type record struct {
	partition    int32
	offset       int64
	polled       bool
	generation   int32
	at           time.Time // entered its state
	recordedAt   time.Time
	bytes        int
	protocol     string
	mode         Mode
	leader       string
	leaderURL    string
	configOffset int64
	err          int16
	delayMs      int32
	members      []joined            // sorted by member id
	seen         []assign.SeenMember // in the record's own order, for the shadow leader
}

// joined is one worker of a record.
type joined struct {
	memberInfo
	wire         int
	configOffset int64
	reported     []int32 // unit numbers, in wire order
	assigned     []int32
	revoked      []int32
	problem      string // its bytes could not be read
}

func modeOf(protocol string) Mode {
	switch strings.ToLower(protocol) {
	case "":
		return ModeNone
	case decode.ProtocolEager:
		return ModeEager
	}
	return ModeCooperative
}

// readRecord decodes every member. One that cannot be read is marked and leaves the others alone.
func (t *tables) readRecord(d *decode.Decoder, g *decode.GroupRecord, at time.Time) *record {
	r := &record{
		generation: g.Generation,
		at:         g.StateAt,
		recordedAt: at,
		protocol:   g.Protocol,
		mode:       modeOf(g.Protocol),
		leader:     g.Leader,
	}
	if r.at.IsZero() {
		r.at = at
	}
	r.configOffset = -1
	assigned := false
	for i, m := range g.Members {
		j := joined{wire: i, configOffset: -1}
		j.id, j.client, j.host = m.ID, m.Client, strings.TrimPrefix(m.Host, "/")
		j.session = int32(m.SessionTimeout.Milliseconds())
		sub, err := d.Subscription(m.Subscription)
		if err != nil {
			j.problem = err.Error()
		} else {
			j.url, j.configOffset = sub.URL, sub.ConfigOffset
			if sub.Allocation != nil && r.mode == ModeCooperative {
				j.reported = t.shares(make([]int32, 0, decode.Count(sub.Allocation.Assigned)), sub.Allocation.Assigned)
			}
			if !assigned {
				r.configOffset = max(r.configOffset, sub.ConfigOffset)
			}
			if m.ID == g.Leader && r.leaderURL == "" {
				r.leaderURL = sub.URL
			}
		}
		a, err := d.Assignment(m.Assignment)
		r.seen = append(r.seen, assign.SeeMember(m, sub, a))
		switch {
		case err != nil:
			j.problem = err.Error()
		case a != nil:
			if !assigned {
				assigned = true
				r.configOffset, r.leaderURL = a.ConfigOffset, a.LeaderURL
				if r.leader == "" {
					r.leader = a.Leader
				}
			}
			r.err, r.delayMs = max(r.err, a.Error), max(r.delayMs, a.DelayMs)
			j.assigned = t.shares(make([]int32, 0, decode.Count(a.Assigned)), a.Assigned)
			j.revoked = t.shares(nil, a.Revoked)
		}
		r.members = append(r.members, j)
	}
	slices.SortFunc(r.members, func(a, b joined) int { return cmp.Compare(a.id, b.id) })
	return r
}

// same says whether two polled descriptions are one round.
func (r *record) same(o *record) bool {
	if o == nil || r.protocol != o.protocol || len(r.members) != len(o.members) || r.err != o.err || r.delayMs != o.delayMs {
		return false
	}
	for i := range r.members {
		a, b := &r.members[i], &o.members[i]
		if a.id != b.id || a.configOffset != b.configOffset || !slices.Equal(a.reported, b.reported) ||
			!slices.Equal(a.assigned, b.assigned) || !slices.Equal(a.revoked, b.revoked) {
			return false
		}
	}
	return true
}
