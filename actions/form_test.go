package actions_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"regroup/actions/act"
	"regroup/actions/connect"
	"regroup/actions/process"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/lab/labtest"
	"regroup/internal/observe"
	"regroup/internal/rest"
)

// actionsOf are what the screen may do to a lab's group, once it is observed.
func actionsOf(t *testing.T, connectors ...lab.Connector) *actions.Group {
	t.Helper()
	l := labtest.Start(t, connectors...)
	acts := &actions.Cluster{
		Guard: act.Guard{Interactive: true}, Dial: l.Dial, Simulate: l.Adding, Reachers: []process.Reacher{l.Reacher()},
		Client: rest.Client{HTTP: l.HTTP()},
	}
	k := acts.Group(l.Group())
	watching, end := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		o := observe.Options{Group: l.Group(), Dial: l.Dial, ConfigTopic: l.Topics().Config, StatusTopic: l.Topics().Status, REST: &observe.REST{}}
		_ = observe.Live(watching, o, acts.Fed(l.Group(), func(*group.State) {}))
	}()
	t.Cleanup(func() {
		end()
		<-done
	})
	if _, err := k.Watch.Ready(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	units := 0
	for _, c := range connectors {
		units += 1 + c.Tasks
	}
	// A connector that has not made its tasks yet makes them later, whatever is done meanwhile.
	_, err := k.Watch.Until(t.Context(), "starting its work", time.Minute, func(s *group.State) string {
		if len(s.Units) != units {
			return fmt.Sprintf("%d of %d units are there", len(s.Units), units)
		}
		return act.Unsettled(s)
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// offer is the line of that word for a connector.
func offerOf(t *testing.T, k *actions.Group, connector, word string) actions.Offer {
	t.Helper()
	for _, o := range k.Offers(k.Watch.State(), actions.Target{Connector: connector}) {
		if o.Label == word {
			return o
		}
	}
	t.Fatalf("nothing is offered as %q for %q", word, connector)
	return actions.Offer{}
}

func text(s string) *string { return &s }

// do agrees to an action, and waits for what comes of it.
func do(t *testing.T, d *actions.PreparedAction, err error) actions.ActionResult {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := d.Do(ctx, "", func(string) {}); err != nil {
		t.Fatal(err)
	}
	came, err := d.Follow(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range came.Differences {
		t.Errorf("%s: %s", d.Action, x)
	}
	return came
}

// A connector is configured with the form's means: secrets never come out, and what is not touched goes back as it was.
func TestDraftOfAConnector(t *testing.T) {
	k := actionsOf(t, lab.Connector{Name: "a", Tasks: 2, Config: map[string]string{"topics": "a", "connection.password": "hunter2"}})
	ctx := t.Context()
	d, err := offerOf(t, k, "a", "configure").Form(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := *d.Values["connection.password"]; got != connect.Mask {
		t.Errorf("the password is %q in the form", got)
	}
	if len(d.Plugins) != 2 || d.New || d.Fixed[0] != "name" {
		t.Errorf("%+v", d)
	}
	values := maps.Clone(d.Values)
	values["tasks.max"] = text("x")
	l, err := d.Inspect(ctx, values)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(l.Settings, func(s connect.Setting) bool { return s.Key == "tasks.max" })
	if l.Faulty() != 1 || len(l.Settings[i].Faults) != 1 {
		t.Errorf("tasks.max=x: %+v", l.Settings)
	}
	values["tasks.max"] = text("3")
	if l, err = d.Inspect(ctx, values); err != nil || l.Faulty() > 0 || len(l.Changes) != 1 || l.Preview == nil {
		t.Errorf("tasks.max=3: %+v, %v", l, err)
	}
	prepared, err := d.Ready(ctx, values)
	if err == nil && strings.Join(prepared.Lines, "\n") != "- tasks.max = 2\n+ tasks.max = 3" {
		t.Errorf("it is said that this changes: %q", prepared.Lines)
	}
	if came := do(t, prepared, err); len(came.Rounds) == 0 {
		t.Error("no round came of it")
	}
	now, err := k.Connect.Fetch(ctx, "a")
	if err != nil || *now["connection.password"] != "hunter2" || *now["tasks.max"] != "3" {
		t.Errorf("written: %v, %v", now, err)
	}
	pairs, err := k.Properties(ctx, k.Name, "a")
	if err != nil || slices.Contains(pairs, actions.Pair{Key: "connection.password", Value: "hunter2"}) || !slices.Contains(pairs, actions.Pair{Key: "tasks.max", Value: "3"}) {
		t.Errorf("shown: %v, %v", pairs, err)
	}
	// What was read before somebody changed it is not written over that.
	if prepared, err = d.Ready(ctx, map[string]*string{"connector.class": values["connector.class"], "topics": text("b")}); err == nil {
		_, err = prepared.Do(ctx, "", func(string) {})
	}
	if err == nil || !strings.Contains(err.Error(), "somebody has changed it meanwhile (tasks.max)") {
		t.Errorf("written over another's change: %v", err)
	}
}

// Offsets are seen at any time, and set or forgotten only while the connector is stopped.
func TestDraftOfOffsets(t *testing.T) {
	k := actionsOf(t, lab.Connector{Name: "a", Tasks: 1, Config: map[string]string{"topics": "a"}})
	ctx := t.Context()
	d, err := offerOf(t, k, "a", "offsets").Form(ctx)
	if err != nil || d.DisabledReason != "only while it is stopped" || len(d.Values) != 0 {
		t.Fatalf("while it runs: %+v, %v", d, err)
	}
	if off := offerOf(t, k, "a", "reset offsets").DisabledReason; off != "only while it is stopped" {
		t.Errorf("resetting is off because of %q", off)
	}
	stop, err := offerOf(t, k, "a", "stop").Ready(ctx, nil)
	do(t, stop, err)

	if d, err = offerOf(t, k, "a", "offsets").Form(ctx); err != nil || d.DisabledReason != "" {
		t.Fatalf("stopped: %+v, %v", d, err)
	}
	const first, second = `{"kafka_topic":"a","kafka_partition":0}`, `{"kafka_topic":"a","kafka_partition":1}`
	if l, err := d.Inspect(ctx, map[string]*string{first: text("7"), "no JSON": text("{}")}); err != nil || l.Faulty() != 2 {
		t.Errorf("%+v, %v", l, err)
	}
	prepared, err := d.Ready(ctx, map[string]*string{first: text(`{"kafka_offset":7}`), second: text(`{"kafka_offset":8}`)})
	do(t, prepared, err)
	if d, err = offerOf(t, k, "a", "offsets").Form(ctx); err != nil || *d.Values[first] != `{"kafka_offset":7}` || *d.Values[second] != `{"kafka_offset":8}` {
		t.Fatalf("altered: %+v, %v", d, err)
	}
	// One is taken away, the other is left alone: it is not sent.
	prepared, err = d.Ready(ctx, map[string]*string{second: d.Values[second]})
	if err == nil && !strings.Contains(prepared.Action.Harm, "1 offset") {
		t.Errorf("what is lost: %s", prepared.Action.Harm)
	}
	do(t, prepared, err)
	now, _, err := k.Connect.Offsets(ctx, "a")
	if err != nil || len(now) != 1 || string(now[0].Partition) != second {
		t.Errorf("forgotten: %s, %v", now, err)
	}
	reset, err := offerOf(t, k, "a", "reset offsets").Ready(ctx, nil)
	do(t, reset, err)
	if now, _, err = k.Connect.Offsets(ctx, "a"); err != nil || len(now) != 0 {
		t.Errorf("reset: %s, %v", now, err)
	}
}

// oldWorker is a worker of 3.4.1, which knows of no offsets.
type oldWorker struct{}

func (oldWorker) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := http.StatusOK, `{"version":"3.4.1"}`
	if strings.HasSuffix(r.URL.Path, "/offsets") {
		status, body = http.StatusNotFound, `{"error_code":404,"message":"HTTP 404 Not Found"}`
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body)), Header: http.Header{}, Request: r}, nil
}

// A worker that is too old for a call is told as that, by the version that has it.
func TestDraftOfOffsetsOfAnOldWorker(t *testing.T) {
	k := actionsOf(t, lab.Connector{Name: "a", Tasks: 1, Config: map[string]string{"topics": "a"}})
	k.Connect.Client = rest.Client{HTTP: &http.Client{Transport: oldWorker{}}}
	_, err := offerOf(t, k, "a", "offsets").Form(t.Context())
	if err == nil || !strings.Contains(err.Error(), "reading a connector's offsets needs Kafka Connect 3.5") || !strings.Contains(err.Error(), "is 3.4.1") {
		t.Errorf("it is said that %v", err)
	}
}
