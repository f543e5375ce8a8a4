//go:build kafka && unix

package test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Life is a group that lives through scenes, one after the other, while regroup records it.
type Life struct {
	Group   string
	Scenes  []Scene
	Halts   map[string][]Halt // by the worker's client id
	rig     *Rig
	workers []*Worker // that should be in the group
	all     []*Worker
	tasks   map[string]int
	last    int32 // the generation at which the group was settled last
	record  *Running
}

// Scene is a part of a group's life.
type Scene struct {
	Name   string
	Outage bool `json:",omitempty"` // the broker is away
	Window
}

// StartLife starts three workers with two connectors, and regroup's recording of them.
func StartLife(t testing.TB, rig *Rig, group string, opt WorkerOptions) *Life {
	t.Helper()
	opt.Group = group
	l := &Life{Group: group, rig: rig, Halts: map[string][]Halt{}, tasks: map[string]int{}}
	l.workers = rig.Workers(t, 3, opt)
	l.all = append(l.all, l.workers...)
	l.settled(t)
	l.record = StartRegroup(t, "record", l.recording(), group, "-b", rig.Addr)
	for name, n := range map[string]int{"alpha-of-" + group: 4, "beta-of-" + group: 4} {
		l.put(t, name, n, FileSink(name, n))
	}
	l.settled(t)
	return l
}

func (l *Life) recording() string { return l.rig.path(l.Group + ".jsonl") }

func (l *Life) put(t testing.TB, name string, tasks int, config map[string]string) {
	t.Helper()
	l.tasks[name] = tasks
	l.workers[0].Put(t, name, config)
}

// Play plays a scene.
func (l *Life) Play(t testing.TB, s Scene, play func(*Life, testing.TB)) {
	t.Helper()
	s.From = time.Now().UTC()
	play(l, t)
	s.Until = time.Now().UTC()
	l.Scenes = append(l.Scenes, s)
}

// held waits until all units are held in a generation that came after the last one, and nothing more is to come of it.
func (l *Life) held(t testing.TB) {
	t.Helper()
	Until(t, fmt.Sprintf("%s to settle after generation %d", l.Group, l.last), func() (bool, string) {
		generation := WaitHeld(t, l.workers, Units(l.tasks))
		if generation <= l.last {
			return false, fmt.Sprintf("generation %d", generation)
		}
		l.last = generation
		return true, ""
	})
}

// settled waits until all units are held, and run by their workers' logs.
func (l *Life) settled(t testing.TB) {
	t.Helper()
	l.held(t)
	Until(t, "all units of "+l.Group+" to run", func() (bool, string) {
		runs := l.runs(t, l.rig.dir)
		for _, unit := range Units(l.tasks) {
			if !slices.ContainsFunc(runs, func(r Run) bool { return r.Unit == unit && r.End == StillRuns }) {
				return false, fmt.Sprintf("%v does not", unit)
			}
		}
		return true, ""
	})
	time.Sleep(2 * time.Second) // until the statuses have been written, too; and what comes next is told apart
}

// without is a group that has lost a worker.
func (l *Life) without(w *Worker) {
	var rest []*Worker
	for _, x := range l.workers {
		if x != w {
			rest = append(rest, x)
		}
	}
	l.workers = rest
}

func (l *Life) stop(t testing.TB, w *Worker) {
	t.Helper()
	l.without(w)
	w.Stop(t)
}

func (l *Life) kill(t testing.TB, w *Worker) {
	t.Helper()
	l.without(w)
	before := time.Now().UTC()
	w.Kill(t)
	l.Halts[w.Client] = append(l.Halts[w.Client], Halt{At: Moment{before, time.Now().UTC()}})
}

func (l *Life) back(t testing.TB, w *Worker) {
	t.Helper()
	w.Restart(t)
	l.workers = append(l.workers, w)
}

func (l *Life) freeze(t testing.TB, w *Worker, long time.Duration) {
	t.Helper()
	signal := func(s syscall.Signal) Moment {
		before := time.Now().UTC()
		w.Signal(t, s)
		return Moment{before, time.Now().UTC()}
	}
	at := signal(syscall.SIGSTOP)
	time.Sleep(long)
	until := signal(syscall.SIGCONT)
	l.Halts[w.Client] = append(l.Halts[w.Client], Halt{at, until})
}

// Keep writes down, beside the logs and the recording, what they cannot tell.
func (l *Life) Keep(t testing.TB) {
	t.Helper()
	b, err := json.MarshalIndent(l, "", " ")
	if err == nil {
		err = os.WriteFile(l.rig.path(l.Group+".json"), b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// CopyTo copies what was kept, and of the logs the lines that tell of units.
func (l *Life) CopyTo(t testing.TB, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(l.rig.dir, l.Group+"*"))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		switch filepath.Ext(file) {
		case ".log":
			var kept []byte
			for line := range bytes.Lines(b) {
				if tells(line) {
					kept = append(kept, line...)
				}
			}
			b = kept
		case ".json", ".jsonl":
		default:
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(file)), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// LoadLife reads what Keep wrote.
func LoadLife(t testing.TB, file string) *Life {
	t.Helper()
	l := &Life{}
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, l)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// runs are what the logs of the group's workers in a folder say that they ran.
func (l *Life) runs(t testing.TB, dir string) []Run {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(dir, l.Group+"-worker-*.log"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs of %s in %s: %v", l.Group, dir, err)
	}
	var runs []Run
	for _, log := range logs {
		worker := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(log), l.Group+"-"), ".log")
		f, err := os.Open(log)
		if err != nil {
			t.Fatal(err)
		}
		of, err := ReadRuns(worker, f, l.Halts[worker])
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, of...)
	}
	return runs
}

// Compare holds what regroup says of each scene, from records alone and from its recording, against the workers' logs.
func (l *Life) Compare(t *testing.T, gaps []LogGap, records, live []Round) {
	t.Helper()
	for _, s := range l.Scenes {
		t.Run(l.Group+": "+s.Name, func(t *testing.T) {
			for _, from := range []struct {
				what      string
				rounds    []Round
				lookingOn bool
			}{{"from records alone", records, false}, {"looking on", live, true}} {
				c := Compare(gaps, from.rounds, s.Window, leeways(s.Outage, from.lookingOn))
				t.Logf("%s: %v", from.what, c)
				for _, d := range c.Differences {
					t.Errorf("%s: %s", from.what, d)
				}
			}
		})
	}
}

// RoundsFrom is what `regroup rounds` says of a recording.
func RoundsFrom(t testing.TB, file string) []Round {
	t.Helper()
	out := Regroup(t, "rounds", "--from", file, "-o", "json")
	rounds, err := ParseRounds(out.Stdout)
	if err != nil || out.Code != 0 {
		t.Fatalf("rounds of %s: exit code %d, %v\n%s", file, out.Code, err, out.Stderr)
	}
	return rounds
}

// recordsAlone is a recording without what was seen beside records.
func recordsAlone(t testing.TB, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var kept []byte
	for line := range bytes.Lines(b) {
		if !bytes.HasPrefix(line, []byte(`{"fact":`)) {
			kept = append(kept, line...)
		}
	}
	alone := filepath.Join(t.TempDir(), "records.jsonl")
	if err := os.WriteFile(alone, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	return alone
}

// with is a copy of properties with one more.
func with(properties map[string]string, key, value string) map[string]string {
	out := maps.Clone(properties)
	out[key] = value
	return out
}
