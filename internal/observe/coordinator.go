package observe

import (
	"context"
	"time"

	"regroup/decode"
	"regroup/group"
)

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

// firstWindow is how many offsets before Since are read first, at the least.
const firstWindow = 20_000

// before is how long before Since the log is read: what a round cost is told by the rounds before it too, and its story by the whole episode.
const before = 30 * time.Minute
