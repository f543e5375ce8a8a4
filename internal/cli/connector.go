package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"regroup/actions"
	"regroup/decode"
)

func newConnector(a *app) *cobra.Command {
	m := &actionFlags{}
	cmd := &cobra.Command{
		Use:     "connector",
		Aliases: []string{"connectors"},
		Short:   "List, create, change, stop, restart and delete connectors",
		Long: `Do things to connectors, over the REST interfaces of the group's workers: the leader is asked first, then whichever worker
answers. Before anything is done, what will follow is said: the difference, and the rounds to come, by Connect's own rules. Once the
group has settled, what really happened is held against it.

A rebalance that is in the way (409, or a 500 that says so) is waited for; 409 on a group that stands still is told apart: an
address that leads to the wrong worker. A call that a worker gave no good answer to is looked up before it is called failed.

Secrets are shown as ` + actions.Mask + `: values of type PASSWORD, and those that look like one. A mask that comes back means: as it is.

What changes or ends something asks first; --yes answers that. A context marked production wants the connector's name typed, or
given as --confirm. Everything done stands in the audit log, $XDG_STATE_HOME/regroup/audit.log.

Exit codes: 0 done; 1 done, and the answer is bad (no such connector, not valid, not settled in time, units failed since); 2
not done.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	m.add(cmd)
	cmd.AddCommand(newConnectorList(a, m), newConnectorGet(a, m), newConnectorCreate(a, m), newConnectorApply(a, m), newConnectorDiff(a, m),
		newConnectorEdit(a, m), newConnectorPatch(a, m), newConnectorScale(a, m), newConnectorPause(a, m), newConnectorResume(a, m),
		newConnectorStop(a, m), newConnectorRestart(a, m), newConnectorDelete(a, m), newConnectorPlugins(a, m), newConnectorValidate(a, m),
		newConnectorOffsets(a, m))
	return cmd
}

// add gives a command, and those below it, the flags of doing things.
func (m *actionFlags) add(cmd *cobra.Command) {
	fs := cmd.PersistentFlags()
	fs.StringVarP(&m.group, "group", "g", "", "the `group`, where the brokers have several")
	fs.StringVar(&m.confirm, "confirm", "", "the `name` that a production context wants typed")
	fs.DurationVar(&m.wait, "wait", 2*time.Minute, "how `long` to wait for what comes of it; 0 does not")
}

// connectorDoer does things to connectors, over the REST interfaces of the group's workers.
type connectorDoer struct {
	*actionRunner
	k *actions.ConnectClient
}

// connectorDoer makes ready to call the group's workers.
func (a *app) connectorDoer(ctx context.Context, m *actionFlags) (*connectorDoer, error) {
	d, err := a.actionRunner(ctx, *m)
	if err != nil {
		return nil, err
	}
	way, err := a.restWay(d.settings)
	if err != nil {
		d.stop()
		return nil, err
	}
	return &connectorDoer{d, &actions.ConnectClient{Group: d.Actor.Group, Client: way.client, Watch: d.Watch, Reach: way.at, Extra: way.urls, Tell: d.Actor.Tell}}, nil
}

// herd runs what needs a herder, and gives its errors their exit codes.
func (a *app) herd(ctx context.Context, m *actionFlags, do func(h *connectorDoer) error) error {
	h, err := a.connectorDoer(ctx, m)
	if err != nil {
		return err
	}
	defer h.stop()
	err = do(h)
	var none *actions.NoConnectorError
	var noTask *actions.NoTaskError
	var invalid *actions.InvalidError
	if errors.As(err, &none) || errors.As(err, &noTask) || errors.As(err, &invalid) {
		return failure{err, exitNo}
	}
	if err == nil && h.broke {
		return silent(exitNo)
	}
	return err
}

// each does one action after the other: what one brings about is over before the next is foreseen.
func (a *app) each(ctx context.Context, m *actionFlags, names []string, action func(h *connectorDoer, name string) (actions.Action, error)) error {
	return a.herd(ctx, m, func(h *connectorDoer) error {
		for _, name := range names {
			if err := h.mayAct(decode.Printable(name)); err != nil {
				return err
			}
			if _, err := h.k.Fetch(ctx, name); err != nil {
				return err
			}
			x, err := action(h, name)
			if err != nil {
				return err
			}
			if err := h.run(ctx, x, nil); err != nil {
				return err
			}
		}
		return nil
	})
}
