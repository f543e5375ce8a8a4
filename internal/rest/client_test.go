package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cockroachdb/datadriven"

	"regroup/internal/rest"
)

// Each case is a call, and what a worker answers to it: what goes over the wire, and what comes of it.
//
//	call stop sink-a
//	204
//	----
//
// A line "name NAME" gives a name that has blanks; "version 3.4.0" answers GET / with that version; a body stands below the
// status.
func TestCalls(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var args []string
			for _, a := range d.CmdArgs {
				args = append(args, a.Key)
			}
			if name, ok := strings.CutPrefix(d.Input, "name "); ok {
				name, d.Input, _ = strings.Cut(name, "\n")
				args = []string{name}
			}
			w := newWorker(t, d.Input)
			out, err := do(t.Context(), w.URL, d.Cmd, args)
			for _, line := range w.seen {
				out = "> " + line + "\n" + out
			}
			if err != nil {
				out += "error: " + err.Error() + "\n" + "trouble: " + trouble[rest.TroubleOf(err)] + "\n"
			}
			return strings.ReplaceAll(out, w.URL, "http://worker")
		})
	})
}

var trouble = map[rest.Trouble]string{
	rest.Name: "name", rest.Refused: "refused", rest.NotFound: "not found", rest.Exists: "exists", rest.Conflict: "conflict", rest.Rebalance: "rebalance",
	rest.TimedOut: "timed out", rest.Unreached: "unreached", rest.Broken: "broken", rest.Starting: "starting",
	rest.LeaderGone: "leader gone", rest.Failed: "failed",
}

// worker answers one call, and GET / besides.
type worker struct {
	*httptest.Server
	seen []string // but GET /
}

func newWorker(t *testing.T, input string) *worker {
	w := &worker{}
	version := "4.3.1"
	if first, rest, ok := strings.Cut(input, "\n"); ok && strings.HasPrefix(first, "version ") {
		version, input = strings.TrimPrefix(first, "version "), rest
	}
	line, body, _ := strings.Cut(input, "\n")
	status, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("status %q", line)
	}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			fmt.Fprintf(rw, `{"version":%q}`, version)
			return
		}
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		w.seen = append(w.seen, strings.TrimSpace(r.Method+" "+r.RequestURI+" "+string(sent)))
		rw.WriteHeader(status)
		fmt.Fprint(rw, body)
	}))
	t.Cleanup(w.Close)
	return w
}

func do(ctx context.Context, base, cmd string, args []string) (string, error) {
	var c rest.Client
	name, two := args[0], "2"
	config := rest.Config{"tasks.max": &two, "gone": nil}
	tell := func(v any, err error) (string, error) {
		if err != nil {
			return "", err
		}
		b, err := json.Marshal(v)
		return string(b) + "\n", err
	}
	switch cmd {
	case "create":
		return tell(c.Create(ctx, base, name, config, rest.InitialNone))
	case "create-stopped":
		return tell(c.Create(ctx, base, name, config, rest.InitialStopped))
	case "put":
		out, created, err := c.PutConfig(ctx, base, name, config)
		return tell(map[string]any{"created": created, "name": out.Name}, err)
	case "patch":
		return tell(c.PatchConfig(ctx, base, name, config))
	case "delete":
		return tell("", c.Delete(ctx, base, name))
	case "pause":
		return tell("", c.Pause(ctx, base, name))
	case "resume":
		return tell("", c.Resume(ctx, base, name))
	case "stop":
		return tell("", c.Stop(ctx, base, name))
	case "restart":
		return tell(c.Restart(ctx, base, name, false, false))
	case "restart-failed":
		return tell(c.Restart(ctx, base, name, true, true))
	case "restart-task":
		return tell("", c.RestartTask(ctx, base, name, 3))
	case "config":
		return tell(c.Config(ctx, base, name))
	case "status":
		return tell(c.Status(ctx, base, name))
	case "tasks":
		return tell(c.Tasks(ctx, base, name))
	case "offsets":
		return tell(c.Offsets(ctx, base, name))
	case "alter":
		return tell(c.AlterOffsets(ctx, base, name, []rest.Offset{{Partition: json.RawMessage(`{"p":1}`), Offset: json.RawMessage("null")}}))
	case "reset":
		return tell(c.ResetOffsets(ctx, base, name))
	case "plugin":
		return tell(c.PluginConfig(ctx, base, name))
	case "validate":
		return tell(c.Validate(ctx, base, name, config))
	}
	return "", errors.New("no such call: " + cmd)
}

// Nothing was sent to an address where nobody listens; what broke off after something was sent may have been done.
func TestWhatWasSent(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	var c rest.Client
	if got := rest.TroubleOf(c.Pause(t.Context(), closed.URL, "a")); got != rest.Unreached {
		t.Errorf("nobody listens: %s", trouble[got])
	}
	if got := rest.TroubleOf(c.Pause(t.Context(), "http://no-such-host.invalid", "a")); got != rest.Unreached {
		t.Errorf("no such host: %s", trouble[got])
	}
	hangs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }))
	defer hangs.Close()
	if got := rest.TroubleOf(c.Pause(t.Context(), hangs.URL, "a")); got != rest.Broken {
		t.Errorf("broken off: %s", trouble[got])
	}
}

// A login in an address is not repeated in errors.
func TestNoLoginInErrors(t *testing.T) {
	w := newWorker(t, "409\n{}")
	_, err := (&rest.Client{}).Config(t.Context(), strings.Replace(w.URL, "//", "//admin:hunter2@", 1), "a")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

// Of an answer without end, as much is kept as a person may read, in whole letters; and one that is too large to be a worker's is
// a failure that nobody need ask for again.
func TestAnswersWithoutEnd(t *testing.T) {
	page := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if page++; page == 1 {
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprintf(w, `{"message":"%s"}`, strings.Repeat("…", 1<<20))
			return
		}
		for blank := bytes.Repeat([]byte(" "), 1<<20); ; {
			if _, err := w.Write(blank); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	c := &rest.Client{}
	_, err := c.Config(t.Context(), server.URL, "a")
	if err == nil || len(err.Error()) > 20<<10 || !utf8.ValidString(err.Error()) || !strings.HasSuffix(err.Error(), "……") {
		t.Errorf("a message of 3 MB: %d bytes are told", len(fmt.Sprint(err)))
	}
	_, err = c.Config(t.Context(), server.URL, "a")
	if rest.TroubleOf(err) != rest.Failed || !strings.Contains(fmt.Sprint(err), "the answer is larger than 128 MB") {
		t.Errorf("an answer without end: %v", err)
	}
}
