package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"regroup/group"
	"regroup/internal/lab/tour"
	"regroup/internal/observe"
	"regroup/tui"
)

// tourDelay is the demo's delay while the tour plays: long enough for a worker to come back, and no longer.
const tourDelay = 20 * time.Second

// checkTour refuses a group that the story cannot be told of.
func (f demoFlags) checkTour() error {
	switch {
	case f.protocol == "eager":
		return misuse("--tour: it begins with a cooperative group, and shows eager at its end; leave --protocol eager out")
	case f.workers < 3:
		return misuse("--tour: it needs 3 workers or more, for one of them crashes while others go on")
	case f.tasks < 1:
		return misuse("--tour: it needs tasks to move; give --tasks 1 or more")
	case f.delay < 15*time.Second:
		return misuse("--tour: a worker has to come back before the delay is over; give --delay 15s or more")
	}
	return nil
}

// screenTour is a tour as the screen plays it.
func screenTour(t *tour.Tour) *tui.Tour {
	return &tui.Tour{
		Play: func(ctx context.Context, publish func(*tui.Caption)) error {
			return t.Play(ctx, func(c tour.Caption) {
				publish(&tui.Caption{Text: c.Text, Step: c.Step, Of: c.Of, Paused: c.Paused, Done: c.Done})
			})
		},
		Pause: t.Pause, Next: t.Next,
	}
}

// captionObject is a caption as an event.
type captionObject struct {
	Text string `json:"text"`
	Step int    `json:"step"`
	Of   int    `json:"of"`
}

func captionEvent(at time.Time, c tour.Caption) event {
	return event{at, "caption", captionObject{c.Text, c.Step, c.Of}, fmt.Sprintf("tour %d/%d  %s", c.Step, c.Of, c.Text)}
}

// followTour prints a line for each thing that happens, and each caption, until the story is over or ctx ends.
func (a *app) followTour(ctx context.Context, opt observe.Options, t *tour.Tour) error {
	live, cancel := context.WithCancelCause(ctx)
	var mu sync.Mutex
	tell := func(events []event) {
		mu.Lock()
		defer mu.Unlock()
		if live.Err() != nil {
			return
		}
		if err := a.tell(events); err != nil {
			cancel(err) // nobody reads any more
		}
	}
	var playing sync.WaitGroup
	playing.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				cancel(fmt.Errorf("tour: a bug: %v\n%s", p, debug.Stack()))
			}
		}()
		cancel(t.Play(live, func(c tour.Caption) { tell([]event{captionEvent(a.now(), c)}) }))
	})
	follow := newFollower(true)
	err := observe.Live(live, opt, func(s *group.State) {
		tell(follow.next(s)) // first: captions tell of what is there to be read
		t.See(s)
	})
	cancel(nil)
	playing.Wait()
	if cause := context.Cause(live); err == nil && ctx.Err() == nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}
