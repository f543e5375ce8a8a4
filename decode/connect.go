package decode

import "strconv"

// Protocol names of a Connect group, as the coordinator records them. Never infer the protocol from a version header:
// workers of 2.4 to 3.2 write header 1 under sessioned.
const (
	ProtocolEager      = "default"
	ProtocolCompatible = "compatible"
	ProtocolSessioned  = "sessioned"
)

// Error codes that an assignment carries.
const (
	NoError        int16 = 0
	ConfigMismatch int16 = 1
)

// Subscription is what a worker says when it joins. Versions above 2 are read as 2, as Connect itself does.
type Subscription struct {
	Version      int16
	URL          string // as advertised: may be empty, "NOTUSED" (mirroring without REST), or no URL at all
	ConfigOffset int64  // of the next config record that the worker will read; -1 before any
	// Allocation is all that the worker holds, and the last round's error, leader, offset and delay. It is nil under
	// eager, for a fresh worker, for one that let go of everything when the coordinator was away, and when absent.
	Allocation *Assignment
	Trailing   int // bytes after the last known field
}

// Assignment is what the leader tells a worker. Under eager (version 0) Assigned is complete; under cooperative it holds
// only what to start, Revoked what to stop, and what neither names runs on.
type Assignment struct {
	Version      int16
	Error        int16
	Leader       string // member id
	LeaderURL    string
	ConfigOffset int64
	Assigned     []Share // nil when empty, null or absent
	Revoked      []Share // nil when empty, null or absent, and under eager
	DelayMs      int32   // 0 under eager, or when absent
	Trailing     int
}

// Decoder parses messages of one group, where the same names come again and again: it keeps one copy of each name, and
// small lists lie together in larger pieces. The zero value is ready. It is not safe for use by several goroutines.
type Decoder struct {
	names     map[string]string
	nameBytes int
	pieces    slab[Share]
	tasks     slab[int32]
}

// ParseSubscription reads a member's metadata for the group's protocol.
func ParseSubscription(b []byte) (Subscription, error) { return new(Decoder).Subscription(b) }

// ParseAssignment reads a SyncGroup assignment. A member to which the leader gave nothing has zero bytes: nil, no error.
func ParseAssignment(b []byte) (*Assignment, error) { return new(Decoder).Assignment(b) }

// Subscription is ParseSubscription with names shared.
func (d *Decoder) Subscription(b []byte) (Subscription, error) {
	r := reader{what: "subscription", b: b}
	s := d.subscription(&r)
	if r.err != nil {
		return Subscription{}, r.err
	}
	return s, nil
}

// Assignment is ParseAssignment with names shared.
func (d *Decoder) Assignment(b []byte) (*Assignment, error) {
	if len(b) == 0 {
		return nil, nil
	}
	r := reader{what: "assignment", b: b}
	a := d.assignment(&r)
	if r.err != nil {
		return nil, r.err
	}
	return a, nil
}

// SubscriptionFields names each piece of a subscription's bytes, up to the first that cannot be read.
func SubscriptionFields(b []byte) ([]Field, error) {
	return fields("subscription", b, func(r *reader) { new(Decoder).subscription(r) })
}

// AssignmentFields names each piece of an assignment's bytes, up to the first that cannot be read. Zero bytes have none.
func AssignmentFields(b []byte) ([]Field, error) {
	if len(b) == 0 {
		return nil, nil
	}
	return fields("assignment", b, func(r *reader) { new(Decoder).assignment(r) })
}

func fields(what string, b []byte, parse func(*reader)) ([]Field, error) {
	var out []Field
	r := reader{what: what, b: b, trace: func(f Field) { out = append(out, f) }}
	parse(&r)
	return out, r.err
}

func (d *Decoder) subscription(r *reader) Subscription {
	var s Subscription
	s.Version = version(r)
	s.URL = d.name(r, "url", "URL")
	s.ConfigOffset = configOffset(r)
	if s.Version >= 1 && !r.done() {
		s.Allocation = d.allocation(r)
	}
	s.Trailing = r.rest()
	return s
}

// allocation reads the assignment that lies, with a length before it, within a subscription.
func (d *Decoder) allocation(r *reader) *Assignment {
	from := r.at
	b := r.blob("allocation", true)
	if r.err != nil {
		return nil
	}
	if b == nil {
		r.note(from, "allocation", "null")
		return nil
	}
	start := r.at - len(b)
	if r.trace != nil {
		r.trace(Field{r.base + from, start - from, r.depth, "allocation", strconv.Itoa(len(b)) + " bytes, an assignment"})
	}
	in := reader{what: "subscription: allocation", b: b, base: r.base + start, depth: r.depth + 1, trace: r.trace}
	a := d.assignment(&in)
	if r.err = in.err; r.err != nil {
		return nil
	}
	return a
}

func (d *Decoder) assignment(r *reader) *Assignment {
	a := new(Assignment)
	a.Version = version(r)
	from := r.at
	a.Error = r.int16("error")
	if r.trace != nil {
		r.note(from, "error", "%d, %s", a.Error, errorName(a.Error))
	}
	a.Leader = d.name(r, "leader", "leader")
	a.LeaderURL = d.name(r, "leader url", "leader URL")
	a.ConfigOffset = configOffset(r)
	if a.Version == 0 {
		a.Assigned = d.shares(r, &assignedFields, false)
		a.Trailing = r.rest()
		return a
	}
	if !r.done() {
		a.Assigned = d.shares(r, &assignedFields, true)
	}
	if !r.done() {
		a.Revoked = d.shares(r, &revokedFields, true)
	}
	if !r.done() {
		from = r.at
		a.DelayMs = r.int32("delay")
		if r.trace != nil {
			r.note(from, "delay", "%d ms", a.DelayMs)
		}
	}
	a.Trailing = r.rest()
	return a
}

func version(r *reader) int16 {
	from := r.at
	v := r.int16("version")
	if v < 0 {
		r.fail("version", from, "%d is no version", v)
	}
	if r.trace != nil {
		r.note(from, "version", "%d", v)
	}
	return v
}

func configOffset(r *reader) int64 {
	from := r.at
	n := r.int64("config offset")
	if r.trace != nil {
		r.note(from, "config offset", "%d", n)
	}
	return n
}

func errorName(code int16) string {
	switch code {
	case NoError:
		return "none"
	case ConfigMismatch:
		return "configs differ"
	}
	return "unknown"
}
