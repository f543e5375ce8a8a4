package group

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group/assign"
)

// tables give connectors, units and workers small numbers, so that a round of 100,000 units is arrays of int32. Numbers are
// never reused and slices only grow, so a copy of a tables (its slice headers) stays right while the original grows on.
type tables struct {
	connectors []string
	units      []unitRef
	members    []memberInfo
	workers    int32   // how many worker numbers were given
	order      []int32 // unit numbers as units are listed; see sorted

	connectorIDs map[string]int32
	unitIDs      []connectorUnits // by connector
	memberIDs    map[memberInfo]int32
	workerIDs    map[workerKey][]int32
}

type unitRef struct{ connector, task int32 }

type connectorUnits struct {
	instance int32 // unit number, -1 when not seen
	tasks    []int32
	far      map[int32]int32 // task numbers too large to be an index
}

// memberInfo is what stays the same while a member id lives.
type memberInfo struct {
	id, client, host, url string
	session               int32 // timeout, ms
	worker                int32
}

// workerKey tells workers apart over rounds. Members of one round that share a client id and a URL get several numbers.
type workerKey struct{ client, url string }

const maxHole = 4096

func newTables() *tables {
	return &tables{
		connectorIDs: map[string]int32{},
		memberIDs:    map[memberInfo]int32{},
		workerIDs:    map[workerKey][]int32{},
	}
}

// view is what readers of a State get: no maps.
func (t *tables) view() tables {
	return tables{connectors: t.connectors, units: t.units, members: t.members, workers: t.workers, order: t.sorted()}
}

func (t *tables) connector(name string) int32 {
	if id, ok := t.connectorIDs[name]; ok {
		return id
	}
	id := int32(len(t.connectors))
	t.connectorIDs[name] = id
	t.connectors = append(t.connectors, name)
	t.unitIDs = append(t.unitIDs, connectorUnits{instance: -1})
	return id
}

// unit gives the number of one unit of a connector, making it if need be. Task numbers that would leave a large hole lie
// in a map: a number on the wire must not decide how much memory is used.
func (t *tables) unit(connector, task int32) int32 {
	c := &t.unitIDs[connector]
	if task == decode.Instance {
		if c.instance < 0 {
			c.instance = t.newUnit(connector, task)
		}
		return c.instance
	}
	if int(task) < len(c.tasks) && c.tasks[task] >= 0 {
		return c.tasks[task]
	}
	if id, ok := c.far[task]; ok {
		return id
	}
	id := t.newUnit(connector, task)
	if int(task) >= len(c.tasks)+maxHole {
		if c.far == nil {
			c.far = map[int32]int32{}
		}
		c.far[task] = id
		return id
	}
	for len(c.tasks) <= int(task) {
		c.tasks = append(c.tasks, -1)
	}
	c.tasks[task] = id
	return id
}

func (t *tables) newUnit(connector, task int32) int32 {
	t.units = append(t.units, unitRef{connector, task})
	return int32(len(t.units) - 1)
}

// shares appends the numbers of the units in an assignment.
func (t *tables) shares(out []int32, shares []decode.Share) []int32 {
	for _, s := range shares {
		c := t.connector(s.Connector)
		for _, task := range s.Tasks {
			out = append(out, t.unit(c, task))
		}
	}
	return out
}

func (t *tables) unitOf(id int32) Unit {
	u := t.units[id]
	return Unit{Connector: t.connectors[u.connector], Task: u.task}
}

// unitsOf lists units sorted.
func (t *tables) unitsOf(ids []int32) []Unit {
	out := make([]Unit, len(ids))
	for i, id := range ids {
		out[i] = t.unitOf(id)
	}
	return decode.SortUnits(out)
}

func (t *tables) member(m memberInfo) int32 {
	if id, ok := t.memberIDs[m]; ok {
		return id
	}
	id := int32(len(t.members))
	t.memberIDs[m] = id
	t.members = append(t.members, m)
	return id
}

func (t *tables) newWorker(k workerKey) int32 {
	w := t.workers
	t.workers++
	t.workerIDs[k] = append(t.workerIDs[k], w)
	return w
}

func (t *tables) unowned(units []unownedUnit) []Unit {
	out := make([]Unit, len(units))
	for i, u := range units {
		out[i] = t.unitOf(u.unit)
	}
	return decode.SortUnits(out)
}

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

// bitset is a set of unit numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(u int32) { b[u>>6] |= 1 << (u & 63) }

func (b bitset) has(u int32) bool { return int(u>>6) < len(b) && b[u>>6]&(1<<(u&63)) != 0 }

// onceEach is unit numbers in the order in which they were first added.
type onceEach struct {
	seen bitset
	list []int32
}

func (o *onceEach) add(u int32) {
	for int(u>>6) >= len(o.seen) {
		o.seen = append(o.seen, 0)
	}
	if !o.seen.has(u) {
		o.seen.add(u)
		o.list = append(o.list, u)
	}
}

// identify gives every member of a record its worker number: the same as before while client id and URL are the same.
// Members of one round that share both are told apart by member id.
func (l *ledger) identify(members []joined) {
	t := l.tables
	sharing := map[workerKey]int{}
	for i := range members {
		sharing[workerKey{members[i].client, members[i].url}]++
	}
	taken := map[int32]bool{}
	for pass := range 2 { // those whose member id is known come first
		for i := range members {
			m := &members[i]
			w, same := l.prevMember[m.id]
			if pass == 0 {
				m.worker = -1
				if same && t.members[w].client == m.client && (m.url == t.members[w].url || m.problem != "") {
					m.url = t.members[w].url
					m.worker = t.members[w].worker
					taken[m.worker] = true
				}
				continue
			}
			if m.worker >= 0 {
				continue
			}
			k := workerKey{m.client, m.url}
			candidates := t.workerIDs[k]
			if at := slices.IndexFunc(candidates, func(w int32) bool { return !taken[w] }); at >= 0 {
				m.worker = candidates[at]
				if sharing[k] == 1 { // of several that once shared a name, the one of the round before
					for _, w := range candidates {
						if _, held := l.held[w]; held && !taken[w] {
							m.worker = w
							break
						}
					}
				}
			} else {
				m.worker = t.newWorker(k)
			}
			taken[m.worker] = true
		}
	}
}

// shortNames gives each member its client id where that is unique, else host:port, else the end of its member id.
func shortNames(members []memberInfo) []string {
	clients, hosts := map[string]int{}, map[string]int{}
	for _, m := range members {
		clients[m.client]++
		hosts[hostPort(m.url)]++
	}
	names := make([]string, len(members))
	for i, m := range members {
		switch h := hostPort(m.url); {
		case clients[m.client] == 1 && m.client != "":
			names[i] = m.client
		case h != "" && hosts[h] == 1:
			names[i] = h
		default:
			names[i] = m.id[max(0, len(m.id)-8):]
		}
	}
	return names
}

// hostPort is the host:port of an advertised URL, "" where there is none (NOTUSED, empty, not a URL).
func hostPort(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}
