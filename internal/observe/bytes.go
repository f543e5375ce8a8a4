package observe

import (
	"context"
	"errors"
	"fmt"

	"regroup/decode"
)

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
