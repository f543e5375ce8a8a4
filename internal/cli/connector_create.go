package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"regroup/actions"
	"regroup/actions/connect"

	"github.com/spf13/cobra"

	"regroup/actions/editor"
	"regroup/decode"
	"regroup/internal/rest"
)

func newConnectorCreate(a *app, m *actionFlags) *cobra.Command {
	var file, state string
	cmd := &cobra.Command{
		Use:   "create NAME [KEY=VALUE...] | create -f FILE [NAME] [KEY=VALUE...]",
		Short: "Create a connector",
		Long: `Create a connector from properties on the command line, from a file (JSON, YAML or properties; - is standard input), or from both:
then the command line wins. A worker validates it first. To change an existing connector, see apply, edit and patch.

A secret on the command line can be read by everyone on this machine while the command runs: put it into a file.`,
		Example: `  regroup connector create sink-a connector.class=FileStreamSink topics=orders file=/tmp/orders tasks.max=2
  regroup connector create -f sink-a.json --state stopped`,
		RunE: func(cmd *cobra.Command, args []string) error {
			spec, err := a.specOf(file, state, args)
			if err != nil {
				return err
			}
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error { return h.create(cmd.Context(), spec) })
		},
	}
	cmd.Flags().StringVarP(&file, "file", "f", "", "read the configuration from a `file`")
	cmd.Flags().Var(choice(&state, "running", "paused", "stopped"), "state", "initial `state`: running, paused or stopped (Connect 3.7)")
	return cmd
}

// specOf puts the command line's properties over a file's.
func (a *app) specOf(file, state string, args []string) (connect.Spec, error) {
	var s connect.Spec
	name := ""
	if len(args) > 0 && (file == "" || !strings.Contains(args[0], "=")) {
		name, args = args[0], args[1:]
	}
	set, err := assignments(args, false)
	if err != nil {
		return s, err
	}
	if file == "" {
		s.Config = rest.Config{}
	} else {
		specs, err := connect.ReadSpecs(a.in, file)
		if err != nil {
			return s, err
		}
		if len(specs) > 1 {
			return s, misuse("%s: %d connectors are in it; see regroup connector apply", file, len(specs))
		}
		s = specs[0]
		if name != "" {
			delete(s.Config, "name")
		}
	}
	if name != "" {
		s.Name = name
	}
	for k, v := range set {
		s.Config[k] = v
	}
	if s.Name == "" && s.Config["name"] != nil {
		s.Name = *s.Config["name"]
	}
	if s.Name == "" {
		return s, misuse("create: what is it called? give a NAME, or a file that has one")
	}
	if state != "" {
		s.Initial = rest.Initial(strings.ToUpper(state))
	}
	return s, nil
}

// assignments reads KEY=VALUE; where taking away is allowed, KEY- is nil.
func assignments(args []string, away bool) (rest.Config, error) {
	out := rest.Config{}
	for _, arg := range args {
		k, v, ok := strings.Cut(arg, "=")
		switch {
		case ok && k != "":
			out[k] = &v
		case away && !ok && strings.HasSuffix(arg, "-") && len(arg) > 1:
			out[strings.TrimSuffix(arg, "-")] = nil
		case away:
			return nil, misuse("%s: neither KEY=VALUE nor KEY-", decode.Printable(k))
		default:
			return nil, misuse("%s: not KEY=VALUE", decode.Printable(k))
		}
	}
	return out, nil
}

func (h *connectorDoer) create(ctx context.Context, spec connect.Spec) error {
	if err := h.mayAct("create " + spec.Name); err != nil {
		return err
	}
	p, err := h.k.Propose(ctx, spec)
	if err != nil {
		return err
	}
	if !p.New() {
		return bad("connector %q: it is there already; change it with apply, edit or patch", decode.Printable(spec.Name))
	}
	return h.propose(ctx, p)
}

// propose shows what a configuration comes to, and writes it.
func (h *connectorDoer) propose(ctx context.Context, p *connect.Proposal) error {
	changes := propertyObjects(p.Changes)
	if p.Unchanged() {
		h.say(decode.Printable(p.Name) + ": unchanged")
		return h.finish(result{Action: "apply", Target: p.Name, State: "unchanged"}, "")
	}
	if err := p.Invalid(); err != nil {
		if h.flags.dryRun {
			h.say(indent(connect.DifferenceLines(p.Changes))...)
		}
		return err
	}
	return h.run(ctx, p.Action(), changes, indent(connect.DifferenceLines(p.Changes))...)
}

func newConnectorEdit(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "edit NAME",
		Short: "Change a connector's configuration in an editor",
		Long: `Open a connector's configuration in $VISUAL or $EDITOR. The change is shown and validated by a worker before it is
written; an invalid configuration opens again with its errors on top. Secrets are masked: a mask that is not edited keeps the secret.
If nothing was changed, nothing is written.`,
		Args: cobra.ExactArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, s := editor.Shielded(cmd.Context())
			defer s.End()
			return a.herd(ctx, m, func(h *connectorDoer) error { return h.edit(ctx, s, args[0]) })
		},
	}
}

func (h *connectorDoer) edit(ctx context.Context, s *editor.Shield, name string) error {
	if err := h.mayAct("edit " + name); err != nil {
		return err
	}
	was, err := h.k.Fetch(ctx, name)
	if err != nil {
		return err
	}
	secrets, err := h.k.Secrets(ctx, was)
	if err != nil {
		return err
	}
	var p *connect.Proposal
	ed := h.editor(s)
	edited, err := actions.ConfigEdit{
		Open: ed.Open,
		Head: fmt.Sprintf("Connector %s of group %s. What is saved is compared and validated before it is written.", name, h.k.Group),
		Check: func(ctx context.Context, config rest.Config) (err error) {
			if p, err = h.k.ProposeOver(ctx, connect.Spec{Name: name, Config: config}, was); err == nil {
				err = p.Invalid()
			}
			return err
		},
		Wrong: func(fault error, unreadable bool, in editor.File) error {
			if !h.Actor.Guard.Interactive {
				return errors.Join(fault, fmt.Errorf("your text is in %s", in.Path))
			}
			if unreadable {
				h.note("%s", decode.Printable(fault.Error()))
			}
			return nil
		},
	}.Run(ctx, secrets.Masked(was))
	switch {
	case err != nil:
		return err
	case !edited.Valid && edited.Again:
		return failure{fmt.Errorf("edit %s: given up, and nothing was written; your text is in %s", decode.Printable(name), edited.File.Path), exitNo}
	case !edited.Valid:
		h.say(decode.Printable(name) + ": unchanged")
		return errors.Join(edited.File.Remove(), h.finish(result{Action: "edit", Target: name, State: "unchanged"}, ""))
	}
	if err := h.propose(ctx, p); err != nil {
		h.note("your text is in %s", edited.File.Path)
		return err
	}
	return edited.File.Remove()
}
