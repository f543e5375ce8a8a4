package connect

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"regroup/decode"
	"regroup/internal/rest"
)

// ask sends a call that changes nothing, and that a worker answers soon.
func ask[T any](ctx context.Context, k *Client, what string, get func(ctx context.Context, base string) (T, error)) (out T, endpoint Endpoint, err error) {
	return inquire(ctx, k, call{what: what, looks: true}, get)
}

// inquire sends a call that changes nothing.
func inquire[T any](ctx context.Context, k *Client, c call, get func(ctx context.Context, base string) (T, error)) (out T, endpoint Endpoint, err error) {
	tell := k.Tell
	if tell == nil {
		tell = func(string) {}
	}
	c.do = func(ctx context.Context, base string) error {
		var err error
		out, err = get(ctx, base)
		return err
	}
	endpoint, err = k.send(ctx, tell, c)
	return out, endpoint, err
}

// NoConnectorError is the error of a connector that is not there.
type NoConnectorError struct {
	Group, Name string
	Err         error
}

func (n *NoConnectorError) Error() string {
	return fmt.Sprintf("connector %q: there is none in group %s; regroup connector list has those that there are", decode.Printable(n.Name), decode.Printable(n.Group))
}

func (n *NoConnectorError) Unwrap() error { return n.Err }

// NoTaskError is the error of a task that a connector does not have.
type NoTaskError struct {
	Target string // "sink-a task 99"
	Err    error
}

func (n *NoTaskError) Error() string {
	return fmt.Sprintf("%s: there is no such task: %v", show(n.Target), n.Err)
}

func (n *NoTaskError) Unwrap() error { return n.Err }

// UnaddressableError is the error of a name that no worker of the group can be asked about.
type UnaddressableError struct {
	Name string
	Err  error
}

func (n *UnaddressableError) Error() string {
	return fmt.Sprintf("connector %q: no worker can be asked about it: from Connect 4 on their web server takes no slash and no percent sign in a name, "+
		"however it is escaped; up to 3.9 it does. One that is there already is only listed: nobody can change or delete it by REST", decode.Printable(n.Name))
}

func (n *UnaddressableError) Unwrap() error { return n.Err }

// named gives an answer about a connector that is not there, or whose name is in the way, its own error.
func (k *Client) named(name string, err error) error {
	switch rest.TroubleOf(err) {
	case rest.NotFound:
		return &NoConnectorError{k.Group, name, err}
	case rest.Name:
		return &UnaddressableError{name, err}
	}
	return err
}

// Fetch reads a connector's configuration.
func (k *Client) Fetch(ctx context.Context, name string) (rest.Config, error) {
	c, _, err := ask(ctx, k, "read "+show(name), func(ctx context.Context, base string) (rest.Config, error) {
		return k.Client.Config(ctx, base, name)
	})
	if rest.TroubleOf(err) == rest.Name {
		var e rest.Expanded
		if e, _, err = k.among(ctx, name, err); err == nil {
			c = e.Info.Config
		}
	}
	return c, k.named(name, err)
}

// Connector reads a connector with its tasks.
func (k *Client) Connector(ctx context.Context, name string) (rest.Connector, Endpoint, error) {
	c, endpoint, err := ask(ctx, k, "read "+show(name), func(ctx context.Context, base string) (rest.Connector, error) {
		return k.Client.Connector(ctx, base, name)
	})
	if rest.TroubleOf(err) == rest.Name {
		var e rest.Expanded
		if e, endpoint, err = k.among(ctx, name, err); err == nil {
			c = *e.Info
		}
	}
	return c, endpoint, k.named(name, err)
}

// among finds in the list of all a connector that cannot be asked about by its name; why is the answer to that.
func (k *Client) among(ctx context.Context, name string, why error) (rest.Expanded, Endpoint, error) {
	all, endpoint, err := k.All(ctx)
	if e, ok := all[name]; err == nil && ok && e.Info != nil {
		return e, endpoint, nil
	}
	return rest.Expanded{}, endpoint, errors.Join(err, why)
}

// Status reads how a connector does; the zero Status where it has none yet.
func (k *Client) Status(ctx context.Context, name string) (rest.Status, error) {
	s, _, err := ask(ctx, k, "status of "+show(name), func(ctx context.Context, base string) (rest.Status, error) {
		return k.Client.Status(ctx, base, name)
	})
	switch rest.TroubleOf(err) {
	case rest.NotFound:
		return rest.Status{}, nil
	case rest.Name:
		e, _, err := k.among(ctx, name, err)
		if err != nil || e.Status == nil {
			return rest.Status{}, k.named(name, err)
		}
		return *e.Status, nil
	}
	return s, err
}

// All reads all connectors, in one call.
func (k *Client) All(ctx context.Context) (map[string]rest.Expanded, Endpoint, error) {
	return ask(ctx, k, "read connectors", k.Client.Expanded)
}

// Plugins lists the plugins of the worker that answers; connectors alone, or all kinds.
func (k *Client) Plugins(ctx context.Context, all bool) ([]rest.Plugin, Endpoint, error) {
	if all {
		return ask(ctx, k, "read plugins", k.Client.AllPlugins)
	}
	return ask(ctx, k, "read plugins", k.Client.Plugins)
}

// Properties lists what a plugin can be told.
func (k *Client) Properties(ctx context.Context, class string) ([]rest.Definition, error) {
	d, endpoint, err := ask(ctx, k, "read plugin "+show(class), func(ctx context.Context, base string) ([]rest.Definition, error) {
		return k.Client.PluginConfig(ctx, base, class)
	})
	if rest.TroubleOf(err) == rest.NotFound {
		return nil, fmt.Errorf("plugin %q: %s has none of that name; see: regroup connector plugins: %w", decode.Printable(class), endpoint, err)
	}
	return d, err
}

// Secrets says which values of a configuration are secret. A worker that cannot say what the plugin declares (too old, or
// without that plugin) leaves it to their names.
func (k *Client) Secrets(ctx context.Context, c rest.Config) (Secrets, error) {
	class := c[keyClass]
	if class == nil || *class == "" {
		return Secrets{}, nil
	}
	defs, err := k.Properties(ctx, *class)
	var answered *rest.Error
	var old *rest.TooOldError
	if errors.As(err, &answered) || errors.As(err, &old) {
		return Secrets{}, nil
	}
	return secretsOf(defs), err
}

// Check asks a worker what is wrong with a configuration. Nothing is changed by it.
func (k *Client) Check(ctx context.Context, c rest.Config) (rest.Validation, Endpoint, error) {
	class := c[keyClass]
	if class == nil || *class == "" {
		return rest.Validation{}, Endpoint{}, errors.New("it has no " + keyClass)
	}
	// A plugin may try its settings out: another worker would take as long.
	v, endpoint, err := inquire(ctx, k, call{what: "validate " + show(*class)}, func(ctx context.Context, base string) (rest.Validation, error) {
		return k.Client.Validate(ctx, base, *class, c)
	})
	if rest.StatusOf(err) >= 500 || rest.TroubleOf(err) == rest.NotFound {
		return v, endpoint, fmt.Errorf("plugin %q: %s cannot use it; does every worker have it in its plugin.path? see: regroup connector plugins: %w",
			decode.Printable(*class), endpoint, err)
	}
	return v, endpoint, err
}

// Validate asks a worker what is wrong with a Spec. Masks in it stand for what is there now.
func (k *Client) Validate(ctx context.Context, s Spec) ([]Fault, Endpoint, error) {
	s, err := s.complete()
	if err != nil {
		return nil, Endpoint{}, err
	}
	was, err := k.Fetch(ctx, s.Name)
	var none *NoConnectorError
	if err != nil && !errors.As(err, &none) {
		return nil, Endpoint{}, err
	}
	if s.Config, err = unmask(s.Config, was); err != nil {
		return nil, Endpoint{}, fmt.Errorf("connector %q: %w", decode.Printable(s.Name), err)
	}
	v, endpoint, err := k.Check(ctx, s.Config)
	if err != nil {
		return nil, endpoint, Secrets{}.HideIn(err, s.Config)
	}
	var defs []rest.Definition
	for _, c := range v.Configs {
		defs = append(defs, c.Definition)
	}
	return Faults(v, secretsOf(defs), s.Config), endpoint, nil
}

// Fault is what a worker finds wrong with one property.
type Fault struct{ Key, Text string }

// Faults are those of a Validation, without secrets.
func Faults(v rest.Validation, secrets Secrets, c rest.Config) []Fault {
	var out []Fault
	for _, p := range v.Configs {
		for _, e := range p.Value.Errors {
			out = append(out, Fault{p.Value.Name, secrets.Hide(e, c)})
		}
	}
	return out
}

// InvalidError is the error of a configuration that a worker would not take.
type InvalidError struct {
	Name   string
	Faults []Fault
}

func (i *InvalidError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "connector %q: its configuration is not valid", decode.Printable(i.Name))
	for _, f := range i.Faults {
		fmt.Fprintf(&b, "\n%s: %s", f.Key, f.Text)
	}
	return b.String()
}

func show(name string) string { return decode.Printable(name) }
