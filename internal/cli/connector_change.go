package cli

import (
	"strconv"

	"github.com/spf13/cobra"
)

func newConnectorPatch(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "patch NAME KEY=VALUE|KEY-...",
		Short: "Change some properties of a connector (Connect 3.8)",
		Long: `Change the properties that are named, and take away those that end with a minus; all others stay, also where somebody else
changes them at the same moment. An older worker lacks this call: see edit and apply.`,
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
		Short:   "Let a connector make more or fewer tasks (tasks.max)",
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
