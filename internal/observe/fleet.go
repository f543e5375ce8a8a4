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

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/taskgroup"
	"regroup/internal/words"
)

// Fleet is every Connect group of a cluster at one moment.
type Fleet struct {
	Now      time.Time
	Brokers  string
	Groups   []FleetGroup // in any order; the screen shows the worst first
	Sources  []group.SourceState
	NotShown []NotShown
}

// Trouble is why the groups cannot be listed; "" when they can, or when that is not known yet.
func (f *Fleet) Trouble() string {
	if src := f.troubled(); src != nil {
		return src.Detail
	}
	return ""
}

// troubled is the source that does not tell of the groups; nil when they all do, or when that is not known yet.
func (f *Fleet) troubled() *group.SourceState {
	if f == nil {
		return nil
	}
	for i := range f.Sources {
		switch src := &f.Sources[i]; src.Health {
		case group.HealthUnreachable, group.HealthDenied:
			return src
		}
	}
	return nil
}

// Blind is the verdict on a list of which no broker has told anything for a while.
func (f *Fleet) Blind() (group.Verdict, bool) {
	if len(f.Sources) == 0 || f.Sources[0].Heard.IsZero() || f.Now.Sub(f.Sources[0].Heard) < group.BlindAfter {
		return group.Verdict{}, false
	}
	what := fmt.Sprintf("What you see is %s old.", words.Age(f.Now.Sub(f.Sources[0].Heard)))
	alone := "Workers that stay cut off stop their work."
	return group.Verdict{
		Word: group.VerdictBlind, Sentence: "The brokers do not answer. " + what + " " + alone, Short: "The brokers do not answer.", Second: what,
		Fewer: []string{"The brokers do not answer. " + what},
	}, true
}

// FleetGroup is one line of it. What is not known is left at its zero value, and not shown.
type FleetGroup struct {
	Group      string
	Phase      string // Kafka's state
	Verdict    group.Verdict
	Mode       group.Mode
	Generation int32 // -1: not known
	Workers    int
	Connectors int
	Tasks      int
	States     map[group.UnitStateKind]int // how many units are in each state
	LastRound  time.Time
	Findings   int
	HourCost   group.Cost // of the rounds of the last hour

	// State and Report are the group itself, where it is watched and not only described: what happened, and what is found.
	State  *group.State
	Report *doctor.Report
}

const (
	// fleetInterval is how often groups are described for the list of them.
	fleetInterval = 5 * time.Second
	// fleetNews is how often the list is told anew at most while the groups in it change, or count down.
	fleetNews = time.Second
	// fleetWatched bounds how many groups are watched and not only described: each has its sources.
	fleetWatched = 12
	// fleetSince is how far back the watched ones go.
	fleetSince = 24 * time.Hour
)

// FleetOptions say whose groups are watched.
type FleetOptions struct {
	Brokers []string // as they are told
	Dial    Dial
	Group   func(name string) Options // how one of them is observed
	Explain func(error) error         // says more of why nothing can be listed
	Clock   func() time.Time
}

// fleetWatch is the list of groups: all described again and again, the first of them watched.
type fleetWatch struct {
	FleetOptions
	tasks  *taskgroup.Group
	source group.SourceState

	mu     sync.Mutex
	states map[string]*FleetGroup
	ends   map[string]context.CancelFunc
	news   chan struct{}
}

// WatchFleet watches all groups until ctx ends. A cluster that does not answer is told in the list; it may come back. An error means that
// a group cannot be observed at all: the options are no good, or this program has a bug.
func WatchFleet(outer context.Context, o FleetOptions, publish func(*Fleet)) error {
	c, ctx := taskgroup.New(outer)
	w := &fleetWatch{
		FleetOptions: o, tasks: c, source: group.SourceState{Source: group.SourceDescribe, Name: strings.Join(o.Brokers, ",")},
		states: map[string]*FleetGroup{}, ends: map[string]context.CancelFunc{}, news: make(chan struct{}, 1),
	}
	var last *Fleet
	for ctx.Err() == nil {
		described, before := make(chan *Fleet, 1), last
		c.Go("fleet", func(ctx context.Context) error {
			described <- w.describe(ctx, before)
			return nil
		})
		for waits := true; waits; { // a broker that hangs stops no clock
			var tick <-chan time.Time
			if last != nil {
				tick = time.After(fleetNews)
			}
			select {
			case last = <-described:
				waits = false
			case <-ctx.Done():
				waits = false
			case <-tick:
				publish(w.fill(last))
			}
		}
		for next := time.Now().Add(fleetInterval); ctx.Err() == nil && time.Now().Before(next); {
			publish(w.fill(last))
			w.pause(ctx, time.Until(next))
		}
	}
	if err := c.Stop(); outer.Err() == nil {
		return err
	}
	return nil
}

// pause waits for news of a group, but no longer than d, and at least as long as frames of the list lie apart.
func (w *fleetWatch) pause(ctx context.Context, d time.Duration) {
	least, most := time.NewTimer(min(fleetNews, d)), time.NewTimer(d)
	defer least.Stop()
	defer most.Stop()
	select {
	case <-ctx.Done():
	case <-least.C:
	}
	select {
	case <-ctx.Done():
	case <-most.C:
	case <-w.news:
	}
}

// describe asks for all groups, and begins to watch the first of them.
func (w *fleetWatch) describe(ctx context.Context, last *Fleet) *Fleet {
	found, hidden, err := Groups(ctx, w.Dial)
	f := &Fleet{Now: w.Clock(), Brokers: strings.Join(w.Brokers, ",")}
	if ctx.Err() != nil {
		return f
	}
	health, detail := group.HealthOK, ""
	if err != nil {
		health, detail = group.HealthUnreachable, w.Explain(err).Error()
		if last != nil {
			f.Groups, f.NotShown = last.Groups, last.NotShown
		}
	} else {
		w.source.Heard = f.Now
		f.Groups, f.NotShown = summaries(found), hidden
		w.watchFirst(ctx, f.Groups)
	}
	if health != w.source.Health {
		w.source.Since = f.Now
	}
	w.source.Health, w.source.Detail = health, detail
	f.Sources = []group.SourceState{w.source}
	return f
}

// watchFirst watches the first groups of a list sorted by name, and lets go of those that are in it no more.
func (w *fleetWatch) watchFirst(ctx context.Context, groups []FleetGroup) {
	w.mu.Lock()
	defer w.mu.Unlock()
	wanted := map[string]bool{}
	for _, g := range groups[:min(len(groups), fleetWatched)] {
		wanted[g.Group] = true
	}
	for name, end := range w.ends {
		if !wanted[name] {
			end()
			delete(w.ends, name)
			delete(w.states, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if w.ends[name] != nil {
			continue
		}
		inner, end := context.WithCancel(ctx)
		w.ends[name] = end
		w.tasks.Go("group "+decode.Printable(name), func(context.Context) error { return w.watch(inner, name) })
	}
}

// watch observes one group. What keeps it from doing so is told by the group's own sources once it is opened: here it then
// stays as described.
func (w *fleetWatch) watch(ctx context.Context, name string) error {
	o := w.Group(name)
	o.REST, o.Since = nil, w.Clock().Add(-fleetSince)
	err := Live(ctx, o, func(s *group.State) {
		if s.Round() == nil || s.Reading() != nil { // until then the description tells more
			return
		}
		s.Prepare()
		report := doctor.Examine(s, doctor.Options{})
		g := Watched(s, &report)
		w.mu.Lock()
		if ctx.Err() == nil {
			w.states[name] = &g
		}
		w.mu.Unlock()
		select {
		case w.news <- struct{}{}:
		default:
		}
	})
	var kind *KindError // a name that another kind of group took over: it is listed no more
	if err != nil && ctx.Err() == nil && !errors.As(err, &kind) {
		return fmt.Errorf("group %s: %w", decode.Printable(name), err)
	}
	return nil
}

// fill is a list with all that is known of the groups in it by now.
func (w *fleetWatch) fill(f *Fleet) *Fleet {
	out := *f
	out.Now, out.Groups = w.Clock(), slices.Clone(f.Groups)
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range out.Groups {
		if g := w.states[out.Groups[i].Group]; g != nil {
			out.Groups[i] = *g
		}
	}
	return &out
}

func summaries(found []GroupSummary) []FleetGroup {
	var out []FleetGroup
	for i := range found {
		g := &found[i]
		out = append(out, FleetGroup{
			Group: g.Group, Phase: g.State, Verdict: g.Verdict(), Mode: g.Mode, Generation: -1, Workers: g.Workers, Connectors: g.Connectors, Tasks: g.Tasks,
		})
	}
	return out
}

// FleetSpan is how far back the fleet looks: what a group cost, and how it did.
const FleetSpan = time.Hour

// Watched is the line of the fleet of a group whose State is known. It works out what takes long in a large group, so it is
// no work for the screen's own goroutine.
func Watched(s *group.State, report *doctor.Report) FleetGroup {
	g := FleetGroup{
		Group: s.Group, Phase: s.Phase, Verdict: s.Verdict, Generation: -1, Connectors: s.Connectors, Tasks: s.Tasks,
		States: map[group.UnitStateKind]int{}, State: s, Report: report,
	}
	for i := range s.Workers {
		if !s.Workers[i].Gone {
			g.Workers++
		}
	}
	for i := range s.Units {
		g.States[s.Units[i].State]++
	}
	if r := s.Round(); r != nil {
		g.Mode, g.LastRound = r.Mode, r.At
		if !r.Polled {
			g.Generation = r.Generation
		}
	}
	if report != nil {
		g.Findings = report.Count()
	}
	for i := len(s.Rounds) - 1; i >= 0 && s.Now.Sub(s.Rounds[i].At) < FleetSpan; i-- {
		g.HourCost = g.HourCost.Plus(s.CostOf(s.Rounds[i]))
	}
	return g
}
