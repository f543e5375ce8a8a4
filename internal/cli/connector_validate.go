package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"regroup/actions"
	"regroup/decode"
)

func newConnectorValidate(a *app, m *actionFlags) *cobra.Command {
	var files []string
	cmd := &cobra.Command{
		Use:   "validate FILE...",
		Short: "Let a worker say what is wrong with configurations; nothing is written",
		Long: `Let a worker say what is wrong with what files say. They are read as apply reads them. Exit codes: 0 all are valid; 1 some are
not; 2 it could not be told.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			specs, err := a.specs(append(files, args...))
			if err != nil {
				return err
			}
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error { return h.validate(cmd.Context(), specs) })
		},
	}
	cmd.Flags().StringArrayVarP(&files, "file", "f", nil, "a `file`, as an argument is")
	return cmd
}

func (h *connectorDoer) validate(ctx context.Context, specs []actions.Spec) error {
	wrong := false
	for _, s := range specs {
		faults, endpoint, err := h.k.Validate(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.From, err)
		}
		wrong = wrong || len(faults) > 0
		if h.json() {
			err := h.print(struct {
				Name   string        `json:"name"`
				Valid  bool          `json:"valid"`
				Faults []faultObject `json:"faults"`
			}{s.Name, len(faults) == 0, faultObjects(faults)})
			if err != nil {
				return err
			}
			continue
		}
		verdict := "valid"
		if len(faults) > 0 {
			verdict = "not valid"
		}
		h.say(fmt.Sprintf("%s: %s, says %s", decode.Printable(s.Name), verdict, endpoint))
		h.say(indent(faultText(faults))...)
	}
	if wrong {
		return silent(exitNo)
	}
	return nil
}
