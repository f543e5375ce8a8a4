package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
	"regroup/tui"
)

// connectorOffers are what can be done to a connector.
func (k *desk) connectorOffers(s *group.State, name string) []tui.Offer {
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
	out := []tui.Offer{
		k.scaleOffer(name, c.Tasks), pause, resume, stop,
		restart("restart", "the connector and all its tasks; no round", "all"),
		restart("restart what failed", "of the connector and its tasks; no round", "failed"),
		k.plainly("delete", "its tasks end and its configuration is lost", func(context.Context) (actions.Action, error) { return k.herder.Deleting(name), nil }),
	}
	for i := range out {
		out[i] = k.byREST(out[i])
	}
	return out
}

// scaleOffer sets tasks.max.
func (k *desk) scaleOffer(name string, tasks int) tui.Offer {
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
			return k.proposed(p)
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
func (k *desk) proposed(p *actions.Proposal) (*tui.Deed, error) {
	if p.Unchanged() {
		return nil, fmt.Errorf("%s: nothing changes: it is so already", decode.Printable(p.Name))
	}
	if err := p.Invalid(); err != nil {
		return nil, err
	}
	return k.ready(p.Action(), differenceText(p.Changes)...)
}

// createOffer creates a connector of what is told: the plugin's further properties as KEY=VALUE.
func (k *desk) createOffer() tui.Offer {
	classes := k.classes()
	return k.byREST(tui.Offer{
		Word: "create a connector", About: "a worker checks it before it is created",
		Fields: []tui.Field{
			{Key: "name", Label: "name", Need: true, Help: "what it is called; it cannot be renamed"},
			{Key: "connector.class", Label: "connector.class", Need: true, Value: classes[0], Choices: classes, Help: "the plugin: its class, or its short name"},
			{Key: "tasks.max", Label: "tasks.max", Need: true, Value: "1", Help: "how many tasks it may make, 1 or more", Check: atLeastOne},
			{Key: "topics", Label: "topics", Help: "of a sink: what it reads, with commas between"},
			{Key: "more", Label: "more", Help: "further properties: KEY=VALUE, with spaces between", Check: func(v string) string {
				if _, err := assignments(strings.Fields(v), false); err != nil {
					return err.Error()
				}
				return ""
			}},
		},
		Ready: func(ctx context.Context, given map[string]string) (*tui.Deed, error) {
			config, err := assignments(strings.Fields(given["more"]), false)
			if err != nil {
				return nil, err
			}
			for _, key := range []string{"connector.class", "tasks.max", "topics"} {
				if v := given[key]; v != "" {
					config[key] = &v
				}
			}
			p, err := k.herder.Propose(ctx, actions.Spec{Name: given["name"], Config: config})
			if err != nil {
				return nil, err
			}
			if !p.New() {
				return nil, fmt.Errorf("connector %q: it is there already", decode.Printable(given["name"]))
			}
			return k.proposed(p)
		},
	})
}

// classes are those of the connectors that are there, for they work here; else the one that comes with Kafka.
func (k *desk) classes() []string {
	var out []string
	if s := k.watch.State(); s != nil {
		for _, c := range s.Configs() {
			if c.Live && c.Class != "" && !slices.Contains(out, c.Class) {
				out = append(out, c.Class)
			}
		}
	}
	if len(out) == 0 {
		return []string{"FileStreamSink"}
	}
	return out
}
