package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"regroup/actions/editor"
	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/lab/tour"
	"regroup/internal/lab/worker"
	"regroup/internal/observe"
	"regroup/tui"
	"regroup/tui/ui/theme"
)

// demoFlags are the settings of the demo's group.
type demoFlags struct {
	protocol       string
	workers, tasks int
	delay          time.Duration
	seed           uint64
	tour           bool
}

func newDemo(a *app) *cobra.Command {
	f := demoFlags{}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Start an embedded broker and simulated workers, and watch them",
		Long: `Start a broker and simulated workers inside this program, which join and rebalance as real ones do, and open the screen on them.
Nothing outside this program is changed, and nothing is left behind. In a pipe, or with -o json, print one line per event, as
watch does.

With --tour a captioned story plays: a worker joins, a configuration is edited, workers crash and return in time and too late, a
rolling restart, and an old worker that forces eager. Space pauses, → continues. It takes about five minutes; in a pipe the
captions are printed among the events, and the demo ends with the story.

Other commands and your own workers and tools also work against the demo's broker: its address for -b is in the screen's help (?),
and in a pipe it is printed to stderr first.`,
		Example: `  regroup demo
  regroup demo --tour
  regroup demo --protocol eager --workers 3 --tasks 12
  regroup demo -o json | jq 'select(.event == "round")'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.tour && !cmd.Flags().Changed("delay") {
				f.delay = tourDelay
			}
			return a.demo(cmd.Context(), f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.protocol, "protocol", "sessioned", "`protocol` of the workers: eager, compatible or sessioned")
	fs.IntVar(&f.workers, "workers", 4, "`number` of workers")
	fs.IntVar(&f.tasks, "tasks", 24, "about how many `tasks` the connectors have in all")
	fs.DurationVar(&f.delay, "delay", 30*time.Second, "how long work of a worker that left waits for it")
	fs.Uint64Var(&f.seed, "seed", 1, "`seed` of the member ids, which decide ties")
	fs.BoolVar(&f.tour, "tour", false, "play a story, with a caption for each step")
	return cmd
}

// initialDelay is the broker's group.initial.rebalance.delay.ms: its own 3 s would be a black screen.
const initialDelay = 300 * time.Millisecond

func (f demoFlags) options() (lab.Options, error) {
	protocols := map[string]worker.Protocol{"eager": worker.Eager, "compatible": worker.Compatible, "sessioned": worker.Sessioned}
	p, ok := protocols[strings.ToLower(f.protocol)]
	switch {
	case !ok:
		return lab.Options{}, misuse("--protocol %s: not one of eager, compatible, sessioned", f.protocol)
	case f.workers < 0 || f.workers > 200:
		return lab.Options{}, misuse("--workers %d: give 0 to 200", f.workers)
	case f.tasks < 0 || f.tasks > 20_000:
		return lab.Options{}, misuse("--tasks %d: give 0 to 20000", f.tasks)
	case f.delay < 0:
		return lab.Options{}, misuse("--delay %s: give 0 or more", f.delay)
	}
	if f.tour {
		if err := f.checkTour(); err != nil {
			return lab.Options{}, err
		}
	}
	delay := f.delay
	if delay <= 0 {
		delay = -1 // none: 0 is the lab's default
	}
	opt := lab.Options{Group: "connect-shop", Workers: f.workers, Protocol: p, Delay: delay, Seed: f.seed, InitialDelay: initialDelay}
	if f.tasks > 0 {
		opt.Connectors = lab.Shop(f.tasks)
	}
	return opt, nil
}

func (a *app) demo(ctx context.Context, f demoFlags) (err error) {
	opt, err := f.options()
	if err != nil {
		return err
	}
	keys, themes, err := a.own()
	if err != nil {
		return err
	}
	l, err := lab.Start(ctx, opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	o := observe.Options{
		Group: l.Group(), Dial: l.Dial, ConfigTopic: l.Topics().Config, StatusTopic: l.Topics().Status,
		OffsetsTopic: l.Topics().Offset, MaxDelay: max(f.delay, 0), REST: &observe.REST{},
	}
	var story *tour.Tour
	if f.tour {
		story = tour.New(tour.Options{Lab: l, Connectors: opt.Connectors})
	}
	if !a.screen() || a.json() {
		a.note("group %s is on %s", l.Group(), strings.Join(l.Brokers(), ","))
	}
	switch {
	case a.screen() && !a.json():
	case story != nil:
		return a.followTour(ctx, o, story)
	default:
		return a.follow(ctx, o, true)
	}
	ctx, shield := editor.Shielded(ctx)
	defer shield.End()
	acts := a.demoActions(l, shield)
	screen := tui.Options{
		Group: l.Group(), Acts: acts.Offers, Properties: acts.Properties, Theme: theme.Kind(a.flags.theme), Themes: themes, ASCII: a.ascii(), Version: thisBuild().Version,
		Broker: l.Brokers()[0], Keys: keys, Input: a.in, Output: a.out, Bytes: logBytes(l.Dial),
		Source: func(ctx context.Context, _ string, publish func(*group.State)) error {
			return observe.Live(ctx, acts.Observed(o), acts.Fed(o.Group, func(s *group.State) {
				publish(s)
				if story != nil {
					story.See(s)
				}
			}))
		},
	}
	if story != nil {
		screen.Tour = screenTour(story)
	}
	return errors.Join(tui.Run(ctx, screen), a.unfinished(acts))
}

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
