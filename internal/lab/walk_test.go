package lab_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/lab/broker"
)

// In random walks of joins, polite leaves, crashes and config changes no unit starts before its old owner has stopped it or
// died, and once all is quiet every unit is in one worker's hands and no worker has two more of a kind than another.
func TestWalks(t *testing.T) {
	// The last three once ended with a unit taken to run twice: a worker was back, as a new process, before its session ended.
	for _, seed := range []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 77, 147, 297} {
		t.Run(fmt.Sprint("seed-", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { newWalk(t, seed).run(30) })
		})
	}
}

type walk struct {
	t      *testing.T
	l      *lab.Lab
	random *rand.Rand
	tasks  map[string]int
	died   map[string]time.Time // by worker_id, when a crash was last
}

func newWalk(t *testing.T, seed uint64) *walk {
	t.Helper()
	net := broker.Virtual()
	l := start(t, lab.Options{Seed: seed, Delay: 20 * time.Second, Net: &net})
	w := &walk{t: t, l: l, random: rand.New(rand.NewPCG(seed, 1)), tasks: map[string]int{}, died: map[string]time.Time{}}
	w.must(w.add())
	w.create()
	return w
}

func (w *walk) run(steps int) {
	w.t.Helper()
	defer closeLab(w.t, w.l)
	actions := []func(){
		func() { w.must(w.add()) }, w.comeBack, w.comeBack, w.leave, w.crash, w.create, w.change, w.change, w.remove,
	}
	for range steps {
		actions[w.random.IntN(len(actions))]()
		wait(time.Duration(w.random.IntN(30_000)) * time.Millisecond)
	}
	if len(w.in(lab.Up)) == 0 {
		w.must(w.add())
	}
	wait(5 * time.Minute)
	w.checkQuiet(observed(w.t, w.l))
	w.checkStarts()
}

func (w *walk) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *walk) in(state lab.State) []lab.Member {
	var out []lab.Member
	for _, m := range w.l.Workers() {
		if m.State == state {
			out = append(out, m)
		}
	}
	return out
}

func (w *walk) pick(state lab.State, least int) (lab.Member, bool) {
	of := w.in(state)
	if len(of) < least {
		return lab.Member{}, false
	}
	return of[w.random.IntN(len(of))], true
}

func (w *walk) add() error {
	if len(w.l.Workers()) >= 6 {
		return nil
	}
	_, err := w.l.Add(w.t.Context(), lab.WorkerOptions{})
	return err
}

func (w *walk) comeBack() {
	if m, ok := w.pick(lab.Gone, 1); ok {
		w.must(w.l.Return(w.t.Context(), m.Name))
	}
}

func (w *walk) leave() {
	if m, ok := w.pick(lab.Up, 2); ok {
		w.must(w.l.Stop(w.t.Context(), m.Name))
	}
}

func (w *walk) crash() {
	if m, ok := w.pick(lab.Up, 2); ok {
		w.must(w.l.Kill(m.Name))
		w.died[workerID(m.URL)] = time.Now()
	}
}

func workerID(url string) string { return url[len("http://") : len(url)-1] }

func (w *walk) create() {
	name := fmt.Sprintf("c%d", w.random.IntN(6))
	if w.tasks[name] > 0 {
		return
	}
	w.tasks[name] = 1 + w.random.IntN(5)
	w.must(w.l.Create(w.t.Context(), lab.Connector{Name: name, Tasks: w.tasks[name]}))
}

func (w *walk) connector() (string, bool) {
	names := slices.Sorted(maps.Keys(w.tasks))
	if len(names) == 0 {
		return "", false
	}
	return names[w.random.IntN(len(names))], true
}

func (w *walk) change() {
	if name, ok := w.connector(); ok {
		w.tasks[name] = 1 + w.random.IntN(5)
		w.must(w.l.Call(w.t.Context(), "PATCH", "/connectors/"+name+"/config", map[string]string{"tasks.max": fmt.Sprint(w.tasks[name])}))
	}
}

func (w *walk) remove() {
	if name, ok := w.connector(); ok {
		delete(w.tasks, name)
		w.must(w.l.Call(w.t.Context(), "DELETE", "/connectors/"+name, nil))
	}
}

func (w *walk) checkQuiet(s *group.State) {
	w.t.Helper()
	want := 0
	for _, n := range w.tasks {
		want += 1 + n
	}
	if len(s.Units) != want || !s.Round().Settled {
		w.t.Errorf("%d units, want %d; settled %v", len(s.Units), want, s.Round().Settled)
	}
	for _, u := range s.Units {
		if u.Worker < 0 || u.State != group.UnitRunning {
			w.t.Errorf("%s: %s, held by %d", u.Unit, u.State, u.Worker)
		}
	}
	least, most := [2]int{1 << 20, 1 << 20}, [2]int{}
	for _, m := range s.Workers {
		if m.Gone {
			continue
		}
		for kind, n := range [2]int{m.HeldConns, m.Held - m.HeldConns} {
			least[kind], most[kind] = min(least[kind], n), max(most[kind], n)
		}
	}
	if most[0]-least[0] > 1 || most[1]-least[1] > 1 {
		w.t.Errorf("loads are uneven: connectors %d to %d, tasks %d to %d", least[0], most[0], least[1], most[1])
	}
}

// checkStarts reads the status topic: who says RUNNING says it after the one before has said otherwise, or died.
func (w *walk) checkStarts() {
	w.t.Helper()
	type said struct {
		decode.StatusRecord
		at time.Time
	}
	last := map[decode.Unit]said{}
	orphans := 0
	for _, r := range readTopic(w.t, w.l, w.l.Topics().Status) {
		s, err := decode.ParseStatus(r.Key, r.Value)
		if err != nil || s.Kind != decode.StatusOfUnit {
			w.t.Fatal(err)
		}
		was, ok := last[s.Unit]
		if ok && was.State == decode.Running && s.State == decode.Running && was.WorkerID != s.WorkerID {
			orphans++
			if w.died[was.WorkerID].Before(was.at) {
				w.t.Errorf("%s: %s runs it in generation %d, and %s never stopped it", s.Unit, s.WorkerID, s.Generation, was.WorkerID)
			}
		}
		last[s.Unit] = said{s, r.Timestamp}
	}
	w.t.Logf("%d rounds, %d starts of what a dead worker ran", len(observed(w.t, w.l).Rounds), orphans)
}

// readTopic reads a topic from its beginning to its end.
func readTopic(t *testing.T, l *lab.Lab, topic string) []*kgo.Record {
	t.Helper()
	cl, err := l.Dial(kgo.ConsumeTopics(topic))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	var out []*kgo.Record
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		fetches := cl.PollFetches(ctx)
		ended := ctx.Err() != nil
		cancel()
		if out = append(out, fetches.Records()...); ended {
			return out
		}
	}
}
