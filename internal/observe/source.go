package observe

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"time"

	"regroup/group"
)

// source is what all sources have.
type source struct {
	opt *Options
	out *stream
	cl  *cluster
	*reporter
	foreign error // the newest record of the log is of another kind of group
	fail    func(error)
}

// begin makes a source with connections of its own.
func begin(opt *Options, out *stream, name group.Source, title string) (*source, error) {
	cl, err := opt.cluster()
	if err != nil {
		return nil, err
	}
	return &source{opt: opt, out: out, cl: cl, reporter: out.reporter(name, title)}, nil
}

// read follows t until the context ends: records become facts, its progress becomes Progress facts and health.
// eager asks for a Progress fact whenever the place changes, else once a second and when the end is reached.
func (s *source) read(ctx context.Context, t *tail, eager bool, fact func(Raw) group.Fact) {
	t.cl = s.cl
	t.lost = s.remark
	t.each = func(p int32, r record) {
		raw := r.raw(t.topic, p)
		s.out.record(raw, fact(raw))
	}
	t.alive = func(c *cursor) {
		if now := s.opt.Clock(); now.Sub(c.told) >= time.Second { // an answer without records is a sign of life
			s.tellPlace(c, now)
		}
		switch {
		case t.behind.Load() == 0:
			s.working(group.HealthOK, "")
		case t.throttle.Load() > 0: // such an answer is empty: nothing else tells of it
			s.answered()
			s.catchingUp(t.farAs(c))
		default:
			s.answered()
		}
	}
	t.progress = func(c *cursor) {
		now := s.opt.Clock()
		if eager || c.next >= c.high != c.toldCaught || now.Sub(c.told) >= time.Second {
			s.tellPlace(c, now)
			if t.behind.Load() > 0 && c.end > c.first {
				s.catchingUp(t.farAs(c))
			}
		}
		if c.next >= c.high && s.foreign != nil {
			s.fail(s.foreign)
		}
		if t.behind.Load() == 0 {
			s.working(group.HealthOK, "")
		}
	}
	t.follow(ctx, s.reporter)
}

// tellPlace tells how far a partition has been read.
func (s *source) tellPlace(c *cursor, now time.Time) {
	c.told, c.toldCaught = now, c.next >= c.high
	s.out.put(group.Progress{At: now, Source: s.source, Partition: c.partition, UpTo: c.next, CaughtUp: c.toldCaught})
}

// farAs says how far a partition has been read of what it held when reading began, and by how much a quota holds that up.
func (t *tail) farAs(c *cursor) string {
	text := fmt.Sprintf("%s: %s of %s records", partitionName(t.topic, c.partition), thousands(c.next-c.first), thousands(c.end-c.first))
	if ms := t.throttle.Load(); ms > 0 {
		text += fmt.Sprintf(", throttled by a quota: the broker delays the next answer by %.1f s", float64(ms)/1000)
	}
	return text
}

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// raw copies a record out of the response it lies in: a slice would keep the megabytes around it alive.
func (r record) raw(topic string, partition int32) Raw {
	return Raw{topic, partition, r.offset, time.UnixMilli(r.at).UTC(), bytes.Clone(r.key), bytes.Clone(r.value)}
}
