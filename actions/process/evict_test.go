//go:build unix

package process

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"regroup/actions/act"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/group"
)

// evicting is a broker that counts the leaves that it is sent, and answers them with that error of the member.
func evicting(t *testing.T, code int16) (k *Workers, leaves *atomic.Int64) {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	leaves = new(atomic.Int64)
	c.ControlKey(int16(kmsg.LeaveGroup), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		leaves.Add(1)
		leave := req.(*kmsg.LeaveGroupRequest)
		resp := leave.ResponseKind().(*kmsg.LeaveGroupResponse)
		for _, m := range leave.Members {
			rm := kmsg.NewLeaveGroupResponseMember()
			rm.MemberID, rm.ErrorCode = m.MemberID, code
			resp.Members = append(resp.Members, rm)
		}
		return resp, nil, true
	})
	addrs := c.ListenAddrs()
	dial := func(extra ...kgo.Opt) (*kgo.Client, error) {
		return kgo.NewClient(append(extra, kgo.SeedBrokers(addrs...), kgo.DisableClientMetrics())...)
	}
	return &Workers{Group: "connect-a", Dial: dial, Watch: act.NewWatch()}, leaves
}

// Read-only is held at the wire: whatever is done with an action, the broker hears nothing of it.
func TestReadOnlySendsNoLeaveGroup(t *testing.T) {
	k, leaves := evicting(t, 0)
	_, w := oneWorker("http://127.0.0.1:8083/", "127.0.0.1")
	x := k.Evict(w, 1)
	for _, why := range []string{"--read-only is given", "context prod is read-only"} {
		g := act.Guard{ReadOnly: why, Yes: true, Interactive: true, Typed: w.Name}
		if g.Refusal(x) != why {
			t.Errorf("refusal %q, want %q", g.Refusal(x), why)
		}
		c, err := g.Consent(x, true, w.Name)
		if err == nil {
			t.Error("consent was given")
		}
		given, err := act.Guard{Yes: true}.Consent(x, true, "") // from before the context was changed
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []act.Consent{c, given} {
			if _, err := (&act.Actor{Guard: g}).Do(t.Context(), x, c); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("error %v", err)
			}
		}
	}
	if n := leaves.Load(); n != 0 {
		t.Fatalf("%d leaves were sent", n)
	}
	// The same without read-only: so the broker above would have counted it.
	g := act.Guard{Yes: true}
	c, err := g.Consent(x, true, "")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&act.Actor{Guard: g}).Do(t.Context(), x, c)
	if err != nil || answer != "evicted worker-1-id" || leaves.Load() != 1 {
		t.Fatalf("answer %q, error %v, %d leaves", answer, err, leaves.Load())
	}
}

func TestEvictionErrors(t *testing.T) {
	for code, want := range map[int16]string{
		kerr.UnknownMemberID.Code:          "it has left, or come back under another id",
		kerr.GroupAuthorizationFailed.Code: "evicting needs Read on Group",
	} {
		k, _ := evicting(t, code)
		_, w := oneWorker("http://127.0.0.1:8083/", "127.0.0.1")
		_, err := k.Evict(w, 1).Do(t.Context(), func(string) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A flapping worker is found again each time under its new id, and only once its group stands.
func TestEvictTimes(t *testing.T) {
	k, leaves := evicting(t, 0)
	s, w := oneWorker("http://127.0.0.1:8083/", "127.0.0.1")
	k.Watch.Publish(s)
	come := func(id, phase string) {
		back := w
		back.ID = id
		k.Watch.Publish(&group.State{Group: s.Group, Phase: phase, Workers: []group.Worker{back}})
	}
	var told []string
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answer, err := k.Evict(w, 3).Do(ctx, func(text string) {
		told = append(told, text)
		// By the time the next eviction is sent, the worker is back under the id after this one.
		if n := len(told); n < 3 {
			come([]string{"worker-1-second", "worker-1-third"}[n-1], "Stable")
		}
	})
	if err != nil || answer != "evicted 3 times" || leaves.Load() != 3 {
		t.Fatalf("answer %q, error %v, %d leaves", answer, err, leaves.Load())
	}
	want := "evicting worker-1 (worker-1-id)\nevicting worker-1 (worker-1-second)\nevicting worker-1 (worker-1-third)"
	if got := strings.Join(told, "\n"); got != want {
		t.Fatalf("told\n%s\nwant\n%s", got, want)
	}
}
