package decode_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"regroup/decode"
)

// A record of a thousand workers with a hundred units each: every one reports all it holds, and is told as much again.
func largeRecord(workers, units int) []byte {
	g := decode.GroupRecord{ProtocolType: decode.ProtocolType, Generation: 7, Protocol: decode.ProtocolSessioned, StateAt: time.UnixMilli(1795973809111)}
	for w := range workers {
		id := fmt.Sprintf("worker-%d-145063aa-0a9d-4179-9a8f-584df07847c3", w)
		if w == 0 {
			g.Leader = id
		}
		url := fmt.Sprintf("http://worker-%d:8083/", w)
		a := decode.Assignment{Version: 2, Leader: g.Leader, LeaderURL: "http://worker-0:8083/", ConfigOffset: 123456}
		for u := 0; u < units; u += 10 {
			s := decode.Share{Connector: fmt.Sprintf("connector-%d", (w*units+u)/100)}
			for i := range 10 {
				s.Tasks = append(s.Tasks, int32(u+i-1))
			}
			a.Assigned = append(a.Assigned, s)
		}
		s := decode.Subscription{Version: 2, URL: url, ConfigOffset: 123456, Allocation: &a}
		g.Members = append(g.Members, decode.Member{
			ID: id, Client: fmt.Sprintf("worker-%d", w), Host: "/10.0.0.1", RebalanceTimeout: time.Minute, SessionTimeout: 10 * time.Second,
			Subscription: decode.AppendSubscription(nil, s), Assignment: decode.AppendAssignment(nil, a),
		})
	}
	return decode.AppendGroupRecord(nil, g)
}

func parseAll(tb testing.TB, d *decode.Decoder, record []byte) (units int) {
	tb.Helper()
	g, err := decode.ParseGroupRecord(record)
	if err != nil {
		tb.Fatal(err)
	}
	for _, m := range g.Members {
		s, err := d.Subscription(m.Subscription)
		if err != nil {
			tb.Fatal(err)
		}
		a, err := d.Assignment(m.Assignment)
		if err != nil {
			tb.Fatal(err)
		}
		units += decode.Count(s.Allocation.Assigned) + decode.Count(a.Assigned)
	}
	return units
}

// BenchmarkGroupRecord decodes all of a record of 1,000 workers and 100,000 units, which stand in it twice. "cold" knows
// no name yet, as the first record of a group; "warm" has seen a record before.
func BenchmarkGroupRecord(b *testing.B) {
	record := largeRecord(1000, 100)
	for _, warm := range []bool{false, true} {
		b.Run(map[bool]string{false: "cold", true: "warm"}[warm], func(b *testing.B) {
			b.SetBytes(int64(len(record)))
			b.ReportAllocs()
			d := new(decode.Decoder)
			units := parseAll(b, d, record)
			for b.Loop() {
				if !warm {
					d = new(decode.Decoder)
				}
				if n := parseAll(b, d, record); n != units {
					b.Fatalf("%d units, then %d", units, n)
				}
			}
			b.ReportMetric(float64(units), "units/op")
		})
	}
}

func BenchmarkIsGroupKey(b *testing.B) {
	key := decode.AppendGroupKey(nil, "connect-rig")
	for b.Loop() {
		if !decode.IsGroupKey(key, "connect-rig") {
			b.Fatal("not found")
		}
	}
}

// Decoding the same group again allocates a few things a member, and nothing a unit.
func TestDecoderAllocatesByMember(t *testing.T) {
	count := func(units int) float64 {
		record, d := largeRecord(20, units), new(decode.Decoder)
		return testing.AllocsPerRun(20, func() { parseAll(t, d, record) })
	}
	few, many := count(10), count(100)
	if few > 20*8 {
		t.Errorf("%v allocations for 20 members of 10 units", few)
	}
	if many-few > 20*3 {
		t.Errorf("%v allocations more for ten times the units", many-few)
	}
}

// A length claims no memory that the bytes behind it do not back.
func TestHostileLengthsClaimNoMemory(t *testing.T) {
	head := "\x00\x01\x00\x00\x00\x01L\x00\x01U\x00\x00\x00\x00\x00\x00\x00\x0a"
	tests := map[string]func() error{
		"assigned": func() error {
			_, err := decode.ParseAssignment([]byte(head + "\x7f\xff\xff\xff\x00\x01b"))
			return err
		},
		"tasks": func() error {
			_, err := decode.ParseAssignment([]byte(head + "\x00\x00\x00\x01\x00\x01b\x7f\xff\xff\xff"))
			return err
		},
		"allocation": func() error {
			_, err := decode.ParseSubscription([]byte("\x00\x01\x00\x01u\x00\x00\x00\x00\x00\x00\x00\x05\x7f\xff\xff\xff"))
			return err
		},
		"members": func() error {
			_, err := decode.ParseGroupRecord([]byte("\x00\x01\x00\x00\x00\x00\x00\x01\xff\xff\xff\xff\x7f\xff\xff\xff"))
			return err
		},
		"flexible members": func() error {
			_, err := decode.ParseGroupRecord([]byte("\x00\x04\x01\x00\x00\x00\x01\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x07"))
			return err
		},
	}
	for name, parse := range tests {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := parse()
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Error("no error")
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 64<<10 {
				t.Errorf("%d bytes allocated", n)
			}
		})
	}
}

// Values lie together in memory; whoever appends to one gets a copy and does not write into the next.
func TestAppendingLeavesNeighboursAlone(t *testing.T) {
	record := largeRecord(2, 100)
	before := string(record)
	g, err := decode.ParseGroupRecord(record)
	if err != nil {
		t.Fatal(err)
	}
	a, err := decode.ParseAssignment(g.Members[0].Assignment)
	if err != nil {
		t.Fatal(err)
	}
	want := decode.Units(a.Assigned)
	for _, share := range a.Assigned {
		_ = append(share.Tasks, 99)
	}
	_ = append(a.Assigned, decode.Share{Connector: "x"})
	_ = append(g.Members[0].Subscription, "xxxx"...)
	_ = append(g.Members[0].Assignment, "xxxx"...)
	if string(record) != before {
		t.Error("the record was written to")
	}
	if got := decode.Units(a.Assigned); !slices.Equal(got, want) {
		t.Errorf("units became %v, were %v", got, want)
	}
}
