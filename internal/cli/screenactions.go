package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/conn"
	"regroup/internal/lab"
	"regroup/internal/observe"
	"regroup/internal/rest"
	"regroup/tui"
)

// clusterActions are what the screen may do on one cluster: a groupActions for each group that was opened.
type clusterActions struct {
	*app
	settings conn.Settings
	guard    actions.Guard
	dial     observe.Dial
	way      restWay
	noWay    error // why no worker can be asked over REST
	lab      *lab.Lab
	shield   *shield // while an editor has the terminal
	realWork bool    // --i-know-it-holds-real-work is given

	mu     sync.Mutex
	all    map[string]*groupActions
	broken []*actions.Report // exercises that were broken off
	kept   []error           // what became of a text that was in an editor when the program was told to end
}

// groupActions are what the screen may do to one group.
type groupActions struct {
	*clusterActions
	watch   *actions.Watch
	group   string
	done    chan group.Action
	workers *actions.Workers
	herder  *actions.Herder
}

// clusterActions are those of the settings' cluster.
func (a *app) clusterActions(s conn.Settings) *clusterActions {
	d := &clusterActions{app: a, settings: s, guard: a.guard(s, actionFlags{}), dial: s.Client, all: map[string]*groupActions{}}
	d.guard.Interactive, d.guard.Yes = true, false // a dialog asks
	d.way, d.noWay = a.restWay(s)
	return d
}

// demoActions are those of the demo: what is done there, is done to simulated workers.
func (a *app) demoActions(l *lab.Lab) *clusterActions {
	d := &clusterActions{app: a, guard: actions.Guard{Interactive: true}, dial: l.Dial, lab: l, all: map[string]*groupActions{}}
	if a.flags.readOnly {
		d.guard.ReadOnly = "--read-only is given"
	}
	d.way = restWay{client: rest.Client{HTTP: l.HTTP()}, at: func(advertised string) string { return advertised }}
	return d
}

// of gives a group its actions, always the same ones.
func (d *clusterActions) of(name string) *groupActions {
	d.mu.Lock()
	defer d.mu.Unlock()
	k := d.all[name]
	if k == nil {
		k = d.newGroup(name)
		d.all[name] = k
	}
	return k
}

func (d *clusterActions) newGroup(name string) *groupActions {
	k := &groupActions{clusterActions: d, group: name, watch: actions.NewWatch(), done: make(chan group.Action, 16)}
	var reachers []actions.Reacher
	if d.lab != nil {
		reachers = []actions.Reacher{d.lab.Reacher()}
	} else {
		reachers = d.reachers(d.settings, d.way)
	}
	k.workers = &actions.Workers{Group: name, Dial: d.dial, Watch: k.watch, Reachers: reachers, AtOnce: k.lab != nil}
	k.herder = &actions.Herder{Group: name, Client: d.way.client, Watch: k.watch, Reach: d.way.at, Extra: d.way.urls}
	return k
}

// actor does one action. What is done to the demo, which is nobody's, leaves no line behind.
func (k *groupActions) actor(tell func(string)) *actions.Actor {
	out := &actions.Actor{Group: k.group, Who: actions.Who(), Guard: k.guard, Tell: tell, Emit: func(f group.Action) {
		select {
		case k.done <- f:
		default: // it is on record all the same
		}
	}}
	if k.lab == nil {
		out.Audit = actions.NewAudit(actions.AuditFile(k.getenv))
	}
	return out
}

// observed lets a group's observation know what is done from here.
func (d *clusterActions) observed(o observe.Options) observe.Options {
	o.Done = d.of(o.Group).done
	return o
}

// fed keeps a group's actions up to date with what is published of it.
func (d *clusterActions) fed(name string, publish func(*group.State)) func(*group.State) {
	k := d.of(name)
	return func(s *group.State) {
		k.watch.Publish(s)
		publish(s)
	}
}

// settleLimit bounds how long the screen waits for what comes of an action: longer than Connect's default delay.
const settleLimit = 10 * time.Minute

// ready makes a deed of an action: foreseen, with what has to be asked.
func (k *groupActions) ready(ctx context.Context, x actions.Action, lines ...string) (*tui.Deed, error) {
	d := &tui.Deed{Action: x, Lines: lines, Question: k.guard.Question(x)}
	before := k.watch.State()
	if x.Change != nil {
		ctx, end := context.WithTimeout(ctx, probeTime)
		defer end()
		var err error
		if d.Preview, err = k.workers.Foresee(ctx, before, x.Change); err != nil {
			d.Unseen = "what follows cannot be foreseen: " + err.Error()
		}
	}
	from := actions.Newest(before)
	seen := actions.Seen(before, x)
	d.Do = func(ctx context.Context, typed string, tell func(string)) (string, error) {
		consent, err := k.guard.Consent(x, true, typed)
		if err != nil {
			return "", err
		}
		now := k.watch.State()
		if x.Change != nil && actions.Newest(now) != from { // what was agreed to was foreseen from another round
			return "", errors.New("not done: a round came since it was foreseen; look at it anew")
		}
		return k.actor(tell).Do(ctx, x, consent)
	}
	d.Follow = func(ctx context.Context) (tui.Came, error) { return k.follow(ctx, d.Preview, seen, before) }
	return d, nil
}

// follow waits for what comes of an action, holds it against what was foreseen, and looks which units failed.
func (k *groupActions) follow(ctx context.Context, p *actions.Preview, seen func(*group.State) string, before *group.State) (tui.Came, error) {
	st, err := k.watch.Settled(ctx, settleLimit, seen)
	var late *actions.Late
	came := tui.Came{}
	if errors.As(err, &late) {
		came.Unsettled = late.Now
	} else if err != nil {
		return came, err
	}
	came.Rounds = actions.Since(st, actions.Newest(before))
	for _, u := range actions.Broke(before, st) {
		came.Failed = append(came.Failed, u.Unit)
	}
	if p != nil && came.Unsettled == "" {
		came.Outcome, came.Differences = p.Compare(came.Rounds)
	}
	return came, nil
}
