package group

import (
	"time"

	"regroup/decode"
)

// claim is one record of the status topic: what a worker said of a unit.
type claim struct {
	at         time.Time
	unit       int32
	worker     string // host:port
	state      string
	trace      string
	generation int32
	partition  int32
	offset     int64
	deleted    bool
}

// unitClaims is what the status topic says of one unit: its newest record, and the newest of each worker that claims to
// run it. A worker's claim ends only by that worker's own record, or by its leaving.
type unitClaims struct {
	newest claim
	known  bool
	byWho  []claim // newest of each worker, oldest first
}

func (c *unitClaims) apply(k claim) {
	if k.deleted {
		*c = unitClaims{newest: k, known: true}
		return
	}
	c.newest, c.known = k, true
	for i := range c.byWho {
		if c.byWho[i].worker == k.worker {
			c.byWho = append(c.byWho[:i:i], c.byWho[i+1:]...)
			break
		}
	}
	c.byWho = append(c.byWho, k)
}

// by is the newest claim of one worker.
func (c *unitClaims) by(worker string) (claim, bool) {
	for i := range c.byWho {
		if c.byWho[i].worker == worker {
			return c.byWho[i], true
		}
	}
	return claim{}, false
}

// claimTable is what the status topic says of every unit up to some moment, by unit number.
type claimTable []unitClaims

func (t *claimTable) apply(k claim) {
	for int(k.unit) >= len(*t) {
		*t = append(*t, unitClaims{})
	}
	(*t)[k.unit].apply(k)
}

func (t claimTable) of(unit int32) *unitClaims {
	if int(unit) < len(t) {
		return &t[unit]
	}
	return &unitClaims{}
}

// running says whether a claim is one of running: paused units hold their resources and count as held, not as running.
func (k claim) running() bool { return k.state == decode.Running }

// maxClaims bounds the status records kept for looking back; the newest of each unit is kept whatever comes.
const maxClaims = 1 << 20
