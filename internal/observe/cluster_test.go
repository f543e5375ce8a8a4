package observe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/group"
)

// brokers are three embedded ones, and addresses at which something is wrong.
type brokers struct {
	fake  *kfake.Cluster
	addrs []string

	mu      sync.Mutex
	network kfake.VirtualNetwork
	wrong   map[string]string // by address
	leads   int32             // the node that coordinates every group
	open    map[string][]net.Conn
}

func threeBrokers(t *testing.T) *brokers {
	t.Helper()
	b := &brokers{wrong: map[string]string{}, open: map[string][]net.Conn{}}
	var err error
	b.fake, err = kfake.NewCluster(kfake.NumBrokers(3), kfake.Ports(9092, 9093, 9094), kfake.ListenFn(b.network.Listen), kfake.SeedTopics(50, LogTopic))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.fake.Close)
	b.addrs = b.fake.ListenAddrs()
	b.control()
	return b
}

// dial makes clients that know these addresses.
func (b *brokers) dial(addrs ...string) Dial {
	return func(extra ...kgo.Opt) (*kgo.Client, error) {
		return dialTo(addrs...)(append([]kgo.Opt{kgo.Dialer(b.connect)}, extra...)...)
	}
}

// connect is refused, finds no such name, or reaches something that takes all and answers nothing.
func (b *brokers) connect(ctx context.Context, network, addr string) (net.Conn, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch b.wrong[addr] {
	case "dead":
		return nil, &net.OpError{Op: "dial", Net: network, Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}, Err: syscall.ECONNREFUSED}
	case "unknown":
		return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: addr, IsNotFound: true}}
	}
	conn, err := b.network.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	b.open[addr] = append(b.open[addr], conn)
	return &freezing{Conn: conn, frozen: func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.wrong[addr] == "frozen"
	}}, nil
}

// freezing is a connection whose other end takes what it gets and says nothing while it is frozen.
type freezing struct {
	net.Conn
	frozen func() bool
}

func (f *freezing) Write(p []byte) (int, error) {
	if f.frozen() {
		return len(p), nil
	}
	return f.Conn.Write(p)
}

// happens makes something wrong with a broker. Connections to a dead one end, without a word to whoever is asking nothing.
func (b *brokers) happens(addr, what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong[addr] = what
	if what == "dead" {
		for _, c := range b.open[addr] {
			_ = c.Close()
		}
	}
}

// coordinate lets one broker coordinate every group, each of which is Stable.
func (b *brokers) coordinate(node int32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.leads = node
}

func (b *brokers) coordinator() int32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.leads
}

// control answers what coordinators are asked.
func (b *brokers) control() {
	b.fake.ControlKey(int16(kmsg.FindCoordinator), func(kreq kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		req := kreq.(*kmsg.FindCoordinatorRequest)
		resp := req.ResponseKind().(*kmsg.FindCoordinatorResponse)
		node := b.coordinator()
		host, port, _ := net.SplitHostPort(b.addrs[node])
		at := kmsg.NewFindCoordinatorResponseCoordinator()
		at.Key, at.NodeID, at.Host = req.CoordinatorKeys[0], node, host
		_, _ = fmt.Sscan(port, &at.Port)
		resp.Coordinators = append(resp.Coordinators, at)
		return resp, nil, true
	})
	b.fake.ControlKey(int16(kmsg.DescribeGroups), func(kreq kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		req := kreq.(*kmsg.DescribeGroupsRequest)
		resp := req.ResponseKind().(*kmsg.DescribeGroupsResponse)
		for _, name := range req.Groups {
			g := kmsg.NewDescribeGroupsResponseGroup()
			g.Group, g.State, g.ProtocolType, g.Protocol = name, "Stable", "connect", "sessioned"
			if b.fake.CurrentNode() != b.coordinator() {
				g.ErrorCode = kerr.NotCoordinator.Code
			}
			resp.Groups = append(resp.Groups, g)
		}
		return resp, nil, true
	})
}

// A broker that does not answer never fails what the others can answer: asked twenty times, for a random choice fails at times.
func TestOneBrokerSilent(t *testing.T) {
	for _, what := range []string{"dead", "frozen", "unknown"} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := threeBrokers(t)
				for i, bad := range b.addrs {
					b.happens(bad, what)
					for range 7 {
						begun := time.Now()
						_, hidden, err := Groups(t.Context(), b.dial(b.addrs...))
						if err != nil {
							t.Fatalf("broker %d is %s: %v", i, what, err)
						}
						if len(hidden) != 1 || !strings.Contains(hidden[0].Why, fmt.Sprintf("broker %d did not list its groups", i)) {
							t.Errorf("broker %d is %s, and what is not shown is %+v", i, what, hidden)
						}
						if took := time.Since(begun); took > 2*requestTimeout {
							t.Errorf("broker %d is %s: it took %s", i, what, took)
						}
					}
					b.happens(bad, "")
				}
			})
		})
	}
}

// A seed that is wrong beside good ones is passed over, whatever is wrong with it; and all wrong are all named.
func TestWrongSeeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := threeBrokers(t)
		b.happens("gone:9092", "unknown")
		b.happens("127.0.0.1:9", "dead")
		for range 5 {
			_, hidden, err := Groups(t.Context(), b.dial("gone:9092", "127.0.0.1:9", b.addrs[1]))
			if err != nil || len(hidden) != 0 {
				t.Fatalf("not shown %v, error %v", hidden, err)
			}
		}
		_, _, err := Groups(t.Context(), b.dial("gone:9092", "127.0.0.1:9"))
		var none *noneAnsweredError
		if !errors.As(err, &none) || !strings.Contains(err.Error(), "gone:9092: no such host; 127.0.0.1:9: connection refused") {
			t.Errorf("error %v", err)
		}
	})
}

// A name that a broker advertises and that is not known here is named as that.
func TestAdvertisedUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := threeBrokers(t)
		b.coordinate(2)
		b.happens(b.addrs[2], "unknown")
		cl, err := openCluster(b.dial(b.addrs[0]))
		if err != nil {
			t.Fatal(err)
		}
		defer cl.Close()
		_, err = (&describer{cl: cl, name: "g"}).describe(t.Context())
		_, why := diagnose(err)
		if want := "broker 2 advertises " + b.addrs[2] + ", and that name is not known here: check its advertised.listeners"; !strings.HasPrefix(why, want) {
			t.Errorf("got  %s\nwant %s", why, want)
		}
	})
}

// A coordinator that dies or freezes without a word is asked no more once another broker has taken over.
func TestCoordinatorGoesSilent(t *testing.T) {
	const failover = 9 * time.Second
	for _, what := range []string{"dead", "frozen"} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := threeBrokers(t)
				b.coordinate(1)
				g := running(t, Options{Group: "g", Dial: b.dial(b.addrs...)})
				at := func(i int) func([]group.Fact) bool {
					return func(facts []group.Fact) bool {
						for _, f := range facts {
							if d, ok := f.(group.Description); ok && d.Coordinator == b.addrs[i] && d.State == "Stable" {
								return true
							}
						}
						return false
					}
				}
				g.until(t, "described by 1", at(1))
				b.happens(b.addrs[1], what)
				time.Sleep(failover)
				b.coordinate(2)
				begun := time.Now()
				g.until(t, "described by 2", at(2))
				if took := time.Since(begun); took > 4*time.Second {
					t.Errorf("describe was back %s after the failover", took)
				}
			})
		})
	}
}

// A group that another broker coordinates from now on is described there, without a pause.
func TestCoordinatorMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := threeBrokers(t)
		b.coordinate(0)
		cl, err := openCluster(b.dial(b.addrs...))
		if err != nil {
			t.Fatal(err)
		}
		defer cl.Close()
		ask := &describer{cl: cl, name: "g"}
		for _, node := range []int32{0, 1, 2} {
			b.coordinate(node)
			d, err := ask.describe(t.Context())
			if err != nil || d.Coordinator != b.addrs[node] {
				t.Errorf("%s coordinates, error %v; want %s", d.Coordinator, err, b.addrs[node])
			}
		}
	})
}

// A broker that does not answer keeps no topic from being found that others lead. One that it leads itself may be the one: where its name
// goes better with the group's than the name of what fits, or nothing fits, that is said.
func TestDiscoveryBesideASilentBroker(t *testing.T) {
	const silent = 2
	for _, what := range []string{"dead", "frozen", "unknown"} {
		for _, c := range []struct {
			name   string
			topics map[string]int32 // configs of the group, and the node that leads them
			want   string           // topic that is taken
		}{
			{"others", map[string]int32{"connect-rig-configs": 0}, "connect-rig-configs"},
			{"a namesake elsewhere", map[string]int32{"connect-rig-configs": 1, "connect-green-configs": silent}, "connect-rig-configs"},
			{"its own", map[string]int32{"connect-rig-configs": silent}, ""},
			{"its own beside a namesake", map[string]int32{"connect-rig-configs": silent, "connect-green-configs": 0}, ""},
		} {
			t.Run(what+"/"+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					b := threeBrokers(t)
					lead := func(topic string, partitions, node int32) {
						for p := range partitions {
							if err := b.fake.MoveTopicPartition(topic, p, node); err != nil {
								t.Fatal(err)
							}
						}
					}
					dial := b.dial(b.addrs[:silent]...)
					capture := captured(t, "lifecycle-4.3.1")
					lead(LogTopic, 50, 0)
					write(t, dial, of(capture, LogTopic)...)
					for name, node := range c.topics {
						createTopic(t, b.fake, name, 1, "compact")
						lead(name, 1, node)
						write(t, dial, content(t, capture, "configs", name, 1)...)
					}
					createTopic(t, b.fake, "orders", 3, "compact")
					lead("orders", 3, silent)
					write(t, dial, content(t, capture, "orders", "orders", 3)...)
					b.happens(b.addrs[silent], what)

					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					g := gather()
					if err := untilTold(ctx, Options{Group: "connect-rig", Dial: dial}, g); err != nil {
						t.Fatal(err)
					}
					r := reports(g.facts)[group.SourceConfig]
					if c.want != "" {
						if r.Health != group.HealthOK || r.Name != c.want {
							t.Errorf("the config topic is %q: %s %s", r.Name, r.Health, r.Detail)
						}
						return
					}
					for _, word := range []string{"connect-rig-configs", "could not be read: broker 2"} {
						if r.Health != group.HealthUnreachable || !strings.Contains(r.Detail, word) {
							t.Errorf("the config topic is %q: %s %s\nwhich says nothing of %q", r.Name, r.Health, r.Detail, word)
						}
					}
				})
			})
		}
	}
}
