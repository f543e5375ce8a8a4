//go:build kafka && unix

package test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// config is a connector's configuration as a worker gives it, byte for byte.
func (w *Worker) config(t testing.TB, name string) string {
	t.Helper()
	var raw json.RawMessage
	Until(t, "the configuration of "+name, func() (bool, string) {
		err := w.rest(t.Context(), "GET", "connectors/"+url.PathEscape(name)+"/config", nil, &raw)
		if err != nil {
			return false, err.Error()
		}
		return true, ""
	})
	return string(raw)
}

// A connector's whole life on real workers: each step is foreseen, shows as rounds with its cause, and is on record.
func TestConnectorLife(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	workers := rig.Workers(t, 2, WorkerOptions{})
	workers[0].Put(t, "other", FileSink("other", 3))
	workers[0].WaitRunning(t, map[string]int{"other": 3})
	WaitHeld(t, workers, Units(map[string]int{"other": 3}))
	rig.own("connect-life")
	hand := rig.Hand(t)

	missing := filepath.Join(t.TempDir(), "not-yet-there")
	secret := "hunter2 \"quoted\" \\ 漢字\n\ttwo lines"
	spec, err := json.Marshal(map[string]any{"name": "life", "config": map[string]string{
		"connector.class": "org.apache.kafka.connect.file.FileStreamSinkConnector", "tasks.max": "2", "topics": "life-input",
		"file": filepath.Join(missing, "out"), "db.password": secret,
	}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "life.json")
	if err := os.WriteFile(file, spec, 0o600); err != nil {
		t.Fatal(err)
	}

	as := func(d Deed, causes ...string) {
		t.Helper()
		if d.State != "done" || len(d.Differences) > 0 {
			t.Errorf("%s %s: %s, %s, %s; otherwise than foreseen:\n%s", d.Action, d.Target, d.State, d.Answer, d.Unsettled, d.Texts())
		}
		if got := causesOf(d.Rounds); !slices.Equal(got, causes) {
			t.Errorf("%s: rounds because of %v, want %v", d.Action, got, causes)
		}
	}
	as(hand.Do(t, "connector", "create", "-f", file), "connector-created", "tasks-changed")
	as(hand.Do(t, "connector", "scale", "life", "6"), "tasks-changed")

	// Opened and saved as it is, it is byte for byte what it was, and nothing was written.
	was := workers[1].config(t, "life")
	rounds := len(Rounds(t, rig, hand.group))
	hand.env = []string{"EDITOR=true"}
	if d := hand.Do(t, "connector", "edit", "life"); d.State != "unchanged" {
		t.Errorf("left alone in the editor: %+v", d)
	}
	hand.env = []string{"EDITOR=touch"}
	if d := hand.Do(t, "connector", "edit", "life"); d.State != "unchanged" {
		t.Errorf("saved as it is: %+v", d)
	}
	out := hand.Run(t, "connector", "get", "life", "-o", "json")
	if strings.Contains(out.Stdout, "hunter2") || !strings.Contains(out.Stdout, `"db.password":"********"`) {
		t.Errorf("connector get shows %s", out.Stdout)
	}
	masked := filepath.Join(t.TempDir(), "masked.json")
	if err := os.WriteFile(masked, []byte(out.Stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	if d := hand.Do(t, "connector", "apply", masked); d.State != "unchanged" {
		t.Errorf("applied as it was got: %+v", d)
	}
	if now := workers[1].config(t, "life"); now != was || len(Rounds(t, rig, hand.group)) != rounds {
		t.Errorf("was %s\nnow %s", was, now)
	}

	// One property is edited; the masked one beside it stays.
	hand.env = []string{`EDITOR=sed -i 's/^topics:.*/topics: life-input,life-more/'`}
	as(hand.Do(t, "connector", "edit", "life"), "tasks-changed")
	if now, want := workers[1].config(t, "life"), strings.Replace(was, `"life-input"`, `"life-input,life-more"`, 1); now != want {
		t.Errorf("edited: %s\nwant %s", now, want)
	}

	as(hand.Do(t, "connector", "pause", "life"))
	as(hand.Do(t, "connector", "stop", "life"), "tasks-changed", "release")
	as(hand.Do(t, "connector", "resume", "life"), "tasks-changed")

	// Its folder was missing: its tasks have failed. Now it is there, and what has failed is restarted.
	workers[0].WaitFailed(t, "life", 6)
	if err := os.Mkdir(missing, 0o755); err != nil {
		t.Fatal(err)
	}
	d := hand.Do(t, "connector", "restart", "life", "--tasks", "failed")
	as(d)
	if !strings.HasPrefix(d.Answer, "restarts task 0, task 1, task 2, task 3, task 4, task 5, by worker-") {
		t.Errorf("restart: %s", d.Answer)
	}
	workers[0].WaitRunning(t, map[string]int{"life": 6})
	as(hand.Do(t, "connector", "delete", "life"), "connector-deleted", "release")

	if out := hand.Run(t, "connector", "delete", "other", "--read-only", "--yes"); out.Code != 2 {
		t.Errorf("read-only: exit code %d, %s", out.Code, out.Stderr)
	}
	if out := hand.Run(t, "connector", "delete", "other"); out.Code != 2 || !strings.Contains(out.Stderr, "give --yes") {
		t.Errorf("without --yes: exit code %d, %s", out.Code, out.Stderr)
	}
	for _, l := range hand.Audit(t) {
		if strings.Contains(l.Answer, "hunter2") {
			t.Errorf("a secret is on record: %+v", l)
		}
	}
	hand.OnRecord(t, "create", "scale", "reconfigure", "pause", "stop", "resume", "restart", "delete")
}

// Names that need escaping, in every command, on real workers. The web server of Connect 4 takes no slash and no percent sign
// within a segment, however it is escaped: that is said, and such a connector is not created, for nobody could delete it.
func TestConnectorNames(t *testing.T) {
	t.Parallel()
	offsets := filepath.Join(t.TempDir(), "offsets.json")
	text := `{"offsets":[{"partition":{"kafka_topic":"names-input","kafka_partition":0},"offset":{"kafka_offset":0}}]}`
	if err := os.WriteFile(offsets, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	// A name with one of these is left to chance in a group of several: the worker that holds it puts it as it is into the path by
	// which it sends the task configs to the leader, which then knows no such connector ("Connector 100/d not found"). Where the
	// only worker leads, there is nothing to send. What regroup can do about it is to say so, which wait and doctor do.
	names := map[string]string{
		"slash": "a/b c", "percent": "100% d", "escaped": "100%2Fd", "arrow": "east->west.MirrorSourceConnector", "unicode": "größe 漢字?#&=+",
		"semicolon": "a;b", "long": strings.Repeat("long-name.", 18),
	}
	for _, of := range []struct {
		version string
		workers int
		kinds   []string
	}{
		{WorkerVersion, 2, []string{"slash", "percent", "escaped", "arrow", "unicode", "long"}},
		{WorkerVersion, 1, []string{"semicolon"}},
		{"3.9.1", 2, []string{"percent", "arrow", "unicode", "long"}},
		{"3.9.1", 1, []string{"slash", "escaped", "semicolon"}},
	} {
		t.Run(fmt.Sprintf("%s of %d", of.version, of.workers), func(t *testing.T) {
			t.Parallel()
			rig := Shared(t)
			workers := rig.Workers(t, of.workers, WorkerOptions{Version: of.version})
			WaitHeld(t, workers, nil)
			hand := rig.Hand(t)
			hand.env = []string{`EDITOR=sed -i 's/^tasks.max:.*/tasks.max: 3/'`}
			for _, kind := range of.kinds {
				t.Run(kind, func(t *testing.T) {
					name := names[kind]
					rig.own("connect-" + name)
					if of.version == WorkerVersion && strings.ContainsAny(name, "/%") {
						refusesName(t, hand, name)
						return
					}
					everyCommand(t, hand, name, offsets)
				})
			}
		})
	}
}

func everyCommand(t *testing.T, hand *Hand, name, offsets string) {
	run := func(verb string, args ...string) Output {
		t.Helper()
		args = append(append([]string{"connector"}, append(strings.Fields(verb), name)...), args...)
		wait := "0"
		if verb == "restart" { // one in the middle of another fails
			wait = "1m"
		}
		out := hand.Run(t, append(args, "--yes", "--wait", wait)...)
		if out.Code != 0 {
			t.Fatalf("regroup %q: exit code %d\n%s%s", args, out.Code, out.Stdout, out.Stderr)
		}
		return out
	}
	run("create", "connector.class=org.apache.kafka.connect.file.FileStreamSinkConnector", "topics=names-input", "file=/dev/null", "tasks.max=2")
	if out := run("get"); !strings.Contains(out.Stdout, "name = "+name) {
		t.Errorf("get: %s", out.Stdout)
	}
	run("scale", "4")
	run("patch", "errors.tolerance=all")
	run("edit")
	run("pause")
	run("resume")
	run("restart", "--tasks", "all")
	run("restart")
	run("stop")
	run("offsets get")
	run("offsets alter", "-f", offsets)
	run("offsets reset")
	run("delete")
}

func refusesName(t *testing.T, hand *Hand, name string) {
	out := hand.Run(t, "connector", "create", name, "connector.class=org.apache.kafka.connect.file.FileStreamSinkConnector",
		"topics=names-input", "file=/dev/null", "--yes", "--wait", "0")
	if out.Code != 2 || !strings.Contains(out.Stderr, "no worker can be asked about it: from Connect 4 on their web server takes no slash and no percent sign") {
		t.Errorf("exit code %d, %s%s", out.Code, out.Stdout, out.Stderr)
	}
	if out := hand.Run(t, "connector", "list", "-o", "json"); out.Code != 0 || out.Stdout != "" {
		t.Errorf("it was created: exit code %d, %s%s", out.Code, out.Stdout, out.Stderr)
	}
}
