//go:build kafka && unix

package test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// StatusREST is what a worker says about a connector.
type StatusREST struct {
	Name      string
	Connector struct {
		State    string
		WorkerID string `json:"worker_id"`
		Trace    string
	}
	Tasks []struct {
		ID       int32
		State    string
		WorkerID string `json:"worker_id"`
		Trace    string
	}
}

// FileSink is the configuration of a FileStreamSink, which makes as many tasks as it is told to. Its topic stays empty, so
// that its tasks have nothing to commit.
func FileSink(name string, tasks int) map[string]string {
	return map[string]string{
		"connector.class": "org.apache.kafka.connect.file.FileStreamSinkConnector",
		"tasks.max":       strconv.Itoa(tasks),
		"topics":          name + "-input",
		"file":            "/dev/null",
	}
}

// FileSource is the configuration of a FileStreamSource, which makes one task. Its file is missing, so that it has nothing to say.
func FileSource(name string) map[string]string {
	return map[string]string{
		"connector.class": "org.apache.kafka.connect.file.FileStreamSourceConnector",
		"topic":           name + "-output",
		"file":            "missing",
	}
}

// Put creates a connector or gives it another configuration. A worker in the middle of a rebalance refuses for a while.
func (w *Worker) Put(t testing.TB, name string, config map[string]string) {
	t.Helper()
	w.rig.own("connect-" + name) // a sink's consumer group
	w.change(t, "PUT", "connectors/"+url.PathEscape(name)+"/config", config)
}

// Status is a connector's status; the zero value while there is none.
func (w *Worker) Status(t testing.TB, name string) StatusREST {
	t.Helper()
	var s StatusREST
	// A status that is not there yet is a normal answer: whoever waits for one asks again.
	_ = w.rest(t.Context(), "GET", "connectors/"+url.PathEscape(name)+"/status", nil, &s)
	return s
}

// WaitRunning waits until each connector's instance and all of its tasks run, by their statuses.
func (w *Worker) WaitRunning(t testing.TB, tasks map[string]int) {
	t.Helper()
	for name, n := range tasks {
		Until(t, name+" to run", func() (bool, string) {
			s := w.Status(t, name)
			ok := s.Connector.State == "RUNNING" && len(s.Tasks) == n
			for _, task := range s.Tasks {
				ok = ok && task.State == "RUNNING"
			}
			return ok, fmt.Sprintf("%+v", s)
		})
	}
}

// WaitFailed waits until a connector has so many tasks, and all of them have failed.
func (w *Worker) WaitFailed(t testing.TB, name string, tasks int) {
	t.Helper()
	Until(t, name+"'s tasks to fail", func() (bool, string) {
		s := w.Status(t, name)
		ok := len(s.Tasks) == tasks
		for _, task := range s.Tasks {
			ok = ok && task.State == "FAILED"
		}
		return ok, fmt.Sprintf("%+v", s)
	})
}

func (w *Worker) change(t testing.TB, method, path string, body any) {
	t.Helper()
	Until(t, method+" "+path, func() (bool, string) {
		err := w.rest(t.Context(), method, path, body, nil)
		return err == nil, fmt.Sprint(err)
	})
}

func (w *Worker) rest(ctx context.Context, method, path string, body, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var in io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
		in = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, w.URL+path, in)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %s: %s", method, path, res.Status, strings.TrimSpace(string(b)))
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(b, answer); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}
