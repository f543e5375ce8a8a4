package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/internal/rest"
	"regroup/internal/words"
)

func newConnectorList(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Aliases: []string{"ls"},
		Short:   "List the connectors, and how they and their tasks do",
		Long: `List the connectors as a worker tells of them: the states that were last written down, by whoever held a unit then. What the
group says of them is in regroup describe.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error { return h.list(cmd.Context()) })
		},
	}
}

func (h *connectorDoer) list(ctx context.Context) error {
	all, endpoint, err := h.k.All(ctx)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(all))
	if h.json() {
		for _, name := range names {
			if err := h.print(connectorLine(name, all[name])); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Fprintf(h.out, "%s: %s, by %s\n", decode.Printable(h.k.Group), words.Count(len(names), "connector"), endpoint)
	if len(names) == 0 {
		return nil
	}
	t := newTable("name", "type", "state", ">tasks", "of which", "class")
	for _, name := range names {
		l := connectorLine(name, all[name])
		t.row(l.Name, l.Type, l.State, strconv.Itoa(l.Tasks), tally(l.States), l.Class)
	}
	return t.write(h.out)
}

// connectorObject is a line of the list.
type connectorObject struct {
	Name   string         `json:"name"`
	Type   string         `json:"type"`
	Class  string         `json:"class"`
	State  string         `json:"state"`
	Worker string         `json:"worker"`
	Tasks  int            `json:"tasks"`
	States map[string]int `json:"states"` // how many tasks are in which
}

func connectorLine(name string, e rest.Expanded) connectorObject {
	out := connectorObject{Name: name, State: "no status yet", States: map[string]int{}}
	if e.Info != nil {
		out.Type, out.Tasks = e.Info.Type, len(e.Info.Tasks)
		if c := e.Info.Config["connector.class"]; c != nil {
			out.Class = *c
		}
	}
	if e.Status != nil {
		out.State, out.Worker = e.Status.Connector.State, e.Status.Connector.WorkerID
		for _, t := range e.Status.Tasks {
			out.States[t.State]++
		}
	}
	return out
}

func tally(states map[string]int) string {
	var out []string
	for _, s := range slices.Sorted(maps.Keys(states)) {
		out = append(out, fmt.Sprintf("%d %s", states[s], s))
	}
	return strings.Join(out, ", ")
}

// completeConnector completes a connector's name by asking a worker, for as long as somebody at a prompt would wait.
func (a *app) completeConnector(m *actionFlags) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		const none = cobra.ShellCompDirectiveNoFileComp
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		if a.flags.fromEnv(cmd, a.getenv) != nil {
			return nil, none
		}
		ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		h, err := a.connectorDoer(ctx, m)
		if err != nil {
			return nil, none
		}
		defer h.stop()
		all, _, err := h.k.All(ctx)
		if err != nil {
			return nil, none
		}
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(n string) bool { return slices.Contains(args, n) })
		return names, none
	}
}
