package observe

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"regroup/internal/taskgroup"

	"github.com/twmb/franz-go/pkg/kerr"
)

// placing is how old metadata may grow while nothing goes wrong: partitions can be added, and idle leaders can move.
const placing = 5 * time.Minute

// tail reads partitions of one topic by raw fetches, first to their end, then on as records come. A record is given once:
// a cursor moves past it as it is given, and every start after trouble is from the cursor.
type tail struct {
	cl        *cluster
	topic     string
	partition int32  // -1: all of them
	from      int64  // atStart, or an offset
	until     int64  // stop before it; 0: never
	toEnd     bool   // stop at each partition's end as it is when reading begins
	committed bool   // leave out what transactions aborted or have not ended
	only      []byte // the key that is wanted; nil: all records

	each     func(partition int32, r record)  // slices are valid during the call; partitions come concurrently
	progress func(c *cursor)                  // after each answer that moved c
	lost     func(format string, args ...any) // records are gone or cannot be read
	alive    func(c *cursor)                  // an answer without an error, about c among others
	id       [16]byte                         // the topic's, once it was seen
	cursors  map[int32]*cursor
	behind   atomic.Int32 // cursors that have not reached their end
	throttle atomic.Int32 // milliseconds by which a quota delayed the newest answer
}

// cursor is a place in a partition. It belongs to the fetcher that reads the partition.
type cursor struct {
	partition int32
	start     int64 // log start, when it was first asked
	next      int64 // the next record to be given
	ask       int64 // the next to be asked for, while what lies before is being walked
	first     int64 // next as reading began
	end       int64 // of the partition as reading began
	high      int64 // of the partition now, as the last answer said
	epoch     int32
	limit     int32 // bytes of one answer
	stop      int64 // nothing from here on is read; -1: never
	bad       int64 // offset where a batch could not be read; tried twice, then passed over
	caught    bool  // end was reached

	told       time.Time // when its progress was last told
	toldCaught bool
}

func (c *cursor) done() bool { return c.stop >= 0 && c.next >= c.stop }

// pass reads until something goes wrong (the error says what), until there is nothing more to read, or until it is time to
// look where the partitions are (both nil). It can be called again and goes on from where it was.
func (t *tail) pass(ctx context.Context) error {
	info, err := topic(ctx, t.cl, t.topic)
	if err != nil {
		return err
	}
	byLeader, err := t.place(ctx, info)
	if err != nil {
		return err
	}
	timed, cancel := context.WithTimeout(ctx, placing)
	defer cancel()
	all, inner := taskgroup.New(timed)
	for leader, cursors := range byLeader {
		f := &fetcher{tail: t, info: info, leader: leader, cursors: cursors, walker: newWalker(t.only)}
		all.Go("reading "+t.topic, func(context.Context) error { return f.run(inner) })
	}
	err = all.Wait()
	if ctx.Err() == nil && timed.Err() != nil || errors.Is(err, errPassed) || errors.Is(err, errMoved) {
		return nil
	}
	return err
}

// finished says whether there is nothing more to read, ever.
func (t *tail) finished() bool {
	for _, c := range t.cursors {
		if !c.done() {
			return false
		}
	}
	return t.cursors != nil
}

// place finds each partition's leader, and start and end of those that are new.
func (t *tail) place(ctx context.Context, info topicInfo) (map[int32][]*cursor, error) {
	if t.cursors != nil && info.id != t.id {
		t.lost("%s was deleted and made anew: it is read from its start", t.topic)
		t.cursors, t.from = nil, atStart
	}
	if t.id = info.id; t.cursors == nil {
		t.cursors = map[int32]*cursor{}
		t.behind.Store(0)
	}
	if int(t.partition) >= len(info.partitions) {
		return nil, &resource{"topic", partitionName(t.topic, t.partition), "Read", kerr.UnknownTopicOrPartition}
	}
	byLeader := map[int32][]*cursor{}
	var fresh []*cursor
	for i, p := range info.partitions {
		n := int32(i)
		if t.partition >= 0 && n != t.partition {
			continue
		}
		if p.leader < 0 {
			return nil, &resource{"partition", partitionName(t.topic, n), "Read", kerr.LeaderNotAvailable}
		}
		c := t.cursors[n]
		if c == nil {
			var err error
			if c, err = t.begin(ctx, info, n); err != nil {
				return nil, err
			}
			t.cursors[n] = c
			t.behind.Add(1)
			fresh = append(fresh, c)
		}
		c.ask, c.epoch = c.next, p.epoch
		if !c.done() {
			byLeader[p.leader] = append(byLeader[p.leader], c)
		}
	}
	for _, c := range fresh { // when all are counted: the last one to be at its end may say that all are
		if c.next >= c.end {
			t.moved(c)
		}
	}
	for _, cs := range byLeader {
		slices.SortFunc(cs, func(a, b *cursor) int { return int(a.partition - b.partition) })
	}
	return byLeader, nil
}

func (t *tail) begin(ctx context.Context, info topicInfo, p int32) (*cursor, error) {
	start, err := placeAt(ctx, t.cl, info, p, atStart, false)
	if err != nil {
		return nil, err
	}
	end, err := placeAt(ctx, t.cl, info, p, atEnd, t.committed)
	if err != nil {
		return nil, err
	}
	c := &cursor{partition: p, start: start, next: start, end: end, high: end, stop: -1, bad: -1, limit: maxPartitionBytes}
	if t.from >= 0 {
		c.next = max(start, min(t.from, end))
	}
	c.first = c.next
	switch {
	case t.toEnd:
		c.stop = end
	case t.until > 0:
		c.stop = t.until
	}
	return c, nil
}

// moved takes note of a cursor's new place.
func (t *tail) moved(c *cursor) {
	if !c.caught && c.next >= c.end {
		c.caught = true
		t.behind.Add(-1)
	}
	if t.progress != nil {
		t.progress(c)
	}
}

// follow passes again and again, reporting trouble, until the context ends or there is nothing more to read.
func (t *tail) follow(ctx context.Context, r *reporter) {
	for ctx.Err() == nil {
		err := t.pass(ctx)
		if ctx.Err() != nil || err == nil && t.finished() {
			return
		}
		pause := leastPause
		if err != nil {
			pause = r.trouble(err)
		}
		if !sleep(ctx, pause) {
			return
		}
	}
}
