package actions

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"regroup/actions/act"
	"regroup/actions/connect"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/rest"
)

// connectorOffers are what can be done to a connector.
func (k *Group) connectorOffers(s *group.State, name string) []Offer {
	var c group.ConnectorConfig
	for _, o := range s.Configs() {
		if o.Name == name {
			c = o
		}
	}
	now := func(x act.Action) func(context.Context) (act.Action, error) {
		return func(context.Context) (act.Action, error) { return x, nil }
	}
	pause := k.plainly("pause", "its tasks stand still where they are; no round", now(k.Connect.Pausing(name)))
	resume := k.plainly("resume", "set it going", func(ctx context.Context) (act.Action, error) { return k.Connect.Resuming(ctx, name) })
	stop := k.plainly("stop", "take its tasks away; its configuration and offsets stay", func(context.Context) (act.Action, error) { return k.Connect.Stopping(name), nil })
	switch c.Target {
	case decode.TargetStarted:
		resume.DisabledReason = "it runs"
	case decode.TargetPaused:
		pause.DisabledReason = "it is paused"
	case decode.TargetStopped:
		stop.DisabledReason, pause.DisabledReason = "it is stopped", "it is stopped"
	}
	restart := func(word, about string, which connect.Which) Offer {
		return k.plainly(word, about, func(context.Context) (act.Action, error) { return k.Connect.Restarting(name, which) })
	}
	reset := k.plainly("reset offsets", "it forgets how far it has got", func(context.Context) (act.Action, error) { return k.Connect.Resetting(name) })
	if c.Target != decode.TargetStopped {
		reset.DisabledReason = notStopped
	}
	out := []Offer{
		k.scaleOffer(name, c.Tasks),
		{Label: "configure", About: "its properties, in a form", Form: func(ctx context.Context) (*ConnectorForm, error) { return k.configForm(ctx, name) }},
		{Label: "edit", About: "its properties, in " + k.Editor.Name(), Direct: true, Form: func(ctx context.Context) (*ConnectorForm, error) { return k.configForm(ctx, name) }},
		pause, resume, stop,
		restart("restart", "the connector and all its tasks; no round", "all"),
		restart("restart what failed", "of the connector and its tasks; no round", "failed"),
		{Label: "offsets", About: "how far it has got; they can be set while it is stopped", Form: func(ctx context.Context) (*ConnectorForm, error) { return k.offsetsForm(ctx, name, c.Target) }},
		reset,
		k.plainly("delete", "its tasks end and its configuration is lost", func(context.Context) (act.Action, error) { return k.Connect.Deleting(name), nil }),
	}
	for i := range out {
		out[i] = k.overREST(out[i])
	}
	return out
}

// scaleOffer sets tasks.max.
func (k *Group) scaleOffer(name string, tasks int) Offer {
	return Offer{
		Label: "scale", About: fmt.Sprintf("tasks.max: how many tasks it may make; %d now", tasks),
		Fields: []act.Field{{Key: "n", Label: "tasks.max", Value: strconv.Itoa(tasks), Need: true, Help: "1 or more", Check: atLeastOne}},
		Ready: func(ctx context.Context, given map[string]string) (*PreparedAction, error) {
			n, err := strconv.Atoi(given["n"])
			if err != nil {
				return nil, err
			}
			p, err := k.Connect.ProposeScale(ctx, name, n)
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

// proposed makes an action of a configuration that a worker has looked at.
func (k *Group) proposed(ctx context.Context, p *connect.Proposal) (*PreparedAction, error) {
	if p.Unchanged() {
		return nil, fmt.Errorf("%s: nothing changes: it is so already", decode.Printable(p.Name))
	}
	if err := p.Invalid(); err != nil {
		return nil, err
	}
	return k.ready(ctx, p.Action(), connect.DifferenceLines(p.Changes)...)
}

// typingPause is how long fingers rest before a worker is asked what it makes of what was typed.
const typingPause = 300 * time.Millisecond

// createOffer creates a connector in a form.
func (k *Group) createOffer() Offer {
	return k.overREST(Offer{Label: "create a connector", About: "in a form that a worker checks as it is filled in", Form: k.createForm})
}

// createDraft is a new connector, of a plugin that the worker has that answers.
func (k *Group) createForm(ctx context.Context) (*ConnectorForm, error) {
	plugins, endpoint, err := k.Connect.Plugins(ctx, true)
	if err != nil {
		return nil, err
	}
	d := k.form(plugins, nil)
	if len(d.Plugins) == 0 {
		return nil, fmt.Errorf("%s has no connector plugins: they are looked for in its plugin.path", endpoint)
	}
	d.Title, d.Button, d.New = "create connector", "Create", true
	d.To = func(by connect.Endpoint, _ map[string]*string) string {
		return "POST " + strings.TrimRight(by.URL, "/") + "/connectors"
	}
	d.Ready = func(ctx context.Context, values map[string]*string) (*PreparedAction, error) {
		p, err := k.Connect.Propose(ctx, specOfValues(values))
		if err != nil {
			return nil, err
		}
		if !p.New() {
			return nil, fmt.Errorf("connector %q: it is there already", decode.Printable(p.Name))
		}
		return k.proposed(ctx, p)
	}
	return d, nil
}

// configDraft is the configuration of a connector that is there.
func (k *Group) configForm(ctx context.Context, name string) (*ConnectorForm, error) {
	was, err := k.Connect.Fetch(ctx, name)
	if err != nil {
		return nil, err
	}
	secrets, err := k.Connect.Secrets(ctx, was)
	if err != nil {
		return nil, err
	}
	plugins, _, err := k.Connect.Plugins(ctx, true)
	if err != nil {
		return nil, err
	}
	d := k.form(plugins, was)
	d.Title, d.Button, d.Fixed, d.Values = "configure "+name, "Apply", []string{"name"}, secrets.Masked(was)
	d.To = func(by connect.Endpoint, _ map[string]*string) string {
		return "PUT " + strings.TrimRight(by.URL, "/") + "/connectors/" + decode.Printable(name) + "/config"
	}
	d.Ready = func(ctx context.Context, values map[string]*string) (*PreparedAction, error) {
		p, err := k.Connect.ProposeOver(ctx, connect.Spec{Name: name, Config: values}, was)
		if err != nil {
			return nil, err
		}
		return k.proposed(ctx, p)
	}
	return d, nil
}

// draft is what all drafts of connectors have; was is nil for a new one.
func (k *Group) form(plugins []rest.Plugin, was rest.Config) *ConnectorForm {
	d := &ConnectorForm{Pause: typingPause}
	kinds := map[string][]string{}
	for _, p := range plugins {
		if kinds[p.Type] = append(kinds[p.Type], p.Class); p.Type == "sink" || p.Type == "source" {
			d.Plugins = append(d.Plugins, Plugin{Class: p.Class, Kind: p.Type, Version: p.Version})
		}
	}
	d.Inspect = func(ctx context.Context, values map[string]*string) (*connect.Inspection, error) {
		l, err := k.Connect.Inspect(ctx, values, was)
		if err == nil {
			offerClasses(l, kinds)
		}
		return l, err
	}
	d.Edit = func(values map[string]*string) Editing { return k.editing(values, was) }
	d.Load = func(_ context.Context, path string) (map[string]*string, error) {
		specs, err := connect.ReadSpecs(strings.NewReader(""), path)
		switch {
		case err != nil:
			return nil, err
		case len(specs) != 1:
			return nil, fmt.Errorf("%s: %d connectors are in it; regroup connector apply takes several", path, len(specs))
		}
		out := maps.Clone(specs[0].Config)
		if name := specs[0].Name; name != "" {
			out["name"] = &name
		}
		return out, nil
	}
	return d
}

// offerClasses names the plugins that a worker has where it names none itself: an older one does not say what converters fit.
func offerClasses(l *connect.Inspection, kinds map[string][]string) {
	for i := range l.Settings {
		s := &l.Settings[i]
		if len(s.Choices) > 0 {
			continue
		}
		switch {
		case s.Key == "key.converter" || s.Key == "value.converter":
			s.Choices = kinds["converter"]
		case s.Key == "header.converter":
			s.Choices = kinds["header_converter"]
		case strings.HasPrefix(s.Key, "transforms.") && strings.HasSuffix(s.Key, ".type"):
			s.Choices = kinds["transformation"]
		case strings.HasPrefix(s.Key, "predicates.") && strings.HasSuffix(s.Key, ".type"):
			s.Choices = kinds["predicate"]
		}
	}
}

func specOfValues(values map[string]*string) connect.Spec {
	s := connect.Spec{Config: values}
	if n := values["name"]; n != nil {
		s.Name = *n
	}
	return s
}

// notStopped is why a connector's offsets cannot be touched.
const notStopped = "only while it is stopped"

// offsetsDraft is how far a connector has got, a partition a line.
func (k *Group) offsetsForm(ctx context.Context, name, target string) (*ConnectorForm, error) {
	offsets, endpoint, err := k.Connect.Offsets(ctx, name)
	if err != nil {
		return nil, err
	}
	was := map[string]*string{}
	for _, o := range offsets {
		value := oneLine(o.Offset)
		was[oneLine(o.Partition)] = &value
	}
	d := &ConnectorForm{Title: "offsets of " + name, Button: "Alter", Plain: true, Values: was}
	if target != decode.TargetStopped {
		d.DisabledReason = notStopped
	}
	d.To = func(by connect.Endpoint, _ map[string]*string) string {
		return "PATCH " + strings.TrimRight(by.URL, "/") + "/connectors/" + decode.Printable(name) + "/offsets"
	}
	d.Inspect = func(_ context.Context, values map[string]*string) (*connect.Inspection, error) {
		l := &connect.Inspection{Endpoint: endpoint, Class: "Partitions", Changes: connect.Changes(was, values, connect.Secrets{})}
		keys := maps.Clone(was)
		maps.Copy(keys, values)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			s := connect.Setting{
				Key: key, Type: "JSON object", Default: was[key],
				Doc: "How far " + name + " has got in this partition, as it writes that itself. Left empty, the partition is forgotten: it begins there anew.",
			}
			if v := values[key]; v != nil && !isObject(*v) {
				s.Faults = append(s.Faults, "an offset is a JSON object, as {\"kafka_offset\":0}")
			}
			if !isObject(key) {
				s.Faults = append(s.Faults, "a partition is a JSON object, as {\"kafka_topic\":\"t\",\"kafka_partition\":0}")
			}
			l.Settings = append(l.Settings, s)
		}
		return l, nil
	}
	d.Ready = func(ctx context.Context, values map[string]*string) (*PreparedAction, error) {
		var to []rest.Offset
		changes := connect.Changes(was, values, connect.Secrets{})
		for _, c := range changes {
			o := rest.Offset{Partition: json.RawMessage(c.Key), Offset: json.RawMessage("null")}
			if c.Now != nil {
				o.Offset = json.RawMessage(*c.Now)
			}
			to = append(to, o)
		}
		x, err := k.Connect.Altering(name, to)
		if err != nil {
			return nil, err
		}
		return k.ready(ctx, x, connect.DifferenceLines(changes)...)
	}
	return d, nil
}

func oneLine(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

func isObject(s string) bool {
	var m map[string]any
	return json.Unmarshal([]byte(s), &m) == nil && m != nil
}
