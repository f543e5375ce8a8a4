package observe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/decode"
	"regroup/group"
)

// replayed starts a broker that holds a capture's records where they were, and says for which group.
func replayed(t *testing.T, name string, opts ...kfake.Opt) (c *kfake.Cluster, dial Dial, groupName string) {
	t.Helper()
	c, dial = newVirtual(t, append(opts, kfake.SeedTopics(50, LogTopic))...)
	capture := captured(t, name)
	for _, r := range capture {
		switch {
		case r.Topic == LogTopic:
			groupName, _, _ = decode.ParseGroupKey(r.Key)
		case c.TopicInfo(r.Topic) == nil:
			n := int32(1)
			for _, o := range of(capture, r.Topic) {
				n = max(n, o.Partition+1)
			}
			createTopic(t, c, r.Topic, n, "compact")
		}
	}
	write(t, dial, capture...)
	return c, dial, groupName
}

// TestOnceAsFile: a broker that holds a capture's records gives the same rounds as the file, its topics found by themselves.
func TestOnceAsFile(t *testing.T) {
	for _, name := range []string{"lifecycle-4.3.1", "eager-rolling-4.3.1", "clash-4.3.1"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, dial, groupName := replayed(t, name)
				live, err := Once(t.Context(), Options{Group: groupName, Dial: dial})
				if err != nil {
					t.Fatal(err)
				}
				file, err := File("../../testdata/captures/"+name+".jsonl", groupName, Stop{})
				if err != nil {
					t.Fatal(err)
				}
				got, want := roundsOf(t, live), roundsOf(t, file)
				if got != want || len(file.Rounds) == 0 {
					t.Errorf("from the broker:\n%s\nfrom the file:\n%s", got, want)
				}
				for _, s := range live.Sources {
					if s.Health != group.HealthOK && s.Source != group.SourceDescribe {
						t.Errorf("%s: %s %s", s.Source, s.Health, s.Detail)
					}
				}
			})
		})
	}
}

func roundsOf(t *testing.T, s *group.State) string {
	t.Helper()
	var out strings.Builder
	for _, r := range s.Rounds {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	return out.String()
}

// TestOnceUnreachable: with nobody there, Once says so in one line and ends.
func TestOnceUnreachable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		vn := new(kfake.VirtualNetwork)
		dial := func(extra ...kgo.Opt) (*kgo.Client, error) {
			return kgo.NewClient(append(extra, kgo.SeedBrokers("localhost:9092"), kgo.Dialer(vn.DialContext))...)
		}
		s, err := Once(t.Context(), Options{Group: "g", Dial: dial})
		if err == nil || !strings.HasPrefix(err.Error(), "group g: ") || strings.Contains(err.Error(), "\n") {
			t.Fatalf("error %v", err)
		}
		if s == nil || len(s.Sources) != 4 {
			t.Errorf("the state does not tell of its sources: %+v", s)
		}
	})
}

// TestBrokerComesLater: sources that found nobody go on by themselves once a broker is there.
func TestBrokerComesLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		vn := new(kfake.VirtualNetwork)
		dial := func(extra ...kgo.Opt) (*kgo.Client, error) {
			return kgo.NewClient(append(extra, kgo.SeedBrokers("localhost:9092"), kgo.Dialer(vn.DialContext))...)
		}
		g := running(t, Options{Group: "connect-rig", Dial: dial, ConfigTopic: "connect-rig-configs", StatusTopic: "connect-rig-status"})
		g.until(t, "all unreachable", all(4, group.HealthUnreachable))
		c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.ListenFn(vn.Listen), kfake.Ports(9092), kfake.SeedTopics(50, LogTopic))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		capture := captured(t, "lifecycle-4.3.1")
		createTopic(t, c, "connect-rig-configs", 1, "compact")
		createTopic(t, c, "connect-rig-status", 2, "compact")
		write(t, dial, capture...)
		g.until(t, "all records", func(facts []group.Fact) bool {
			return len(records(facts)) >= len(capture) && all(3, group.HealthOK)(facts)
		})
		g.mu.Lock()
		defer g.mu.Unlock()
		if got := records(g.facts); len(got) != len(capture) || len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(capture) {
			t.Errorf("%d records came, %d were written", len(got), len(capture))
		}
	})
}

func all(n int, h group.Health) func([]group.Fact) bool {
	return func(facts []group.Fact) bool {
		have := 0
		for _, r := range reports(facts) {
			if r.Health == h {
				have++
			}
		}
		return have == n
	}
}

// records are the places of all records among facts.
func records(facts []group.Fact) (out []string) {
	for _, f := range facts {
		switch f := f.(type) {
		case group.LogRecord:
			out = append(out, fmt.Sprintf("log %d", f.Offset))
		case group.ConfigRecord:
			out = append(out, fmt.Sprintf("config %d", f.Offset))
		case group.StatusRecord:
			out = append(out, fmt.Sprintf("status %d %d", f.Partition, f.Offset))
		}
	}
	return out
}

// TestSince: the log is read from a time on, and as far before it as it takes to find the group's newest record.
func TestSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, dial := newVirtual(t, kfake.SeedTopics(50, LogTopic))
		_ = c
		mine := of(captured(t, "lifecycle-4.3.1"), LogTopic)
		p := mine[0].Partition
		strangers := make([]Raw, 3*firstWindow)
		for i := range strangers {
			strangers[i] = Raw{Topic: LogTopic, Partition: p, At: mine[len(mine)-1].At.Add(time.Duration(i) * time.Millisecond), Key: []byte{0, 1, byte(i)}}
		}
		write(t, dial, mine...)
		write(t, dial, strangers...)
		end := strangers[len(strangers)-1].At
		for _, test := range []struct {
			name  string
			since time.Time
			want  int
		}{
			{"before all", mine[0].At.Add(-time.Hour), len(mine)},
			{"in the middle: with those just before", mine[10].At, len(mine)},
			{"after the last: found across strangers' commits", end, len(mine)},
			{"after the end", end.Add(time.Hour), len(mine)},
		} {
			g := gather()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			if err := untilTold(ctx, Options{Group: "connect-rig", Dial: dial, Since: test.since}, g); err != nil {
				t.Fatal(err)
			}
			cancel()
			got := records(g.facts)
			if len(got) != test.want || !slices.IsSortedFunc(got, func(a, b string) int { return len(a) - len(b) }) {
				t.Errorf("%s: %d records, want %d: %q", test.name, len(got), test.want, got)
			}
		}
	})
}

// TestLive: a State comes soon after a change, and none while nothing changes.
func TestLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, dial, name := replayed(t, "lifecycle-4.3.1")
		ctx, cancel := context.WithCancel(t.Context())
		states := make(chan *group.State, 10_000)
		done := make(chan error, 1)
		go func() { done <- Live(ctx, Options{Group: name, Dial: dial}, func(s *group.State) { states <- s }) }()
		time.Sleep(10 * time.Second)
		n := len(states)
		if n == 0 || n > 60 {
			t.Errorf("%d states in the first ten seconds", n)
		}
		var last *group.State
		for range n {
			last = <-states
		}
		if got := last.Round(); got == nil || got.Generation != 34 {
			t.Errorf("the last round is %+v", got)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestPanic: a panic anywhere ends Run with an error that names the place, instead of the process.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, dial, name := replayed(t, "clash-4.3.1")
		err := Run(t.Context(), Options{Group: name, Dial: dial, Raw: func(Raw) { panic("a bug") }}, func(group.Fact, time.Time) {})
		if err == nil || !strings.Contains(err.Error(), "reading "+LogTopic+": panic: a bug") {
			t.Errorf("error %v", err)
		}
	})
}

// TestBytes: a round's record is fetched again by its offset; one that is there no more is told apart from one to come.
func TestBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, dial, name := replayed(t, "lifecycle-4.3.1")
		want := of(captured(t, "lifecycle-4.3.1"), LogTopic)
		got, err := Bytes(t.Context(), dial, name, 14)
		if err != nil || got.Offset != 14 || !bytes.Equal(got.Value, want[14].Value) {
			t.Errorf("offset %d, error %v", got.Offset, err)
		}
		for offset, words := range map[int64]string{99: "the log ends at 33", -1: "record at offset -1"} {
			if _, err := Bytes(t.Context(), dial, name, offset); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("offset %d: error %v", offset, err)
			}
		}
		write(t, dial, Raw{Topic: LogTopic, Partition: want[0].Partition, At: want[0].At, Key: []byte{0, 1}})
		if _, err := Bytes(t.Context(), dial, name, 33); !errors.Is(err, ErrCompacted) {
			t.Errorf("a stranger's offset: error %v", err)
		}
	})
}
