package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"regroup/actions/connect"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/internal/rest"
)

func newConnectorApply(a *app, m *actionFlags) *cobra.Command {
	var files []string
	cmd := &cobra.Command{
		Use:   "apply FILE...",
		Short: "Create or change connectors to match files",
		Long: `Create connectors, or change existing ones, to match files. A connector that already matches is not written. A file is JSON, YAML or properties: {"name": …, "config": {…}} or the properties alone, several in a
list or, in YAML, in documents. A folder stands for the files in it, - for standard input.

All are compared and validated first: if one is invalid, none is written. Then they are applied one after the other, each after the
group has settled.`,
		Example: `  regroup connector apply connectors/ --dry-run
  kubectl get configmap connectors -o jsonpath='{.data.sink-a\.json}' | regroup connector apply - --yes`,
		RunE: func(cmd *cobra.Command, args []string) error {
			specs, err := a.specs(append(files, args...))
			if err != nil {
				return err
			}
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error { return h.apply(cmd.Context(), specs) })
		},
	}
	cmd.Flags().StringArrayVarP(&files, "file", "f", nil, "a `file`, like the arguments")
	return cmd
}

func newConnectorDiff(a *app, m *actionFlags) *cobra.Command {
	var files []string
	cmd := &cobra.Command{
		Use:   "diff FILE...",
		Short: "Show what apply would change",
		Long: `Show how connectors differ from files, without writing anything. Exit codes: 0 no difference; 1 there are differences,
or a file is invalid; 2 failed.`,
		Example: `  regroup connector diff connectors/ || echo "connectors have drifted"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			specs, err := a.specs(append(files, args...))
			if err != nil {
				return err
			}
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error { return h.diff(cmd.Context(), specs) })
		},
	}
	cmd.Flags().StringArrayVarP(&files, "file", "f", nil, "a `file`, like the arguments")
	return cmd
}

func (a *app) specs(files []string) ([]connect.Spec, error) {
	if len(files) == 0 {
		return nil, misuse("which file? give one, a folder, or - for standard input")
	}
	return connect.ReadSpecs(a.in, files...)
}

func (h *connectorDoer) proposals(ctx context.Context, specs []connect.Spec) ([]*connect.Proposal, error) {
	var out []*connect.Proposal
	var faults []error
	for _, s := range specs {
		p, err := h.k.Propose(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.From, err)
		}
		if err := p.Invalid(); err != nil {
			faults = append(faults, err)
		}
		out = append(out, p)
	}
	return out, errors.Join(faults...)
}

func (h *connectorDoer) apply(ctx context.Context, specs []connect.Spec) error {
	if err := h.mayAct("apply"); err != nil {
		return err
	}
	proposals, err := h.proposals(ctx, specs)
	if err != nil {
		return err
	}
	for _, p := range proposals {
		if err := h.propose(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// diffObject is how a connector differs from what a file says.
type diffObject struct {
	Name    string           `json:"name"`
	State   string           `json:"state"` // "same", "differs", "missing"
	Changes []propertyObject `json:"changes"`
	Faults  []faultObject    `json:"faults"`
}

type faultObject struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

func (h *connectorDoer) diff(ctx context.Context, specs []connect.Spec) error {
	proposals, err := h.proposals(ctx, specs)
	var invalid *connect.InvalidError
	if err != nil && !errors.As(err, &invalid) {
		return err
	}
	differs := false
	for _, p := range proposals {
		differs = differs || !p.Unchanged()
		if err := h.diffOne(p); err != nil {
			return err
		}
	}
	if differs {
		return silent(exitNo)
	}
	return nil
}

func (h *connectorDoer) diffOne(p *connect.Proposal) error {
	o := diffObject{p.Name, "differs", propertyObjects(p.Changes), faultObjects(p.Faults)}
	switch {
	case p.Unchanged():
		o.State = "same"
	case p.New():
		o.State = "missing"
	}
	if h.json() {
		if o.Changes == nil {
			o.Changes = []propertyObject{}
		}
		return h.print(o)
	}
	h.say(decode.Printable(p.Name) + ": " + o.State)
	h.say(indent(connect.DifferenceLines(p.Changes))...)
	for _, f := range faultText(p.Faults) {
		h.say("  not valid: " + f)
	}
	return nil
}

func faultObjects(faults []connect.Fault) []faultObject {
	out := []faultObject{}
	for _, f := range faults {
		out = append(out, faultObject(f))
	}
	return out
}

func newConnectorValidate(a *app, m *actionFlags) *cobra.Command {
	var files []string
	cmd := &cobra.Command{
		Use:   "validate FILE...",
		Short: "Validate connector configurations on a worker; nothing is written",
		Long: `Validate the configurations in files on a worker. They are read as apply reads them. Exit codes: 0 all are valid; 1 some are
not; 2 failed.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			specs, err := a.specs(append(files, args...))
			if err != nil {
				return err
			}
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error { return h.validate(cmd.Context(), specs) })
		},
	}
	cmd.Flags().StringArrayVarP(&files, "file", "f", nil, "a `file`, like the arguments")
	return cmd
}

func (h *connectorDoer) validate(ctx context.Context, specs []connect.Spec) error {
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

// propertyObject is a property that changes, as JSON; null is one that is not there, or is null.
type propertyObject struct {
	Key    string  `json:"key"`
	Was    *string `json:"was"`
	Now    *string `json:"now"`
	Secret bool    `json:"secret,omitempty"`
}

func propertyObjects(changes []connect.Property) []propertyObject {
	var out []propertyObject
	for _, c := range changes {
		out = append(out, propertyObject{c.Key, maskedValue(c.Was, c.Secret), maskedValue(c.Now, c.Secret), c.Secret})
	}
	return out
}

func maskedValue(v *string, secret bool) *string {
	if v != nil && secret {
		mask := connect.Mask
		return &mask
	}
	return v
}

// propertyText is one property on one line.
func propertyText(key string, value *string) string {
	if value == nil {
		return decode.Printable(key) + " = null"
	}
	return strings.TrimRight(decode.Printable(key)+" = "+decode.Printable(*value), " ")
}

// faultText is what a worker finds wrong, a line each.
func faultText(faults []connect.Fault) []string {
	var out []string
	for _, f := range faults {
		out = append(out, decode.Printable(f.Key+": "+f.Text))
	}
	return out
}

// configObject is a configuration as JSON, with its secrets masked.
func configObject(c rest.Config, secrets connect.Secrets) rest.Config {
	if c == nil {
		return rest.Config{}
	}
	return secrets.Masked(c)
}
