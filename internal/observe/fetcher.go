package observe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"regroup/internal/taskgroup"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	// maxPartitionBytes is what one answer may bring of a partition: large, for the next one is on its way while it is walked.
	maxPartitionBytes = 8 << 20
	// hugeBatch is how far that grows for one batch that does not fit.
	hugeBatch = 3 * maxPartitionBytes
	restMs    = 5000 // how long a broker may hold a fetch while nothing is written
	busyMs    = 100  // the same while strangers write: their commits come a hundred milliseconds at a time
	busyBytes = 1 << 20
)

// fetcher reads the partitions that one broker leads.
type fetcher struct {
	*tail
	info    topicInfo
	leader  int32
	cursors []*cursor
	walker  *walker
	tasks   *taskgroup.Group
	busy    bool // the last answer reached the end and held records of no interest
	asked   bool // the first fetch does not wait for records: its answer says that all is well again
}

type answer struct {
	resp *kmsg.FetchResponse
	err  error
}

// run fetches until all cursors are done, or something goes wrong.
func (f *fetcher) run(ctx context.Context) error {
	f.tasks, ctx = taskgroup.New(ctx)
	defer func() { f.tasks.Cancel(); _ = f.tasks.Wait() }()
	next := f.fetch(ctx)
	for next != nil {
		a, err := f.await(ctx, next)
		if err != nil {
			return err
		}
		f.throttle.Store(a.resp.ThrottleMillis)
		parts, err := f.partitions(a.resp)
		if err != nil {
			return err
		}
		// While there is much to read, the next answer is asked for before this one is walked.
		next = nil
		if ahead := f.skim(parts); ahead {
			next = f.fetch(ctx)
		}
		if err := f.take(ctx, parts); err != nil {
			return err
		}
		if f.alive != nil {
			f.alive(f.cursors[0])
		}
		for _, c := range f.cursors {
			if next != nil && c.ask != c.next {
				return nil // what was asked for ahead does not fit: begin anew from the cursors
			}
			c.ask = c.next
		}
		if f.stalled(parts) && !sleep(ctx, leastPause) {
			return ctx.Err()
		}
		if next == nil {
			next = f.fetch(ctx)
		}
	}
	return nil
}

// lateAfter is how much longer than a broker may hold a fetch its answer is waited for without doubts.
const lateAfter = time.Second

// await waits for an answer. When it is late the others are asked who leads: a broker that froze says nothing of its end.
func (f *fetcher) await(ctx context.Context, next <-chan answer) (answer, error) {
	late := time.NewTimer(restMs*time.Millisecond + lateAfter)
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			return answer{}, ctx.Err()
		case a := <-next:
			return a, a.err
		case <-late.C:
		}
		if info, err := topic(ctx, f.cl, f.topic); err == nil && f.ledElsewhere(info) {
			return answer{}, errMoved
		}
		late.Reset(lateAfter)
	}
}

// ledElsewhere reports whether another broker leads one of the partitions now.
func (f *fetcher) ledElsewhere(info topicInfo) bool {
	return slices.ContainsFunc(f.cursors, func(c *cursor) bool {
		return int(c.partition) >= len(info.partitions) || info.partitions[c.partition].leader != f.leader
	})
}

// stalled says that a broker gives nothing although there is something: asking again at once would be spinning.
func (f *fetcher) stalled(parts map[*cursor]*kmsg.FetchResponseTopicPartition) bool {
	behind := false
	for c, p := range parts {
		if len(p.RecordBatches) > 0 {
			return false
		}
		behind = behind || c.next < c.high
	}
	return behind
}

// fetch asks for all cursors that are not done; nil when there are none.
func (f *fetcher) fetch(ctx context.Context) <-chan answer {
	req := kmsg.NewPtrFetchRequest()
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes = restMs, 1, 2*maxPartitionBytes
	req.SessionID, req.SessionEpoch = 0, -1 // no fetch session: nothing to keep in step
	if f.committed {
		req.IsolationLevel = 1
	}
	switch {
	case !f.asked:
		req.MaxWaitMillis = 1
	case f.busy:
		req.MaxWaitMillis, req.MinBytes = busyMs, busyBytes
	}
	f.asked = true
	t := kmsg.NewFetchRequestTopic()
	t.Topic, t.TopicID = f.topic, f.info.id
	for _, c := range f.cursors {
		if c.stop >= 0 && c.ask >= c.stop {
			continue
		}
		p := kmsg.NewFetchRequestTopicPartition()
		p.Partition, p.FetchOffset, p.CurrentLeaderEpoch = c.partition, c.ask, c.epoch
		p.PartitionMaxBytes = c.limit
		req.MaxBytes = max(req.MaxBytes, c.limit)
		t.Partitions = append(t.Partitions, p)
	}
	if len(t.Partitions) == 0 {
		return nil
	}
	req.Topics = append(req.Topics, t)
	out := make(chan answer, 1)
	f.tasks.Go("fetching "+f.topic, func(context.Context) error {
		resp, err := f.cl.once(ctx, f.leader, req)
		a := answer{err: err}
		if err == nil {
			a.resp = resp.(*kmsg.FetchResponse)
		}
		out <- a
		return nil
	})
	return out
}

// partitions takes an answer apart: cursors, and what came for each.
func (f *fetcher) partitions(resp *kmsg.FetchResponse) (map[*cursor]*kmsg.FetchResponseTopicPartition, error) {
	if err := kerr.ErrorForCode(resp.ErrorCode); err != nil {
		return nil, fmt.Errorf("fetch of %s: %w", f.topic, err)
	}
	out := map[*cursor]*kmsg.FetchResponseTopicPartition{}
	for i := range resp.Topics {
		for j := range resp.Topics[i].Partitions {
			p := &resp.Topics[i].Partitions[j]
			for _, c := range f.cursors {
				if c.partition == p.Partition {
					out[c] = p
				}
			}
		}
	}
	return out, nil
}

// skim moves the cursors' ask behind what came, and says whether more is waiting.
func (f *fetcher) skim(parts map[*cursor]*kmsg.FetchResponseTopicPartition) (more bool) {
	for c, p := range parts {
		if p.ErrorCode != 0 {
			return false
		}
		next := skim(p.RecordBatches, c.ask)
		if next == c.ask && len(p.RecordBatches) > 0 {
			return false // a batch that is cut or bad: take decides
		}
		c.ask = next
		more = more || next < f.known(p) && (c.stop < 0 || next < c.stop)
	}
	return more
}

// known is the end of a partition, as an answer tells it.
func (f *fetcher) known(p *kmsg.FetchResponseTopicPartition) int64 {
	if f.committed && p.LastStableOffset >= 0 {
		return p.LastStableOffset
	}
	return p.HighWatermark
}

// take walks what came.
func (f *fetcher) take(ctx context.Context, parts map[*cursor]*kmsg.FetchResponseTopicPartition) error {
	before := f.walker.foreign
	rest := true // all cursors are at their ends
	for c, p := range parts {
		was := c.next
		if p.ErrorCode == kerr.OffsetOutOfRange.Code {
			if err := f.outOfRange(ctx, c); err != nil {
				return err
			}
		} else {
			if err := about("topic", f.topic, "Read", p.ErrorCode); err != nil {
				return err
			}
			if err := f.walk(c, p); err != nil {
				return err
			}
			c.high = f.known(p)
		}
		rest = rest && c.next >= c.high
		if c.next != was {
			f.moved(c)
		}
	}
	f.busy = rest && f.walker.foreign > before
	return nil
}

// walk gives one partition's records. A batch that cannot be read is asked for again, and passed over the second time.
func (f *fetcher) walk(c *cursor, p *kmsg.FetchResponseTopicPartition) error {
	old, was := f.walker.old, c.next
	next, err := f.walker.walk(p.RecordBatches, c.next, newAborts(p.AbortedTransactions), func(r record) {
		if c.stop >= 0 && r.offset >= c.stop {
			return
		}
		f.each(c.partition, r)
		c.next = r.offset + 1
	})
	if n := f.walker.old - old; n > 0 {
		f.lost("%s: %d batches of a format that only Kafka before 0.11 wrote are passed over", partitionName(f.topic, c.partition), n)
	}
	var bad *damage
	switch {
	case errors.As(err, &bad) && c.bad == bad.offset:
		f.lost("%s cannot be read and is passed over: %s", partitionName(f.topic, c.partition), bad)
		c.next, c.bad = max(next, bad.next), -1
		f.moved(c)
		return errPassed
	case errors.As(err, &bad):
		c.next, c.bad = next, bad.offset
		return fmt.Errorf("%s: %w", partitionName(f.topic, c.partition), err)
	case err != nil:
		return err
	case next == was && len(p.RecordBatches) > 0:
		// Bytes that brought nothing. A broker gives one whole batch at least to the first partition of a request alone, so
		// this one goes first now; if it was first, its batch is larger than the limit. Never ask the same again.
		if i := slices.Index(f.cursors, c); i > 0 {
			f.cursors = slices.Insert(slices.Delete(f.cursors, i, i+1), 0, c)
			return nil
		}
		if c.limit >= hugeBatch {
			return fmt.Errorf("%s: the batch at offset %d is larger than %d bytes", partitionName(f.topic, c.partition), next, c.limit)
		}
		c.limit = min(2*c.limit, hugeBatch)
		return nil
	}
	c.next, c.limit = max(next, c.next), maxPartitionBytes
	return nil
}

// errPassed begins a new pass behind a batch that was passed over: what was asked for ahead may not fit any more.
var errPassed = errors.New("a damaged batch was passed over")

// outOfRange asks where the partition begins and ends now, goes on from there, and tells what was missed.
func (f *fetcher) outOfRange(ctx context.Context, c *cursor) error {
	start, err := placeAt(ctx, f.cl, f.info, c.partition, atStart, false)
	if err != nil {
		return err
	}
	end, err := placeAt(ctx, f.cl, f.info, c.partition, atEnd, false)
	if err != nil {
		return err
	}
	name := partitionName(f.topic, c.partition)
	switch {
	case c.next < start:
		f.lost("%s: records %d to %d were deleted before they were read", name, c.next, start-1)
		c.next = start
	case c.next > end:
		f.lost("%s ends at %d and was read up to %d: the broker lost records, or the topic was made anew", name, end, c.next)
		c.next, c.end = end, min(c.end, end)
	default:
		return fmt.Errorf("%s: offset %d: %w", name, c.next, kerr.OffsetOutOfRange)
	}
	c.ask, c.high = c.next, end
	return nil
}
