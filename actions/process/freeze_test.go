//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"regroup/actions/act"

	"github.com/shirou/gopsutil/v4/process"
)

// held waits until a process is stopped, or goes on.
func held(t *testing.T, pid int, want bool) {
	t.Helper()
	var state []string
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		p, err := process.NewProcess(int32(pid))
		if err != nil {
			t.Fatal(err)
		}
		if state, err = p.Status(); err == nil && (state[0] == process.Stop) == want {
			return
		}
	}
	t.Fatalf("process %d is %v, stopped should be %v", pid, state, want)
}

func frozenWorker(t *testing.T) (*exec.Cmd, Process, act.Action) {
	t.Helper()
	cmd, url := listening(t, connectRoot, mains[0], propertiesOf(t, "connect-a"))
	s, w := oneWorker(url, "127.0.0.1")
	watch := act.NewWatch()
	watch.Publish(s)
	k := &Workers{Group: s.Group, Watch: watch, Reachers: []Reacher{Local{}}}
	x, err := k.Freeze(t.Context(), w, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	p, err := (Local{}).Reach(t.Context(), s, w)
	if err != nil {
		t.Fatal(err)
	}
	return cmd, p, x
}

// A frozen process goes on when the time is over or when somebody interrupts, which is here; and on a panic.
func TestFrozenGoesOnWhenInterrupted(t *testing.T) {
	cmd, _, x := frozenWorker(t)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	_, err := x.Do(ctx, func(string) {
		held(t, cmd.Process.Pid, true)
		interrupt()
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	held(t, cmd.Process.Pid, false)
}

func TestFrozenGoesOnAfterAPanic(t *testing.T) {
	cmd, _, x := frozenWorker(t)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _ = x.Do(t.Context(), func(string) {
			held(t, cmd.Process.Pid, true)
			panic("a bug")
		})
	}()
	held(t, cmd.Process.Pid, false)
}

// It goes on also when the program that froze it is killed: here a second test binary, which freezes and waits for ever.
func TestFrozenGoesOnWhenItsFreezerIsKilled(t *testing.T) {
	cmd, url := listening(t, connectRoot, mains[0], propertiesOf(t, "connect-a"))
	freezer := exec.Command(os.Args[0], "-test.run=TestFreezer$")
	freezer.Env = append(os.Environ(), "ACTIONS_FREEZE="+url)
	in, err := freezer.StdinPipe() // held open: the freezer ends with us, if not before
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := freezer.Start(); err != nil {
		t.Fatal(err)
	}
	held(t, cmd.Process.Pid, true)
	if err := freezer.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = freezer.Wait()
	held(t, cmd.Process.Pid, false)
}

// TestFreezer is the other program of the test above.
func TestFreezer(t *testing.T) {
	url := os.Getenv("ACTIONS_FREEZE")
	if url == "" {
		t.Skip("it is run by TestFrozenGoesOnWhenItsFreezerIsKilled")
	}
	s, w := oneWorker(url, "127.0.0.1")
	p, err := (Local{}).Reach(t.Context(), s, w)
	if err != nil {
		t.Fatal(err)
	}
	thaw, err := p.Freeze(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = os.Stdin.Read(make([]byte, 1))
	_ = thaw()
}

// A command gets its fields as words of their own, and none that a shell on the other side would take apart.
func TestCommandFields(t *testing.T) {
	s, w := oneWorker("http://worker-1.example:8083/", "10.0.0.1")
	for _, c := range []struct{ command, host, want string }{
		{"ssh {{.Host}} systemctl stop connect", "", "ssh|worker-1.example|systemctl|stop|connect"},
		{"ssh {{ .Host }} 'kill -{{.Signal}} $(pgrep java)'", "", "ssh|worker-1.example|kill -TERM $(pgrep java)"},
		{`docker kill -s {{.Signal}} "{{.Client}}"`, "", "docker|kill|-s|TERM|worker-1"},
		{"ssh {{.Host}} true", "http://$(reboot):8083/", "error"},
		{"ssh {{.Host}} true", "http://-oProxyCommand=x:8083/", "error"},
		{"ssh {{.URL}} true", "http://a;b/", "error"},
		{"docker kill {{.Client}}", "http://-oProxyCommand=x:8083/", "docker|kill|worker-1"},
		{"ssh {{.Nothing}}", "", "error"},
		{"ssh 'open", "", "error"},
		{"", "", "error"},
	} {
		f := FieldsOf(s.Group, w)
		f.Signal = "TERM"
		if c.host != "" {
			w := w
			w.URL = c.host
			f = FieldsOf(s.Group, w)
			f.Host = strings.TrimSuffix(strings.TrimPrefix(c.host, "http://"), ":8083/")
		}
		args, err := Command(c.command).args(f)
		got := strings.Join(args, "|")
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%s with %s: %s (%v), want %s", c.command, c.host, got, err, c.want)
		}
	}
}

// A command that fails says why in its own words.
func TestCommandFails(t *testing.T) {
	s, w := oneWorker("http://127.0.0.1:1/", "127.0.0.1")
	p, err := Commands{Kill: "sh -c 'echo no such host {{.Host}} >&2; exit 3'"}.Reach(t.Context(), s, w)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Terminate(t.Context()); err == nil || !strings.Contains(err.Error(), "no such host 127.0.0.1") {
		t.Fatalf("error %v", err)
	}
	if err := p.Kill(t.Context()); !errors.Is(err, errors.ErrUnsupported) {
		t.Fatalf("error %v", err)
	}
}

// However a command line is quoted, splitting it never fails but for an open end, and never makes a word of nothing said.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"ssh {{.Host}} true", `a "b c" 'd e' f\ g`, `"`, `\`, "''", "  ", "a\tb\nc"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got, err := splitLine(line)
		if err != nil {
			return
		}
		if quoted := strings.ContainsAny(line, `"'\`); !quoted && strings.Join(got, " ") != strings.Join(strings.Fields(line), " ") {
			t.Errorf("%q gives %q", line, got)
		}
	})
}
