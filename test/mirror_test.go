//go:build kafka && unix

package test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Nodes of MirrorMaker 2 in processes of their own are Connect groups, several on one cluster with connectors of the same names, beside
// the topics of a pair that was retired and had the address of one of them.
func TestMirrorMaker(t *testing.T) { //nolint:tparallel // two nodes at a time are enough for two processors
	t.Parallel()
	rig := Shared(t)
	elder := rig.Mirrors(t, 1, MirrorOptions{Source: "elder", REST: true})[0]
	waitNodes(t, rig, elder.Group, 1, 7)
	elder.Stop(t)
	for _, opt := range []MirrorOptions{
		{Source: "amber", REST: true, URL: elder.URL},
		{Source: "birch"},
		{Source: "cedar", Version: "3.4.1"},
	} {
		t.Run(opt.Source, func(t *testing.T) {
			nodes := rig.Mirrors(t, 2, opt)
			group := nodes[0].Group
			units := 7 // three connectors, and four tasks of one of them
			if !opt.REST {
				units = 3 // that one may be on the follower, which cannot send task configs to the leader
			}
			seen := waitNodes(t, rig, group, 2, units)

			var logged [][]Unit
			for _, n := range nodes {
				joins := n.Joined(t)
				logged = append(logged, joins[len(joins)-1].Held)
			}
			if held := seen.held(); !cmp.Equal(sortLists(held), sortLists(logged)) {
				t.Errorf("regroup says who holds what, against the nodes' logs:\n%s", cmp.Diff(sortLists(logged), sortLists(held)))
			}
			for _, s := range seen.Sources {
				if topic := "mm2-" + s.Name + "." + opt.Source + ".internal"; (s.Source == "config" || s.Source == "status") &&
					s.Name != strings.Replace(topic, s.Name, map[string]string{"config": "configs", "status": "status"}[s.Source], 1) {
					t.Errorf("the %s topic of %s: %+v", s.Source, group, s)
				}
			}

			file := filepath.Join(t.TempDir(), group+".jsonl")
			recordMirrors(t, rig, file, group, opt.REST)
			stranded := uncommitted(t, file)
			if opt.Version != "" { // before 3.8 a leader writes no commit for a connector that makes no tasks
				stranded = slices.DeleteFunc(stranded, seen.onLeader)
			}
			checkMirrorFindings(t, opt, examineFile(t, file), stranded)
		})
	}
}

// mirrorState is what `describe -o json` prints of a group, as far as it matters here.
type mirrorState struct {
	Workers []struct {
		Member string
		Leader bool
	}
	Units []struct {
		Connector string
		Task      *int32
		State     string
		Worker    string
	}
	Sources []struct{ Source, Name, State, Detail string }
}

// held lists what each worker holds.
func (s *mirrorState) held() [][]Unit {
	by := map[string][]Unit{}
	for _, u := range s.Units {
		unit := Unit{u.Connector, Instance}
		if u.Task != nil {
			unit.Task = *u.Task
		}
		by[u.Worker] = append(by[u.Worker], unit)
	}
	var out [][]Unit
	for _, w := range s.Workers {
		out = append(out, by[w.Member])
	}
	return out
}

// onLeader reports whether a unit is on the worker that leads.
func (s *mirrorState) onLeader(u Unit) bool {
	for i, held := range s.held() {
		if slices.Contains(held, u) {
			return s.Workers[i].Leader
		}
	}
	return false
}

func sortLists(lists [][]Unit) []string {
	var out []string
	for _, l := range lists {
		sortUnits(l)
		out = append(out, fmt.Sprint(l))
	}
	slices.Sort(out)
	return out
}

// waitNodes waits until n nodes are members with work, and lets `regroup wait` say when they have settled. All that they hold runs then;
// where task configs may come late, that may take another round.
func waitNodes(t *testing.T, rig *Rig, group string, n, units int) mirrorState {
	t.Helper()
	var s mirrorState
	look := func() error {
		s = mirrorState{}
		out := Regroup(t, "describe", group, "-b", rig.Addr, "-o", "json")
		if err := json.Unmarshal([]byte(out.Stdout), &s); err != nil {
			return fmt.Errorf("regroup describe: %w: %s", err, out.Stderr)
		}
		return nil
	}
	Until(t, fmt.Sprintf("%d nodes of %s with work", n, group), func() (bool, string) {
		err := look()
		return err == nil && len(s.Workers) == n && len(s.Units) >= units, fmt.Sprintf("%d nodes, %d units, %v", len(s.Workers), len(s.Units), err)
	})
	Until(t, "all units of "+group+" to run once it has settled", func() (bool, string) {
		if out := Regroup(t, "wait", group, "--settled", "--timeout", "100s", "-b", rig.Addr); out.Code != 0 {
			t.Fatalf("regroup wait %s: %+v", group, out)
		}
		known := len(s.Units)
		if err := look(); err != nil {
			t.Fatal(err)
		}
		for _, u := range s.Units {
			if u.State != "running" && len(s.Units) > known {
				return false, fmt.Sprintf("%+v has come since", u)
			}
			if u.State != "running" {
				t.Errorf("%s: %+v does not run after wait", group, u)
			}
		}
		return true, ""
	})
	return s
}

// recordMirrors records a group until its statuses were read, and each node was asked over REST where it has it.
func recordMirrors(t *testing.T, rig *Rig, file, group string, rest bool) {
	t.Helper()
	r := StartRegroup(t, "record", file, group, "-b", rig.Addr)
	Until(t, "a recording with statuses and REST", func() (bool, string) {
		b, err := os.ReadFile(file)
		text := string(b)
		asked := strings.Count(text, `{"fact":"rest"`)
		return err == nil && strings.Contains(text, `"Source":"status"`) && strings.Contains(text, `"topic":"mm2-status.`) && (!rest || asked >= 2),
			fmt.Sprintf("%d bytes, %d answers over REST, %v", len(b), asked, err)
	})
	if code := r.Stop(t); code != 0 {
		t.Fatalf("regroup record: exit code %d: %s", code, r.errs)
	}
}

// uncommitted lists the connectors in a recording whose task configs nobody has written.
func uncommitted(t *testing.T, file string) []Unit {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	waits := map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r struct {
			Topic string
			Key   []byte
		}
		if !strings.HasPrefix(lines.Text(), `{"topic":"mm2-configs.`) {
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if name, ok := strings.CutPrefix(string(r.Key), "connector-"); ok {
			waits[name] = true
		}
		if name, ok := strings.CutPrefix(string(r.Key), "commit-"); ok {
			delete(waits, name)
		}
	}
	var out []Unit
	for name := range waits {
		out = append(out, Unit{name, Instance})
	}
	sortUnits(out)
	return out
}

// examineFile examines a recording: grace times count as passed.
func examineFile(t *testing.T, file string) Diagnosis {
	t.Helper()
	out := Regroup(t, "doctor", "--from", file, "-o", "json")
	var d Diagnosis
	if err := json.Unmarshal([]byte(out.Stdout), &d); err != nil {
		t.Fatalf("regroup doctor: %v: %+v", err, out)
	}
	return d
}

// checkMirrorFindings holds what is found against how the nodes run: with internal REST nothing is wrong; without it a connector on a
// follower has no tasks, and the cure is MirrorMaker's.
func checkMirrorFindings(t *testing.T, opt MirrorOptions, d Diagnosis, stranded []Unit) {
	t.Helper()
	var without []Unit
	for _, f := range d.Findings {
		switch {
		case f.Severity == "info":
		case f.ID == "tasks-not-generated":
			without = append(without, f.Units...)
		case f.ID != "url-unusable" || opt.REST:
			t.Errorf("%s: %+v", opt.Source, f)
		case !strings.Contains(f.Next, "dedicated.mode.enable.internal.rest=true"):
			t.Errorf("%s: the cure is not MirrorMaker's: %+v", opt.Source, f)
		}
	}
	if (d.find("url-unusable") == nil) != opt.REST {
		t.Errorf("%s: url-unusable: %+v", opt.Source, d.Findings)
	}
	sortUnits(without)
	if !slices.Equal(without, stranded) {
		t.Errorf("%s: connectors without tasks:\n%s", opt.Source, cmp.Diff(stranded, without))
	}
}
