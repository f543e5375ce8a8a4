package actions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group/assign"
)

// Ghost is this program as a worker of the group: it joins, is given units and runs none of them. When it leads, it decides
// as Connect's own leader does.
type Ghost struct {
	Client   string // client id; "" is "ghost"
	Protocol string // connect.protocol: sessioned (""), compatible or eager
	// Listen is the address of its REST interface, which says what it is and refuses the rest; "" is a free port of
	// 127.0.0.1. Workers look for the leader there.
	Listen string
	URL    string        // as advertised, where somebody else serves it; "": the ghost's own
	For    time.Duration // it leaves after that long; 0: when ctx ends

	// RealWork: whoever calls knows that real work will stand still while a ghost holds it.
	RealWork bool
	// Demo: the group's work is not real.
	Demo bool

	Session   time.Duration // session.timeout.ms; 0: 10 s
	Heartbeat time.Duration // heartbeat.interval.ms; 0: 3 s
}

func (g *Ghost) fill() error {
	g.Client, g.Protocol = cmp.Or(g.Client, "ghost"), cmp.Or(g.Protocol, "sessioned")
	if decode.Offers(g.Protocol) == nil {
		return fmt.Errorf("ghost: no protocol %q: sessioned, compatible or eager", g.Protocol)
	}
	if g.Session == 0 {
		g.Session = 10 * time.Second
	}
	if g.Heartbeat == 0 {
		g.Heartbeat = 3 * time.Second
	}
	return nil
}

// Ghost joins the group until it is told to leave; it leaves on every way out.
func (k *Workers) Ghost(g Ghost) (Action, error) {
	if err := g.fill(); err != nil {
		return Action{}, err
	}
	x := Action{
		Verb: "ghost", Target: g.Client, Destructive: true, Change: foresight.Visit{Client: g.Client, Eager: g.Protocol == "eager", For: g.For, Idle: true},
		Harm: "regroup joins the group as a worker: units that it is given stand still until it has left",
	}
	if g.Protocol == "eager" {
		x.Harm += ", and the whole group goes to eager"
	}
	if !g.Demo && !g.RealWork {
		return x, &Refused{
			Action: x.String(),
			Why:    "a ghost holds units and runs none, so real work would stand still: give --i-know-it-holds-real-work where that is wanted",
		}
	}
	x.Do = func(ctx context.Context, tell func(string)) (string, error) {
		return k.runGhost(ctx, g, tell)
	}
	return x, nil
}

// runGhost joins, holds what it is given, and leaves. That ctx ends is how it is told to leave, and no error.
func (k *Workers) runGhost(ctx context.Context, opt Ghost, tell func(string)) (answer string, err error) {
	if opt.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, opt.For)
		defer cancel()
	}
	if opt.URL == "" {
		rest, err := serveGhost(opt.Listen, opt.Client)
		if err != nil {
			return "", err
		}
		defer rest.close()
		opt.URL = rest.url
	}
	cl, err := k.Dial(kgo.ClientID(opt.Client))
	if err != nil {
		return "", err
	}
	defer cl.Close()
	m := &ghost{opt: opt, group: k.Group, url: opt.URL, cl: cl, watch: k.Watch, tell: tell, completed: -1, rejoin: true}
	if s := k.Watch.State(); s != nil {
		m.mind = assign.New(assign.Released, int32(k.maxDelay(ctx, s).Milliseconds()))
	} else {
		m.mind = assign.New(assign.Released, foresight.AssumedDelay)
	}
	defer func() {
		r := recover()
		if r != nil {
			err = fmt.Errorf("ghost: panic: %v\n%s", r, debug.Stack())
		}
		// Also when ctx has ended: a member that does not say goodbye is waited for.
		bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
		defer cancel()
		err = errors.Join(err, m.leave(bye))
	}()
	if err := m.run(ctx); err != nil {
		return "", err
	}
	return fmt.Sprintf("left after %s, %d of them led; it held %s at most", foresight.Several(m.rounds, "round"), m.led, foresight.Units(m.most)), nil
}
