package observe

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"regroup/group"
)

// Stop is a place in a file: everything before the next group record after the one that it names, and if it says for how
// long, no more than that. The zero value is the file's end.
type Stop struct {
	named  bool
	offset bool // at is an offset, not a generation
	at     int64
	after  time.Duration // 0: up to the next group record
}

// ParseStop reads G, @OFFSET, G+2s, @OFFSET+2s; "" is the file's end.
func ParseStop(s string) (Stop, error) {
	if s == "" {
		return Stop{}, nil
	}
	wrong := func() (Stop, error) {
		return Stop{}, fmt.Errorf("%q names no place: give a generation (16), an offset (@14), or one of them and a time after it (16+2s)", s)
	}
	at, after, timed := strings.Cut(s, "+")
	out := Stop{named: true}
	at, out.offset = strings.CutPrefix(at, "@")
	var err error
	if out.at, err = strconv.ParseInt(at, 10, 64); err != nil || out.at < 0 {
		return wrong()
	}
	if timed {
		if out.after, err = time.ParseDuration(after); err != nil || out.after <= 0 {
			return wrong()
		}
	}
	return out, nil
}

func (s Stop) String() string {
	if !s.named {
		return ""
	}
	out := strconv.FormatInt(s.at, 10)
	if s.offset {
		out = "@" + out
	}
	if s.after > 0 {
		out += "+" + s.after.String()
	}
	return out
}

func (s Stop) names(r group.LogRecord) bool {
	if s.offset {
		return r.Offset == s.at
	}
	return r.Record != nil && int64(r.Record.Generation) == s.at
}

// cut is how many facts of a file lie before the stop, and what time it is there.
func (f *Facts) cut(s Stop) (n int, now time.Time, err error) {
	for _, seen := range f.All {
		if seen.At.After(now) {
			now = seen.At
		}
	}
	if !s.named {
		return len(f.All), now, nil
	}
	found, next := -1, len(f.All)
	for i, seen := range f.All {
		r, ok := seen.Fact.(group.LogRecord)
		switch {
		case ok && s.names(r): // the newest of that number: a deleted group counts from 0 again
			found, next = i, len(f.All)
		case ok && found >= 0 && next == len(f.All):
			next = i
		}
	}
	if found < 0 {
		return 0, now, f.missing(s)
	}
	if next < len(f.All) {
		now = later(f.All[next].At.Add(-time.Millisecond), f.All[found].At)
	}
	if s.after > 0 {
		limit := f.All[found].At.Add(s.after)
		if next == len(f.All) || limit.Before(now) {
			now = limit
		}
		for i := found + 1; i < next; i++ {
			if f.All[i].At.After(limit) {
				next = i
				break
			}
		}
	}
	return next, now, nil
}

func (f *Facts) missing(s Stop) error {
	var first, last string
	for _, seen := range f.All {
		r, ok := seen.Fact.(group.LogRecord)
		if !ok || !s.offset && r.Record == nil {
			continue
		}
		last = "@" + strconv.FormatInt(r.Offset, 10)
		if !s.offset {
			last = strconv.Itoa(int(r.Record.Generation))
		}
		if first == "" {
			first = last
		}
	}
	if first == "" {
		return errors.New("the file holds no round of this group")
	}
	return fmt.Errorf("no round %s in the file: its rounds go from %s to %s", s, first, last)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Play gives the facts before stop to apply, in the file's order, then says of each source that nothing more comes. It
// returns what time it is then.
func (f *Facts) Play(stop Stop, apply func(group.Fact, time.Time)) (now time.Time, err error) {
	n, now, err := f.cut(stop)
	if err != nil {
		return now, err
	}
	ends := map[group.Progress]int64{} // by source and partition
	names := map[group.Source]string{}
	var newest roster
	for _, seen := range f.All[:n] {
		apply(seen.Fact, seen.At)
		switch r := seen.Fact.(type) {
		case group.LogRecord:
			names[group.SourceLog] = partitionName(LogTopic, r.Partition)
			ends[group.Progress{Source: group.SourceLog, Partition: r.Partition}] = r.Offset + 1
			if r.Record != nil {
				newest.described = r.Record.Members
			}
		case group.ConfigRecord:
			names[group.SourceConfig] = r.Topic
			ends[group.Progress{Source: group.SourceConfig}] = r.Offset + 1
		case group.StatusRecord:
			names[group.SourceStatus] = r.Topic
			ends[group.Progress{Source: group.SourceStatus, Partition: r.Partition}] = r.Offset + 1
		case group.Description:
			names[group.SourceDescribe] = f.Group
		}
	}
	_, offset := newest.holding()
	for p, upTo := range ends {
		if p.Source == group.SourceConfig {
			upTo = max(upTo, offset) // what the file lacks will not come
		}
		p.At, p.UpTo, p.CaughtUp = now, upTo, true
		apply(p, now)
	}
	for _, source := range []group.Source{group.SourceLog, group.SourceDescribe, group.SourceConfig, group.SourceStatus} {
		r := group.SourceReport{At: now, Source: source, Name: names[source], Health: group.HealthEnded}
		if several := f.several[source]; len(several) > 0 {
			r.Health, r.Detail = group.HealthAmbiguous, strings.Join(several, ", ")+" are all in the file, and none is read: its header can name one"
		} else if r.Name == "" {
			r.Health, r.Detail = group.HealthOff, "the file holds none of it"
		} else if f.torn > 0 {
			r.Detail = fmt.Sprintf("the file breaks off in the middle of line %d", f.torn)
		}
		apply(r, now)
	}
	return now, nil
}
