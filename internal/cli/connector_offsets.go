package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"regroup/actions"
	"regroup/decode"
	"regroup/internal/rest"
	"regroup/internal/words"
)

func newConnectorOffsets(a *app, m *actionFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "offsets",
		Short: "Show, alter and reset how far a connector has got",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	get := &cobra.Command{
		Use:   "get NAME",
		Short: "Show how far a connector has got (Connect 3.5)",
		Args:  cobra.ExactArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.herd(cmd.Context(), m, func(h *connectorDoer) error { return h.offsets(cmd.Context(), args[0]) })
		},
	}
	reset := &cobra.Command{
		Use:   "reset NAME",
		Short: "Let a stopped connector begin anew (Connect 3.6)",
		Args:  cobra.ExactArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (actions.Action, error) { return h.k.Resetting(name) })
		},
	}
	var file string
	alter := &cobra.Command{
		Use:   "alter NAME -f FILE",
		Short: "Set offsets of a stopped connector (Connect 3.6)",
		Long: `Set offsets of a stopped connector to those of a file (- is standard input), written as offsets get -o json writes them:
{"offsets":[{"partition":{…},"offset":{…}}]}. An offset of null forgets its partition; partitions that are not named stay.`,
		Args: cobra.ExactArgs(1), ValidArgsFunction: a.completeConnector(m),
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := a.readOffsets(file)
			if err != nil {
				return err
			}
			return a.each(cmd.Context(), m, args, func(h *connectorDoer, name string) (actions.Action, error) { return h.k.Altering(name, to) })
		},
	}
	alter.Flags().StringVarP(&file, "file", "f", "", "the `file` with the offsets")
	cmd.AddCommand(get, alter, reset)
	return cmd
}

// offsetsObject is what offsets get prints and alter reads.
type offsetsObject struct {
	Offsets []rest.Offset `json:"offsets"`
}

func (h *connectorDoer) offsets(ctx context.Context, name string) error {
	offsets, endpoint, err := h.k.Offsets(ctx, name)
	if err != nil {
		return err
	}
	if h.json() {
		return h.print(offsetsObject{append([]rest.Offset{}, offsets...)})
	}
	fmt.Fprintf(h.out, "%s: %s, by %s\n", decode.Printable(name), words.Count(len(offsets), "partition"), endpoint)
	if len(offsets) == 0 {
		return nil
	}
	t := newTable("partition", "offset")
	for _, o := range offsets {
		t.row(string(o.Partition), string(o.Offset))
	}
	return t.write(h.out)
}

func (a *app) readOffsets(file string) ([]rest.Offset, error) {
	if file == "" {
		return nil, misuse("which offsets? give -f FILE")
	}
	in, from := a.in, "standard input"
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in, from = f, file
	}
	raw, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var o offsetsObject
	if err := dec.Decode(&o); err != nil {
		return nil, fmt.Errorf("%s: not {\"offsets\":[…]}: %w", from, err)
	}
	if len(o.Offsets) == 0 {
		return nil, misuse("%s: no offsets are in it", from)
	}
	return o.Offsets, nil
}
