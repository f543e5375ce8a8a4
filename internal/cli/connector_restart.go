package cli

import (
	"github.com/spf13/cobra"

	"regroup/actions"
)

func newConnectorRestart(a *app, m *actionFlags) *cobra.Command {
	var tasks string
	cmd := &cobra.Command{
		Use:   "restart NAME...",
		Short: "Restart a connector, its tasks, or what of it has failed",
		Long: `Restart a connector's instance alone, or with --tasks its tasks too. Everything stays on its worker, so there is no round.
Restarting tasks with their connector needs Connect 3.0; one task by its number, any.`,
		Example: `  regroup connector restart sink-a --tasks failed
  regroup connector restart sink-a --tasks 3`,
		Args: cobra.MinimumNArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (actions.Action, error) {
				return h.k.Restarting(name, actions.Which(tasks))
			})
		},
	}
	cmd.Flags().StringVar(&tasks, "tasks", "", "`which` tasks too: all, failed (and the instance only if it has failed), or the number of one alone")
	return cmd
}
