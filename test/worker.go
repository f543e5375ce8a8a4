//go:build kafka && unix

package test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// WorkerOptions say how a worker differs from the usual. The zero value is sessioned, WorkerVersion, in the test's own group,
// with a scheduled delay of ten seconds.
type WorkerOptions struct {
	Version     string            // of Connect
	Protocol    string            // connect.protocol; nothing is written for workers before 2.3, which have no such setting
	Delay       time.Duration     // scheduled.rebalance.max.delay.ms; below 0 is none
	Group       string            // group.id
	ConfigTopic string            // config.storage.topic
	Heap        string            // of the JVM
	Plugins     bool              // the rig's own connectors, too
	Extra       map[string]string // any other property
}

// Worker is a Connect worker's process, or the place where one ran: Restart starts it again as the same worker.
type Worker struct {
	Client string // client.id, "worker-1"
	URL    string
	Group  string

	rig  *Rig
	file string // path of its properties and log, less the ending
	libs string
	heap string
	main string // class; ConnectDistributed by default

	mu      sync.Mutex
	process *process
}

// GroupOf is the group that belongs to a test.
func (r *Rig) GroupOf(t testing.TB) string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.groups[t] == "" {
		name := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(t.Name(), "Test"), "/", "-"))
		r.groups[t] = fmt.Sprintf("connect-%s-%d", name, len(r.groups)+1)
	}
	return r.groups[t]
}

// Worker starts worker-n and returns once it answers over REST. It ends with the test.
func (r *Rig) Worker(t testing.TB, n int, opt WorkerOptions) *Worker {
	t.Helper()
	w := r.newWorker(t, n, opt)
	if err := w.start(); err != nil {
		t.Fatal(err)
	}
	w.waitREST(t)
	return w
}

// Workers starts worker-1 to worker-n at once.
func (r *Rig) Workers(t testing.TB, n int, opt WorkerOptions) []*Worker {
	t.Helper()
	out := make([]*Worker, n)
	for i := range out {
		out[i] = r.newWorker(t, i+1, opt)
		if err := out[i].start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range out {
		w.waitREST(t)
	}
	return out
}

func (r *Rig) newWorker(t testing.TB, n int, opt WorkerOptions) *Worker {
	t.Helper()
	version := or(opt.Version, WorkerVersion)
	libs, err := jars(t.Context(), workerPom(version), version)
	if err != nil {
		t.Fatal(err)
	}
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	group := or(opt.Group, r.GroupOf(t))
	r.own(group)
	w := &Worker{
		Client: "worker-" + strconv.Itoa(n),
		URL:    fmt.Sprintf("http://127.0.0.1:%d/", port),
		Group:  group,
		rig:    r,
		file:   r.path(fmt.Sprintf("%s-worker-%d", group, n)),
		libs:   libs,
		heap:   or(opt.Heap, "256m"),
	}
	delay := opt.Delay
	if delay == 0 {
		delay = 10 * time.Second
	}
	path := r.path("no-plugins")
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if opt.Plugins {
		if path, err = plugins(t.Context(), libs); err != nil {
			t.Fatal(err)
		}
	}
	p := map[string]string{
		"bootstrap.servers":                 r.Addr,
		"group.id":                          group,
		"client.id":                         w.Client,
		"key.converter":                     "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":                   "org.apache.kafka.connect.storage.StringConverter",
		"config.storage.topic":              or(opt.ConfigTopic, group+"-configs"),
		"offset.storage.topic":              group + "-offsets",
		"status.storage.topic":              group + "-status",
		"config.storage.replication.factor": "1",
		"offset.storage.replication.factor": "1",
		"status.storage.replication.factor": "1",
		"offset.storage.partitions":         "1",
		"status.storage.partitions":         "2",
		"listeners":                         strings.TrimSuffix(w.URL, "/"),
		"plugin.path":                       path,
		"plugin.discovery":                  "service_load", // since 3.6; to look into every class takes most of a start's time
		"scheduled.rebalance.max.delay.ms":  strconv.FormatInt(max(0, delay).Milliseconds(), 10),
		"connect.protocol":                  or(opt.Protocol, "sessioned"),
	}
	if strings.HasPrefix(version, "2.2.") {
		delete(p, "connect.protocol")
		delete(p, "scheduled.rebalance.max.delay.ms")
	}
	maps.Copy(p, opt.Extra)
	w.prepare(t, p)
	return w
}

// prepare writes the properties of its process, and ends that process with the test.
func (w *Worker) prepare(t testing.TB, p map[string]string) {
	t.Helper()
	var text strings.Builder
	for _, k := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&text, "%s=%s\n", k, p[k])
	}
	if err := os.WriteFile(w.file+".properties", []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.process != nil {
			w.process.kill()
		}
		if t.Failed() {
			t.Logf("the log of %s of %s (%s.log) ends with\n%s", w.Client, w.Group, w.file, logEnd(w.file+".log"))
		}
	})
}

func (w *Worker) start() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	cmd := java(w.heap, w.libs, or(w.main, "org.apache.kafka.connect.cli.ConnectDistributed"), w.file+".properties")
	p, err := launch(w.Client, cmd, w.file+".log")
	if err != nil {
		return err
	}
	w.process = p
	return nil
}

func (w *Worker) waitREST(t testing.TB) {
	t.Helper()
	Until(t, w.Client+" to answer at "+w.URL, func() (bool, string) {
		if w.process.ended() {
			t.Fatalf("%s ended: %v\n%s", w.Client, w.process.err, logEnd(w.file+".log"))
		}
		err := w.rest(t.Context(), "GET", "", nil, nil)
		return err == nil, fmt.Sprint(err)
	})
}

// Kill ends the worker as a crash does: the group learns of it when its session runs out.
func (w *Worker) Kill(t testing.TB) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.process.kill()
}

// Stop ends it politely: it stops its work, says so, and leaves the group.
func (w *Worker) Stop(t testing.TB) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.process.stop(t, syscall.SIGTERM)
}

// Signal sends its process a signal that does not end it, as SIGSTOP.
func (w *Worker) Signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.process.signal(s); err != nil {
		t.Fatalf("%s: %v: %v", w.Client, s, err)
	}
}

// Set gives one of its properties another value, for its next start.
func (w *Worker) Set(t testing.TB, key, value string) {
	t.Helper()
	b, err := os.ReadFile(w.Properties())
	if err == nil {
		err = os.WriteFile(w.Properties(), fmt.Appendf(b, "%s=%s\n", key, value), 0o600) // of two lines for one key, the later counts
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Restart starts it again with the same client id, URL and log, once it has ended.
func (w *Worker) Restart(t testing.TB) {
	t.Helper()
	if !w.process.ended() {
		t.Fatalf("%s still runs: stop or kill it before its restart", w.Client)
	}
	if err := w.start(); err != nil {
		t.Fatal(err)
	}
	w.waitREST(t)
}

func (w *Worker) port() string { return w.URL[strings.LastIndexByte(w.URL, ':')+1 : len(w.URL)-1] }

// Properties is the path of its properties file.
func (w *Worker) Properties() string { return w.file + ".properties" }

// Log is all that the worker has logged, over all its restarts by the rig.
func (w *Worker) Log(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile(w.file + ".log")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Joined lists the generations that this worker logged that it joined, over all its restarts.
func (w *Worker) Joined(t testing.TB) []Join {
	t.Helper()
	f, err := os.Open(w.file + ".log")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	joins, err := ParseJoins(f)
	if err != nil {
		t.Fatal(err)
	}
	return joins
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
