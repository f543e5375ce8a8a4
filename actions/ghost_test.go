package actions_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"regroup/actions/act"
	"regroup/actions/ghost"
	"regroup/actions/process"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/lab"
)

// joinGhost lets a ghost join the field and gives what ends it.
func (f *field) joinGhost(g ghost.Ghost) (leave func() (string, error)) {
	f.t.Helper()
	g.URL, g.Demo = "http://ghost.invalid:8083/", true // pipes in memory have no place for its own interface
	x, err := g.Action(f.workers)
	f.must(err)
	ctx, cancel := context.WithCancel(f.t.Context())
	var answer string
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		answer, failed = x.Do(ctx, func(string) {})
	}()
	f.until("the ghost", func(s *group.State) string {
		for _, w := range s.Workers {
			if w.Client == "ghost" && !w.Gone {
				return ""
			}
		}
		return "it is not there"
	})
	return func() (string, error) {
		cancel()
		<-done
		return answer, failed
	}
}

func (f *field) until(what string, fits func(*group.State) string) {
	f.t.Helper()
	_, err := f.watch.Until(f.t.Context(), what, 10*time.Minute, fits)
	f.must(err)
}

// A ghost is a worker like the others to its group: it is given its share, in the two rounds that a join takes, as foreseen;
// and when it leaves, what it held waits for it and then goes to the others.
func TestGhostHoldsUnits(t *testing.T) {
	onField(t, lab.Options{}, func(f *field) {
		s := f.rest()
		p, err := foresight.Foresee(s, foresight.Join{Client: "ghost", URL: "http://ghost.invalid:8083/"})
		f.must(err)
		leave := f.joinGhost(ghost.Ghost{})
		time.Sleep(10 * time.Second)
		s = f.settledUnits()
		if _, diff := p.Compare(act.Since(s, p.Seq)); len(diff) > 0 {
			t.Errorf("it joined otherwise than foreseen: %v", diff)
		}
		w := f.worker("ghost")
		if w.Held < 3 || s.Round().Workers != 4 {
			t.Errorf("it holds %d units, of %d workers", w.Held, s.Round().Workers)
		}
		p, err = foresight.Foresee(s, foresight.Stop{Worker: w.ID})
		f.must(err)
		answer, err := leave()
		if err != nil || !strings.Contains(answer, "left after") {
			t.Fatalf("answer %q, error %v", answer, err)
		}
		time.Sleep(10 * time.Second)
		if _, diff := p.Compare(act.Since(f.settledUnits(), p.Seq)); len(diff) > 0 {
			t.Errorf("it left otherwise than foreseen: %v", diff)
		}
	})
}

// settledUnits is rest for a group in which statuses may stay behind: a ghost writes none.
func (f *field) settledUnits() *group.State {
	f.t.Helper()
	f.until("the rounds to end", func(s *group.State) string {
		if !s.Round().Settled {
			return "not settled"
		}
		return ""
	})
	time.Sleep(7 * time.Second)
	synctest.Wait()
	return f.watch.State()
}

// A ghost that leads decides as a Connect worker would: the shadow, which follows it as it follows any leader, agrees with
// each of its rounds, while connectors are changed and workers come and go.
func TestGhostLeads(t *testing.T) {
	onField(t, lab.Options{}, func(f *field) {
		leave := f.joinGhost(ghost.Ghost{})
		time.Sleep(10 * time.Second)
		f.settledUnits()
		for range 3 { // all real workers go, and come back: the ghost is left to lead
			w := f.worker("follower")
			for _, o := range f.watch.State().Workers {
				if !o.Gone && o.Client != "ghost" {
					w = o
				}
			}
			f.must(f.lab.Stop(f.t.Context(), w.Client))
			f.until("it to leave", func(s *group.State) string {
				for _, o := range s.Workers {
					if o.ID == w.ID && !o.Gone {
						return "it is there"
					}
				}
				return ""
			})
		}
		f.settledUnits()
		if w := f.worker("ghost"); !w.Leader || w.Held != 15 {
			t.Fatalf("the ghost leads: %v, and holds %d", w.Leader, w.Held)
		}
		led := act.Newest(f.watch.State())
		for _, name := range []string{"worker-1", "worker-2", "worker-3"} {
			f.must(f.lab.Return(f.t.Context(), name))
			time.Sleep(13 * time.Second)
		}
		f.settledUnits()
		f.act(f.workers.Kill(f.t.Context(), f.worker("worker-2")))
		time.Sleep(time.Minute)
		s := f.settledUnits()
		rounds := act.Since(s, led)
		if len(rounds) < 6 {
			t.Errorf("%d rounds", len(rounds))
		}
		for _, r := range rounds {
			if r.Leader != f.worker("ghost").ID || r.Shadow != "same" || r.Error != 0 {
				t.Errorf("round %d: led by %s, shadow %s (%s), error %d", r.Generation, r.Leader, r.Shadow, r.ShadowWhy, r.Error)
			}
		}
		if r := s.Round(); r.Unassigned+r.Duplicated+r.Delayed > 0 || r.Workers != 3 {
			t.Errorf("at the end %+v", r)
		}
		if _, err := leave(); err != nil {
			t.Error(err)
		}
	})
}

// An eager ghost takes the group to eager, and its leaving gives cooperative back.
func TestEagerGhost(t *testing.T) {
	onField(t, lab.Options{}, func(f *field) {
		leave := f.joinGhost(ghost.Ghost{Protocol: "eager"})
		time.Sleep(10 * time.Second)
		if s := f.settledUnits(); s.Round().Mode != group.ModeEager {
			t.Errorf("mode %s", s.Round().Mode)
		}
		_, err := leave()
		f.must(err)
		time.Sleep(10 * time.Second)
		if s := f.settledUnits(); s.Round().Mode != group.ModeCooperative {
			t.Errorf("mode %s", s.Round().Mode)
		}
	})
}

// Outside the demo a ghost is refused unless the caller knows what it does to real work.
func TestGhostIsRefused(t *testing.T) {
	k := &process.Workers{Group: "connect-a", Watch: act.NewWatch()}
	_, err := ghost.Ghost{}.Action(k)
	var refused *act.Refused
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "--i-know-it-holds-real-work") {
		t.Fatalf("error %v", err)
	}
	x, err := ghost.Ghost{RealWork: true}.Action(k)
	if err != nil || !x.Destructive {
		t.Fatalf("%+v, %v", x, err)
	}
}
