package connect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"regroup/actions/act"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
	"regroup/internal/rest"
)

// Proposal is a configuration that somebody wants, held against the one that is, and looked at by a worker.
type Proposal struct {
	Spec
	Was     rest.Config // nil: there is no such connector yet
	Changes []Property
	Faults  []Fault // what a worker finds wrong with it
	Secrets Secrets

	k     *Client
	patch rest.Config // what was asked to change; nil: the whole configuration was given
}

// New says whether the connector is still to be created.
func (p *Proposal) New() bool { return p.Was == nil }

// Unchanged says that there is nothing to do: every property is byte for byte as it is.
func (p *Proposal) Unchanged() bool { return !p.New() && len(p.Changes) == 0 }

// Invalid is an InvalidError where it has faults, else nil.
func (p *Proposal) Invalid() error {
	if len(p.Faults) == 0 {
		return nil
	}
	return &InvalidError{p.Name, p.Faults}
}

// Propose holds a Spec against what is. Masks in it stand for what is there now. Nothing is written.
func (k *Client) Propose(ctx context.Context, s Spec) (*Proposal, error) {
	s, err := s.complete()
	if err != nil {
		return nil, err
	}
	was, err := k.Fetch(ctx, s.Name)
	var none *NoConnectorError
	if errors.As(err, &none) {
		was, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	return k.propose(ctx, s, was, nil)
}

// ProposeOver is Propose over a configuration that was read before: where that is not what stands there any more, nothing is
// written later.
func (k *Client) ProposeOver(ctx context.Context, s Spec, was rest.Config) (*Proposal, error) {
	s, err := s.complete()
	if err != nil {
		return nil, err
	}
	return k.propose(ctx, s, was, nil)
}

// ProposePatch is a change of some properties; nil takes one away.
func (k *Client) ProposePatch(ctx context.Context, name string, patch rest.Config) (*Proposal, error) {
	was, err := k.Fetch(ctx, name)
	if err != nil {
		return nil, err
	}
	patch, err = unmask(patch, was)
	if err != nil {
		return nil, fmt.Errorf("connector %q: %w", decode.Printable(name), err)
	}
	s := Spec{Name: name, Config: maps.Clone(was)}
	for key, v := range patch {
		if s.Config[key] = v; v == nil {
			delete(s.Config, key)
		}
	}
	if s, err = s.complete(); err != nil {
		return nil, err
	}
	return k.propose(ctx, s, was, patch)
}

// ProposeScale is another number of tasks. It is written as a whole configuration: every version takes that.
func (k *Client) ProposeScale(ctx context.Context, name string, tasks int) (*Proposal, error) {
	if tasks < 1 {
		return nil, fmt.Errorf("%s: %d: give 1 or more; to have none run, stop the connector", keyTasks, tasks)
	}
	n := strconv.Itoa(tasks)
	p, err := k.ProposePatch(ctx, name, rest.Config{keyTasks: &n})
	if err == nil {
		p.patch = nil
	}
	return p, err
}

func (k *Client) propose(ctx context.Context, s Spec, was, patch rest.Config) (*Proposal, error) {
	var err error
	if s.Config, err = unmask(s.Config, was); err != nil {
		return nil, fmt.Errorf("connector %q: %w", decode.Printable(s.Name), err)
	}
	p := &Proposal{Spec: s, Was: was, k: k, patch: patch}
	if same(was, s.Config) && was != nil {
		return p, nil
	}
	v, _, err := k.Check(ctx, s.Config)
	if err != nil {
		return nil, fmt.Errorf("connector %q: %w", decode.Printable(s.Name), Secrets{}.HideIn(err, s.Config, was))
	}
	var defs []rest.Definition
	for _, c := range v.Configs {
		defs = append(defs, c.Definition)
	}
	p.Secrets = secretsOf(defs)
	p.Changes = Changes(was, s.Config, p.Secrets)
	p.Faults = Faults(v, p.Secrets, s.Config)
	return p, nil
}

// Action writes it, unless the connector has been changed since it was looked at.
func (p *Proposal) Action() act.Action {
	if p.New() {
		return act.Action{Verb: "create", Target: p.Name, Change: creating(p.Spec), Do: p.create}
	}
	verb := "reconfigure"
	if len(p.Changes) == 1 && p.Changes[0].Key == keyTasks {
		verb = "scale"
	}
	var keys []string
	for _, c := range p.Changes {
		keys = append(keys, decode.Printable(c.Key))
	}
	return act.Action{
		Verb: verb, Target: p.Name, Destructive: true,
		Harm:   "its configuration changes: " + strings.Join(keys, ", "),
		Change: reconfiguring(p.k.state(), p.Name, p.Was, p.Config), Do: p.write,
	}
}

func (p *Proposal) create(ctx context.Context, tell func(string)) (string, error) {
	endpoint, err := p.k.send(ctx, tell, call{
		what: "create " + show(p.Name),
		do: func(ctx context.Context, base string) error {
			_, err := p.k.Client.Create(ctx, base, p.Name, p.Config, p.Initial)
			return err
		},
		done: p.k.has(p.Name, p.Config),
	})
	if err != nil {
		return "", p.Secrets.HideIn(err, p.Config)
	}
	return "created, by " + endpoint.String(), nil
}

func (p *Proposal) write(ctx context.Context, tell func(string)) (string, error) {
	now, err := p.k.Fetch(ctx, p.Name)
	if err != nil {
		return "", err
	}
	if !same(now, p.Was) {
		var keys []string
		for _, c := range Changes(p.Was, now, p.Secrets) {
			keys = append(keys, decode.Printable(c.Key))
		}
		return "", fmt.Errorf("connector %q: not written: somebody has changed it meanwhile (%s); look at it again",
			decode.Printable(p.Name), strings.Join(keys, ", "))
	}
	endpoint, err := p.k.send(ctx, tell, call{
		what: "reconfigure " + show(p.Name),
		do: func(ctx context.Context, base string) error {
			var err error
			if p.patch != nil {
				_, err = p.k.Client.PatchConfig(ctx, base, p.Name, p.patch)
			} else {
				_, _, err = p.k.Client.PutConfig(ctx, base, p.Name, p.Config)
			}
			return err
		},
		done: p.k.has(p.Name, p.Config),
	})
	if err != nil {
		return "", p.Secrets.HideIn(err, p.Config, p.Was)
	}
	var told []string
	for _, c := range p.Changes {
		told = append(told, c.String())
	}
	slices.Sort(told)
	return strings.Join(told, ", ") + ", by " + endpoint.String(), nil
}

// String is a change on one line: what stands in the audit log.
func (c Property) String() string {
	key := decode.Printable(c.Key)
	value := func(v *string) string {
		switch {
		case v == nil:
			return "null"
		case c.Secret:
			return Mask
		}
		return shortValue(*v)
	}
	switch {
	case !c.Has:
		return key + " taken away"
	case !c.Had:
		return key + " = " + value(c.Now)
	}
	return key + " " + value(c.Was) + " → " + value(c.Now)
}

// shortValue is a value on a line with others.
func shortValue(v string) string {
	const most = 80
	runes := []rune(decode.Printable(v))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}

// has looks whether a connector has exactly that configuration.
func (k *Client) has(name string, c rest.Config) func(context.Context, string) (bool, error) {
	return func(ctx context.Context, base string) (bool, error) {
		now, err := k.Client.Config(ctx, base, name)
		if rest.TroubleOf(err) == rest.NotFound {
			return false, nil
		}
		return err == nil && same(now, c), err
	}
}

// creating is what a new connector means for the group.
func creating(s Spec) foresight.Change {
	if s.Initial == rest.InitialPaused || s.Initial == rest.InitialStopped {
		return foresight.CreateIdle{Connector: s.Name}
	}
	return foresight.Create{Connector: s.Name, Tasks: tasksMax(s.Config)}
}

// reconfiguring is what another configuration means for the group, by what its config topic says of the connector.
func reconfiguring(s *group.State, name string, was, now rest.Config) foresight.Change {
	if s == nil {
		return nil
	}
	c := act.LiveConfig(s, name)
	if c == nil {
		return foresight.Reconfigure{Connector: name, Tasks: tasksMax(now)}
	}
	if c.Target != decode.TargetStarted {
		return foresight.Rest{Connector: name}
	}
	return foresight.Reconfigure{Connector: name, Tasks: tasksAfter(c.Tasks, tasksMax(was), tasksMax(now))}
}

// tasksAfter guesses how many tasks a connector will make: it made as many as it may, or else as many as it has work for.
func tasksAfter(made, most, mostNow int) int {
	if most == mostNow {
		return made
	}
	if made >= most {
		return mostNow
	}
	return min(made, mostNow)
}

// tasksMax is how many tasks a connector may make.
func tasksMax(c rest.Config) int {
	if v := c[keyTasks]; v != nil {
		if n, err := strconv.Atoi(*v); err == nil && n > 0 {
			return n
		}
	}
	return 1
}
