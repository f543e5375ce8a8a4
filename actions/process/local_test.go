//go:build unix

package process

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"regroup/group"
)

// The test binary is also the process that others are tested on: it listens, says what a worker says, and ends when its
// input does.
func TestMain(m *testing.M) {
	if os.Getenv("ACTIONS_LISTEN") != "" {
		os.Exit(listen())
	}
	os.Exit(m.Run())
}

func listen() int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	answer := os.Getenv("ACTIONS_LISTEN")
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }))
	}()
	fmt.Println(l.Addr().(*net.TCPAddr).Port)
	_, _ = os.Stdin.Read(make([]byte, 1))
	return 0
}

const connectRoot = `{"version":"4.3.1","commit":"0","kafka_cluster_id":"c"}`

// listening starts a process that answers at its root, with further arguments on its command line.
func listening(t *testing.T, answer string, args ...string) (cmd *exec.Cmd, url string) {
	t.Helper()
	cmd = exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "ACTIONS_LISTEN="+answer)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	var port int
	if _, err := fmt.Fscan(out, &port); err != nil {
		t.Fatal(err)
	}
	return cmd, fmt.Sprintf("http://127.0.0.1:%d/", port)
}

func oneWorker(url, from string) (*group.State, group.Worker) {
	w := group.Worker{Member: group.Member{ID: "worker-1-id", Name: "worker-1", Client: "worker-1", URL: url, Host: from}}
	return &group.State{Group: "connect-a", Workers: []group.Worker{w}}, w
}

func propertiesOf(t *testing.T, id string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "worker.properties")
	if err := os.WriteFile(file, []byte("bootstrap.servers=b:9092\ngroup.id="+id+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A process is only touched when it is this machine's and a worker of this group: each reason not to is told.
func TestForeignProcessesAreNotTouched(t *testing.T) {
	const main = "org.apache.kafka.connect.cli.ConnectDistributed"
	ours := propertiesOf(t, "connect-a")
	_, worker := listening(t, connectRoot, main, ours)
	_, other := listening(t, connectRoot, main, propertiesOf(t, "connect-b"))
	_, nameless := listening(t, connectRoot, main)
	_, plain := listening(t, connectRoot, "serve", ours)
	_, mute := listening(t, `hello`, main, ours)
	_, elsewhere := listening(t, strings.Replace(connectRoot, `"c"`, `"d"`, 1), main, ours)
	cluster := func(context.Context) (string, error) { return "c", nil }
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	own := "http://" + free.Addr().String() + "/"
	defer free.Close()
	localhost := strings.Replace(worker, "127.0.0.1", "localhost", 1)

	for _, c := range []struct{ name, url, from, want string }{
		{"a worker of the group", worker, "127.0.0.1", ""},
		{"by name", localhost, "127.0.0.1", ""},
		// The one that must never go wrong: somewhere a worker calls itself localhost, and a process here has its port.
		{"a remote worker that advertises localhost", localhost, "203.0.113.7", "the broker sees it come from 203.0.113.7, which is no address of this machine"},
		{"from nowhere", worker, "", "an unknown address"},
		{"another machine", "http://203.0.113.7:8083/", "127.0.0.1", "which is not this machine"},
		{"a machine that nobody knows", "http://no-such-host.invalid:8083/", "127.0.0.1", "cannot be resolved"},
		{"of another group", other, "127.0.0.1", `is a worker of group "connect-b", not of "connect-a"`},
		{"of a group that cannot be told", nameless, "127.0.0.1", "of which group cannot be told"},
		{"of a group of that name on another Kafka", elsewhere, "127.0.0.1", "is a worker on the Kafka cluster d, and the group is on c"},
		{"no worker at all", plain, "127.0.0.1", "is no Connect worker"},
		{"no REST", mute, "127.0.0.1", "not the JSON of a Connect worker"},
		{"this program", own, "127.0.0.1", "this program's own"},
		{"nobody", "http://127.0.0.1:1/", "127.0.0.1", "nobody listens on port 1"},
		{"no port", "http://127.0.0.1/", "127.0.0.1", "names no port"},
		{"no URL", "NOTUSED", "127.0.0.1", "which is no address"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, w := oneWorker(c.url, c.from)
			p, err := (Local{Cluster: cluster}).Reach(t.Context(), s, w)
			switch {
			case c.want == "" && err != nil:
				t.Fatal(err)
			case c.want != "" && err == nil:
				t.Fatalf("it would touch %s", p)
			case c.want != "" && !strings.Contains(err.Error(), c.want):
				t.Fatalf("error %q, want one with %q", err, c.want)
			}
		})
	}
	t.Run("two that advertise one address", func(t *testing.T) {
		s, w := oneWorker(worker, "127.0.0.1")
		twin := w
		twin.ID, twin.Name = "worker-2-id", "worker-2"
		s.Workers = append(s.Workers, twin)
		if _, err := (Local{}).Reach(t.Context(), s, w); err == nil || !strings.Contains(err.Error(), "worker-2 advertises") {
			t.Fatal(err)
		}
	})
}

// A process that was found is ended by its number, and never another that has got its number since.
func TestKillIsForThatProcess(t *testing.T) {
	cmd, url := listening(t, connectRoot, mains[0], propertiesOf(t, "connect-a"))
	s, w := oneWorker(url, "127.0.0.1")
	p, err := (Local{}).Reach(t.Context(), s, w)
	if err != nil {
		t.Fatal(err)
	}
	stranger := *p.(*localProcess)
	stranger.born += bornSlack + 1
	if err := stranger.Kill(t.Context()); err == nil || !strings.Contains(err.Error(), "another has its number") {
		t.Fatalf("error %v", err)
	}
	if err := p.Terminate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _ = cmd.Wait(); cmd.ProcessState.String() != "signal: terminated" {
		t.Fatalf("it ended with %s", cmd.ProcessState)
	}
	if err := p.Kill(t.Context()); err == nil || !strings.Contains(err.Error(), "it has ended") {
		t.Fatalf("error %v", err)
	}
}
