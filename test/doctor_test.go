//go:build kafka && unix

package test

import (
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
)

// What goes wrong with groups of real workers, made to happen, and found by a watch that runs beside it.

// A worker that stands still until its work was given away leaves orphans behind, and duplicates when it is back. One that is
// evicted again and again churns.
func TestDoctorFindsWhatWorkersDo(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	// Longer than a session, for an orphan is one only after that.
	const session, delay = 8 * time.Second, 14 * time.Second
	workers := rig.Workers(t, 2, WorkerOptions{Delay: delay, Extra: map[string]string{"session.timeout.ms": "8000", "heartbeat.interval.ms": "2000"}})
	units := map[string]int{}
	for _, name := range []string{"ill-a", "ill-b", "ill-c", "ill-d"} {
		units[name] = 1
		workers[0].Put(t, name, FileSource(name))
	}
	workers[0].WaitRunning(t, units)
	WaitHeld(t, workers, Units(units))
	hand := rig.Hand(t)
	follows, leads := workers[1], workers[0]
	if follower(t, hand).Client == leads.Client {
		follows, leads = leads, follows
	}
	watch := StartRegroup(t, "watch", hand.group, "-b", rig.Addr, "-o", "json")
	WaitSource(t, watch, "status", "ok")

	follows.Signal(t, syscall.SIGSTOP)
	if f := WaitFound(t, watch, "delay-running", 0); len(f.Units) != 4 {
		t.Errorf("units that wait for the delay: %+v", f)
	}
	if f := WaitFound(t, watch, "unit-orphaned", session); len(f.Units) != 4 || !f.at(follows) || !f.says("RUNNING") {
		t.Errorf("claims of the frozen %s: %+v", follows.Client, f)
	}
	WaitOver(t, watch, "delay-running")
	leads.WaitRunning(t, units)
	WaitOver(t, watch, "unit-orphaned")
	follows.Signal(t, syscall.SIGCONT)
	if f := WaitFound(t, watch, "unit-duplicated", 0); len(f.Units) == 0 || f.Severity != "critical" {
		t.Errorf("units that run twice: %+v", f)
	}
	WaitOver(t, watch, "unit-duplicated")
	WaitHeld(t, workers, Units(units))
	waitHealthy(t, rig, hand.group)

	hand.Do(t, "worker", "evict", follower(t, hand).Client, "--times", "3")
	if f := WaitFound(t, watch, "member-churn", -1); !f.at(follows) {
		t.Errorf("%s was evicted three times: %+v", follows.Client, f)
	}
}

// With a delay of 0, workers of 3.4.0 to 3.5.1 never give out what a killed one had (KAFKA-15693), until anything makes a round.
func TestDoctorFindsStuckWork(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	workers := rig.Workers(t, 2, WorkerOptions{Version: "3.5.1", Delay: -1, Extra: map[string]string{"session.timeout.ms": "8000", "heartbeat.interval.ms": "2000"}})
	units := map[string]int{"stuck-a": 3, "stuck-b": 1}
	workers[0].Put(t, "stuck-a", FileSink("stuck-a", 3))
	workers[0].Put(t, "stuck-b", FileSource("stuck-b"))
	workers[0].WaitRunning(t, units)
	WaitHeld(t, workers, Units(units))
	hand := rig.Hand(t)
	watch := StartRegroup(t, "watch", hand.group, "-b", rig.Addr, "-o", "json")
	WaitSource(t, watch, "status", "ok")

	stays, goes := workers[0], workers[1]
	if follower(t, hand).Client == stays.Client {
		stays, goes = goes, stays
	}
	goes.Kill(t)
	f := WaitFound(t, watch, "unassigned-stuck", 5*time.Second)
	if len(f.Units) != 3 || f.Severity != "critical" || !f.says(goes.Client+" left") {
		t.Errorf("what %s had is stuck: %+v", goes.Client, f)
	}
	bug := WaitFound(t, watch, "known-bug", 0)
	if !strings.HasPrefix(bug.Title, "KAFKA-15693") || !bug.at(stays) || !bug.says("runs 3.5.1") {
		t.Errorf("the bug behind it: %+v", bug)
	}
	// What it says to do next, does.
	if !strings.Contains(f.Next, "evict a worker") {
		t.Errorf("next: %s", f.Next)
	}
	hand.Do(t, "worker", "evict", stays.Client)
	WaitOver(t, watch, "unassigned-stuck")
	stays.WaitRunning(t, units)
}

// A leader that nobody reaches where it says it is, two workers that say they are at one place, and an internal topic from which
// records are deleted: what was set up wrongly.
func TestDoctorFindsWrongSettings(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	nobody, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	away := rig.Worker(t, 1, WorkerOptions{Extra: map[string]string{"rest.advertised.port": strconv.Itoa(nobody)}})
	units := map[string]int{"set-wrongly": 1} // what tells the group's topics apart
	away.Put(t, "set-wrongly", FileSource("set-wrongly"))
	away.WaitRunning(t, units)
	other := rig.Worker(t, 2, WorkerOptions{})
	group := rig.GroupOf(t)
	WaitHeld(t, []*Worker{away, other}, Units(units))
	watch := StartRegroup(t, "watch", group, "-b", rig.Addr, "-o", "json")
	WaitSource(t, watch, "status", "ok")
	statuses := group + "-status"
	rig.SetTopic(t, statuses, "cleanup.policy", "delete")

	f := WaitFound(t, watch, "leader-unreachable", 30*time.Second)
	if !f.at(away) || !f.says(strconv.Itoa(nobody)) {
		t.Errorf("%s leads and is not where it says: %+v", away.Client, f)
	}
	// What it says comes of that, does: the other worker cannot forward a change.
	if err := other.rest(t.Context(), "PUT", "connectors/unheard/config", FileSource("unheard"), nil); err == nil || !strings.Contains(err.Error(), "500") {
		t.Errorf("a change over %s: %v", other.Client, err)
	}

	if f := WaitFound(t, watch, "internal-topic-settings", 0); !strings.Contains(f.Title, statuses+" has cleanup.policy=delete") {
		t.Errorf("a status topic from which records are deleted: %+v", f)
	}
	rig.SetTopic(t, statuses, "cleanup.policy", "compact")

	away.Stop(t)
	away.Set(t, "rest.advertised.port", other.port())
	away.Restart(t)
	f = WaitFound(t, watch, "url-clash", 0)
	if !f.at(away) || !f.at(other) || !strings.Contains(f.Title, strings.TrimSuffix(other.URL, "/")) {
		t.Errorf("two workers at one address: %+v", f)
	}
	WaitOver(t, watch, "leader-unreachable")
	WaitOver(t, watch, "internal-topic-settings")
}

// SetTopic sets one of a topic's settings.
func (r *Rig) SetTopic(t testing.TB, topic, key, value string) {
	t.Helper()
	set := []kadm.AlterConfig{{Op: kadm.SetConfig, Name: key, Value: &value}}
	answer, err := kadm.NewClient(r.client(t)).AlterTopicConfigs(t.Context(), set, topic)
	if err != nil || len(answer) != 1 || answer[0].Err != nil {
		t.Fatalf("topic %s, %s=%s: %v, %+v", topic, key, value, err, answer)
	}
}
