package decode_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"regroup/decode"
)

// A record that is cut anywhere is an error that says where, or it ends exactly before a field that Connect lets a writer
// leave out; then everything before the cut reads as in the whole record, and the rest has its documented default.

func TestCutGroupRecord(t *testing.T) {
	for _, whole := range groupRecords(t) {
		for n := range whole {
			g, err := decode.ParseGroupRecord(whole[:n])
			wantError(t, err, n)
			if g != nil {
				t.Fatalf("cut at %d: a value beside an error: %+v", n, g)
			}
		}
	}
}

func TestCutGroupKey(t *testing.T) {
	whole := decode.AppendGroupKey(nil, "connect-rig")
	for n := range whole {
		group, ours, err := decode.ParseGroupKey(whole[:n])
		wantError(t, err, n)
		if group != "" || ours {
			t.Fatalf("cut at %d: a value beside an error: %q", n, group)
		}
	}
}

func TestCutSubscription(t *testing.T) {
	subscriptions, _ := messages(t)
	for _, whole := range subscriptions {
		full, err := decode.ParseSubscription(whole)
		if err != nil {
			t.Fatal(err)
		}
		fields, err := decode.SubscriptionFields(whole)
		if err != nil {
			t.Fatal(err)
		}
		for n := range whole {
			got, err := decode.ParseSubscription(whole[:n])
			if endsBefore(fields, n) != "allocation" {
				wantError(t, err, n)
				if got != (decode.Subscription{}) {
					t.Fatalf("cut at %d: a value beside an error: %+v", n, got)
				}
				continue
			}
			want := full
			want.Allocation = nil
			if err != nil || got != want {
				t.Fatalf("cut before the allocation: %+v, %v", got, err)
			}
		}
	}
}

func TestCutAssignment(t *testing.T) {
	_, assignments := messages(t)
	for _, whole := range assignments {
		full, err := decode.ParseAssignment(whole)
		if err != nil {
			t.Fatal(err)
		}
		fields, err := decode.AssignmentFields(whole)
		if err != nil {
			t.Fatal(err)
		}
		for n := range whole {
			got, err := decode.ParseAssignment(whole[:n])
			if n == 0 {
				if got != nil || err != nil {
					t.Fatalf("no bytes: %+v, %v", got, err)
				}
				continue
			}
			optional := []string{"assigned", "revoked", "delay"}
			if full.Version == 0 {
				optional = nil
			}
			first := slices.Index(optional, endsBefore(fields, n))
			if first < 0 {
				wantError(t, err, n)
				if got != nil {
					t.Fatalf("cut at %d: a value beside an error: %+v", n, got)
				}
				continue
			}
			want := *full
			want.DelayMs = 0
			if first <= 1 {
				want.Revoked = nil
			}
			if first == 0 {
				want.Assigned = nil
			}
			if err != nil {
				t.Fatalf("cut before %s: %v", optional[first], err)
			}
			if d := cmp.Diff(&want, got); d != "" {
				t.Fatalf("cut before %s (-want +got):\n%s", optional[first], d)
			}
		}
	}
}

// endsBefore names the message's own field that begins at byte n.
func endsBefore(fields []decode.Field, n int) string {
	for _, f := range fields {
		if f.Depth == 0 && f.Offset == n {
			return f.Name
		}
	}
	return ""
}

// JSON has no optional end.
func TestCutTopicRecords(t *testing.T) {
	for _, c := range captures(t) {
		for n := range c.Value {
			var err error
			switch {
			case c.ofConfig():
				_, err = decode.ParseConfig(c.Key, c.Value[:n])
			case c.ofStatus():
				_, err = decode.ParseStatus(c.Key, c.Value[:n])
			default:
				continue
			}
			wantError(t, err, n)
		}
		// A cut key is a key of another name or of no known form, as any text is.
		for n := range c.Key {
			if k := decode.ParseConfigKey(c.Key[:n]); !strings.HasPrefix(string(c.Key), k.Key) {
				t.Fatalf("key cut at %d: %+v", n, k)
			}
			if k := decode.ParseStatusKey(c.Key[:n]); !strings.Contains(string(c.Key), k.Unit.Connector) {
				t.Fatalf("key cut at %d: %+v", n, k)
			}
		}
	}
}

// wantError checks that an error names its message, its field, and an offset within the n bytes that there were.
func wantError(t testing.TB, err error, n int) {
	t.Helper()
	var e *decode.Error
	switch {
	case !errors.As(err, &e):
		t.Fatalf("%d bytes: %v is no error with a field", n, err)
	case e.What == "" || e.Field == "" || e.Why == "":
		t.Fatalf("%d bytes: the error says too little: %+v", n, *e)
	case e.Offset < 0 || e.Offset > n:
		t.Fatalf("%d bytes: the error lies outside: %v", n, e)
	}
}
