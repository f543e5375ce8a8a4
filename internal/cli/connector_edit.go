package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"regroup/actions"
	"regroup/actions/editor"
	"regroup/decode"
	"regroup/internal/rest"
)

func newConnectorEdit(a *app, m *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "edit NAME",
		Short: "Change a connector's configuration in an editor",
		Long: `Open a connector's configuration in $VISUAL or $EDITOR. What was changed is shown and validated by a worker before it is
written; what is not valid opens again, with what is wrong on top. Secrets are masked: a mask that is left alone leaves the secret as it
is. Where nothing was changed, nothing is written.`,
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
	masked := secrets.Masked(was)
	head := []string{
		fmt.Sprintf("Connector %s of group %s. What is saved is compared and validated before it is written.", name, h.k.Group),
		actions.Mask + " is a secret; left alone it stays as it is. To leave everything alone, change nothing, or save nothing.",
	}
	text := actions.EditText(masked, head...)
	file, err := editor.NewFile(text)
	if err != nil {
		return err
	}
	ed := h.editor(s)
	for first := true; ; first = false {
		edited, err := ed.Open(ctx, file)
		if err != nil {
			return err
		}
		if edited == text || strings.TrimSpace(edited) == "" {
			if first {
				h.say(decode.Printable(name) + ": unchanged")
				return errors.Join(file.Remove(), h.finish(result{Action: "edit", Target: name, State: "unchanged"}, ""))
			}
			return failure{fmt.Errorf("edit %s: given up, and nothing was written; your text is in %s", decode.Printable(name), file.Path), exitNo}
		}
		p, config, fault := h.edited(ctx, name, was, edited)
		if fault == nil {
			if err := h.propose(ctx, p); err != nil {
				h.note("your text is in %s", file.Path)
				return err
			}
			return file.Remove()
		}
		if !h.Actor.Guard.Interactive {
			return errors.Join(fault, fmt.Errorf("your text is in %s", file.Path))
		}
		if config != nil {
			text = actions.EditText(config, append(strings.Split("Not written: "+fault.Error(), "\n"), head...)...)
		} else {
			// What cannot be read is left as it stands.
			h.note("%s", decode.Printable(fault.Error()))
			text = "# Not written: " + decode.Printable(fault.Error()) + "\n" + edited
		}
		if err := file.Write(text); err != nil {
			return err
		}
	}
}

// edited is what came out of the editor, as a proposal, or what is wrong with it.
func (h *connectorDoer) edited(ctx context.Context, name string, was rest.Config, text string) (*actions.Proposal, rest.Config, error) {
	config, err := actions.ParseEdit(text)
	if err != nil {
		return nil, nil, err
	}
	p, err := h.k.ProposeOver(ctx, actions.Spec{Name: name, Config: config}, was)
	if err == nil {
		err = p.Invalid()
	}
	return p, config, err
}
