//go:build kafka && unix

package test

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Groups of consumers are no groups of workers: every command says what they are, and does nothing.
func TestGroupsOfConsumersAreRefused(t *testing.T) { //nolint:tparallel // members are looked at once all are done
	t.Parallel()
	rig := Shared(t)
	w := rig.Worker(t, 1, WorkerOptions{})
	w.Put(t, "refused-sink", FileSink("refused-sink", 2))
	w.WaitRunning(t, map[string]int{"refused-sink": 2})
	classic := "connect-refused-sink" // the sink's own
	rig.own(classic)
	admin := kadm.NewClient(rig.client(t))
	members := func() (out []string) {
		described, err := admin.DescribeGroups(t.Context(), classic)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range described[classic].Members {
			out = append(out, m.MemberID)
		}
		return out
	}
	Until(t, "the sink's consumers", func() (bool, string) { return len(members()) == 2, fmt.Sprint(members()) })
	before := members()

	for _, g := range []struct{ name, what string }{
		{classic, `is a consumer group (members speak "consumer"), not a group of Connect workers`},
		{rig.joinConsumers(t), `is a consumer group (of the consumer rebalance protocol, KIP-848), not a group of Connect workers`},
		{rig.joinShare(t), `is a share group, not a group of Connect workers`},
	} {
		t.Run(g.name, func(t *testing.T) {
			want := "regroup: group " + g.name + " " + g.what + "\n"
			for _, line := range []string{
				"describe G", "rounds G", "doctor G", "doctor G --for 3s", "wait G --settled --timeout 5s", "watch G", "record FILE G", "report G --html FILE",
				"exercise rolling-restart -g G --yes", "connector list -g G", "connector get refused-sink -g G", "connector restart refused-sink -g G --yes",
				"worker list -g G", "worker evict MEMBER -g G --yes", "worker kill MEMBER -g G --yes", "worker freeze MEMBER -g G --yes",
				"worker add -g G --yes", "worker ghost -g G --yes --i-know-it-holds-real-work",
			} {
				args := strings.Fields(line)
				for i := range args {
					switch args[i] {
					case "G":
						args[i] = g.name
					case "FILE":
						args[i] = filepath.Join(t.TempDir(), "file")
					case "MEMBER":
						args[i] = before[0]
					}
				}
				if out := Regroup(t, append(args, "-b", rig.Addr)...); out.Code != 1 || out.Stderr != want || out.Stdout != "" {
					t.Errorf("%s: exit code %d\n%s%s", line, out.Code, out.Stdout, out.Stderr)
				}
			}
			hand := &Hand{rig: rig, state: t.TempDir()}
			screen := hand.Screen(t, g.name, "-b", rig.Addr)
			Until(t, "the screen to end", func() (bool, string) { return screen.process.ended(), screen.Text() })
			if !strings.Contains(strings.Join(strings.Fields(screen.Text()), " "), g.what) {
				t.Errorf("the screen ended with\n%s", screen.Text())
			}
		})
	}
	if got := members(); fmt.Sprint(got) != fmt.Sprint(before) {
		t.Errorf("members %v, before %v", got, before)
	}
}

// joinConsumers makes a group with one member of the consumer rebalance protocol, and names it.
func (r *Rig) joinConsumers(t *testing.T) string {
	t.Helper()
	req := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	req.Group, req.MemberID, req.RebalanceTimeoutMillis = r.GroupOf(t)+"-consumers", memberID(), 60_000
	req.SubscribedTopicNames, req.Topics = []string{"none"}, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	r.own(req.Group)
	resp, err := req.RequestWith(t.Context(), r.client(t))
	if err == nil {
		err = kerr.ErrorForCode(resp.ErrorCode)
	}
	if err != nil {
		t.Fatal(err)
	}
	return req.Group
}

// joinShare makes a share group with one member, and names it.
func (r *Rig) joinShare(t *testing.T) string {
	t.Helper()
	req := kmsg.NewPtrShareGroupHeartbeatRequest()
	req.GroupID, req.MemberID, req.SubscribedTopicNames = r.GroupOf(t)+"-share", memberID(), []string{"none"}
	r.own(req.GroupID)
	resp, err := req.RequestWith(t.Context(), r.client(t))
	if err == nil {
		err = kerr.ErrorForCode(resp.ErrorCode)
	}
	if err != nil {
		t.Fatal(err)
	}
	return req.GroupID
}

// memberID is a member id as Java makes them: 16 random bytes.
func memberID() string {
	var id [16]byte
	rand.Read(id[:])
	return base64.RawURLEncoding.EncodeToString(id[:])
}
