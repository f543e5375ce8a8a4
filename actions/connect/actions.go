package connect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"regroup/actions/act"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/internal/rest"
)

// simple is an action of one call that does no harm twice.
func (k *Client) simple(verb, name string, do func(ctx context.Context, base string) error) act.Action {
	return act.Action{Verb: verb, Target: name, Do: func(ctx context.Context, tell func(string)) (string, error) {
		endpoint, err := k.send(ctx, tell, call{what: verb + " " + show(name), do: do})
		if err != nil {
			return "", k.named(name, err)
		}
		return "ok, by " + endpoint.String(), nil
	}}
}

// Pausing lets a connector's tasks stand still where they are: no round.
func (k *Client) Pausing(name string) act.Action {
	return k.simple("pause", name, func(ctx context.Context, base string) error { return k.Client.Pause(ctx, base, name) })
}

// Resuming sets a connector going. One that has no tasks, because it was stopped, makes them again.
func (k *Client) Resuming(ctx context.Context, name string) (act.Action, error) {
	x := k.simple("resume", name, func(ctx context.Context, base string) error { return k.Client.Resume(ctx, base, name) })
	if c := act.LiveConfig(k.state(), name); c != nil && c.Target != decode.TargetStarted && c.Tasks == 0 {
		config, err := k.Fetch(ctx, name)
		if err != nil {
			return x, err
		}
		x.Change = foresight.Resume{Connector: name, Tasks: tasksMax(config)}
	}
	return x, nil
}

// Stopping takes a connector's tasks away; its configuration and its offsets stay.
func (k *Client) Stopping(name string) act.Action {
	x := k.simple("stop", name, func(ctx context.Context, base string) error { return k.Client.Stop(ctx, base, name) })
	x.Destructive = true
	x.Harm = k.tasksEnd(name) + "; its configuration and its offsets stay"
	if c := act.LiveConfig(k.state(), name); c == nil && k.state() != nil || c != nil && c.Tasks > 0 {
		x.Change = foresight.Halt{Connector: name}
	}
	return x
}

// tasksEnd says what ends with a connector.
func (k *Client) tasksEnd(name string) string {
	c := act.LiveConfig(k.state(), name)
	switch {
	case c == nil:
		return "the tasks of " + show(name) + " end"
	case c.Tasks == 1:
		return "the one task of " + show(name) + " ends"
	}
	return fmt.Sprintf("the %d tasks of %s end", c.Tasks, show(name))
}

// Deleting takes a connector away.
func (k *Client) Deleting(name string) act.Action {
	x := act.Action{
		Verb: "delete", Target: name, Destructive: true,
		Harm: k.tasksEnd(name) + ", and its configuration is lost; its offsets stay",
		Do: func(ctx context.Context, tell func(string)) (string, error) {
			endpoint, err := k.send(ctx, tell, k.deleting(name))
			if err != nil {
				return "", k.named(name, err)
			}
			return "deleted, by " + endpoint.String(), nil
		},
	}
	if k.state() != nil {
		x.Change = foresight.Delete{Connector: name}
	}
	return x
}

func (k *Client) deleting(name string) call {
	return call{
		what: "delete " + show(name),
		do:   func(ctx context.Context, base string) error { return k.Client.Delete(ctx, base, name) },
		done: func(ctx context.Context, base string) (bool, error) {
			_, err := k.Client.Config(ctx, base, name)
			if rest.TroubleOf(err) == rest.NotFound {
				return true, nil
			}
			return false, err
		},
	}
}

// Which says what of a connector restarts: "" its instance alone, "all" with its tasks, "failed" what of both has failed, or
// the number of one task.
type Which string

// Restarting restarts a connector, or parts of it. There is no round: everything stays where it is.
func (k *Client) Restarting(name string, which Which) (act.Action, error) {
	x := act.Action{Verb: "restart", Target: name}
	c := call{what: "restart " + show(name), once: true, owner: strings.ContainsAny(name, ";/%?#")}
	var status rest.Status
	tasks, failed := which == "all" || which == "failed", which == "failed"
	c.do = func(ctx context.Context, base string) (err error) {
		status, err = k.Client.Restart(ctx, base, name, tasks, failed)
		return err
	}
	if n, err := strconv.ParseInt(string(which), 10, 32); err == nil && n >= 0 {
		x.Target = fmt.Sprintf("%s task %d", name, n)
		c.what = "restart " + show(x.Target)
		c.do = func(ctx context.Context, base string) error { return k.Client.RestartTask(ctx, base, name, int32(n)) }
	} else if which != "" && !tasks {
		return x, fmt.Errorf("restart %s: tasks %q: give all, failed or a task's number", show(name), decode.Printable(string(which)))
	}
	x.Do = func(ctx context.Context, tell func(string)) (string, error) {
		endpoint, err := k.send(ctx, tell, c)
		if err != nil && strings.HasPrefix(x.Target, name+" task") && rest.TroubleOf(err) == rest.NotFound {
			return "", &NoTaskError{x.Target, err}
		}
		if err != nil {
			return "", k.named(name, err)
		}
		return restarted(status, tasks) + ", by " + endpoint.String(), nil
	}
	return x, nil
}

// restarted says what will restart, of the status that the worker gave for it.
func restarted(s rest.Status, planned bool) string {
	if !planned {
		return "ok"
	}
	var what []string
	if s.Connector.State == "RESTARTING" {
		what = append(what, "its instance")
	}
	slices.SortFunc(s.Tasks, func(a, b rest.State) int { return int(a.ID - b.ID) }) // workers list them in any order
	for _, t := range s.Tasks {
		if t.State == "RESTARTING" {
			what = append(what, fmt.Sprintf("task %d", t.ID))
		}
	}
	if len(what) == 0 {
		return "nothing had to be restarted"
	}
	return "restarts " + strings.Join(what, ", ")
}

// Offsets reads how far a connector has got.
func (k *Client) Offsets(ctx context.Context, name string) ([]rest.Offset, Endpoint, error) {
	o, endpoint, err := ask(ctx, k, "offsets of "+show(name), func(ctx context.Context, base string) ([]rest.Offset, error) {
		return k.Client.Offsets(ctx, base, name)
	})
	return o, endpoint, k.named(name, err)
}

// Resetting forgets a stopped connector's offsets: it begins anew when it is resumed.
func (k *Client) Resetting(name string) (act.Action, error) {
	x, err := k.offsetting("reset offsets of", name, func(ctx context.Context, base string) (string, error) {
		return k.Client.ResetOffsets(ctx, base, name)
	})
	x.Harm = fmt.Sprintf("%s forgets how far it has got, and begins anew when it is resumed", show(name))
	return x, err
}

// Altering sets a stopped connector's offsets.
func (k *Client) Altering(name string, to []rest.Offset) (act.Action, error) {
	x, err := k.offsetting("alter offsets of", name, func(ctx context.Context, base string) (string, error) {
		return k.Client.AlterOffsets(ctx, base, name, to)
	})
	x.Harm = fmt.Sprintf("%d offsets of %s are overwritten", len(to), show(name))
	if len(to) == 1 {
		x.Harm = fmt.Sprintf("1 offset of %s is overwritten", show(name))
	}
	return x, err
}

// offsetting refuses what a worker would: a connector that is not stopped holds its offsets itself.
func (k *Client) offsetting(verb, name string, do func(context.Context, string) (string, error)) (act.Action, error) {
	if c := act.LiveConfig(k.state(), name); c != nil && c.Target != decode.TargetStopped {
		return act.Action{}, fmt.Errorf("%s %s: only while it is stopped: regroup connector stop %s", verb, show(name), show(name))
	}
	return act.Action{Verb: verb, Target: name, Destructive: true, Do: func(ctx context.Context, tell func(string)) (string, error) {
		var said string
		endpoint, err := k.send(ctx, tell, call{what: verb + " " + show(name), do: func(ctx context.Context, base string) (err error) {
			said, err = do(ctx, base)
			return err
		}})
		if err != nil {
			return "", k.named(name, err)
		}
		return cmp.Or(said, "ok") + ", by " + endpoint.String(), nil
	}}, nil
}

// Config, Put and Delete are for exercises, which guard, preview and record as a whole: see Connectors.

// Config is a connector's configuration, as it can be written back; properties that are null are left out.
func (k *Client) Config(ctx context.Context, name string) (map[string]string, error) {
	c, err := k.Fetch(ctx, name)
	out := make(map[string]string, len(c))
	for key, v := range c {
		if v != nil {
			out[key] = *v
		}
	}
	return out, err
}

// Put creates a connector, or gives it that whole configuration.
func (k *Client) Put(ctx context.Context, name string, config map[string]string) error {
	c := rest.Config{}
	for key, v := range config {
		c[key] = &v
	}
	c[keyName] = &name
	_, err := k.send(ctx, func(string) {}, call{
		what: "configure " + show(name),
		do: func(ctx context.Context, base string) error {
			_, _, err := k.Client.PutConfig(ctx, base, name, c)
			return err
		},
		done: k.has(name, c),
	})
	return Secrets{}.HideIn(err, c)
}

// Delete takes a connector away.
func (k *Client) Delete(ctx context.Context, name string) error {
	_, err := k.send(ctx, func(string) {}, k.deleting(name))
	return k.named(name, err)
}
