package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"regroup/actions/act"
	"regroup/actions/connect"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/internal/rest"
	"regroup/internal/words"
)

func newConnector(a *app) *cobra.Command {
	m := &actionFlags{}
	cmd := &cobra.Command{
		Use:     "connector",
		Aliases: []string{"connectors"},
		Short:   "List, create, change, stop, restart and delete connectors",
		Long: `Manage connectors through the workers' REST interfaces: the leader is asked first, then any worker that answers. Each change is
previewed before it is made: the difference, and the rounds it will cause by Connect's own rules. When the group has settled, the
actual rounds are compared with the prediction.

If a rebalance is in progress (409, or a 500 that says so), the command waits for it. A 409 without a rebalance is reported as what
it is: a URL that leads to the wrong worker. If a call fails, its effect is checked before it is reported as failed.

Secrets are shown as ` + connect.Mask + `: values of type PASSWORD, and those that look like secrets. A mask in a new configuration keeps the old value.

Commands that change something ask for confirmation; --yes skips that. A production context asks for the connector's name to be
typed, or given with --confirm. All actions are recorded in the audit log, $XDG_STATE_HOME/regroup/audit.log.

Exit codes: 0 success; 1 completed, problems found (no such connector, invalid, not settled in time, units failed since); 2
failed, or invalid usage.`,
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
	fs.DurationVar(&m.wait, "wait", 2*time.Minute, "how long to wait for what comes of it; 0 does not")
}

// connectorDoer does things to connectors, over the REST interfaces of the group's workers.
type connectorDoer struct {
	*actionRunner
	k *connect.Client
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
	return &connectorDoer{d, &connect.Client{Group: d.Actor.Group, Client: way.client, Watch: d.Watch, Reach: way.at, Extra: way.urls, Tell: d.Actor.Tell}}, nil
}

// herd runs what needs a herder, and gives its errors their exit codes.
func (a *app) herd(ctx context.Context, m *actionFlags, do func(h *connectorDoer) error) error {
	h, err := a.connectorDoer(ctx, m)
	if err != nil {
		return err
	}
	defer h.stop()
	err = do(h)
	var none *connect.NoConnectorError
	var noTask *connect.NoTaskError
	var invalid *connect.InvalidError
	if errors.As(err, &none) || errors.As(err, &noTask) || errors.As(err, &invalid) {
		return failure{err, exitNo}
	}
	if err == nil && h.broke {
		return silent(exitNo)
	}
	return err
}

// each does one action after the other: what one brings about is over before the next is foreseen.
func (a *app) each(ctx context.Context, m *actionFlags, names []string, action func(h *connectorDoer, name string) (act.Action, error)) error {
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

func newConnectorPause(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "pause NAME...",
		Short: "Pause a connector's tasks",
		Long: `Pause a connector's tasks. They stay assigned to their workers, so there is no rebalance. To free their resources, stop the
connector instead.`,
		Args: cobra.MinimumNArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (act.Action, error) { return h.k.Pausing(name), nil })
		},
	}
}

func newConnectorResume(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "resume NAME...",
		Short: "Resume a paused or stopped connector",
		Args:  cobra.MinimumNArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (act.Action, error) {
				return h.k.Resuming(cmd.Context(), name)
			})
		},
	}
}

func newConnectorStop(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "stop NAME...",
		Short: "Stop a connector and keep its configuration (Connect 3.5)",
		Args:  cobra.MinimumNArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (act.Action, error) { return h.k.Stopping(name), nil })
		},
	}
}

func newConnectorDelete(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "delete NAME...",
		Aliases: []string{"rm"},
		Short:   "Delete a connector; its offsets are kept",
		Args:    cobra.MinimumNArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (act.Action, error) { return h.k.Deleting(name), nil })
		},
	}
}

func newConnectorRestart(a *app, m *actionFlags) *cobra.Command {
	var tasks string
	cmd := &cobra.Command{
		Use:   "restart NAME...",
		Short: "Restart a connector, its tasks, or only what failed",
		Long: `Restart a connector's instance only, or with --tasks its tasks too. They stay assigned to their workers, so there is no rebalance.
Restarting tasks with their connector needs Connect 3.0; one task by its number, any.`,
		Example: `  regroup connector restart sink-a --tasks failed
  regroup connector restart sink-a --tasks 3`,
		Args: cobra.MinimumNArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (act.Action, error) {
				return h.k.Restarting(name, connect.Which(tasks))
			})
		},
	}
	cmd.Flags().StringVar(&tasks, "tasks", "", "also restart tasks: all, failed (and the connector only if it failed), or one task's number")
	return cmd
}

func newConnectorPatch(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "patch NAME KEY=VALUE|KEY-...",
		Short: "Change some properties of a connector (Connect 3.8)",
		Long: `Change the named properties, and remove those that end with a minus; all others are kept, even if they are changed at the same time
by someone else. Workers before 3.8 do not support this: see edit and apply.`,
		Example: `  regroup connector patch sink-a errors.tolerance=all transforms-`,
		Args:    cobra.MinimumNArgs(2), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			patch, err := assignments(args[1:], true)
			if err != nil {
				return err
			}
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error {
				if err := h.mayAct("patch " + args[0]); err != nil {
					return err
				}
				p, err := h.k.ProposePatch(cmd.Context(), args[0], patch)
				if err != nil {
					return err
				}
				return h.propose(cmd.Context(), p)
			})
		},
	}
}

func newConnectorScale(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "scale NAME TASKS",
		Short:   "Change how many tasks a connector may have (tasks.max)",
		Example: `  regroup connector scale sink-a 6 --dry-run`,
		Args:    cobra.ExactArgs(2), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[1])
			if err != nil {
				return misuse("%s: not a number of tasks", args[1])
			}
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error {
				if err := h.mayAct("scale " + args[0]); err != nil {
					return err
				}
				p, err := h.k.ProposeScale(cmd.Context(), args[0], n)
				if err != nil {
					return err
				}
				return h.propose(cmd.Context(), p)
			})
		},
	}
}

func newConnectorOffsets(a *app, m *actionFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "offsets",
		Short: "Show, alter and reset a connector's offsets",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	get := &cobra.Command{
		Use:   "get NAME",
		Short: "Show a connector's offsets (Connect 3.5)",
		Args:  cobra.ExactArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error { return h.offsets(cmd.Context(), args[0]) })
		},
	}
	reset := &cobra.Command{
		Use:   "reset NAME",
		Short: "Reset a stopped connector's offsets (Connect 3.6)",
		Args:  cobra.ExactArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (act.Action, error) { return h.k.Resetting(name) })
		},
	}
	var file string
	alter := &cobra.Command{
		Use:   "alter NAME -f FILE",
		Short: "Set offsets of a stopped connector (Connect 3.6)",
		Long: `Set offsets of a stopped connector to those of a file (- is standard input), written as offsets get -o json writes them:
{"offsets":[{"partition":{…},"offset":{…}}]}. A null offset deletes a partition's offset; partitions that are not named are kept.`,
		Args: cobra.ExactArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := a.readOffsets(file)
			if err != nil {
				return err
			}
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (act.Action, error) { return h.k.Altering(name, to) })
		},
	}
	alter.Flags().StringVarP(&file, "file", "f", "", "the `file` with the offsets")
	cmd.AddCommand(get, alter, reset)
	return cmd
}

// offsetsObject is what offsets get prints and alter reads.
type offsetsObject struct {
	Offsets []rest.Offset `json:"offsets"`
}

func (h *connectorDoer) offsets(ctx context.Context, name string) error {
	offsets, endpoint, err := h.k.Offsets(ctx, name)
	if err != nil {
		return err
	}
	if h.json() {
		return h.print(offsetsObject{append([]rest.Offset{}, offsets...)})
	}
	fmt.Fprintf(h.out, "%s: %s, by %s\n", decode.Printable(name), words.Count(len(offsets), "partition"), endpoint)
	if len(offsets) == 0 {
		return nil
	}
	t := newTable("partition", "offset")
	for _, o := range offsets {
		t.row(string(o.Partition), string(o.Offset))
	}
	return t.write(h.out)
}

func (a *app) readOffsets(file string) ([]rest.Offset, error) {
	if file == "" {
		return nil, misuse("which offsets? give -f FILE")
	}
	in, from := a.in, "standard input"
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in, from = f, file
	}
	raw, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var o offsetsObject
	if err := dec.Decode(&o); err != nil {
		return nil, fmt.Errorf("%s: not {\"offsets\":[…]}: %w", from, err)
	}
	if len(o.Offsets) == 0 {
		return nil, misuse("%s: no offsets are in it", from)
	}
	return o.Offsets, nil
}
