package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/internal/rest"
	"regroup/internal/words"
)

func newConnectorPlugins(a *app, m *actionFlags) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "plugins [CLASS]",
		Short: "List the connector classes of a worker, or a class's properties",
		Long: `List the plugins of the worker that answers, the leader where it does. With a class: the properties that it knows, the required
ones first (Connect 3.2). Workers may differ in what they have: regroup doctor tells.`,
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
	cmd.Flags().BoolVar(&all, "all", false, "converters, transformations and predicates too (Connect 3.2)")
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
