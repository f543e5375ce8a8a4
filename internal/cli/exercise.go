package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"regroup/actions/act"
	"regroup/actions/connect"
	"regroup/actions/exercise"
	"regroup/actions/ghost"
	"regroup/internal/words"

	"github.com/spf13/cobra"

	"regroup/actions"
	"regroup/decode"
)

// exercising are the flags of an exercise.
type exercising struct {
	actionFlags
	choice   exercise.Choice
	file     string
	set      []string
	new      newWorkerFlags
	realWork bool
}

func newExercise(a *app) *cobra.Command {
	f := &exercising{}
	var list strings.Builder
	for _, b := range exercise.Builtins() {
		fmt.Fprintf(&list, "  %-16s %s\n", b.Name, b.About)
	}
	cmd := &cobra.Command{
		Use:   "exercise [NAME]",
		Short: "Run a scripted exercise on a live group and report its cost",
		Long: `Run the steps of an exercise, wait after each until the group is settled, and print what it cost, counted as regroup rounds
counts it: rounds, units started, stopped, restarted, dropped and moved, how many eager would have stopped, how many were down for a
while, unit-seconds of work not running, and the longest gap of a unit. Below each step are its prediction, made before the
exercise began, and the figures out of that range. With --dry-run only the predictions are printed. If it is interrupted, the group
is left as it is, and what was done is printed.

` + list.String() + `
Your own exercise is a file with steps: {name: evening, steps: [{do: stop worker-2, until: nothing}, {do: start worker-2, wait: 5s}]}.
Steps begin with ` + strings.Join(exercise.Verbs(), ", ") + `.`,
		Example: `  regroup exercise rolling-restart --dry-run -b localhost:9092
  regroup exercise rolling-restart --yes -o json -b localhost:9092
  regroup exercise --file evening.yaml -g connect-rig -b localhost:9092`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("exercise: %s after %s is one word too many; the group is named by -g: -g %[1]s", args[1], args[0])
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, b := range exercise.Builtins() {
				names = append(names, b.Name+"\t"+b.About)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.exercise(cmd.Context(), f, args) },
	}
	f.add(cmd)
	f.patient(cmd)
	fs := cmd.Flags()
	fs.StringVarP(&f.file, "file", "f", "", "read the steps from this YAML `file`; - is stdin")
	fs.StringVar(&f.choice.Worker, "worker", "", "which `worker` (default: the first that does not lead)")
	fs.StringVar(&f.choice.Connector, "connector", "", "which `connector`")
	fs.IntVar(&f.choice.Workers, "workers", 1, "scale-out, scale-in: `number` of workers")
	fs.IntVar(&f.choice.Times, "times", 3, "flap: how many `times`")
	fs.IntVar(&f.choice.Tasks, "tasks", 0, "tasks-change: new `number` of tasks (default: two more)")
	fs.DurationVar(&f.choice.For, "for", 0, "freeze, downgrade: how long (default: longer than session and delay together)")
	fs.DurationVar(&f.choice.Pause, "pause", 0, "how long a stopped worker stays away before it is started again")
	fs.StringArrayVar(&f.set, "set", nil, "config-edit, create: a property as `key=value`; repeatable")
	fs.BoolVar(&f.realWork, actions.RealWorkFlag, false, "downgrade: allow a ghost: units assigned to it do not run")
	f.new.add(cmd)
	return cmd
}

func (a *app) exercise(ctx context.Context, f *exercising, args []string) error {
	if len(args) == 0 && f.file == "" {
		return misuse("exercise: which one? name it, or give --file; regroup exercise --help lists them")
	}
	if len(args) > 0 && f.file != "" {
		return misuse("exercise: both %s and --file; give one of them", args[0])
	}
	if err := f.properties(); err != nil {
		return err
	}
	build, err := f.source(a, args)
	if err != nil {
		return err
	}
	settings, err := a.settings()
	if err != nil {
		return err
	}
	if why := a.guard(settings, f.actionFlags).ReadOnly; why != "" && !a.flags.dryRun {
		return &act.Refused{Action: "exercise", Why: why}
	}
	d, err := a.actionRunner(ctx, f.actionFlags)
	if err != nil {
		return err
	}
	defer d.stop()
	tr, err := d.exerciseRunner(f)
	if err != nil {
		return err
	}
	ex, err := build(d)
	if err != nil {
		return err
	}
	p, err := tr.Prepare(ex, exercise.Ways{Add: func(tr *exercise.Runner) (err error) {
		tr.New, err = f.new.worker(d)
		return err
	}})
	if err != nil {
		return err
	}
	if a.flags.dryRun {
		report, err := p.Foresee(ctx, d.Watch.State())
		if err != nil {
			return err
		}
		return a.report(report)
	}
	consent, err := d.consent(p.Action)
	if err != nil {
		return err
	}
	_, err = p.Do(ctx, consent, d.progress())
	if report := p.Report(); report != nil {
		if e := a.report(report); e != nil {
			return e
		}
	}
	return err
}

// source gives the exercise that is meant: a file is read before anything else is done.
func (f *exercising) source(a *app, args []string) (func(*actionRunner) (exercise.Exercise, error), error) {
	if f.file == "" {
		b, err := exercise.FindBuiltin(args[0])
		return func(d *actionRunner) (exercise.Exercise, error) { return b.Exercise(d.Watch.State(), f.choice) }, err
	}
	in := a.in
	if f.file != "-" {
		file, err := os.Open(f.file)
		if err != nil {
			return nil, fmt.Errorf("--file: %w", err)
		}
		defer file.Close()
		in = io.Reader(file)
	}
	ex, err := exercise.ReadScenario(in)
	return func(*actionRunner) (exercise.Exercise, error) { return ex, nil }, err
}

func (f *exercising) properties() error {
	f.choice.Set = map[string]string{}
	for _, p := range f.set {
		k, v, ok := strings.Cut(p, "=")
		if !ok || k == "" {
			return misuse("--set %s: not key=value", p)
		}
		f.choice.Set[k] = v
	}
	return nil
}

// exerciseRunner runs the exercise.
func (d *actionRunner) exerciseRunner(f *exercising) (*exercise.Runner, error) {
	k, err := d.workers()
	if err != nil {
		return nil, err
	}
	way, err := d.restWay(d.settings)
	if err != nil {
		return nil, err
	}
	herder := &connect.Client{Group: d.Actor.Group, Client: way.client, Watch: d.Watch, Reach: way.at, Extra: way.urls}
	return &exercise.Runner{Workers: k, Connectors: herder, Actor: d.Actor, Ghost: ghost.Ghost{RealWork: f.realWork}}, nil
}

// progress tells of every step, and of each thing that it waits for once.
func (d *actionRunner) progress() func(exercise.Progress) {
	last := ""
	return func(p exercise.Progress) {
		p.Now = stillness(p.Now)
		if line := p.String(); line != last && p.Step > 0 {
			last = line
			d.note("%s", decode.Printable(line))
		}
	}
}

// stillness leaves the seconds out of what is waited for: a line a second says nothing more.
func stillness(now string) string {
	if before, _, ok := strings.Cut(now, " wait for a delay"); ok {
		return before + " wait for a delay"
	}
	return now
}

// report prints what an exercise cost, or would.
func (a *app) report(r *exercise.Report) error {
	if a.json() {
		return a.print(r)
	}
	t := newTable("step", "state", ">rounds", ">started", ">stopped", ">restarted", ">dropped", ">moved", ">eager", ">down", ">unit-s", ">longest gap", "answer")
	row := func(name, state string, s *exercise.Sum, answer string) {
		cells := []string{name, state}
		for _, n := range []int{s.Rounds, s.Started, s.Stopped, s.Restarted, s.Dropped, s.Moved, s.EagerStops, s.Units} {
			cells = append(cells, strconv.Itoa(n))
		}
		t.row(append(cells, words.UnitRange(s.Low, s.High, s.Estimated), words.UnitRange(s.LongestLow, s.LongestHigh, s.Estimated), answer)...)
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		row(s.Do, string(s.State), &s.Sum, s.Answer)
		if s.Predicted != nil && s.State != exercise.StepNotDone {
			row("", "predicted", s.Predicted, "")
		}
		for _, d := range s.Deviations {
			t.line("  out of range: " + d.String())
		}
		for _, d := range s.Differences {
			t.line("  otherwise than predicted: " + d.String())
		}
	}
	row("all", "", &r.Total, "")
	if r.Predicted != nil {
		row("", "predicted", r.Predicted, "")
	}
	for _, d := range r.Caveats {
		t.line("but " + d)
	}
	return t.write(a.out)
}
