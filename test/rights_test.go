//go:build kafka && unix

package test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	onCluster = kmsg.ACLResourceTypeCluster
	onGroup   = kmsg.ACLResourceTypeGroup
	onTopic   = kmsg.ACLResourceTypeTopic
)

// What a user may not do is told by the name of the right that is missing, and costs only what that right is for.
func TestMissingRights(t *testing.T) {
	t.Parallel()
	taken := []string{"log", "describe", "config", "status"} // each of these users lacks what the source of its name needs, for a while
	rig := StartSecured(t, append(taken, "none", "lister", "ops")...)
	w := rig.Worker(t, 1, WorkerOptions{})
	w.Put(t, "rights", FileSource("rights"))
	w.WaitRunning(t, map[string]int{"rights": 1})
	group, configs, statuses := w.Group, w.Group+"-configs", w.Group+"-status"
	run := func(t *testing.T, user string, args ...string) Output {
		t.Helper()
		return Regroup(t, append(args, rig.As(t, user)...)...)
	}
	refused := func(t *testing.T, user string, code int, stderr string, args ...string) {
		t.Helper()
		if out := run(t, user, args...); out.Code != code || !strings.Contains(out.Stderr, stderr) || out.Stdout != "" {
			t.Errorf("regroup %q as %s: exit code %d, want %d and %q\n%s%s", args, user, out.Code, code, stderr, out.Stdout, out.Stderr)
		}
	}
	for user, rights := range map[string][]Right{
		"lister": {{kadm.OpDescribe, onCluster, ""}},
		"ops":    {{kadm.OpDescribe, onCluster, ""}, {kadm.OpDescribe, onGroup, group + "*"}, {kadm.OpRead, onGroup, group + "*"}},
	} {
		rig.Grant(t, user, rights...)
	}
	needed := map[string]Right{
		"log":      {kadm.OpRead, onTopic, offsetsTopic},
		"describe": {kadm.OpDescribe, onGroup, group},
		"config":   {kadm.OpRead, onTopic, configs},
		"status":   {kadm.OpRead, onTopic, statuses},
	}
	names := map[string]string{
		"log":      "needs Read on Topic " + offsetsTopic,
		"describe": "needs Describe on Group " + group,
		"config":   "needs Read on Topic " + configs,
		"status":   "needs Read on Topic " + statuses,
	}
	for _, user := range taken {
		for _, r := range needed {
			rig.Grant(t, user, r)
		}
	}

	t.Run("no right at all", func(t *testing.T) {
		t.Parallel()
		const noGroup = "no Connect group that this user may describe on %s: needs Describe on Cluster or on Group"
		refused(t, "none", 2, fmt.Sprintf(noGroup, rig.Login), "groups")
		refused(t, "none", 2, fmt.Sprintf(noGroup, rig.Login), "describe")
		refused(t, "none", 2, names["describe"]+"; no right to read "+offsetsTopic+": "+names["log"], "describe", group)
		refused(t, "none", 2, names["describe"], "wait", group, "--settled", "--timeout", "5s")
	})
	t.Run("a list of names alone", func(t *testing.T) {
		t.Parallel()
		refused(t, "lister", 2, "no Connect group that this user may describe on "+rig.Login+": needs Describe on Group", "groups")
		refused(t, "lister", 2, names["describe"], "groups")
	})
	t.Run("no topic, then no settings", func(t *testing.T) {
		t.Parallel()
		withoutTopics(t, rig, group, func(args ...string) Output { return run(t, "ops", args...) })
	})
	t.Run("taken and given back", func(t *testing.T) {
		t.Parallel()
		var all []*lack
		for _, source := range taken {
			all = append(all, &lack{source: source, right: needed[source], name: names[source]})
		}
		takenAway(t, rig, group, all)
	})
	t.Run("logins", func(t *testing.T) {
		t.Parallel()
		for want, login := range map[string][]string{
			`the broker refuses the login of "O'Brien \"x\"" with PLAIN: wrong user or password; check both in `: rig.With(t, "PLAIN", `O'Brien "x"`, "x"),
			`the broker refuses the login of "ops" with PLAIN: wrong user or password; check both in `:           rig.With(t, "PLAIN", "ops", "wrong"),
			"the broker does not offer SCRAM-SHA-512; set sasl.mechanism to one that it does":                    rig.With(t, "SCRAM-SHA-512", "ops", passwordOf("ops")),
		} {
			for _, args := range [][]string{{"groups"}, {"describe", group}, {"watch", group}, {"wait", group}} {
				if out := Regroup(t, append(args, login...)...); out.Code != 2 || !strings.HasPrefix(out.Stderr, "regroup: "+rig.Login+": "+want) {
					t.Errorf("regroup %q: exit code %d, want %q\n%s%s", args, out.Code, want, out.Stdout, out.Stderr)
				}
			}
		}
	})
	t.Run("actions", func(t *testing.T) {
		t.Parallel()
		refused(t, "log", 2, "not allowed: evicting needs Read on Group "+group, "worker", "evict", w.Client, "-g", group, "--yes", "-o", "json")
		refused(t, "log", 2, "not allowed: joining needs Read on Group "+group, "worker", "ghost", "-g", group, "--yes", "--for", "3s",
			"--i-know-it-holds-real-work", "-o", "json")
	})
}

// withoutTopics begins with a user who may describe the group, and sees no topic.
func withoutTopics(t *testing.T, rig *Secured, group string, run func(args ...string) Output) {
	configs := group + "-configs"
	out := run("groups")
	if out.Code != 0 || !strings.Contains(out.Stdout, group) {
		t.Errorf("groups: exit code %d\n%s%s", out.Code, out.Stdout, out.Stderr)
	}
	described, doctor := run("describe", group), run("doctor", group)
	for _, role := range []string{"config", "status"} {
		line := fmt.Sprintf("no topic that this user may see can be group %s's %s topic: needs Describe and Read on Topic; --%[2]s-topic names it", group, role)
		if described.Code != 0 || !strings.Contains(described.Stdout, line) {
			t.Errorf("describe: exit code %d, without %q\n%s%s", described.Code, line, described.Stdout, described.Stderr)
		}
		if title := "access-denied: the " + role + " topic may not be read"; doctor.Code != 1 || !strings.Contains(doctor.Stdout, title) {
			t.Errorf("doctor: exit code %d, without %q\n%s%s", doctor.Code, title, doctor.Stdout, doctor.Stderr)
		}
	}
	if out := run("wait", group, "--settled", "--timeout", "10s"); out.Code != 2 || out.Stdout != "" || !strings.Contains(out.Stderr, "cannot tell whether it is settled: config denied: no topic that this user may see") {
		t.Errorf("wait: exit code %d\n%s%s", out.Code, out.Stdout, out.Stderr)
	}

	// One that may be the status topic is seen, and not read.
	seen := Right{kadm.OpDescribe, onTopic, group + "-status"}
	rig.Grant(t, "ops", seen)
	if out := run("describe", group); !strings.Contains(out.Stdout, "no right to read "+seen.Name+", which may be the status topic: needs Read on Topic") {
		t.Errorf("describe:\n%s%s", out.Stdout, out.Stderr)
	}
	rig.Revoke(t, "ops", seen)

	rig.Grant(t, "ops", Right{kadm.OpDescribe, onTopic, group + "*"}, Right{kadm.OpRead, onTopic, group + "*"})
	policy := "delete"
	if _, err := rig.admin.AlterTopicConfigs(t.Context(), []kadm.AlterConfig{{Name: "cleanup.policy", Value: &policy}}, configs); err != nil {
		t.Fatal(err)
	}
	doctor = run("doctor", group)
	cannot := "needs DescribeConfigs on Topic " + configs
	_, told, _ := strings.Cut(doctor.Stdout, "cannot tell:")
	if i := strings.Index(told, cannot); i < 0 || !strings.Contains(told[i:], ": internal-topic-settings") {
		t.Errorf("doctor: without %q\n%s%s", cannot, doctor.Stdout, doctor.Stderr)
	}
	rig.Grant(t, "ops", Right{kadm.OpDescribeConfigs, onTopic, group + "*"})
	doctor = run("doctor", group)
	if !strings.Contains(doctor.Stdout, "internal-topic-settings: "+configs+" has cleanup.policy=delete") {
		t.Errorf("doctor:\n%s%s", doctor.Stdout, doctor.Stderr)
	}
}

// lack is a right that one source needs, and that the user of that name does not have for a while.
type lack struct {
	source string
	right  Right
	name   string // as messages name it
	watch  *Running
	at     int // number of the watch's line
}

// takenAway takes from each user what one source needs, while a watch runs, and gives it back.
func takenAway(t *testing.T, rig *Secured, group string, all []*lack) {
	for _, l := range all {
		l.watch = StartRegroup(t, append([]string{"watch", group, "-o", "json"}, rig.As(t, l.source)...)...)
	}
	for _, l := range all {
		for _, other := range all {
			WaitSource(t, l.watch, other.source, "ok")
		}
	}
	for _, l := range all {
		l.at = len(l.watch.Lines())
		rig.Revoke(t, l.source, l.right)
	}
	for _, l := range all {
		if detail := l.await(t, "denied"); !strings.Contains(detail, l.name) {
			t.Errorf("watch says of %s: %s; want %q", l.source, detail, l.name)
		}
		l.checkDescribe(t, group, rig.As(t, l.source))
	}
	for _, l := range all {
		l.at = len(l.watch.Lines())
		rig.Grant(t, l.source, l.right)
	}
	for _, l := range all {
		l.await(t, "ok")
		for _, e := range sourceEvents(t, l.watch, 0) {
			if e.Source != l.source && e.Source != "rest" && e.State != "ok" && e.State != "catching up" {
				t.Errorf("without %s the watch says of %s: %s, %s", l.name, e.Source, e.State, e.Detail)
			}
		}
		if l.watch.Stop(t) != 0 {
			t.Errorf("the watch without %s ended badly", l.name)
		}
	}
}

// await waits until its watch tells that its source is so, and gives the reason.
func (l *lack) await(t *testing.T, state string) (detail string) {
	t.Helper()
	Until(t, "the "+l.source+" source to be "+state, func() (bool, string) {
		for _, e := range sourceEvents(t, l.watch, l.at) {
			if e.Source == l.source && e.State == state {
				detail = e.Detail
				return true, ""
			}
		}
		return false, fmt.Sprintf("lines %q", l.watch.Lines()[l.at:])
	})
	return detail
}

// checkDescribe checks that without the right the worker and its units are there all the same, and all sources but one.
func (l *lack) checkDescribe(t *testing.T, group string, as []string) {
	t.Helper()
	out := Regroup(t, append([]string{"describe", group, "-o", "json"}, as...)...)
	var now struct {
		Sources []struct{ Source, State, Detail string }
		Workers []struct{ Member string }
		Units   []struct{ Connector, Worker string }
	}
	if err := json.Unmarshal([]byte(out.Stdout), &now); err != nil || out.Code != 0 {
		t.Fatalf("describe: exit code %d, %v\n%s%s", out.Code, err, out.Stdout, out.Stderr)
	}
	for _, s := range now.Sources {
		switch {
		case s.Source == l.source && (s.State != "denied" || !strings.Contains(s.Detail, "needs ")):
			t.Errorf("describe says of %s: %s, %s", s.Source, s.State, s.Detail)
		case s.Source != l.source && s.State != "ok":
			t.Errorf("without %s describe says of %s: %s, %s", l.name, s.Source, s.State, s.Detail)
		}
	}
	if len(now.Workers) != 1 || len(now.Units) != 2 || now.Units[0].Worker != now.Workers[0].Member || now.Units[1].Worker != now.Workers[0].Member {
		t.Errorf("without %s describe tells of %d workers and %d units:\n%s", l.name, len(now.Workers), len(now.Units), out.Stdout)
	}
}

type sourceEvent struct{ Event, Source, State, Detail string }

// sourceEvents are what a watch has told of its sources, from its line of that number on.
func sourceEvents(t *testing.T, watch *Running, from int) (out []sourceEvent) {
	t.Helper()
	for _, line := range watch.Lines()[from:] {
		var e sourceEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Event == "source" {
			out = append(out, e)
		}
	}
	return out
}
