package observe

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"regroup/group"
)

// What is told again and again is written once, until it changes; the recording's end is when it was told last.
func TestRepetitionsAreLeftOut(t *testing.T) {
	var out bytes.Buffer
	w := NewRecorder(&out, Header{Group: "g"})
	begun := time.UnixMilli(1795973809000).UTC()
	tell := func(after time.Duration, state string) {
		at := begun.Add(after)
		w.Apply(group.Description{At: at, State: state}, at)
	}
	tell(0, "Stable")
	tell(5*time.Second, "Stable")
	if err := w.Flush(); err != nil || out.Len() > 0 {
		t.Fatalf("%v: %q is written while sources are still read", err, out.String())
	}
	for _, s := range []group.Source{group.SourceLog, group.SourceDescribe, group.SourceConfig, group.SourceStatus} {
		w.Apply(group.SourceReport{At: begun, Source: s, Health: group.HealthCatchingUp, Detail: "1 of 2"}, begun)
		w.Apply(group.SourceReport{At: begun, Source: s, Health: group.HealthOK}, begun)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "\n"); got != 1+1+4 || w.Lines() != 5 {
		t.Errorf("%d lines, and it says %d:\n%s", got, w.Lines(), out.String())
	}
	tell(10*time.Second, "Stable")
	tell(15*time.Second, "PreparingRebalance")
	tell(20*time.Second, "PreparingRebalance")
	tell(25*time.Second, "PreparingRebalance")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	facts, err := ReadFacts(&out, "g")
	if err != nil {
		t.Fatal(err)
	}
	var at []time.Duration
	for _, s := range facts.All {
		if _, ok := s.Fact.(group.Description); ok {
			at = append(at, s.At.Sub(begun))
		}
	}
	if want := []time.Duration{0, 15 * time.Second, 25 * time.Second}; len(at) != 3 || at[0] != want[0] || at[1] != want[1] || at[2] != want[2] {
		t.Errorf("descriptions at %v, want %v", at, want)
	}
}

// The past of several sources is written in the order of its times, each partition in its own.
func TestThePastIsInOrder(t *testing.T) {
	var out bytes.Buffer
	w := NewRecorder(&out, Header{Group: "g"})
	put := func(f group.Fact, topic string, offset, at int64) {
		w.Raw(Raw{Topic: topic, Offset: offset, At: time.UnixMilli(at), Key: []byte("k")})
		w.Apply(f, time.UnixMilli(9000))
	}
	put(group.LogRecord{}, LogTopic, 1, 1000)
	put(group.LogRecord{}, LogTopic, 2, 3000)
	put(group.LogRecord{}, LogTopic, 3, 2999) // another clock
	put(group.ConfigRecord{Topic: "c"}, "c", 1, 500)
	put(group.ConfigRecord{Topic: "c"}, "c", 2, 2000)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	header, lines, _, err := readLines(&out)
	if err != nil || header.ConfigTopic != "c" {
		t.Fatal(header, err)
	}
	var got []string
	for _, l := range lines {
		got = append(got, (*l.Topic)[:1]+string(rune('0'+l.Offset)))
	}
	if want := "c1 _1 c2 _2 _3"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
