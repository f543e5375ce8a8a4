package lab_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/lab/broker"
	"regroup/internal/observe"
)

// stories are the rounds of captures/lifecycle by what was done to the group, as generations of the capture.
var stories = []struct {
	name     string
	from, to int32
}{
	{"three connectors are created", 8, 13},
	{"a worker crashes, and its delay runs out", 14, 15},
	{"it returns", 16, 17},
	{"a worker is evicted and comes back with its work", 18, 19},
	{"an eager worker joins, and leaves", 20, 21},
	{"a worker crashes, and during its delay the leader stops", 22, 23},
	{"both return", 24, 25},
	{"a connector gets more tasks", 26, 26},
	{"a connector is reconfigured in place", 27, 27},
	{"a connector is created whose tasks fail", 28, 29},
	{"a connector is stopped", 30, 31},
	{"it is resumed", 32, 32},
	{"a connector is deleted", 33, 34},
}

// The lab goes through what a real group went through, with the same member ids, and every round is the real one: the same
// counts, causes and delays, and the same units for the same workers.
func TestLifecycle(t *testing.T) {
	want, raw := captured(t, "lifecycle")
	ids := memberIDs(t, raw)
	for _, c := range []string{"worker-1", "worker-2", "worker-3"} {
		ids[c] = ids[c][1:] // of before the whole group was started anew
	}
	var got *group.State
	synctest.Test(t, func(t *testing.T) { got = lifecycle(t, ids) })

	theirs, ours := roundsOf(want, 8), roundsOf(got, 0)
	for len(ours) > 0 && !strings.Contains(ours[0], "connector-created") {
		ours = ours[1:]
	}
	for _, s := range stories {
		t.Run(strings.ReplaceAll(s.name, " ", "-"), func(t *testing.T) {
			n := int(s.to - s.from + 1)
			if len(ours) < n {
				t.Fatalf("the lab has %d rounds left, the real group had %d", len(ours), n)
			}
			if d := cmp.Diff(theirs[:n], ours[:n]); d != "" {
				t.Errorf("real -, lab +:\n%s", d)
			}
			theirs, ours = theirs[n:], ours[n:]
		})
	}
	if len(ours) > 0 {
		t.Errorf("%d rounds too many:\n%s", len(ours), strings.Join(ours, "\n"))
	}
}

func lifecycle(t *testing.T, ids map[string][]string) *group.State {
	t.Helper()
	net := broker.Virtual()
	l := start(t, lab.Options{Group: "connect-rig", Delay: 20 * time.Second, Net: &net, NewMember: func(client string) string {
		if len(ids[client]) == 0 {
			t.Errorf("%s asks for one id more than in the capture", client)
			return client + "-x"
		}
		id := ids[client][0]
		ids[client] = ids[client][1:]
		return id
	}})
	defer closeLab(t, l)
	ctx := t.Context()
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	add := func(opt lab.WorkerOptions) {
		t.Helper()
		_, err := l.Add(ctx, opt)
		do(err)
		wait(5137 * time.Millisecond)
	}
	sink := func(name, file string, tasks int) map[string]any {
		return map[string]any{"connector.class": "SimulatedSink", "topics": "t", "file": file, "tasks.max": fmt.Sprint(tasks)}
	}
	create := func(name, file string, tasks int) {
		t.Helper()
		do(l.Call(ctx, "POST", "/connectors", map[string]any{"name": name, "config": sink(name, file, tasks)}))
		wait(1137 * time.Millisecond)
	}

	var thirdBeats time.Time
	for n := 1; n <= 3; n++ {
		thirdBeats = time.Now()
		add(lab.WorkerOptions{Name: fmt.Sprintf("worker-%d", n), Port: 18080 + n})
	}
	wait(7 * time.Second)
	for _, name := range []string{"sink-a", "sink-b", "sink-c"} {
		create(name, "out-"+name, 4)
	}
	wait(4 * time.Second)

	do(l.Kill("worker-2"))
	wait(51 * time.Second)
	do(l.Return(ctx, "worker-2"))
	wait(21 * time.Second)

	// Just after its heartbeat: the others hear of the eviction before worker-3 does, and go on without it.
	wait(3*time.Second - time.Since(thirdBeats)%(3*time.Second) + 50*time.Millisecond)
	evict(t, l, "worker-3")
	wait(17 * time.Second)

	old := lab.OldWorker("worker-4")
	old.Port = 18084
	add(old)
	wait(31 * time.Second)
	do(l.Stop(ctx, "worker-4"))
	wait(11 * time.Second)

	do(l.Kill("worker-3"))
	wait(15 * time.Second)
	do(l.Stop(ctx, "worker-1"))
	wait(29 * time.Second)
	do(l.Return(ctx, "worker-3"))
	do(l.Return(ctx, "worker-1"))
	wait(17 * time.Second)

	do(l.Call(ctx, "PUT", "/connectors/sink-a/config", sink("sink-a", "out-sink-a", 6)))
	wait(5 * time.Second)
	do(l.Call(ctx, "PUT", "/connectors/sink-b/config", sink("sink-b", "elsewhere", 4)))
	wait(5 * time.Second)
	bad := sink("sink-bad", "nowhere", 2)
	bad["fail.tasks"] = "0,1"
	do(l.Call(ctx, "POST", "/connectors", map[string]any{"name": "sink-bad", "config": bad}))
	wait(4 * time.Second)
	do(l.Call(ctx, "PUT", "/connectors/sink-c/pause", nil))
	wait(3 * time.Second)
	do(l.Call(ctx, "PUT", "/connectors/sink-c/stop", nil))
	wait(5 * time.Second)
	do(l.Call(ctx, "PUT", "/connectors/sink-c/resume", nil))
	wait(5 * time.Second)
	do(l.Call(ctx, "DELETE", "/connectors/sink-bad", nil))
	wait(7 * time.Second)
	do(l.Call(ctx, "POST", "/connectors/sink-a/restart?includeTasks=true", nil))
	wait(7 * time.Second)
	return observed(t, l)
}

func start(t *testing.T, opt lab.Options) *lab.Lab {
	t.Helper()
	l, err := lab.Start(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func closeLab(t *testing.T, l *lab.Lab) {
	t.Helper()
	if err := l.Err(); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// wait lets virtual time pass.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// observed is what the observer makes of the lab, over its sockets alone.
func observed(t *testing.T, l *lab.Lab) *group.State {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := observe.Once(ctx, observe.Options{Group: l.Group(), Dial: l.Dial})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// evict removes a worker's member as an administrator does.
func evict(t *testing.T, l *lab.Lab, name string) {
	t.Helper()
	cl, err := l.Dial()
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	at := slices.IndexFunc(l.Workers(), func(w lab.Member) bool { return w.Name == name })
	req := kmsg.NewPtrLeaveGroupRequest()
	req.Group = l.Group()
	m := kmsg.NewLeaveGroupRequestMember()
	m.MemberID = l.Workers()[at].ID
	req.Members = append(req.Members, m)
	resp, err := req.RequestWith(t.Context(), cl)
	if err != nil || resp.ErrorCode != 0 || resp.Members[0].ErrorCode != 0 {
		t.Fatalf("evict %s: %v %+v", name, err, resp)
	}
}

// roundsOf tells the rounds from a generation on, each in a few lines that two groups have in common.
func roundsOf(s *group.State, from int32) []string {
	var out []string
	for i, r := range s.Rounds {
		if r.Generation < from {
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s, %d workers, delay %d ms, settled %v:", r.Protocol, r.Workers, r.DelayMs, r.Settled)
		for _, c := range r.Causes {
			fmt.Fprintf(&b, " %s", c.Kind)
		}
		fmt.Fprintf(&b, "\n  kept %d started %d stopped %d restarted %d dropped %d moved %d, eager would stop %d\n", r.Kept, r.Started,
			r.Stopped, r.Restarted, r.Dropped, r.Moved, r.EagerWouldStop)
		fmt.Fprintf(&b, "  released %d delayed %d unassigned %d duplicated %d twice %d\n", r.Released, r.Delayed, r.Unassigned, r.Duplicated, r.Twice)
		for _, m := range s.Detail(i).Members {
			fmt.Fprintf(&b, "  %s +%v -%v\n", m.Client, m.Assigned, m.Revoked)
		}
		out = append(out, b.String())
	}
	return out
}
