package observe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"regroup/decode"
	"regroup/group"
)

// firstWindow is how many offsets before Since are read first, at the least.
const firstWindow = 20_000

// before is how long before Since the log is read: what a round cost is told by the rounds before it too, and its story by the whole episode.
const before = 30 * time.Minute

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

// coordinatorLog reads the group's partition of __consumer_offsets: every synced generation, with all members' bytes.
// It is read uncommitted: offset commits can be part of transactions, and a stranger's open one would stall us.
func coordinatorLog(ctx context.Context, s *source) error {
	var info topicInfo
	if !s.until(ctx, func() (err error) {
		info, err = topic(ctx, s.cl, LogTopic)
		return err
	}) {
		return nil
	}
	p := decode.GroupPartition(s.opt.Group, int32(len(info.partitions)))
	s.rename(partitionName(LogTopic, p))
	s.catchingUp("")
	s.settings(ctx, "log", info)

	t := &tail{topic: LogTopic, partition: p, from: atStart, only: decode.AppendGroupKey(nil, s.opt.Group)}
	if !s.opt.Since.IsZero() {
		var ok bool
		if t.from, ok = s.lookBack(ctx, info, p, t.only); !ok {
			return nil
		}
	}
	s.read(ctx, t, false, func(r Raw) group.Fact {
		f := r.LogFact()
		if s.foreign = foreign(s.opt.Group, f); s.foreign != nil {
			return nil
		}
		return f
	})
	return nil
}

// foreign is the error of a record of a group that is none of Connect workers. A name may have been another group's before.
func foreign(name string, f group.LogRecord) error {
	if f.Record == nil {
		return nil
	}
	if what := classicKind(f.Record.ProtocolType); what != "" {
		return &KindError{name, what}
	}
	return nil
}

// lookBack finds the offset of Since and emits what the group recorded shortly before it: the present has to be known even
// if the group has been silent since, and the first rounds to be shown are told by those before them. A log can be read
// forwards only, so windows before Since are read, each four times as long as the one after it, until one holds a
// record of the group or the log's start is reached: together never more than the whole log. The records wait until all are
// there, so that they come in order.
func (s *source) lookBack(ctx context.Context, info topicInfo, p int32, key []byte) (from int64, ok bool) {
	var start, early int64
	if !s.until(ctx, func() (err error) {
		if start, err = placeAt(ctx, s.cl, info, p, atStart, false); err != nil {
			return err
		}
		if from, err = placeAt(ctx, s.cl, info, p, s.opt.Since.UnixMilli(), false); err == nil && from < 0 {
			from, err = placeAt(ctx, s.cl, info, p, atEnd, false)
		}
		if err == nil {
			early, err = placeAt(ctx, s.cl, info, p, s.opt.Since.Add(-before).UnixMilli(), false)
		}
		return err
	}) {
		return 0, false
	}
	var found []Raw
	size := int64(firstWindow)
	if early >= 0 {
		size = max(size, from-early)
	}
	for hi := from; hi > start && len(found) == 0; size *= 4 {
		lo := max(start, hi-size)
		t := &tail{cl: s.cl, topic: LogTopic, partition: p, from: lo, until: hi, only: key, lost: s.remark, alive: func(*cursor) { s.answered() }}
		t.each = func(p int32, r record) { found = append(found, r.raw(LogTopic, p)) }
		t.follow(ctx, s.reporter)
		if ctx.Err() != nil {
			return 0, false
		}
		hi = lo
	}
	for _, r := range found {
		if f := r.LogFact(); foreign(s.opt.Group, f) == nil {
			s.out.record(r, f)
		}
	}
	return from, true
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

// ErrCompacted says that the broker has a record no more: a newer one of the same key took its place.
var ErrCompacted = errors.New("the broker has compacted it away")

// Bytes fetches one group record again: rounds keep its offset, not its bytes.
func Bytes(ctx context.Context, dial Dial, name string, offset int64) (Raw, error) {
	if offset < 0 {
		return Raw{}, fmt.Errorf("record at offset %d: a polled round has no record", offset)
	}
	opt := Options{Dial: dial}
	cl, err := opt.cluster()
	if err != nil {
		return Raw{}, err
	}
	defer cl.Close()
	fail := func(err error) (Raw, error) {
		if ctx.Err() != nil {
			return Raw{}, context.Cause(ctx)
		}
		_, why := diagnose(err)
		return Raw{}, fmt.Errorf("record at offset %d: %s", offset, why)
	}
	info, err := topic(ctx, cl, LogTopic)
	if err != nil {
		return fail(err)
	}
	var out Raw
	p := decode.GroupPartition(name, int32(len(info.partitions)))
	end, err := placeAt(ctx, cl, info, p, atEnd, false)
	switch {
	case err != nil:
		return fail(err)
	case offset >= end:
		return Raw{}, fmt.Errorf("record at offset %d: the log ends at %d", offset, end)
	}
	t := &tail{
		cl: cl, topic: LogTopic, partition: p, from: offset, until: offset + 1,
		only: decode.AppendGroupKey(nil, name), lost: func(string, ...any) {},
	}
	t.each = func(p int32, r record) { out = r.raw(LogTopic, p) }
	for !t.finished() {
		if err := t.pass(ctx); err != nil {
			return fail(err)
		}
	}
	if out.Key == nil {
		return Raw{}, fmt.Errorf("record at offset %d: %w", offset, ErrCompacted)
	}
	return out, nil
}
