package group

import (
	"cmp"
	"slices"
	"time"

	"regroup/decode"
)

// claim is one record of the status topic: what a worker said of a unit.
type claim struct {
	at          time.Time
	unit        int32
	id          string // worker_id, as written
	worker      string // its author: an address, or a worker's number; id where nothing tells
	state       string
	trace       string
	generation  int32
	partition   int32
	offset      int64
	deleted     bool
	foreign     bool // of another pair of clusters: this is not the group's topic, or not its alone
	unaddressed bool // id names no address: rounds tell whose it is
	seq, prev   int  // its number, and that of the unit's claim before it; -1 for none
}

// running says whether a claim is one of running: paused units hold their resources and count as held, not as running.
func (k claim) running() bool { return k.state == decode.Running }

// compare orders claims by time: the partitions of the status topic arrive in any order.
func (k claim) compare(o claim) int {
	return cmp.Or(k.at.Compare(o.at), cmp.Compare(k.partition, o.partition), cmp.Compare(k.offset, o.offset))
}

// unitClaims is what the status topic says of one unit: its newest record, and the newest of each worker that claims to
// run it. A worker's claim ends only by that worker's own record, or by its leaving.
type unitClaims struct {
	newest claim
	known  bool
	byWho  []claim // newest of each worker, oldest first
	epoch  int     // of the table when this was made: what an older one made is shared
}

func (c *unitClaims) apply(k claim) {
	if k.deleted {
		c.newest, c.known, c.byWho = k, true, nil
		return
	}
	c.newest, c.known = k, true
	if i := slices.IndexFunc(c.byWho, func(o claim) bool { return o.worker == k.worker }); i >= 0 {
		c.byWho = slices.Delete(c.byWho, i, i+1)
	}
	c.byWho = append(c.byWho, k)
}

// by is the newest claim of one worker, nil when it made none.
func (c *unitClaims) by(worker string) *claim {
	for i := range c.byWho {
		if c.byWho[i].worker == worker {
			return &c.byWho[i]
		}
	}
	return nil
}

// claimTable is what the status topic says of every unit up to some moment, by unit number. What a snapshot of it shares
// is copied before it changes.
type claimTable struct {
	units  []*unitClaims
	epoch  int
	shared bool // units lies in a snapshot
}

func (t *claimTable) apply(k claim) {
	if t.shared {
		t.units, t.shared = slices.Clone(t.units), false
	}
	for int(k.unit) >= len(t.units) {
		t.units = append(t.units, nil)
	}
	c := t.units[k.unit]
	switch {
	case c == nil:
		c = &unitClaims{epoch: t.epoch}
	case c.epoch != t.epoch:
		c = &unitClaims{newest: c.newest, known: c.known, byWho: slices.Clone(c.byWho), epoch: t.epoch}
	}
	c.apply(k)
	t.units[k.unit] = c
}

// snapshot is the table as it stands, for readers while it goes on.
func (t *claimTable) snapshot() claimTable {
	if !t.shared {
		t.epoch++
		t.shared = true
	}
	return claimTable{units: t.units, epoch: t.epoch}
}

// replace makes the entry of a unit anew from all the claims about it, oldest first.
func (t *claimTable) replace(unit int32, claims []claim) {
	if t.shared {
		t.units, t.shared = slices.Clone(t.units), false
	}
	c := &unitClaims{epoch: t.epoch}
	for _, k := range claims {
		c.apply(k)
	}
	t.units[unit] = c
}

var noClaims = &unitClaims{}

func (t *claimTable) of(unit int32) *unitClaims {
	if int(unit) < len(t.units) && t.units[unit] != nil {
		return t.units[unit]
	}
	return noClaims
}

// maxClaims bounds the status records kept for looking back; the newest of each unit is kept whatever comes.
const maxClaims = 1 << 20
