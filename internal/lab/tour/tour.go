package tour

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"regroup/group"
	"regroup/internal/lab"
)

// Caption is what the tour says, from now until the next one.
type Caption struct {
	Text     string
	Step, Of int // counted from 1
	Paused   bool
	Done     bool // it was the last
}

// Options of a Tour.
type Options struct {
	Lab        *lab.Lab
	Connectors []lab.Connector // that the lab has
	// Read is how long a caption stands before the story goes on; nil: as long as it takes to read.
	Read func(text string) time.Duration
}

// Tour is a story that plays.
type Tour struct {
	opt  Options
	next chan struct{}

	mu      sync.Mutex
	told    func(Caption)
	state   *group.State
	news    chan struct{} // closed when state or paused changed
	paused  bool
	caption Caption
}

// New makes a tour of a lab.
func New(opt Options) *Tour {
	if opt.Read == nil {
		opt.Read = reading
	}
	return &Tour{opt: opt, next: make(chan struct{}, 1), news: make(chan struct{})}
}

// reading is how long people take to read a text while they look at the screen beside it.
func reading(text string) time.Duration {
	return 2*time.Second + time.Duration(len(text))*50*time.Millisecond
}

// See takes what the observer sees now: the story waits for things to be seen, and tells their figures.
func (t *Tour) See(s *group.State) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state = s
	t.wake()
}

// wake lets all waits look again.
func (t *Tour) wake() {
	close(t.news)
	t.news = make(chan struct{})
}

// Pause holds the story up after the caption that stands, or lets it go on. The group goes on meanwhile.
func (t *Tour) Pause() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.told == nil || t.caption.Done {
		return
	}
	t.paused = !t.paused
	t.wake()
	t.caption.Paused = t.paused
	t.told(t.caption)
}

// Next goes on at once, whatever the story waits for.
func (t *Tour) Next() {
	t.mu.Lock()
	if t.paused {
		t.paused = false
		t.wake()
	}
	t.mu.Unlock()
	select {
	case t.next <- struct{}{}:
	default: // it is going on already
	}
}

// Play tells the story to its end, or until ctx ends, which is no error. tell is called by one goroutine at a time, and must not
// call the Tour. A step that does not work is told, and the next one follows: whoever watches may have had a hand in the group.
func (t *Tour) Play(ctx context.Context, tell func(Caption)) error {
	t.mu.Lock()
	t.told = tell
	t.mu.Unlock()
	steps := story(t.opt.Connectors)
	for i, s := range steps {
		at := Caption{Step: i + 1, Of: len(steps), Done: i == len(steps)-1}
		err := t.play(ctx, at, s)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // whatever failed, it failed because nobody looks any more
		}
		if err != nil && !errors.Is(err, errSkipped) {
			_ = t.show(ctx, at, fmt.Sprintf("This did not work: %v. The story goes on.", err))
		}
	}
	return nil
}

// step is one thing to show.
type step struct {
	say   func(*group.State) string // what will happen; of the first step the State is nil
	do    func(context.Context, *Tour) error
	until func(s *group.State, from int) bool   // it was seen; nil: at once
	then  func(s *group.State, from int) string // what happened since the round of that Seq; nil: nothing to add
}

// errSkipped ends a wait: somebody wants to see the next step.
var errSkipped = errors.New("skipped")

func (t *Tour) play(ctx context.Context, at Caption, s step) error {
	if at.Step > 1 {
		if err := t.peopled(ctx); err != nil {
			return err
		}
	}
	if err := t.show(ctx, at, s.say(t.seen())); err != nil || at.Done {
		return err
	}
	from := newest(t.seen())
	if s.do != nil {
		if err := s.do(ctx, t); err != nil {
			return err
		}
	}
	if s.until != nil {
		if err := t.wait(ctx, func(now *group.State) bool { return s.until(now, from) }); err != nil {
			return err
		}
	}
	if s.then == nil {
		return nil
	}
	return t.show(ctx, at, s.then(t.seen(), from))
}

// peopled waits until there is a group that a step can be shown on, also when somebody hurries.
func (t *Tour) peopled(ctx context.Context) error {
	for {
		err := t.wait(ctx, func(s *group.State) bool { return len(leaderLast(s)) >= 3 && isLed(s) })
		if !errors.Is(err, errSkipped) {
			return err
		}
	}
}

// show lets a caption stand until it has been read; the last one for good.
func (t *Tour) show(ctx context.Context, at Caption, text string) error {
	at.Text = text
	t.tell(at)
	if at.Done {
		return nil
	}
	return t.hold(ctx, text)
}

func (t *Tour) tell(c Caption) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c.Paused = t.paused
	t.caption = c
	t.told(c)
}

// say changes the words of the step that is on.
func (t *Tour) say(text string) {
	t.mu.Lock()
	c := t.caption
	t.mu.Unlock()
	c.Text = text
	t.tell(c)
}

func (t *Tour) seen() *group.State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state
}

// hold lets a caption stand for as long as it takes to read it, and while the story is paused.
func (t *Tour) hold(ctx context.Context, text string) error {
	err := t.pause(ctx, t.opt.Read(text))
	if err == nil {
		err = t.look(ctx, func() bool { return !t.paused })
	}
	if errors.Is(err, errSkipped) {
		return nil
	}
	return err
}

// pause lets time pass.
func (t *Tour) pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-t.next:
		return errSkipped
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// patience bounds a wait: a story that stands still without a word is worse than one that says what it waited for.
const patience = 5 * time.Minute

// wait is for a State that is as wanted.
func (t *Tour) wait(ctx context.Context, wanted func(*group.State) bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("what should have happened was not seen in 5 minutes"))
	defer cancel()
	return t.look(ctx, func() bool { return t.state != nil && wanted(t.state) })
}

// look waits until a condition on what mu guards holds.
func (t *Tour) look(ctx context.Context, wanted func() bool) error {
	for {
		t.mu.Lock()
		news, yes := t.news, wanted()
		t.mu.Unlock()
		if yes {
			return nil
		}
		select {
		case <-news:
		case <-t.next:
			return errSkipped
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
