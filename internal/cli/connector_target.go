package cli

import (
	"github.com/spf13/cobra"

	"regroup/actions"
)

func newConnectorPause(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "pause NAME...",
		Short: "Let a connector's tasks stand still where they are",
		Long: `Let a connector's tasks stand still. They stay on their workers, so there is no round. A paused connector holds what it holds:
to give that back, stop it.`,
		Args: cobra.MinimumNArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (actions.Action, error) { return h.k.Pausing(name), nil })
		},
	}
}

func newConnectorResume(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "resume NAME...",
		Short: "Set a paused or stopped connector going",
		Args:  cobra.MinimumNArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (actions.Action, error) {
				return h.k.Resuming(cmd.Context(), name)
			})
		},
	}
}

func newConnectorStop(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "stop NAME...",
		Short: "Take a connector's tasks away and keep its configuration (Connect 3.5)",
		Args:  cobra.MinimumNArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (actions.Action, error) { return h.k.Stopping(name), nil })
		},
	}
}

func newConnectorDelete(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "delete NAME...",
		Aliases: []string{"rm"},
		Short:   "Take a connector away; its offsets stay",
		Args:    cobra.MinimumNArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (actions.Action, error) { return h.k.Deleting(name), nil })
		},
	}
}
