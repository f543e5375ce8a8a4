package cli

import (
	"context"
	"fmt"
	"strconv"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
	"regroup/tui"
)

// connectorOffers are what can be done to a connector.
func (k *groupActions) connectorOffers(s *group.State, name string) []tui.Offer {
	var c group.ConnectorConfig
	for _, o := range s.Configs() {
		if o.Name == name {
			c = o
		}
	}
	now := func(x actions.Action) func(context.Context) (actions.Action, error) {
		return func(context.Context) (actions.Action, error) { return x, nil }
	}
	pause := k.plainly("pause", "its tasks stand still where they are; no round", now(k.herder.Pausing(name)))
	resume := k.plainly("resume", "set it going", func(ctx context.Context) (actions.Action, error) { return k.herder.Resuming(ctx, name) })
	stop := k.plainly("stop", "take its tasks away; its configuration and offsets stay", func(context.Context) (actions.Action, error) { return k.herder.Stopping(name), nil })
	switch c.Target {
	case decode.TargetStarted:
		resume.Off = "it runs"
	case decode.TargetPaused:
		pause.Off = "it is paused"
	case decode.TargetStopped:
		stop.Off, pause.Off = "it is stopped", "it is stopped"
	}
	restart := func(word, about string, which actions.Which) tui.Offer {
		return k.plainly(word, about, func(context.Context) (actions.Action, error) { return k.herder.Restarting(name, which) })
	}
	reset := k.plainly("reset offsets", "it forgets how far it has got", func(context.Context) (actions.Action, error) { return k.herder.Resetting(name) })
	if c.Target != decode.TargetStopped {
		reset.Off = notStopped
	}
	out := []tui.Offer{
		k.scaleOffer(name, c.Tasks),
		{Word: "configure", About: "its properties, in a form", Draft: func(ctx context.Context) (*tui.Draft, error) { return k.configDraft(ctx, name) }},
		{Word: "edit", About: "its properties, in " + firstWord(k.editor()), Direct: true, Draft: func(ctx context.Context) (*tui.Draft, error) { return k.configDraft(ctx, name) }},
		pause, resume, stop,
		restart("restart", "the connector and all its tasks; no round", "all"),
		restart("restart what failed", "of the connector and its tasks; no round", "failed"),
		{Word: "offsets", About: "how far it has got; they can be set while it is stopped", Draft: func(ctx context.Context) (*tui.Draft, error) { return k.offsetsDraft(ctx, name, c.Target) }},
		reset,
		k.plainly("delete", "its tasks end and its configuration is lost", func(context.Context) (actions.Action, error) { return k.herder.Deleting(name), nil }),
	}
	for i := range out {
		out[i] = k.byREST(out[i])
	}
	return out
}

// scaleOffer sets tasks.max.
func (k *groupActions) scaleOffer(name string, tasks int) tui.Offer {
	return tui.Offer{
		Word: "scale", About: fmt.Sprintf("tasks.max: how many tasks it may make; %d now", tasks),
		Fields: []tui.Field{{Key: "n", Label: "tasks.max", Value: strconv.Itoa(tasks), Need: true, Help: "1 or more", Check: atLeastOne}},
		Ready: func(ctx context.Context, given map[string]string) (*tui.Deed, error) {
			n, err := strconv.Atoi(given["n"])
			if err != nil {
				return nil, err
			}
			p, err := k.herder.ProposeScale(ctx, name, n)
			if err != nil {
				return nil, err
			}
			return k.proposed(ctx, p)
		},
	}
}

func atLeastOne(v string) string {
	if n, err := strconv.Atoi(v); err != nil || n < 1 {
		return "not a number of tasks: 1 or more"
	}
	return ""
}

// proposed makes a deed of a configuration that a worker has looked at.
func (k *groupActions) proposed(ctx context.Context, p *actions.Proposal) (*tui.Deed, error) {
	if p.Unchanged() {
		return nil, fmt.Errorf("%s: nothing changes: it is so already", decode.Printable(p.Name))
	}
	if err := p.Invalid(); err != nil {
		return nil, err
	}
	return k.ready(ctx, p.Action(), differenceText(p.Changes)...)
}
