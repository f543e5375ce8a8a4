package connect

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/internal/rest"
)

// Setting is one property of a configuration that is being written: what its plugin says of it, and a worker of its value.
type Setting struct {
	Key        string
	Type       string // as Connect names it: INT, LIST, PASSWORD; "": nothing is known of it
	Group      string // the heading that it stands under
	Doc        string
	Importance string  // high, medium, low
	Required   bool    // it must be given: nothing stands in for it
	Default    *string // what holds where nothing is given; nil: nothing
	Choices    []string
	Faults     []string
	Hidden     bool // the plugin says that it does not apply, as the others stand
	Secret     bool
}

// Inspection is what a worker says of a configuration that is being written, and what it would mean to write it.
type Inspection struct {
	Endpoint Endpoint // who looked
	Class    string
	Settings []Setting          // by group, in the plugin's order
	Changes  []Property         // what it differs in from what is there
	Preview  *foresight.Preview // nil: not foreseen; Unseen says why
	Unseen   string
}

// Faulty counts what the worker finds wrong.
func (l *Inspection) Faulty() int {
	n := 0
	for i := range l.Settings {
		if len(l.Settings[i].Faults) > 0 {
			n++
		}
	}
	return n
}

// Inspect asks a worker what it makes of a configuration that need not be complete: was is what the connector has, nil for a new
// one. Masks stand for what is there. Nothing is written.
func (k *Client) Inspect(ctx context.Context, config, was rest.Config) (*Inspection, error) {
	config, masks := maps.Clone(config), map[string]string{}
	for key, v := range config {
		one, err := unmask(rest.Config{key: v}, was)
		if err != nil {
			masks[key] = strings.TrimPrefix(err.Error(), decode.Printable(key)+": ")
			delete(config, key)
			continue
		}
		config[key] = one[key]
	}
	v, endpoint, err := k.Check(ctx, config)
	if err != nil {
		return nil, Secrets{}.HideIn(err, config, was)
	}
	out := &Inspection{Endpoint: endpoint, Class: v.Name, Settings: settingsOf(v, config)}
	for i := range out.Settings {
		if why, ok := masks[out.Settings[i].Key]; ok {
			out.Settings[i].Faults = []string{why}
			delete(masks, out.Settings[i].Key)
		}
	}
	for key, why := range masks {
		out.Settings = append(out.Settings, Setting{Key: key, Secret: true, Faults: []string{why}})
	}
	out.Changes = Changes(was, config, secretsIn(v))
	k.lookAhead(out, config, was)
	return out, nil
}

// lookAhead foresees what follows from a configuration, where it has a name.
func (k *Client) lookAhead(l *Inspection, config, was rest.Config) {
	s := k.state()
	name := config[keyName]
	if s == nil || name == nil || *name == "" {
		return
	}
	var change foresight.Change
	switch {
	case was == nil:
		change = foresight.Create{Connector: *name, Tasks: tasksMax(config)}
	case len(l.Changes) > 0:
		change = reconfiguring(s, *name, was, config)
	default:
		return
	}
	var err error
	if l.Preview, err = foresight.Foresee(s, change); err != nil {
		l.Unseen = err.Error()
	}
}

func secretsIn(v rest.Validation) Secrets {
	defs := make([]rest.Definition, len(v.Configs))
	for i := range v.Configs {
		defs[i] = v.Configs[i].Definition
	}
	return secretsOf(defs)
}

// settingsOf puts a worker's answer into the order in which it is read: its groups as it names them, in each the plugin's own
// order, and at the end what belongs to no group.
func settingsOf(v rest.Validation, config rest.Config) []Setting {
	secrets := secretsIn(v)
	var out []Setting
	order := map[string]int{}
	for i := range v.Configs {
		d, value := &v.Configs[i].Definition, &v.Configs[i].Value
		s := Setting{
			Key: d.Name, Type: d.Type, Group: d.Group, Doc: d.Documentation, Importance: strings.ToLower(d.Importance),
			Required: d.Required, Default: d.Default, Choices: value.Recommended, Hidden: !value.Visible,
		}
		if s.Key == "" {
			s.Key = value.Name
		}
		order[s.Key] = d.Order
		given := config[s.Key]
		if given == nil && value.Value != nil && *value.Value != "" {
			// The worker fills it in: a converter's own settings are "required", and never asked for.
			s.Required = false
			if s.Default == nil {
				s.Default = value.Value
			}
		}
		if s.Default != nil && *s.Default == "" {
			s.Default = nil
		}
		if s.Type == "BOOLEAN" && len(s.Choices) == 0 {
			s.Choices = []string{"true", "false"}
		}
		if given != nil {
			s.Secret = secrets.Secret(s.Key, *given)
		}
		s.Secret = s.Secret || s.Type == rest.Password
		for _, e := range value.Errors {
			s.Faults = append(s.Faults, secrets.Hide(e, config))
		}
		out = append(out, s)
	}
	place := func(s *Setting) int {
		if i := slices.Index(v.Groups, s.Group); i >= 0 && s.Group != "" {
			return i
		}
		return len(v.Groups)
	}
	turn := func(key string) int {
		if n := order[key]; n > 0 {
			return n
		}
		return math.MaxInt // it has none
	}
	slices.SortStableFunc(out, func(a, b Setting) int {
		return cmp.Or(cmp.Compare(place(&a), place(&b)), cmp.Compare(turn(a.Key), turn(b.Key)))
	})
	return out
}
