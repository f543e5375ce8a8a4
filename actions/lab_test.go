package actions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"regroup/actions/act"
	"regroup/actions/process"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/lab/broker"
	"regroup/internal/lab/worker"
	"regroup/internal/observe"
)

// A field is a lab that is observed, in virtual time: what is foreseen there can be done there.
type field struct {
	t       *testing.T
	lab     *lab.Lab
	watch   *act.Watch
	workers *process.Workers
}

const fieldDelay = 20 * time.Second

// onField runs a test on three workers with three connectors of four tasks.
func onField(t *testing.T, opt lab.Options, test func(f *field)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		net := broker.Virtual()
		opt.Net, opt.Workers = &net, 3
		if opt.Delay == 0 {
			opt.Delay = fieldDelay
		}
		for _, name := range []string{"sink-a", "sink-b", "sink-c"} {
			opt.Connectors = append(opt.Connectors, lab.Connector{Name: name, Tasks: 4})
		}
		l, err := lab.Start(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}()
		if err := l.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		topics := l.Topics()
		watch, stop := act.Observe(t.Context(), observe.Options{
			Group: l.Group(), Dial: l.Dial, ConfigTopic: topics.Config,
			StatusTopic: topics.Status, MaxDelay: opt.Delay,
		})
		defer stop()
		f := &field{t, l, watch, &process.Workers{Group: l.Group(), Dial: l.Dial, Watch: watch, Reachers: []process.Reacher{l.Reacher()}, AtOnce: true}}
		f.rest()
		test(f)
	})
}

// rest waits until the group is settled, and still is a while later.
func (f *field) rest() *group.State {
	f.t.Helper()
	for {
		s, err := f.watch.Until(f.t.Context(), "the lab to settle", 20*time.Minute, act.Unsettled)
		if err != nil {
			f.t.Fatal(err)
		}
		time.Sleep(7 * time.Second)
		synctest.Wait()
		if now := f.watch.State(); act.Newest(now) == act.Newest(s) && act.Unsettled(now) == "" {
			return now
		}
	}
}

func (f *field) worker(name string) group.Worker {
	f.t.Helper()
	s := f.watch.State()
	for _, w := range s.Workers {
		if !w.Gone && (w.Name == name || name == "leader" && w.Leader || name == "follower" && !w.Leader) {
			return w
		}
	}
	f.t.Fatalf("no worker %s", name)
	return group.Worker{}
}

func (f *field) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// act does an action as somebody who said yes.
func (f *field) act(x act.Action, err error) {
	f.t.Helper()
	f.must(err)
	a := &act.Actor{Group: f.workers.Group, Guard: act.Guard{Yes: true}}
	c, err := a.Guard.Consent(x, true, "")
	f.must(err)
	_, err = a.Do(f.t.Context(), x, c)
	f.must(err)
}

// Config, Put and Delete make the lab's REST calls.
func (f *field) Config(ctx context.Context, name string) (map[string]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.worker("leader").URL+"connectors/"+name+"/config", http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := f.lab.HTTP().Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var out map[string]string
	err = json.Unmarshal(b, &out)
	return out, err
}

func (f *field) Put(ctx context.Context, name string, config map[string]string) error {
	return f.lab.Call(ctx, http.MethodPut, "/connectors/"+name+"/config", config)
}

func (f *field) Delete(ctx context.Context, name string) error {
	return f.lab.Call(ctx, http.MethodDelete, "/connectors/"+name, nil)
}

func sink(name string, tasks int) map[string]string {
	return map[string]string{"connector.class": "SimulatedSink", "name": name, "topics": name, "file": "out", "tasks.max": fmt.Sprint(tasks)}
}

// What is foreseen in a group comes: the same units start, stop and wait at the same workers, in as many rounds.
func TestForeseenHappens(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *field) foresight.Change
		do     func(f *field)
		opt    lab.Options
	}{
		{
			name:   "crash",
			change: func(f *field) foresight.Change { return foresight.Crash{Worker: f.worker("follower").ID} },
			do:     func(f *field) { f.act(f.workers.Kill(f.t.Context(), f.worker("follower"))) },
		},
		{
			name:   "stop",
			change: func(f *field) foresight.Change { return foresight.Stop{Worker: f.worker("follower").ID} },
			do:     func(f *field) { f.act(f.workers.Stop(f.t.Context(), f.worker("follower"))) },
		},
		{
			name:   "loss of the leader",
			change: func(f *field) foresight.Change { return foresight.Crash{Worker: f.worker("leader").ID} },
			do:     func(f *field) { f.act(f.workers.Kill(f.t.Context(), f.worker("leader"))) },
		},
		{
			name:   "eviction",
			change: func(f *field) foresight.Change { return foresight.Evict{Worker: f.worker("follower").ID} },
			do:     func(f *field) { f.act(f.workers.Evict(f.worker("follower"), 1), nil) },
		},
		{
			name:   "eviction of the leader",
			change: func(f *field) foresight.Change { return foresight.Evict{Worker: f.worker("leader").ID} },
			do:     func(f *field) { f.act(f.workers.Evict(f.worker("leader"), 1), nil) },
		},
		{
			name: "freeze",
			change: func(f *field) foresight.Change {
				return foresight.Freeze{Worker: f.worker("follower").ID, For: fieldDelay + 20*time.Second}
			},
			do: func(f *field) {
				f.act(f.workers.Freeze(f.t.Context(), f.worker("follower"), fieldDelay+20*time.Second))
			},
		},
		{
			name: "a bounce",
			change: func(f *field) foresight.Change {
				return foresight.Stop{Worker: f.worker("follower").ID, Back: 5 * time.Second}
			},
			do: func(f *field) { f.must(f.lab.Bounce(f.t.Context(), f.worker("follower").Client, 5*time.Second)) },
		},
		{
			name:   "a new worker",
			change: func(*field) foresight.Change { return foresight.Join{Client: "worker-4"} },
			do: func(f *field) {
				_, err := f.lab.Add(f.t.Context(), lab.WorkerOptions{})
				f.must(err)
			},
		},
		{
			name:   "a worker that knows eager alone",
			change: func(*field) foresight.Change { return foresight.Join{Client: "old", Eager: true} },
			do: func(f *field) {
				_, err := f.lab.Add(f.t.Context(), lab.OldWorker("old"))
				f.must(err)
			},
		},
		{
			name:   "more tasks",
			change: func(*field) foresight.Change { return foresight.Configure{Connector: "sink-a", Tasks: 7} },
			do:     func(f *field) { f.must(f.Put(f.t.Context(), "sink-a", sink("sink-a", 7))) },
		},
		{
			name:   "fewer tasks",
			change: func(*field) foresight.Change { return foresight.Configure{Connector: "sink-a", Tasks: 1} },
			do:     func(f *field) { f.must(f.Put(f.t.Context(), "sink-a", sink("sink-a", 1))) },
		},
		{
			name:   "a new connector",
			change: func(*field) foresight.Change { return foresight.Create{Connector: "sink-d", Tasks: 5} },
			do:     func(f *field) { f.must(f.Put(f.t.Context(), "sink-d", sink("sink-d", 5))) },
		},
		{
			name:   "a connector less",
			change: func(*field) foresight.Change { return foresight.Delete{Connector: "sink-b"} },
			do:     func(f *field) { f.must(f.Delete(f.t.Context(), "sink-b")) },
		},
		{
			name:   "a stopped connector",
			change: func(*field) foresight.Change { return foresight.Halt{Connector: "sink-b"} },
			do:     func(f *field) { f.must(f.lab.Call(f.t.Context(), http.MethodPut, "/connectors/sink-b/stop", nil)) },
		},
		{
			name: "freeze of the leader",
			change: func(f *field) foresight.Change {
				return foresight.Freeze{Worker: f.worker("leader").ID, For: fieldDelay + 20*time.Second}
			},
			do: func(f *field) {
				f.act(f.workers.Freeze(f.t.Context(), f.worker("leader"), fieldDelay+20*time.Second))
			},
		},
		{
			name:   "crash without a delay",
			opt:    lab.Options{Delay: -1},
			change: func(f *field) foresight.Change { return foresight.Crash{Worker: f.worker("follower").ID} },
			do:     func(f *field) { f.act(f.workers.Kill(f.t.Context(), f.worker("follower"))) },
		},
		{
			name:   "eviction without a delay",
			opt:    lab.Options{Delay: -1},
			change: func(f *field) foresight.Change { return foresight.Evict{Worker: f.worker("follower").ID} },
			do:     func(f *field) { f.act(f.workers.Evict(f.worker("follower"), 1), nil) },
		},
		{
			name:   "crash under eager",
			opt:    lab.Options{Protocol: worker.Eager},
			change: func(f *field) foresight.Change { return foresight.Crash{Worker: f.worker("follower").ID} },
			do:     func(f *field) { f.act(f.workers.Kill(f.t.Context(), f.worker("follower"))) },
		},
		{
			name:   "eviction under eager",
			opt:    lab.Options{Protocol: worker.Eager},
			change: func(f *field) foresight.Change { return foresight.Evict{Worker: f.worker("follower").ID} },
			do:     func(f *field) { f.act(f.workers.Evict(f.worker("follower"), 1), nil) },
		},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			for seed := range uint64(3) { // member ids decide ties
				c.opt.Seed = seed
				onField(t, c.opt, func(f *field) {
					s := f.rest()
					p, err := foresight.Foresee(s, c.change(f))
					f.must(err)
					c.do(f)
					time.Sleep(11 * time.Second)
					best, diff := p.Compare(act.Since(f.rest(), p.Seq))
					if len(best.Rounds) == 0 {
						t.Error("no round was foreseen")
					}
					if len(diff) > 0 {
						t.Errorf("seed %d: doubts %q, and it happened otherwise (%s):", seed, best.Caveats, best.Name)
						for _, d := range diff {
							t.Errorf("  %s", d)
						}
					}
				})
			}
		})
	}
}
