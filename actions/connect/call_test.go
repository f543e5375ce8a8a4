package connect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"regroup/actions/act"

	"github.com/cockroachdb/datadriven"

	"regroup/internal/observe/observetest"
	"regroup/internal/rest"
)

// Each story is an action on a connector and what workers answer, one line a request, in their order: a status and a message,
// "refused" (nobody listens), "broken" (no answer comes), or, before the next answer, "phase X" (the group's, from then on).
// What is printed: who was asked what, what people were told, and how it ended. With shared
// all workers advertise one address. Without capture= nobody observes the group.
func TestCalls(t *testing.T) {
	datadriven.Walk(t, "testdata/calls", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			story := &story{out: &out, answers: strings.Split(strings.TrimSpace(d.Input), "\n")}
			k := &Client{
				Group: "connect-rig", Client: rest.Client{HTTP: &http.Client{Transport: story}},
				Wait: func(context.Context, time.Duration) error { return nil },
			}
			if d.HasArg("capture") {
				var capture, at string
				d.ScanArgs(t, "capture", &capture)
				d.ScanArgs(t, "at", &at)
				raw, err := os.ReadFile("../../testdata/captures/" + capture + ".jsonl")
				if err != nil {
					t.Fatal(err)
				}
				k.Watch = act.NewWatch()
				story.phase = func(phase string) {
					s := observetest.Read(t, string(raw), at)
					s.Past, s.Phase = false, phase
					for i := range s.Workers {
						if d.HasArg("shared") { // they all advertise the leader's address
							s.Workers[i].URL = s.Round().LeaderURL
						}
					}
					k.Watch.Publish(s)
				}
				story.phase("Stable")
			} else {
				k.Extra = []string{"http://a:8083", "http://b:8083"}
			}
			name := "sink-a"
			d.MaybeScanArgs(t, "name", &name)
			x := storyAction(t, k, d.Cmd, name)
			answer, err := x.Do(t.Context(), func(text string) {
				if story.asked <= most {
					out.WriteString("  " + text + "\n")
				}
			})
			if len(story.answers) > 0 && d.Input != "" {
				out.WriteString("never asked for: " + strings.Join(story.answers, " / ") + "\n")
			}
			if err != nil {
				answer = "error: " + err.Error()
			}
			return out.String() + answer + "\n"
		})
	})
}

func storyAction(t *testing.T, k *Client, verb, name string) act.Action {
	class, topics := "Sink", "a"
	config := rest.Config{"name": &name, "connector.class": &class, "topics": &topics}
	switch verb {
	case "pause":
		return k.Pausing(name)
	case "delete":
		return k.Deleting(name)
	case "restart":
		x, err := k.Restarting(name, "")
		if err != nil {
			t.Fatal(err)
		}
		return x
	case "reset":
		x, err := k.Resetting(name)
		if err != nil {
			t.Fatal(err)
		}
		return x
	case "create":
		return (&Proposal{Spec: Spec{Name: name, Config: config}, k: k}).Action()
	}
	t.Fatalf("no action %q", verb)
	return act.Action{}
}

// most is how many requests of a story are printed.
const most = 9

// story answers requests in order.
type story struct {
	out     *strings.Builder
	answers []string
	phase   func(string)
	asked   int
}

func (s *story) RoundTrip(r *http.Request) (*http.Response, error) {
	for len(s.answers) > 0 && strings.HasPrefix(s.answers[0], "phase ") {
		s.phase(strings.TrimPrefix(s.answers[0], "phase "))
		s.answers = s.answers[1:]
	}
	line := "404 the story has no more answers"
	if len(s.answers) > 0 {
		line = s.answers[0]
		if times, rest, ok := strings.Cut(line, "x "); ok { // "30x 409 …"
			if n, err := strconv.Atoi(times); err == nil {
				line = rest
				if s.answers[0] = fmt.Sprintf("%dx %s", n-1, rest); n > 1 {
					s.answers = append([]string{""}, s.answers...)
				}
			}
		}
		s.answers = s.answers[1:]
	}
	if s.asked++; s.asked <= most {
		fmt.Fprintf(s.out, "%s %s: %s\n", r.Method, r.URL, line)
	}
	switch line {
	case "refused":
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	case "broken":
		return nil, io.ErrUnexpectedEOF
	}
	code, message, _ := strings.Cut(line, " ")
	status, err := strconv.Atoi(code)
	if err != nil {
		return nil, fmt.Errorf("the story says %q", line)
	}
	body := message
	if status >= 300 {
		body = fmt.Sprintf(`{"error_code":%d,"message":%q}`, status, message)
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// What is only asked and has to be tried again is told too: two minutes of silence look like a hang.
func TestAskingAgainIsTold(t *testing.T) {
	var asked, told strings.Builder
	story := &story{out: &asked, answers: []string{"502 Bad Gateway", "200"}}
	k := &Client{
		Group: "connect-rig", Client: rest.Client{HTTP: &http.Client{Transport: story}}, Extra: []string{"http://a:8083"},
		Wait: func(context.Context, time.Duration) error { return nil },
		Tell: func(text string) { told.WriteString(text + "\n") },
	}
	if _, _, err := k.Plugins(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "no good answer of http://a:8083") || !strings.Contains(told.String(), "trying again in 250ms") {
		t.Errorf("told: %q; asked:\n%s", told.String(), &asked)
	}
}
