package observe

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl/plain"

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
				file, err := File("../testdata/captures/"+name+".jsonl", groupName, Stop{})
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

// TestHealth tells, in testdata/health, what each source says when something is missing: one line, with what to do.
func TestHealth(t *testing.T) {
	datadriven.RunTest(t, "testdata/health", func(t *testing.T, d *datadriven.TestData) string {
		var out string
		t.Run("", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { out = health(t, d) })
		})
		return out
	})
}

func health(t *testing.T, d *datadriven.TestData) string {
	opt := Options{Group: "connect-rig"}
	switch d.Cmd {
	case "nobody-there":
		opt.Dial = func(extra ...kgo.Opt) (*kgo.Client, error) {
			refuse := func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9092},
					Err: fmt.Errorf("connection refused")}
			}
			return kgo.NewClient(append(extra, kgo.SeedBrokers("127.0.0.1:9092"), kgo.Dialer(refuse))...)
		}
	case "rights":
		opt.Dial = withRights(t, d)
	case "group":
		_, opt.Dial = newVirtual(t, kfake.SeedTopics(50, LogTopic))
		var protocolType string
		if d.HasArg("type") {
			d.ScanArgs(t, "type", &protocolType)
			join(t, opt.Dial, opt.Group, protocolType, "range", []byte{0, 0}, nil)
		}
	case "new-broker":
		_, opt.Dial = newVirtual(t)
	default:
		d.Fatalf(t, "no such command")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	g := gather()
	if err := untilTold(ctx, opt, g); err != nil {
		return "error: " + err.Error()
	}
	var out strings.Builder
	told := reports(g.facts)
	for _, source := range []group.Source{group.SourceLog, group.SourceDescribe, group.SourceConfig, group.SourceStatus} {
		r := told[source]
		fmt.Fprintf(&out, "%s: %s %s\n", source, r.Health, r.Detail)
	}
	kinds := map[string]int{}
	for _, f := range g.facts {
		kinds[strings.TrimPrefix(fmt.Sprintf("%T", f), "group.")]++
	}
	fmt.Fprintf(&out, "  %d rounds, %d descriptions, %d configs, %d statuses\n", kinds["LogRecord"], min(kinds["Description"], 1), kinds["ConfigRecord"], kinds["StatusRecord"])
	return out.String()
}

// withRights gives a user the rights of the input, one a line: operation, resource, name.
func withRights(t *testing.T, d *datadriven.TestData) Dial {
	var acls []kfake.ACL
	for l := range strings.Lines(d.Input) {
		var op, kind, name string
		if _, err := fmt.Sscan(l, &op, &kind, &name); err != nil {
			d.Fatalf(t, "%q: %v", l, err)
		}
		a := kfake.ACL{Name: name, Pattern: kmsg.ACLResourcePatternTypeLiteral, Allow: true}
		a.Operation = map[string]kmsg.ACLOperation{"Read": kmsg.ACLOperationRead, "Describe": kmsg.ACLOperationDescribe}[op]
		a.Resource = map[string]kmsg.ACLResourceType{"Topic": kmsg.ACLResourceTypeTopic, "Group": kmsg.ACLResourceTypeGroup}[kind]
		acls = append(acls, a)
	}
	as := func(dial Dial, user string) Dial {
		return func(extra ...kgo.Opt) (*kgo.Client, error) {
			return dial(append(extra, kgo.SASL(plain.Auth{User: user, Pass: "x"}.AsMechanism()))...)
		}
	}
	c, dial := newVirtual(t, kfake.EnableSASL(), kfake.EnableACLs(), kfake.Superuser("PLAIN", "admin", "x"),
		kfake.User("PLAIN", "ann", "x", acls...), kfake.SeedTopics(50, LogTopic))
	capture := captured(t, "lifecycle-4.3.1")
	createTopic(t, c, "connect-rig-configs", 1, "compact")
	createTopic(t, c, "connect-rig-status", 2, "compact")
	write(t, as(dial, "admin"), capture...)
	last := of(capture, LogTopic)
	rec, err := decode.ParseGroupRecord(last[len(last)-1].Value)
	if err != nil {
		t.Fatal(err)
	}
	join(t, as(dial, "admin"), "connect-rig", "connect", "sessioned", rec.Members[0].Subscription, rec.Members[0].Assignment)
	user := "ann"
	d.MaybeScanArgs(t, "user", &user)
	return as(dial, user)
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
