package decode_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"regroup/decode"
)

// Each target starts from every captured record of its kind and holds, for any bytes:
//
//   - no panic;
//   - an error names message, field and an offset within the bytes, and comes without a value;
//   - what was read, written again and read again is equal, except for the bytes of a newer version behind it;
//   - no more elements come out than the bytes can hold, so that a length alone cannot claim memory;
//   - the fields lie end to end from the first byte, to the last or to the error.

func FuzzSubscription(f *testing.F) {
	subscriptions, _ := messages(f)
	for _, b := range subscriptions {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := decode.ParseSubscription(b)
		fields, ferr := decode.SubscriptionFields(b)
		tile(t, b, fields, ferr)
		if err != nil {
			wantError(t, err, len(b))
			if s != (decode.Subscription{}) || ferr == nil || ferr.Error() != err.Error() {
				t.Fatalf("%+v, %v, fields %v", s, err, ferr)
			}
			return
		}
		if s.Allocation != nil {
			fits(t, s.Allocation, len(b))
			s.Allocation.Trailing = 0
		}
		s.Trailing = 0
		again, err := decode.ParseSubscription(decode.AppendSubscription(nil, s))
		equal(t, s, again, err)
	})
}

func FuzzAssignment(f *testing.F) {
	_, assignments := messages(f)
	for _, b := range assignments {
		f.Add(b)
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := decode.ParseAssignment(b)
		fields, ferr := decode.AssignmentFields(b)
		tile(t, b, fields, ferr)
		if err != nil {
			wantError(t, err, len(b))
			if a != nil || ferr == nil || ferr.Error() != err.Error() {
				t.Fatalf("%+v, %v, fields %v", a, err, ferr)
			}
			return
		}
		if (a == nil) != (len(b) == 0) {
			t.Fatalf("%d bytes are %+v", len(b), a)
		}
		if a == nil {
			return
		}
		fits(t, a, len(b))
		a.Trailing = 0
		again, err := decode.ParseAssignment(decode.AppendAssignment(nil, *a))
		equal(t, a, again, err)
	})
}

func FuzzGroupRecord(f *testing.F) {
	for _, b := range groupRecords(f) {
		f.Add(b)
	}
	f.Add([]byte("\x00\x04\x08connect\x00\x00\x00\x01\x02d\x02m\xff\xff\xff\xff\xff\xff\xff\xff\x02\x02m\x00\x02c\x03/h\x00\x00\x00\x01\x00\x00\x00\x01\x01\x01\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := decode.ParseGroupRecord(b)
		if err != nil {
			wantError(t, err, len(b))
			if g != nil {
				t.Fatalf("a value beside %v", err)
			}
			return
		}
		used := 0
		for _, m := range g.Members {
			used += 15 + len(m.Subscription) + len(m.Assignment)
		}
		if used > len(b) {
			t.Fatalf("%d members out of %d bytes", len(g.Members), len(b))
		}
		g.Version, g.Trailing = 3, 0 // what AppendGroupRecord writes
		again, err := decode.ParseGroupRecord(decode.AppendGroupRecord(nil, *g))
		equal(t, g, again, err)
	})
}

func FuzzGroupKey(f *testing.F) {
	for _, c := range captures(f) {
		f.Add(c.Key)
	}
	f.Add([]byte("\x00\x01\x00\x01g\x00\x01t\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		group, ours, err := decode.ParseGroupKey(b)
		if err != nil {
			wantError(t, err, len(b))
		}
		if !ours && group != "" || ours && err != nil {
			t.Fatalf("%q, %t, %v", group, ours, err)
		}
		if ours != decode.IsGroupKey(b, group) {
			t.Fatalf("ParseGroupKey says %t of %x, IsGroupKey the contrary", ours, b)
		}
		if ours && !bytes.Equal(decode.AppendGroupKey(nil, group), b) {
			t.Fatalf("%x comes back as %x", b, decode.AppendGroupKey(nil, group))
		}
	})
}

func FuzzConfig(f *testing.F) {
	for _, c := range captures(f) {
		if c.ofConfig() {
			f.Add(c.Key, c.Value)
		}
	}
	f.Add([]byte("tasks-fencing-s"), []byte(`{"task-count":1}`))
	f.Add([]byte("logger-cluster-root"), []byte(`{"level":"INFO"}`))
	f.Fuzz(func(t *testing.T, key, value []byte) {
		c, err := decode.ParseConfig(key, value)
		if err != nil {
			wantError(t, err, len(value))
			equal(t, decode.ParseConfigKey(key), c, nil)
			return
		}
		if c.Deleted || c.Kind == decode.ConfigUnknown {
			return
		}
		if len(c.Properties)+len(c.Nulls) > len(value) {
			t.Fatalf("%d properties out of %d bytes", len(c.Properties), len(value))
		}
		again, err := decode.ParseConfig(key, configJSON(t, c))
		equal(t, c, again, err)
	})
}

func FuzzStatus(f *testing.F) {
	for _, c := range captures(f) {
		if c.ofStatus() {
			f.Add(c.Key, c.Value)
		}
	}
	f.Add([]byte("status-topic-t:connector-c"), []byte(`{"topic":{"name":"t","connector":"c","task":0,"discoverTimestamp":1}}`))
	f.Fuzz(func(t *testing.T, key, value []byte) {
		s, err := decode.ParseStatus(key, value)
		if err != nil {
			wantError(t, err, len(value))
			equal(t, decode.ParseStatusKey(key), s, nil)
			return
		}
		if s.Deleted || s.Kind == decode.StatusUnknown {
			return
		}
		again, err := decode.ParseStatus(key, statusJSON(t, s))
		equal(t, s, again, err)
	})
}

func equal(t *testing.T, want, got any, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("what was written does not read: %v", err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("another value (-want +got):\n%s", d)
	}
}

// fits checks that each unit and each share stands for bytes of its own.
func fits(t *testing.T, a *decode.Assignment, n int) {
	t.Helper()
	shares := len(a.Assigned) + len(a.Revoked)
	units := decode.Count(a.Assigned) + decode.Count(a.Revoked)
	if 6*shares+4*units > n {
		t.Fatalf("%d shares of %d units out of %d bytes", shares, units, n)
	}
}

// tile checks that fields lie end to end in depth-first order: from byte 0, and to the last byte unless an error stopped.
func tile(t *testing.T, b []byte, fields []decode.Field, err error) {
	t.Helper()
	at, depth := 0, 0
	for _, f := range fields {
		if f.Offset != at || f.Length <= 0 || f.Name == "" {
			t.Fatalf("after byte %d comes %+v", at, f)
		}
		if f.Depth > depth+1 {
			t.Fatalf("depth jumps from %d: %+v", depth, f)
		}
		at, depth = at+f.Length, f.Depth
	}
	if at > len(b) || err == nil && at != len(b) {
		t.Fatalf("fields end at byte %d of %d (%v)", at, len(b), err)
	}
}
