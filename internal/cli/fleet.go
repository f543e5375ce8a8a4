package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/conn"
	"regroup/internal/observe"
	"regroup/tui/fleet"
	"regroup/tui/scene"
)

const (
	// fleetInterval is how often groups are described for the list of them.
	fleetInterval = 5 * time.Second
	// fleetNews is how often the list is drawn anew at most while the groups in it change, or count down.
	fleetNews = time.Second
	// fleetWatched bounds how many groups are watched and not only described: each has its sources.
	fleetWatched = 12
	// fleetSince is how far back the watched ones go.
	fleetSince = 24 * time.Hour
)

// fleetWatch is the list of groups: all described again and again, the first of them watched.
type fleetWatch struct {
	app      *app
	settings conn.Settings
	source   group.SourceState
	fail     context.CancelCauseFunc // ends the list with an error

	mu     sync.Mutex
	states map[string]*scene.GroupSummary
	ends   map[string]context.CancelFunc
	news   chan struct{}
}

// fleet watches all groups until ctx ends. A cluster that does not answer is told on the screen; it may come back. An error
// means that a group cannot be observed at all: the options are no good, or this program has a bug.
func (a *app) fleet(ctx context.Context, s conn.Settings, publish func(*scene.Fleet)) error {
	outer := ctx
	ctx, fail := context.WithCancelCause(ctx)
	w := &fleetWatch{
		app: a, settings: s, fail: fail, source: group.SourceState{Source: group.SourceDescribe, Name: strings.Join(s.Brokers, ",")},
		states: map[string]*scene.GroupSummary{}, ends: map[string]context.CancelFunc{}, news: make(chan struct{}, 1),
	}
	var watchers sync.WaitGroup
	defer watchers.Wait()
	defer fail(nil)
	var last *scene.Fleet
	for ctx.Err() == nil {
		described := make(chan *scene.Fleet, 1)
		watchers.Add(1)
		go func(f *scene.Fleet) {
			defer watchers.Done()
			defer func() {
				if p := recover(); p != nil {
					fail(fmt.Errorf("a bug: %v\n%s", p, debug.Stack()))
				}
				described <- f
			}()
			f = w.describe(ctx, f, &watchers)
		}(last)
		for waits := true; waits; { // a broker that hangs stops no clock
			var tick <-chan time.Time
			if last != nil {
				tick = time.After(fleetNews)
			}
			select {
			case last = <-described:
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
	if outer.Err() != nil {
		return nil
	}
	return context.Cause(ctx)
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
func (w *fleetWatch) describe(ctx context.Context, last *scene.Fleet, watchers *sync.WaitGroup) *scene.Fleet {
	found, hidden, err := observe.Groups(ctx, w.settings.Client)
	f := &scene.Fleet{Now: w.app.now(), Brokers: strings.Join(w.settings.Brokers, ",")}
	if ctx.Err() != nil {
		return f
	}
	health, detail := group.HealthOK, ""
	if err != nil {
		health, detail = group.HealthUnreachable, w.settings.Explain(err).Error()
		if last != nil {
			f.Groups, f.NotShown = last.Groups, last.NotShown
		}
	} else {
		w.source.Heard = f.Now
		f.Groups, f.NotShown = summaries(found), notShown(hidden)
		w.watchFirst(ctx, f.Groups, watchers)
	}
	if health != w.source.Health {
		w.source.Since = f.Now
	}
	w.source.Health, w.source.Detail = health, detail
	f.Sources = []group.SourceState{w.source}
	return f
}

// watchFirst watches the first groups of a list sorted by name, and lets go of those that are in it no more.
func (w *fleetWatch) watchFirst(ctx context.Context, groups []scene.GroupSummary, watchers *sync.WaitGroup) {
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
		watchers.Add(1)
		w.watch(inner, name, watchers.Done)
	}
}

// watch observes one group. What keeps it from doing so is told by the group's own sources once it is opened: here it then
// stays as described.
func (w *fleetWatch) watch(ctx context.Context, name string, done func()) {
	go func() { // observe.Live turns panics of its own into errors
		defer done()
		o := w.app.observed(w.settings, name)
		o.REST, o.Since = nil, w.app.now().Add(-fleetSince)
		err := observe.Live(ctx, o, func(s *group.State) {
			if s.Round() == nil || s.Reading() != nil { // until then the description tells more
				return
			}
			s.Prepare()
			report := doctor.Examine(s, doctor.Options{})
			g := fleet.Watched(s, &report)
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
		var kind *observe.KindError // a name that another kind of group took over: it is listed no more
		if err != nil && ctx.Err() == nil && !errors.As(err, &kind) {
			w.fail(fmt.Errorf("group %s: %w", decode.Printable(name), err))
		}
	}()
}

// fill is a list with all that is known of the groups in it by now.
func (w *fleetWatch) fill(f *scene.Fleet) *scene.Fleet {
	out := *f
	out.Now, out.Groups = w.app.now(), slices.Clone(f.Groups)
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range out.Groups {
		if g := w.states[out.Groups[i].Group]; g != nil {
			out.Groups[i] = *g
		}
	}
	return &out
}

func summaries(found []observe.GroupSummary) []scene.GroupSummary {
	var out []scene.GroupSummary
	for _, g := range found {
		out = append(out, scene.GroupSummary{
			Group: g.Group, Phase: g.State, Verdict: verdictOf(g), Mode: g.Mode, Generation: -1,
			Workers: g.Workers, Connectors: g.Connectors, Tasks: g.Tasks,
		})
	}
	return out
}

func notShown(hidden []observe.NotShown) []scene.NotShown {
	var out []scene.NotShown
	for _, h := range hidden {
		out = append(out, scene.NotShown{Group: h.Group, Why: h.Why})
	}
	return out
}
