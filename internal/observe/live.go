package observe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"regroup/group"
	"regroup/internal/taskgroup"
)

const (
	frame = time.Second / 30 // between two States, at least
	tick  = time.Second      // while something counts down or moves
	// silence is when a State is made though nothing came: the coordinator is asked more often than that, so no broker answers.
	silence = restPoll + tick
)

// Live observes until ctx ends and publishes a State after each change, at most thirty a second, and once a second while a
// delay counts down or something moves. publish is called by one goroutine; while it takes its time, changes gather.
func Live(ctx context.Context, opt Options, publish func(*group.State)) error {
	if err := opt.fill(); err != nil {
		return err
	}
	f := &folder{model: opt.model(), wake: make(chan struct{}, 1)}
	all, ctx := taskgroup.New(ctx)
	all.Go("sources", func(context.Context) error {
		defer all.Cancel()
		return Run(ctx, opt, f.apply)
	})
	all.Go("states", func(context.Context) error {
		f.publish(ctx, opt.Clock, publish)
		return nil
	})
	return all.Wait()
}

// folder shares a Model between the sources, which apply, and one goroutine that takes States.
type folder struct {
	mu    sync.Mutex
	model *group.Model
	log   progress // of the log, to tell an answer that brought something from one that did not
	wake  chan struct{}
}

type progress struct{ caughtUp bool }

func (f *folder) apply(fact group.Fact, seen time.Time) {
	f.mu.Lock()
	f.model.Apply(fact, seen)
	news := true
	if p, ok := fact.(group.Progress); ok && p.Source != group.SourceConfig {
		// Strangers' commits move the log's end all the time; that changes nothing to be seen.
		news = p.CaughtUp && !f.log.caughtUp
		if p.Source == group.SourceLog {
			f.log.caughtUp = p.CaughtUp
		}
	}
	f.mu.Unlock()
	if news {
		select {
		case f.wake <- struct{}{}:
		default:
		}
	}
}

func (f *folder) state(now time.Time) *group.State {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.model.State(now)
}

// restAfter is how long no State is made after one was, in times of what it took: in a storm of rounds States come less often, and
// never cost more than a thirteenth of a core.
const restAfter = 12

// publish takes a State whenever there is news. A State of a large group takes a while to make, so the pause after it is
// longer than that: reading goes first.
func (f *folder) publish(ctx context.Context, clock func() time.Time, publish func(*group.State)) {
	timer := time.NewTimer(tick)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
		case <-timer.C:
		}
		begun := time.Now()
		s := f.state(clock())
		cost := time.Since(begun)
		publish(s)
		if !sleep(ctx, max(frame, restAfter*cost)) {
			return
		}
		timer.Stop()
		if restless(s) {
			timer.Reset(tick)
		} else {
			timer.Reset(silence)
		}
	}
}

// restless says whether a State is another one a second later though no fact came.
func restless(s *group.State) bool {
	if _, silent := s.Silent(); silent >= silence || s.Reading() != nil || len(s.Unanswered()) > 0 {
		return true
	}
	for _, src := range s.Sources { // its age is shown
		if src.Health == group.HealthUnreachable && src.Source != group.SourceREST {
			return true
		}
	}
	if s.Delay != nil || s.Phase != "" && s.Phase != "Stable" && s.Phase != "Empty" && s.Phase != "Dead" {
		return true
	}
	if n := len(s.Rounds); n > 0 && (s.Rounds[n-1].Provisional || !s.RoundSettled() && !s.Rounds[n-1].Empty()) {
		return true
	}
	for _, u := range s.Units {
		switch u.State {
		case group.UnitStopping, group.UnitReleased, group.UnitDelayed, group.UnitRestarting, group.UnitStarting:
			return true
		}
	}
	return false
}

// Once observes until every source has been read to its end as it was when reading began, or has said why it cannot be, and
// gives the State then. Its error says that no source gave anything, or that ctx ended; the State is then what is known.
func Once(ctx context.Context, opt Options) (*group.State, error) {
	if err := opt.fill(); err != nil {
		return nil, err
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	model := opt.model()
	waiting := map[group.Source]bool{group.SourceLog: true, group.SourceDescribe: true, group.SourceConfig: true, group.SourceStatus: true}
	blind := map[string]bool{} // why sources that should tell of the group do not
	answered := false
	looked := false // for groups that use the same topics
	done := func(now time.Time) {
		if len(waiting) > 0 {
			return
		}
		if s := model.State(now); opt.Asked(s) && (looked || !s.Unplaced()) {
			cancel()
		}
	}
	err := Run(inner, opt, func(f group.Fact, seen time.Time) {
		if inner.Err() != nil {
			return
		}
		model.Apply(f, seen)
		if o, ok := f.(group.OtherGroup); ok && o.Group == "" {
			looked = true
			done(seen)
			return
		}
		r, ok := f.(group.SourceReport)
		if !ok || r.Health == group.HealthCatchingUp {
			return
		}
		if delete(waiting, r.Source); r.Source == group.SourceLog || r.Source == group.SourceDescribe {
			if r.Health == group.HealthOK || r.Health == group.HealthMissing {
				answered = true
			} else {
				blind[r.Detail] = true
			}
		}
		done(seen)
	})
	s := model.State(opt.Clock())
	switch {
	case err != nil:
		return s, err
	case ctx.Err() != nil:
		return s, fmt.Errorf("group %s: stopped before all was read: %w", opt.Group, context.Cause(ctx))
	case !answered:
		why := slices.Sorted(maps.Keys(blind))
		return s, errors.New("group " + opt.Group + ": " + strings.Join(why, "; "))
	}
	return s, nil
}

// Asked reports whether every worker that REST reaches has been asked, and has answered or not.
func (o *Options) Asked(s *group.State) bool {
	if o.REST == nil {
		return true
	}
	asked := s.REST()
	for i := range s.Workers {
		w := &s.Workers[i]
		if _, is := asked[w.URL]; !is && !w.Gone && hostPort(w.URL) != "" && o.REST.at(w.URL) != "" {
			return false
		}
	}
	return true
}
