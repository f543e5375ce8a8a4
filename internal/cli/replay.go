package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe"
	"regroup/tui"
	"regroup/tui/ui/theme"
)

// newReplay shows a file on the screen, or prints one frame of it.
func newReplay(a *app) *cobra.Command {
	var v view
	f := frame{view: "live", size: "120x36"}
	cmd := &cobra.Command{
		Use:   "replay FILE [GROUP]",
		Short: "Open a recording on the screen, or print one frame of it",
		Long: `Open a recording, or raw records, on the screen, at the end or at the moment given by --at. With --print, print one frame as text
and exit: for documents, bug reports and tests.`,
		Example: `  regroup replay capture.jsonl --at 22+2s
  regroup replay capture.jsonl --view units --size 120x36 --at 22 --print`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.from = args[0]
			if f.print {
				return a.printFrame(v, f, args[1:])
			}
			if err := v.readable(); err != nil {
				return err
			}
			if !a.screen() {
				return misuse("replay: this is no terminal; give --print to print one frame")
			}
			return a.watchScreen(cmd.Context(), v, args[1:])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&v.at, "at", "", "the `moment` to look at: a generation (16), 2 s after it (16+2s), an offset (@14)")
	flags.StringVar(&f.view, "view", f.view, "with --print: the `view`: "+strings.Join(tui.Views(), ", "))
	flags.StringVar(&f.size, "size", f.size, "with --print: `columns` x rows")
	flags.StringSliceVar(&f.keys, "keys", nil, "with --print: `keys` to press first, as left,down,enter")
	flags.BoolVar(&f.print, "print", false, "print one frame and exit")
	flags.BoolVar(&f.color, "color", false, "with --print: keep the colours")
	return cmd
}

// frame is how one frame is to be printed.
type frame struct {
	view, size   string
	keys         []string
	print, color bool
}

func (a *app) printFrame(v view, f frame, args []string) error {
	var w, h int
	if n, err := fmt.Sscanf(f.size, "%dx%d", &w, &h); n != 2 || err != nil || w < 1 || h < 1 || w > 1000 || h > 1000 {
		return misuse("--size: %q is no size; give it as 120x36", f.size)
	}
	s, err := a.fileState(v, args)
	if err != nil {
		return err
	}
	_, themes, err := a.own()
	if err != nil {
		return err
	}
	opt := tui.FrameOptions{
		View: f.view, Width: w, Height: h, Theme: theme.Kind(a.flags.theme), Themes: themes, ASCII: a.ascii(), Location: time.Local, Keys: f.keys, Replay: v.from,
		Version: thisBuild().Version, Bytes: fileBytes(v.from), Profile: colorprofile.NoTTY, Fleet: fleetOf(s),
	}
	if f.color {
		opt.Profile = colorprofile.TrueColor
	}
	text, err := tui.Frame(s, opt)
	if err != nil {
		return misuse("%w", err)
	}
	_, err = io.WriteString(a.out, text+"\n")
	return err
}

// fleetOf is the list of groups of a recording: the one that is shown.
func fleetOf(s *group.State) *observe.Fleet {
	report := doctor.Examine(s, doctor.Options{Passed: true})
	return &observe.Fleet{Now: s.Now, Groups: []observe.FleetGroup{observe.Watched(s, &report)}}
}

// fileBytes reads a round's bytes out of a file again. What came by stdin is gone.
func fileBytes(path string) tui.BytesFunc {
	if path == "-" {
		return nil
	}
	return func(_ context.Context, name string, r *group.Round) ([]byte, error) {
		file, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		raw, err := observe.BytesIn(bytes.NewReader(file), name, r.Partition, r.Offset)
		return raw.Value, err
	}
}
