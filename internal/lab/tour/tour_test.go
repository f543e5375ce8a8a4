package tour_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/lab/broker"
	"regroup/internal/lab/tour"
	"regroup/internal/observe"
)

// TestTour plays the whole story in virtual time; testdata/tour has what it tells. A script is
//
//	play [workers=4] [tasks=24] [delay=30s] [pause=3 for=1m] [next] [meddle]
//
// pause presses space at that caption and again after a while; next presses → at every caption; meddle
// starts the worker that the story is about to start.
func TestTour(t *testing.T) {
	datadriven.RunTest(t, "testdata/tour", func(t *testing.T, d *datadriven.TestData) (out string) {
		synctest.Test(t, func(t *testing.T) { out = played(t, d) })
		return out
	})
}

// downgrade is the step from which on figures are left out: an eager leader goes by the order in which members are listed, and
// which of two comes first that return in one instant is chance.
// In a story that is hurried on all figures are.
const downgrade = 10

// figures are numbers of things, and of workers.
var figures = regexp.MustCompile(`\b\d+\b`)

func played(t *testing.T, d *datadriven.TestData) string {
	workers, tasks, delay, paused, told, length := 4, 24, "30s", 0, 0, "0s"
	d.MaybeScanArgs(t, "workers", &workers)
	d.MaybeScanArgs(t, "tasks", &tasks)
	d.MaybeScanArgs(t, "delay", &delay)
	d.MaybeScanArgs(t, "pause", &paused)
	d.MaybeScanArgs(t, "for", &length)
	net := broker.Virtual()
	l, err := lab.Start(t.Context(), lab.Options{
		Group: "g", Connectors: lab.Shop(tasks), Net: &net, Seed: 1,
		Delay: span(t, delay), InitialDelay: 300 * time.Millisecond,
	})
	must(t, err)
	defer func() { must(t, l.Close()) }()
	for range workers { // apart: what happens in one instant has no order
		_, err := l.Add(t.Context(), lab.WorkerOptions{})
		must(t, err)
		time.Sleep(137 * time.Millisecond)
	}
	var mu sync.Mutex
	var out strings.Builder
	tr := tour.New(tour.Options{Lab: l, Connectors: lab.Shop(tasks)})
	tell := func(c tour.Caption) {
		mu.Lock()
		defer mu.Unlock()
		mark := ""
		if c.Paused {
			mark = " (paused)"
		}
		text := c.Text
		if c.Step >= downgrade || d.HasArg("next") {
			text = figures.ReplaceAllString(text, "N")
		}
		fmt.Fprintf(&out, "%d/%d%s  %s\n", c.Step, c.Of, mark, text)
		if told++; told == paused {
			time.AfterFunc(time.Millisecond, tr.Pause)
			time.AfterFunc(span(t, length), tr.Pause)
		}
		if d.HasArg("meddle") && c.Step == 5 {
			time.AfterFunc(time.Millisecond, func() {
				for _, w := range l.Workers() {
					if w.State == lab.Gone {
						must(t, l.Return(t.Context(), w.Name))
					}
				}
			})
		}
		if d.HasArg("next") {
			time.AfterFunc(time.Millisecond, tr.Next)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { must(t, observe.Live(ctx, observe.Options{Group: l.Group(), Dial: l.Dial}, tr.See)) })
	must(t, tr.Play(ctx, tell))
	cancel()
	watching.Wait()
	must(t, l.Err())
	return out.String()
}

// Ending a tour in the middle of things is no error, and the lab closes.
func TestEndedEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := broker.Virtual()
		l, err := lab.Start(t.Context(), lab.Options{Group: "g", Workers: 3, Connectors: lab.Shop(6), Net: &net, Seed: 1})
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		tr := tour.New(tour.Options{Lab: l, Connectors: lab.Shop(6)})
		var all sync.WaitGroup
		all.Go(func() {
			must(t, observe.Live(ctx, observe.Options{Group: l.Group(), Dial: l.Dial}, func(s *group.State) {
				if tr.See(s); s.Delay != nil { // a worker crashed
					cancel()
				}
			}))
		})
		must(t, tr.Play(ctx, func(tour.Caption) {}))
		if ctx.Err() == nil {
			t.Error("the story ended by itself")
		}
		must(t, l.Close())
		all.Wait()
	})
}

func span(t *testing.T, s string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(s)
	must(t, err)
	return d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
