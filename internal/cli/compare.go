package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"regroup/actions/exercise"

	"github.com/spf13/cobra"

	"regroup/internal/lab/compare"
	"regroup/tui"
	"regroup/tui/ui/theme"
)

// compareFlags are what a comparison can be told.
type compareFlags struct {
	modes          []string
	workers        int
	connectors     int
	tasks          int
	delay          time.Duration
	start, stop    time.Duration
	down           time.Duration
	heartbeat      time.Duration
	seed           uint64
	svg            string
	explain, print bool
	only           []string
	width          int
}

func newCompare(a *app) *cobra.Command {
	f := compareFlags{}
	var about []string
	for _, b := range exercise.Builtins() {
		about = append(about, fmt.Sprintf("  %-16s %s", b.Name, b.About))
	}
	cmd := &cobra.Command{
		Use:   "compare NAME|FILE",
		Short: "Play an exercise under eager and cooperative rebalancing, side by side",
		Long: `Play the same exercise on simulated groups that differ in the protocol alone, in virtual time, and show what each stopped and for
how long. The coordinator, the leader's decisions and the counting are those of the demo and of real groups; nothing outside
this program is touched. The same seed gives the same numbers.

Exercises:
` + strings.Join(about, "\n") + `

A name with a dot or a slash is a scenario file, as regroup exercise takes it. On a terminal the groups are played on the screen, all
together; in a pipe, or with --print, --explain or --only, they are printed.

Modes: eager; cooperative, as released in 3.7 and later; proposed, as KIP-415 described it (a leader's loss is like any worker's: its
work waits, and a delay that runs outlives it; a downgrade to eager stops everything first); 2.3, as first released.`,
		Example: `  regroup compare rolling-restart
  regroup compare join --workers 20 --tasks 200 --explain
  regroup compare leader-crash --modes cooperative,proposed --delay 5m -o json
  regroup compare evening.yaml --svg evening.svg`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return compare.Exercises(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.compare(cmd.Context(), f, args[0]) },
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&f.modes, "modes", []string{"eager", "cooperative"}, "`modes` to compare: eager, cooperative, proposed, 2.3")
	fs.IntVar(&f.workers, "workers", 4, "`number` of workers")
	fs.IntVar(&f.connectors, "connectors", 4, "`number` of connectors")
	fs.IntVar(&f.tasks, "tasks", 40, "`number` of tasks of all connectors together")
	fs.DurationVar(&f.delay, "delay", 20*time.Second, "scheduled.rebalance.max.delay.ms: how long work of a worker that left waits; 0: not at all")
	fs.DurationVar(&f.start, "start-time", 30*time.Millisecond, "how long a unit takes to start")
	fs.DurationVar(&f.stop, "stop-time", 15*time.Millisecond, "how long a unit takes to stop")
	fs.DurationVar(&f.down, "down", 8*time.Second, "how long a worker that comes back is gone")
	fs.DurationVar(&f.heartbeat, "heartbeat", 3*time.Second, "heartbeat.interval.ms of the workers, as a time")
	fs.Uint64Var(&f.seed, "seed", 1, "`seed` of the member ids, which decide ties, and of when heartbeats fall")
	fs.StringVar(&f.svg, "svg", "", "write the picture to this `file`; - prints it")
	fs.BoolVar(&f.explain, "explain", false, "say why the numbers differ")
	fs.StringSliceVar(&f.only, "only", nil, "print these `parts` alone: table, strips, why, rounds")
	fs.BoolVar(&f.print, "print", false, "print, also on a terminal")
	fs.IntVar(&f.width, "width", 100, "how wide to print, in `columns`")
	return cmd
}

// compareParts are what a printed comparison is made of.
var compareParts = []string{"table", "strips", "why", "rounds"}

// shows says whether a part is wanted.
func (f compareFlags) shows(part string) bool {
	if len(f.only) > 0 {
		return slices.Contains(f.only, part)
	}
	return part != "why" || f.explain
}

func (f compareFlags) options(name string) (compare.Options, error) {
	modes, err := compare.FindModes(f.modes)
	if err != nil {
		return compare.Options{}, misuse("--modes: %w", err)
	}
	o := compare.Options{
		Modes: modes, Workers: f.workers, Connectors: f.connectors, Tasks: f.tasks, Delay: f.delay, Start: f.start, Stop: f.stop,
		Down: f.down, Heartbeat: f.heartbeat, Seed: f.seed, Exercise: name,
	}
	if f.connectors == 0 && f.tasks > 0 {
		o.Tasks = 0
	}
	if !strings.ContainsAny(name, "./") {
		if _, err := exercise.FindBuiltin(name); err != nil {
			return o, misuse("%w; a file's name has a dot or a slash", err)
		}
		return o, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return o, fmt.Errorf("scenario: %w", err)
	}
	defer file.Close()
	o.Scenario, err = exercise.ReadScenario(file)
	return o, err
}

func (a *app) compare(ctx context.Context, f compareFlags, name string) error {
	o, err := f.options(name)
	if err != nil {
		return err
	}
	if f.width < 40 {
		return misuse("--width %d: 40 at least", f.width)
	}
	for _, part := range f.only {
		if !slices.Contains(compareParts, part) {
			return misuse("--only %s: there are %s", part, strings.Join(compareParts, ", "))
		}
	}
	c, err := compare.Play(o)
	if err != nil {
		return err
	}
	switch f.svg {
	case "":
	case "-":
		_, err := a.out.Write(c.SVG())
		return err
	default:
		if err := os.WriteFile(f.svg, c.SVG(), 0o644); err != nil { //nolint:gosec // a picture is for everybody
			return fmt.Errorf("--svg: %w", err)
		}
		a.note("the picture is in %s", f.svg)
	}
	if a.json() {
		return a.print(c)
	}
	if f.svg == "" && !f.print && !f.explain && len(f.only) == 0 && a.screen() {
		own, themes, err := a.own()
		if err != nil {
			return err
		}
		return tui.RunCompare(ctx, tui.CompareOptions{
			Comparison: c, Theme: theme.Kind(a.flags.theme), Themes: themes, ASCII: a.ascii(), Keys: own, Input: a.in, Output: a.out,
		})
	}
	return a.printComparison(c, f)
}
