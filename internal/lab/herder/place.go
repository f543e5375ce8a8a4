package herder

import (
	"slices"

	"regroup/decode"
)

// Place is a worker's place in its group, as a value that others than the herder may look at.
type Place struct {
	ID         string
	Generation int32
	Claimed    int32              // generation that its statuses carry
	Protocol   string             // of the last join; its own until the group decides on another
	Assignment *decode.Assignment // nil: none yet

	snapshot *decode.Assignment // the last assignment, with all that the worker holds in Assigned; nil: none
	owners   map[decode.Unit]string
	beating  bool // joined, and not joining again
	rejoin   bool // somebody or something wants a rebalance
}

// MustJoin reports whether the worker has to join: a rebalance is wanted, or its last assignment is good for nothing.
func (p Place) MustJoin() bool {
	return p.rejoin || p.snapshot == nil || p.snapshot.Error != decode.NoError
}

// Leads reports whether the last assignment was the worker's own.
func (p Place) Leads() bool { return p.Assignment != nil && p.Assignment.Leader == p.ID }

// LeaderURL is the leader's; "" when none is known.
func (p Place) LeaderURL() string {
	if p.Assignment == nil {
		return ""
	}
	return p.Assignment.LeaderURL
}

// Units lists what the worker holds by the last assignment.
func (p Place) Units() []decode.Unit {
	if p.Assignment == nil {
		return nil
	}
	return decode.Units(p.Assignment.Assigned)
}

// Holds reports whether the worker holds a unit by the last assignment.
func (p Place) Holds(u decode.Unit) bool { return slices.Contains(p.Units(), u) }

// Owner is the URL of the worker that this leader has given the unit to; "" when it is unassigned, or this worker does not lead.
func (p Place) Owner(u decode.Unit) string { return p.owners[u] }

// lose takes in an error that says that the worker's place in the group is not what it was.
func (p *Place) lose(code int16) {
	p.rejoin, p.beating = true, false
	if code == unknownMember {
		p.ID = ""
	}
}
