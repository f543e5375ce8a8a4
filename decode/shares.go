package decode

// Share is one entry of an assignment as it stands on the wire: a connector and some of its units. The order of shares, and
// of tasks within one, is the order on the wire, which decides what Connect's leader revokes first.
type Share struct {
	Connector string
	Tasks     []int32 // Instance stands for the connector itself
}

// Count is the number of units in shares.
func Count(shares []Share) int {
	n := 0
	for _, s := range shares {
		n += len(s.Tasks)
	}
	return n
}

// Units lists the units of shares in wire order.
func Units(shares []Share) []Unit {
	out := make([]Unit, 0, Count(shares))
	for _, s := range shares {
		for _, t := range s.Tasks {
			out = append(out, Unit{s.Connector, t})
		}
	}
	return out
}

// shareFields are the names that errors give to the parts of one list of shares.
type shareFields struct{ list, connector, tasks, task string }

var (
	assignedFields = shareFields{"assigned", "assigned connector", "assigned tasks", "assigned task"}
	revokedFields  = shareFields{"revoked", "revoked connector", "revoked tasks", "revoked task"}
)

// shares reads one list. Null and empty are both nil: Connect's workers take them as the same.
func (d *Decoder) shares(r *reader, f *shareFields, null nullable) []Share {
	from := r.at
	n := r.count(f.list, 6, null)
	if r.trace != nil {
		if n < 0 {
			r.note(from, f.list, "null")
		} else {
			r.note(from, f.list, "%d %s", n, plural(n, "connector"))
		}
	}
	if n <= 0 || r.err != nil {
		return nil
	}
	r.depth++
	out := d.pieces.take(n)
	for i := range out {
		d.share(r, f, &out[i])
		if r.err != nil {
			return nil
		}
	}
	r.depth--
	return out
}

func (d *Decoder) share(r *reader, f *shareFields, s *Share) {
	s.Connector = d.name(r, f.connector, "connector")
	from := r.at
	n := r.count(f.tasks, 4, false)
	if r.err != nil {
		return
	}
	if r.trace != nil {
		r.note(from, "units", "%d", n)
	}
	s.Tasks = d.tasks.take(n)
	for i := range s.Tasks {
		from = r.at
		task := r.int32(f.task)
		if task < Instance {
			r.fail(f.task, from, "task %d", task)
			return
		}
		s.Tasks[i] = task
		if r.trace == nil {
			continue
		}
		if task == Instance {
			r.note(from, "unit", "-1, connector")
		} else {
			r.note(from, "unit", "%d, a task", task)
		}
	}
}

// name reads a string that is likely to have been seen before.
func (d *Decoder) name(r *reader, field, label string) string {
	from := r.at
	b := r.text(field, false)
	if r.err != nil {
		return ""
	}
	s, ok := d.names[string(b)]
	if !ok {
		s = string(b)
		d.nameBytes += len(s)
		if d.names == nil || len(d.names) >= maxNames || d.nameBytes > maxNameBytes {
			d.names, d.nameBytes = map[string]string{}, len(s)
		}
		d.names[s] = s
	}
	if r.trace != nil {
		r.note(from, label, "%s", s)
	}
	return s
}

// A Decoder forgets its names beyond these: a group whose member ids change two hundred times a second names ever new
// leaders.
const (
	maxNames     = 1 << 16
	maxNameBytes = 4 << 20
)

// slab hands out small slices of larger pieces. Pieces grow with use, so that one message costs little; they stay small,
// because whoever keeps one slice keeps its whole piece.
type slab[T any] struct {
	free []T
	size int
}

const maxPiece = 1024

func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		s.size = min(max(2*s.size, 8), maxPiece)
		if n >= s.size {
			return make([]T, n)
		}
		s.free = make([]T, s.size)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}
