package observe

import (
	"context"
	"fmt"
	"net"
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
				return nil, &net.OpError{
					Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9092},
					Err: fmt.Errorf("connection refused"),
				}
			}
			return kgo.NewClient(append(extra, kgo.SeedBrokers("127.0.0.1:9092"), kgo.Dialer(refuse))...)
		}
	case "no-broker":
		opt.Dial = func(extra ...kgo.Opt) (*kgo.Client, error) {
			answers := func(context.Context, string, string) (net.Conn, error) {
				ours, theirs := net.Pipe()
				go func() {
					_, _ = theirs.Read(make([]byte, 4096))
					_, _ = theirs.Write([]byte(strings.ReplaceAll(d.Input, "0", "\x00")))
					_ = theirs.Close()
				}()
				return ours, nil
			}
			return kgo.NewClient(append(extra, kgo.SeedBrokers("127.0.0.1:9092"), kgo.Dialer(answers))...)
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
