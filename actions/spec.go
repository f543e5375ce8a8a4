package actions

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"regroup/decode"
	"regroup/internal/rest"
)

// Spec is a connector as somebody wants it.
type Spec struct {
	Name    string
	Config  rest.Config
	Initial rest.Initial // only where it is created
	From    string       // the file that it is written in; "" for none
}

// keyName, keyClass and keyTasks are properties that every connector has.
const (
	keyName  = "name"
	keyClass = "connector.class"
	keyTasks = "tasks.max"
)

// complete checks a Spec, and gives its configuration the connector's name, as a worker does.
func (s Spec) complete() (Spec, error) {
	if s.Name == "" {
		return s, errors.New("a connector without a name: give it one, or a property " + keyName)
	}
	if in := s.Config[keyName]; in != nil && *in != s.Name {
		return s, fmt.Errorf("connector %q: its property %s says %q; a connector cannot be renamed: create another one",
			decode.Printable(s.Name), keyName, decode.Printable(*in))
	}
	if s.Config[keyClass] == nil || *s.Config[keyClass] == "" {
		return s, fmt.Errorf("connector %q: it has no %s; see: regroup connector plugins", decode.Printable(s.Name), keyClass)
	}
	s.Config = maps.Clone(s.Config)
	s.Config[keyName] = &s.Name
	return s, nil
}

// unmask puts what a mask stands for back in its place. A mask that stands for nothing is refused: it must never be written.
func unmask(wanted, was rest.Config) (rest.Config, error) {
	out := make(rest.Config, len(wanted))
	for _, k := range slices.Sorted(maps.Keys(wanted)) {
		v := wanted[k]
		if v != nil && *v == Mask {
			old, there := was[k]
			if !there || old == nil {
				return nil, fmt.Errorf("%s: %s stands for a secret that is hidden, and there is none to keep; write the value itself, or where a config provider finds it: ${file:…}",
					decode.Printable(k), Mask)
			}
			v = old
		}
		out[k] = v
	}
	return out, nil
}

// Property is one property that a new configuration changes.
type Property struct {
	Key      string
	Was, Now *string // nil: not there, or null
	Had, Has bool    // it was there, it is there
	Secret   bool    // neither may be shown
}

// Changes lists what differs between two configurations, by name.
func Changes(was, now rest.Config, secrets Secrets) []Property {
	keys := map[string]bool{}
	for k := range was {
		keys[k] = true
	}
	for k := range now {
		keys[k] = true
	}
	var out []Property
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		p := Property{Key: k}
		p.Was, p.Had = was[k]
		p.Now, p.Has = now[k]
		if p.Had == p.Has && equal(p.Was, p.Now) {
			continue
		}
		for _, v := range []*string{p.Was, p.Now} {
			p.Secret = p.Secret || v != nil && secrets.Secret(k, *v)
		}
		out = append(out, p)
	}
	return out
}

func equal(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// same says whether two configurations are byte for byte the same.
func same(a, b rest.Config) bool {
	return maps.EqualFunc(a, b, equal)
}
