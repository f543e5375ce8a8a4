package cli

import (
	"regroup/actions"
	"regroup/actions/editor"
	"regroup/decode"
	"regroup/internal/conn"
	"regroup/internal/lab"
	"regroup/internal/rest"
)

// clusterActions are what the screen may do on the settings' cluster.
func (a *app) clusterActions(s conn.Settings, shield *editor.Shield) *actions.Cluster {
	c := &actions.Cluster{
		Guard: a.guard(s, actionFlags{}), Audit: actions.NewAudit(actions.AuditFile(a.getenv)), Dial: s.Client,
		Adder: actions.Command(s.Policy.Add), Kafka: a.getenv("KAFKA_HOME"), Logs: a.logs(), Editor: a.editor(shield),
	}
	c.Guard.Interactive, c.Guard.Yes = true, false // a dialog asks
	way, err := a.restWay(s)
	c.Client, c.Reach, c.Extra, c.NoREST = way.client, way.at, way.urls, err
	c.Reachers = a.reachers(s, way)
	return c
}

// demoActions are those of the demo: what is done there is done to simulated workers, and leaves no line behind.
func (a *app) demoActions(l *lab.Lab, shield *editor.Shield) *actions.Cluster {
	c := &actions.Cluster{
		Guard: actions.Guard{Interactive: true}, Dial: l.Dial, Simulate: l.Adding, Reachers: []actions.Reacher{l.Reacher()},
		Client: rest.Client{HTTP: l.HTTP()}, Editor: a.editor(shield),
	}
	if a.flags.readOnly {
		c.Guard.ReadOnly = "--read-only is given"
	}
	return c
}

// editor is the one that the user wants, on this program's terminal.
func (a *app) editor(shield *editor.Shield) editor.Editor {
	e := editor.Editor{Command: editor.Command(a.getenv), Shield: shield, In: a.in, Out: a.out, Err: a.err}
	if !isTerminal(a.out) {
		e.Out = a.err // results are going somewhere
	}
	return e
}

// unfinished prints what exercises that were broken off did, and where a text is, once the screen is left.
func (a *app) unfinished(c *actions.Cluster) error {
	broken, kept := c.Unfinished()
	for _, err := range kept {
		a.note("%s", decode.Printable(err.Error()))
	}
	for _, r := range broken {
		a.note("exercise %s was broken off: %s", decode.Printable(r.Exercise), r.Answer())
		if err := a.report(r); err != nil {
			return err
		}
	}
	return nil
}
