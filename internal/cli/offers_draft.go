package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"regroup/actions"
	"regroup/decode"
	"regroup/internal/rest"
	"regroup/tui"
)

// typingPause is how long fingers rest before a worker is asked what it makes of what was typed.
const typingPause = 300 * time.Millisecond

// createOffer creates a connector in a form.
func (k *groupActions) createOffer() tui.Offer {
	return k.byREST(tui.Offer{Word: "create a connector", About: "in a form that a worker checks as it is filled in", Draft: k.createDraft})
}

// createDraft is a new connector, of a plugin that the worker has that answers.
func (k *groupActions) createDraft(ctx context.Context) (*tui.Draft, error) {
	plugins, endpoint, err := k.herder.Plugins(ctx, true)
	if err != nil {
		return nil, err
	}
	d := k.draft(plugins, nil)
	if len(d.Plugins) == 0 {
		return nil, fmt.Errorf("%s has no connector plugins: they are looked for in its plugin.path", endpoint)
	}
	d.Title, d.Do, d.New = "create connector", "Create", true
	d.To = func(by actions.Endpoint, _ map[string]*string) string {
		return "POST " + strings.TrimRight(by.URL, "/") + "/connectors"
	}
	d.Ready = func(ctx context.Context, values map[string]*string) (*tui.Deed, error) {
		p, err := k.herder.Propose(ctx, specOfValues(values))
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
func (k *groupActions) configDraft(ctx context.Context, name string) (*tui.Draft, error) {
	was, err := k.herder.Fetch(ctx, name)
	if err != nil {
		return nil, err
	}
	secrets, err := k.herder.Secrets(ctx, was)
	if err != nil {
		return nil, err
	}
	plugins, _, err := k.herder.Plugins(ctx, true)
	if err != nil {
		return nil, err
	}
	d := k.draft(plugins, was)
	d.Title, d.Do, d.Fixed, d.Values = "configure "+name, "Apply", []string{"name"}, secrets.Masked(was)
	d.To = func(by actions.Endpoint, _ map[string]*string) string {
		return "PUT " + strings.TrimRight(by.URL, "/") + "/connectors/" + decode.Printable(name) + "/config"
	}
	d.Ready = func(ctx context.Context, values map[string]*string) (*tui.Deed, error) {
		p, err := k.herder.ProposeOver(ctx, actions.Spec{Name: name, Config: values}, was)
		if err != nil {
			return nil, err
		}
		return k.proposed(ctx, p)
	}
	return d, nil
}

// draft is what all drafts of connectors have; was is nil for a new one.
func (k *groupActions) draft(plugins []rest.Plugin, was rest.Config) *tui.Draft {
	d := &tui.Draft{Pause: typingPause}
	kinds := map[string][]string{}
	for _, p := range plugins {
		if kinds[p.Type] = append(kinds[p.Type], p.Class); p.Type == "sink" || p.Type == "source" {
			d.Plugins = append(d.Plugins, tui.Plugin{Class: p.Class, Kind: p.Type, Version: p.Version})
		}
	}
	d.Look = func(ctx context.Context, values map[string]*string) (*actions.Look, error) {
		l, err := k.herder.Look(ctx, values, was)
		if err == nil {
			offerClasses(l, kinds)
		}
		return l, err
	}
	d.Edit = func(values map[string]*string) tui.Editing { return k.editing(values, was) }
	d.Load = func(_ context.Context, path string) (map[string]*string, error) {
		specs, err := actions.ReadSpecs(strings.NewReader(""), path)
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
func offerClasses(l *actions.Look, kinds map[string][]string) {
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

func specOfValues(values map[string]*string) actions.Spec {
	s := actions.Spec{Config: values}
	if n := values["name"]; n != nil {
		s.Name = *n
	}
	return s
}

// firstWord is a command without its arguments.
func firstWord(s string) string {
	if f := strings.Fields(s); len(f) > 0 {
		return f[0]
	}
	return s
}

// properties are a connector's, for the screen to show: secrets masked, by name.
func (d *clusterActions) properties(ctx context.Context, group, connector string) ([]tui.Pair, error) {
	if d.noWay != nil { // what a worker answers is said as it answers
		return nil, d.noWay
	}
	h := d.of(group).herder
	c, err := h.Fetch(ctx, connector)
	if err != nil {
		return nil, err
	}
	secrets, err := h.Secrets(ctx, c)
	if err != nil {
		return nil, err
	}
	var out []tui.Pair
	for _, key := range slices.Sorted(maps.Keys(c)) {
		value := "null"
		if v := c[key]; v != nil {
			value = secrets.Show(key, *v)
		}
		out = append(out, tui.Pair{Key: key, Value: value})
	}
	return out, nil
}
