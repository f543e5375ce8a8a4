package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"regroup/actions"
	"regroup/decode"
	"regroup/internal/rest"
	"regroup/internal/words"
)

func newConnectorGet(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "get NAME",
		Short: "Show a connector's configuration, and how it does",
		Long: `Show a connector's configuration, and how it and its tasks do. Secrets are masked. With -o json it is what apply reads: a mask
in it means there that the secret stays as it is.`,
		Example: `  regroup connector get sink-a
  regroup connector get sink-a -o json > sink-a.json`,
		Args: cobra.ExactArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error { return h.get(cmd.Context(), args[0]) })
		},
	}
}

func (h *connectorDoer) get(ctx context.Context, name string) error {
	c, endpoint, err := h.k.Connector(ctx, name)
	if err != nil {
		return err
	}
	secrets, err := h.k.Secrets(ctx, c.Config)
	if err != nil {
		return err
	}
	if h.json() {
		if c.Tasks == nil {
			c.Tasks = []rest.TaskID{}
		}
		return h.print(struct {
			Name   string        `json:"name"`
			Config rest.Config   `json:"config"`
			Tasks  []rest.TaskID `json:"tasks"`
			Type   string        `json:"type"`
		}{c.Name, configObject(c.Config, secrets), c.Tasks, c.Type})
	}
	status, err := h.k.Status(ctx, name)
	if err != nil {
		return err
	}
	fmt.Fprintf(h.out, "%s: %s, %s, by %s\n", decode.Printable(c.Name), c.Type, words.Count(len(c.Tasks), "task"), endpoint)
	h.statusText(status)
	fmt.Fprintln(h.out)
	h.configText(c.Config, secrets)
	return nil
}

func (h *connectorDoer) statusText(s rest.Status) {
	if s.Name == "" {
		h.say("  no status yet")
		return
	}
	line := func(what string, st rest.State) {
		h.say(fmt.Sprintf("  %s %s on %s", what, decode.Printable(st.State), decode.Printable(st.WorkerID)))
		for i, l := range decode.PrintableLines(strings.TrimSpace(st.Trace)) {
			if l == "" {
				continue
			}
			if i == 3 {
				h.say("      …")
				break
			}
			h.say("      " + l)
		}
	}
	line("instance", s.Connector)
	for _, t := range s.Tasks {
		line(fmt.Sprintf("task %d", t.ID), t)
	}
}

func (h *connectorDoer) configText(c rest.Config, secrets actions.Secrets) {
	shown := secrets.Masked(c)
	for _, k := range slices.Sorted(maps.Keys(shown)) {
		h.say(propertyText(k, shown[k]))
	}
}
