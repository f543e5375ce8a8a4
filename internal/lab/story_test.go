package lab_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/lab/broker"
	"regroup/internal/lab/worker"
)

// Stories of a whole group, one a file, in virtual time. A script begins with
//
//	lab workers=3 [protocol=eager] [delay=20s] [stop=5s]
//
// and goes on with add, kill, stop, return, freeze, wake, broker away|back, wait 10s, REST calls (the worker, the method, the
// path; the body below), and with what the observer makes of it: rounds prints those that are new, units where each unit is
// and what its status says.
func TestStories(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &story{}
				defer func() { closeLab(t, s.l) }()
				datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
					run, ok := storyCommands[d.Cmd]
					if !ok {
						t.Fatalf("%s: no command %q", d.Pos, d.Cmd)
					}
					out, err := run(t, s, d)
					if err != nil {
						out += "error: " + err.Error() + "\n"
					}
					if out == "" {
						return "-"
					}
					return out
				})
			})
		})
	}
}

type story struct {
	l    *lab.Lab
	seen int // rounds printed
}

type storyCommand func(*testing.T, *story, *datadriven.TestData) (string, error)

var storyCommands = map[string]storyCommand{
	"lab": func(t *testing.T, s *story, d *datadriven.TestData) (string, error) {
		net := broker.Virtual()
		opt := lab.Options{
			Net: &net, Seed: 1, Delay: duration(t, d, "delay", 20*time.Second), Stop: duration(t, d, "stop", 0),
			InitialDelay: 3 * time.Second, Protocol: worker.Protocol(value(d, "protocol")),
		}
		s.l = start(t, opt)
		var workers int
		d.MaybeScanArgs(t, "workers", &workers)
		for range workers { // apart: what happens in one instant has no order
			if _, err := s.l.Add(t.Context(), lab.WorkerOptions{}); err != nil {
				return "", err
			}
			wait(137 * time.Millisecond)
		}
		wait(10 * time.Second)
		s.seen = len(observed(t, s.l).Rounds)
		return "", nil
	},
	"add": func(t *testing.T, s *story, d *datadriven.TestData) (string, error) {
		opt := lab.WorkerOptions{
			Name: word(d, 0), Lag: duration(t, d, "lag", 0), ConfigTopic: value(d, "config-topic"),
			Protocol: worker.Protocol(value(d, "protocol")),
		}
		if value(d, "version") == "2.2.2" {
			opt = lab.OldWorker(word(d, 0))
		}
		_, err := s.l.Add(t.Context(), opt)
		return "", err
	},
	"kill": func(_ *testing.T, s *story, d *datadriven.TestData) (string, error) { return "", s.l.Kill(word(d, 0)) },
	"freeze": func(_ *testing.T, s *story, d *datadriven.TestData) (string, error) {
		return "", s.l.Freeze(word(d, 0))
	},
	"wake": func(_ *testing.T, s *story, d *datadriven.TestData) (string, error) { return "", s.l.Wake(word(d, 0)) },
	"stop": func(t *testing.T, s *story, d *datadriven.TestData) (string, error) {
		return "", s.l.Stop(t.Context(), word(d, 0))
	},
	"return": func(t *testing.T, s *story, d *datadriven.TestData) (string, error) {
		return "", s.l.Return(t.Context(), word(d, 0))
	},
	"evict": func(t *testing.T, s *story, d *datadriven.TestData) (string, error) {
		evict(t, s.l, word(d, 0))
		return "", nil
	},
	"broker": func(_ *testing.T, s *story, d *datadriven.TestData) (string, error) {
		if word(d, 0) == "away" {
			s.l.BrokerAway()
		} else {
			s.l.BrokerBack()
		}
		return "", nil
	},
	"wait": func(t *testing.T, _ *story, d *datadriven.TestData) (string, error) {
		long, err := time.ParseDuration(word(d, 0))
		wait(long)
		return "", err
	},
	"create": func(t *testing.T, s *story, d *datadriven.TestData) (string, error) {
		c := lab.Connector{Name: word(d, 0), Config: map[string]string{}}
		d.MaybeScanArgs(t, "tasks", &c.Tasks)
		if v := value(d, "fail"); v != "" {
			c.Config["fail.tasks"] = v
		}
		err := s.l.Create(t.Context(), c)
		wait(2 * time.Second)
		return "", err
	},
	"rounds": func(t *testing.T, s *story, _ *datadriven.TestData) (string, error) {
		all := roundsOf(observed(t, s.l), -1)
		out := strings.Join(all[s.seen:], "")
		s.seen = len(all)
		return out, nil
	},
	"units": func(t *testing.T, s *story, _ *datadriven.TestData) (string, error) {
		return unitsOf(observed(t, s.l)), nil
	},
	"GET": rest, "POST": rest, "PUT": rest, "PATCH": rest, "DELETE": rest,
}

func unitsOf(s *group.State) string {
	var b strings.Builder
	for _, u := range s.Units {
		holder := "nobody"
		if u.Worker >= 0 {
			holder = s.Workers[u.Worker].Name
		}
		fmt.Fprintf(&b, "%s: %s, %s, says %s", u.Unit, u.State, holder, u.Reported)
		if u.Orphaned {
			b.WriteString(", orphaned")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// rest calls a worker, the first one unless another is named last.
func rest(t *testing.T, s *story, d *datadriven.TestData) (string, error) {
	t.Helper()
	to := s.l.Workers()[0].URL
	for _, w := range s.l.Workers() {
		if w.Name == word(d, 1) {
			to = w.URL
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), d.Cmd, strings.TrimSuffix(to, "/")+rawPath(d), strings.NewReader(d.Input))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.l.HTTP().Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	wait(2 * time.Second)
	out := fmt.Sprintf("%d", resp.StatusCode)
	if at := resp.Header.Get("Location"); at != "" {
		out += " " + at
	}
	var pretty bytes.Buffer
	if len(body) > 0 && json.Indent(&pretty, bytes.TrimSpace(body), "", " ") == nil {
		out += "\n" + pretty.String()
	}
	return out + "\n", nil
}

// rawPath is the path as written: datadriven takes what follows an = for a value.
func rawPath(d *datadriven.TestData) string {
	a := d.CmdArgs[0]
	if len(a.Vals) == 0 {
		return a.Key
	}
	return a.Key + "=" + strings.Join(a.Vals, ",")
}

func word(d *datadriven.TestData, n int) string {
	if n < len(d.CmdArgs) {
		return d.CmdArgs[n].Key
	}
	return ""
}

func value(d *datadriven.TestData, key string) string {
	for _, a := range d.CmdArgs {
		if a.Key == key {
			return strings.Join(a.Vals, ",")
		}
	}
	return ""
}

func duration(t *testing.T, d *datadriven.TestData, key string, otherwise time.Duration) time.Duration {
	t.Helper()
	v := value(d, key)
	if v == "" {
		return otherwise
	}
	out, err := time.ParseDuration(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
