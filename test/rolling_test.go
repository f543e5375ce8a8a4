//go:build kafka && unix

package test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// loop is README's rolling restart.
var loop = regexp.MustCompile("(?s)```sh\n(for worker in .*?\ndone\n)```")

// README's rolling restart, on three real workers, never goes on before its worker is back: whether systemctl stops a worker politely, or
// kills it and starts it again before the group has noticed.
func TestRollingRestartOfReadme(t *testing.T) { //nolint:tparallel // both restart the same workers, one after the other
	t.Parallel()
	text, err := os.ReadFile(source("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := loop.FindSubmatch(text)
	if lines == nil {
		t.Fatal("README has no rolling restart: no block of sh that begins with \"for worker in\"")
	}
	rig := Shared(t)
	group := rig.GroupOf(t)
	script := string(lines[1])
	for from, to := range map[string]string{"connect-rig": group, "localhost:9092": rig.Addr} {
		if !strings.Contains(script, from) {
			t.Fatalf("README's rolling restart does not name %s:\n%s", from, script)
		}
		script = strings.ReplaceAll(script, from, to)
	}
	workers := rig.Workers(t, 3, WorkerOptions{})
	units := map[string]int{}
	for i := range 6 {
		name := fmt.Sprintf("rolling-%d", i+1)
		units[name] = 1
		workers[0].Put(t, name, FileSource(name))
	}
	workers[0].WaitRunning(t, units)
	WaitHeld(t, workers, Units(units))
	for _, how := range []struct {
		name string
		end  func(*Worker)
	}{
		{"stopped", func(w *Worker) { w.Stop(t) }},
		{"killed", func(w *Worker) { w.Kill(t) }},
	} {
		t.Run(how.name, func(t *testing.T) {
			restarted := runScript(t, script, func(host string) {
				w := workers[slices.IndexFunc(workers, func(w *Worker) bool { return w.Client == host })]
				how.end(w)
				if err := w.start(); err != nil { // systemctl does not wait until it answers
					t.Error(err)
				}
			}, func(host string, joins []int) { checkBack(t, workers, units, host, joins) }, workers)
			if want := []string{"worker-1", "worker-2", "worker-3"}; !slices.Equal(restarted, want) {
				t.Errorf("restarted %q, want %q", restarted, want)
			}
		})
	}
}

// runScript runs a script whose ssh calls restart, and hands each worker that was restarted to back once the script goes on, with how
// often every worker had joined before.
func runScript(t *testing.T, script string, restart func(host string), back func(host string, joins []int), workers []*Worker) (restarted []string) {
	t.Helper()
	dir := t.TempDir()
	for _, pipe := range []string{"asked", "done"} {
		if err := syscall.Mkfifo(filepath.Join(dir, pipe), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ssh := fmt.Sprintf("#!/bin/sh\necho \"$1\" > '%s/asked'\nread -r ok < '%s/done'\n", dir, dir)
	if err := os.WriteFile(filepath.Join(dir, "ssh"), []byte(ssh), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program.path(t), filepath.Join(dir, "regroup")); err != nil {
		t.Fatal(err)
	}
	open := func(pipe string) *os.File {
		f, err := os.OpenFile(filepath.Join(dir, pipe), os.O_RDWR, 0) // of a pipe that only one side has open, the other waits
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	asked, done := open("asked"), open("done")
	hosts := make(chan string)
	go func() {
		for lines := bufio.NewScanner(asked); lines.Scan(); {
			hosts <- lines.Text()
		}
	}()
	cmd := exec.Command("sh", "-c", script)
	cmd.Env = command(t, nil).Env
	cmd.Env = append(cmd.Env, "PATH="+dir+":"+os.Getenv("PATH"))
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	p, err := launch("the rolling restart", cmd, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	last, before := "", []int(nil)
	for {
		select {
		case host := <-hosts:
			if last != "" {
				back(last, before)
			}
			last, before = host, joinsOf(t, workers)
			restarted = append(restarted, host)
			restart(host)
			if _, err := fmt.Fprintln(done, "ok"); err != nil {
				t.Fatal(err)
			}
		case <-p.done:
			back(last, before)
			said, _ := os.ReadFile(out.Name())
			t.Logf("the script printed\n%s", said)
			return restarted
		}
	}
}

func joinsOf(t *testing.T, workers []*Worker) []int {
	t.Helper()
	var out []int
	for _, w := range workers {
		out = append(out, len(w.Joined(t)))
	}
	return out
}

// checkBack holds the workers' own logs against the script's going on: the worker has joined anew, all are in one generation and hold
// all units between them, and each unit runs.
func checkBack(t *testing.T, workers []*Worker, units map[string]int, host string, before []int) {
	t.Helper()
	var held []Unit
	generations := map[int32]bool{}
	for i, w := range workers {
		joins := w.Joined(t)
		if w.Client == host && len(joins) <= before[i] {
			t.Errorf("went on before %s had joined again", host)
			return
		}
		last := joins[len(joins)-1]
		generations[last.Generation] = true
		held = append(held, last.Held...)
	}
	if len(generations) != 1 {
		t.Errorf("%s restarted: went on while the workers were in generations %v", host, generations)
	}
	if want := Units(units); !slices.Equal(sortUnits(held), want) {
		t.Errorf("%s restarted: went on while the workers held %v, want %v", host, held, want)
	}
	for name, n := range units {
		s := workers[0].Status(t, name)
		runs := s.Connector.State == "RUNNING" && len(s.Tasks) == n
		for _, task := range s.Tasks {
			runs = runs && task.State == "RUNNING"
		}
		if !runs {
			t.Errorf("%s restarted: went on while %s was %+v", host, name, s)
		}
	}
}
