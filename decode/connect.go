package decode

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
	Assigned     []Share
	Revoked      []Share // none under eager, or when absent
	DelayMs      int32   // 0 under eager, or when absent
	Trailing     int
}

// Decoder parses messages of one group, where the same names come again and again: it keeps one copy of each name, and
// task numbers lie together in large pieces. The zero value is ready. It is not safe for use by several goroutines.
type Decoder struct {
	names map[string]string
	tasks []int32
}

// ParseSubscription reads a member's metadata for the group's protocol.
func ParseSubscription(b []byte) (Subscription, error) { return new(Decoder).Subscription(b) }

// ParseAssignment reads a SyncGroup assignment. A member to which the leader gave nothing has zero bytes: nil, no error.
func ParseAssignment(b []byte) (*Assignment, error) { return new(Decoder).Assignment(b) }

// Subscription is ParseSubscription with names shared.
func (d *Decoder) Subscription(b []byte) (Subscription, error) {
	r := &reader{what: "subscription", b: b}
	s := d.subscription(r)
	return s, r.err
}

// Assignment is ParseAssignment with names shared.
func (d *Decoder) Assignment(b []byte) (*Assignment, error) {
	if len(b) == 0 {
		return nil, nil
	}
	r := &reader{what: "assignment", b: b}
	a := d.assignment(r)
	if r.err != nil {
		return nil, r.err
	}
	return &a, nil
}

// SubscriptionFields names each piece of a subscription's bytes, up to the first that cannot be read.
func SubscriptionFields(b []byte) ([]Field, error) {
	return fields("subscription", b, func(r *reader) { new(Decoder).subscription(r) })
}

// AssignmentFields names each piece of an assignment's bytes, up to the first that cannot be read.
func AssignmentFields(b []byte) ([]Field, error) {
	if len(b) == 0 {
		return nil, nil
	}
	return fields("assignment", b, func(r *reader) { new(Decoder).assignment(r) })
}

func fields(what string, b []byte, parse func(*reader)) ([]Field, error) {
	var out []Field
	r := &reader{what: what, b: b, trace: func(f Field) { out = append(out, f) }}
	parse(r)
	return out, r.err
}

func (d *Decoder) subscription(r *reader) Subscription {
	var s Subscription
	s.Version = version(r)
	s.URL = d.named(r, "url", "URL")
	s.ConfigOffset = configOffset(r)
	if s.Version >= 1 && r.err == nil && r.left() > 0 {
		from := r.at
		b := r.bytes32("allocation")
		if b != nil && r.err == nil {
			at := r.at
			r.at = from + 4
			r.note(from, "allocation", "%d bytes, an assignment", len(b))
			r.at = at
			in := &reader{what: r.what + ": allocation", b: b, base: r.base + at - len(b), depth: r.depth + 1, trace: r.trace}
			a := d.assignment(in)
			if r.err = in.err; r.err == nil {
				s.Allocation = &a
			}
		} else {
			r.note(from, "allocation", "none")
		}
	}
	s.Trailing = trailing(r)
	return s
}

func (d *Decoder) assignment(r *reader) Assignment {
	var a Assignment
	a.Version = version(r)
	from := r.at
	a.Error = r.int16("error")
	r.note(from, "error", "%d, %s", a.Error, errorName(a.Error))
	a.Leader = d.named(r, "leader", "leader")
	a.LeaderURL = d.named(r, "leader url", "leader URL")
	a.ConfigOffset = configOffset(r)
	if a.Version == 0 || r.err == nil && r.left() > 0 {
		a.Assigned = d.shares(r, "assigned")
	}
	if a.Version >= 1 && r.err == nil && r.left() > 0 {
		a.Revoked = d.shares(r, "revoked")
	}
	if a.Version >= 1 && r.err == nil && r.left() > 0 {
		from = r.at
		a.DelayMs = r.int32("delay")
		r.note(from, "delay", "%d ms", a.DelayMs)
	}
	a.Trailing = trailing(r)
	return a
}

func (d *Decoder) shares(r *reader, field string) []Share {
	from := r.at
	n := r.count(field, 6)
	r.note(from, field, "%d %s", n, plural(n, "connector"))
	if n == 0 || r.err != nil {
		return nil
	}
	out := make([]Share, 0, n)
	r.depth++
	defer func() { r.depth-- }()
	for range n {
		name := d.named(r, field+" connector", "connector")
		from = r.at
		k := r.count(field+" tasks", 4)
		r.note(from, "units", "%d", k)
		if r.err != nil {
			return nil
		}
		tasks := d.room(k)
		for i := range tasks {
			at := r.at
			tasks[i] = r.int32(field + " task")
			if tasks[i] < Instance {
				r.fail(field+" task", at, "task %d", tasks[i])
				return nil
			}
			r.noteUnit(at, tasks[i])
		}
		out = append(out, Share{name, tasks})
	}
	return out
}

func (r *reader) noteUnit(at int, task int32) {
	if r.trace == nil {
		return
	}
	if task == Instance {
		r.note(at, "unit", "-1, connector")
	} else {
		r.note(at, "unit", "%d, a task", task)
	}
}

// room gives a slice of n numbers out of a larger piece.
func (d *Decoder) room(n int) []int32 {
	if n > len(d.tasks) {
		d.tasks = make([]int32, max(n, 1024))
	}
	out := d.tasks[:n:n]
	d.tasks = d.tasks[n:]
	return out
}

// named reads a string that is likely to have been seen before.
func (d *Decoder) named(r *reader, field, label string) string {
	from := r.at
	b, null := r.bytes16(field)
	if null {
		r.fail(field, from, "null where a string must be")
	}
	if r.err != nil {
		return ""
	}
	s, ok := d.names[string(b)]
	if !ok {
		s = string(b)
		if d.names == nil || len(d.names) >= maxNames {
			d.names = map[string]string{}
		}
		d.names[s] = s
	}
	r.note(from, label, "%s", s)
	return s
}

// maxNames bounds a Decoder's memory: a group whose member ids change two hundred times a second names ever new leaders.
const maxNames = 1 << 16

func version(r *reader) int16 {
	v := r.int16("version")
	if r.err == nil && v < 0 {
		r.fail("version", r.at-2, "%d", v)
	}
	r.note(r.at-2, "version", "%d", v)
	return v
}

func configOffset(r *reader) int64 {
	n := r.int64("config offset")
	r.note(r.at-8, "config offset", "%d", n)
	return n
}

func trailing(r *reader) int {
	n := r.left()
	if r.err != nil || n == 0 {
		return 0
	}
	from := r.at
	r.at = len(r.b)
	r.note(from, "unknown", "%d %s of a newer version", n, plural(n, "byte"))
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

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
