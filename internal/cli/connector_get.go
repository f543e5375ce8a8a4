package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"regroup/actions/connect"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/internal/rest"
	"regroup/internal/words"
)

func newConnectorGet(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "get NAME",
		Short: "Show a connector's configuration and state",
		Long: `Show a connector's configuration and the state of its tasks. Secrets are masked. The output of -o json can be used with apply: a
mask in it keeps the secret.`,
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

func (h *connectorDoer) configText(c rest.Config, secrets connect.Secrets) {
	shown := secrets.Masked(c)
	for _, k := range slices.Sorted(maps.Keys(shown)) {
		h.say(propertyText(k, shown[k]))
	}
}

func newConnectorList(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Aliases: []string{"ls"},
		Short:   "List the connectors with their state",
		Long: `List the connectors as a worker's REST interface reports them: the states last written, by the owner at that time. See regroup
describe for their state in the group.`,
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

func newConnectorPlugins(a *app, m *actionFlags) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "plugins [CLASS]",
		Short: "List a worker's connector plugins, or the properties of one",
		Long: `List the plugins of the leader, or of another worker that answers. With a class, list its properties, the required ones first
(Connect 3.2). Workers may have different plugins: regroup doctor reports that.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error {
				if len(args) == 1 {
					return h.properties(cmd.Context(), args[0])
				}
				return h.plugins(cmd.Context(), all)
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also list converters, transformations and predicates (Connect 3.2)")
	return cmd
}

func (h *connectorDoer) plugins(ctx context.Context, all bool) error {
	plugins, endpoint, err := h.k.Plugins(ctx, all)
	if err != nil {
		return err
	}
	if h.json() {
		for _, p := range plugins {
			if err := h.print(p); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Fprintf(h.out, "%s of %s\n", words.Count(len(plugins), "plugin"), endpoint)
	t := newTable("class", "type", "version")
	for _, p := range plugins {
		t.row(p.Class, p.Type, p.Version)
	}
	return t.write(h.out)
}

func (h *connectorDoer) properties(ctx context.Context, class string) error {
	defs, err := h.k.Properties(ctx, class)
	if err != nil {
		return err
	}
	if h.json() {
		for _, d := range defs {
			if err := h.print(d); err != nil {
				return err
			}
		}
		return nil
	}
	t := newTable("property", "type", "importance", "default", "what it is")
	for _, required := range []bool{true, false} {
		for _, d := range defs {
			if d.Required == required {
				t.row(d.Name, strings.ToLower(d.Type), strings.ToLower(d.Importance), standard(d), firstSentence(d.Documentation))
			}
		}
	}
	return t.write(h.out)
}

func standard(d rest.Definition) string {
	switch {
	case d.Required:
		return "required"
	case d.Default == nil:
		return "null"
	case *d.Default == "":
		return `""`
	}
	return *d.Default
}

// firstSentence of a documentation: it may be pages, with markup.
func firstSentence(text string) string {
	text = decode.Printable(strings.Join(strings.Fields(text), " "))
	if s, _, ok := strings.Cut(text, ". "); ok {
		text = s + "."
	}
	const most = 120
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
