package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"regroup/actions/process"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/observe"
	"regroup/internal/words"
)

// remembered is for how long before a wait began a worker that left is waited for.
const remembered = 5 * time.Minute

// waiting is what a group is waited for to be.
type waiting struct {
	workers int      // at least so many workers; 0: all that were there
	names   []string // these workers among them
	timeout time.Duration
}

func newWait(a *app) *cobra.Command {
	var w waiting
	var settled bool
	cmd := &cobra.Command{
		Use:   "wait [GROUP]",
		Short: "Return when a group is settled, every unit runs and no worker is missing",
		Long: `Wait until a group is settled: nothing more will happen by itself, and every unit runs, or is paused or stopped on purpose. A worker
that left within the last five minutes, or leaves meanwhile, has to be back, unless --workers says how many are enough. So a rolling
restart does not stop the next worker before the last one is back with its work.

A worker whose REST interface does not answer may have died: the group notices that a session timeout later, and is waited for so
long.

Exit codes: 0 settled; 1 the time is over, and what is still missing is said; 2 the group could not be watched,
or a right is missing without which it cannot be told.`,
		Example: `  ssh worker-1 systemctl restart kafka-connect && regroup wait connect-rig --worker worker-1 -b localhost:9092
  regroup wait connect-rig --workers 2 --timeout 5m`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeGroup,
		RunE: func(cmd *cobra.Command, args []string) error {
			if w.timeout <= 0 {
				return misuse("--timeout: %s is no time to wait", w.timeout)
			}
			if w.workers < 0 || w.workers == 0 && cmd.Flags().Changed("workers") {
				return misuse("--workers: %d is no number of workers to wait for", w.workers)
			}
			return a.waitFor(cmd.Context(), w, args)
		},
	}
	cmd.Flags().BoolVar(&settled, "settled", false, "accepted for scripts of earlier versions: a wait is always for that")
	cmd.Flags().IntVar(&w.workers, "workers", 0, "at least `int` workers are in the group, whichever; those that left are then not missed")
	cmd.Flags().StringArrayVar(&w.names, "worker", nil, "`name`, host, host:port, URL or member id of a worker that has to be in the group, repeatable")
	cmd.Flags().DurationVar(&w.timeout, "timeout", 10*time.Minute, "maximum time to wait")
	return cmd
}

func (a *app) waitFor(ctx context.Context, w waiting, args []string) error {
	opt, err := a.reached(ctx, args)
	if err != nil {
		return err
	}
	inner, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	var last *group.State
	missing, done := []string{"nothing was read of it yet"}, false
	from := a.now().Add(-remembered)
	err = observe.Live(inner, opt, func(s *group.State) {
		if done {
			return
		}
		last, missing = s, w.missing(s, from)
		if len(missing) == 0 && !opt.Asked(s) {
			missing = []string{"its workers have not been asked over REST"}
		}
		if done = len(missing) == 0; done {
			cancel()
		}
	})
	switch {
	case done:
		return a.settledNow(last)
	case err != nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(inner.Err(), context.DeadlineExceeded):
		return late(last, w, opt.Group, missing)
	}
	return nil
}

// late is the error of a wait whose time is over: it failed where nobody can say whether the group is settled.
func late(s *group.State, w waiting, name string, missing []string) error {
	if why := untold(s); why != "" {
		return fmt.Errorf("group %s: cannot tell whether it is settled: %s", name, why)
	}
	return bad("group %s: not settled within %s: %s", name, w.timeout, strings.Join(missing, "; "))
}

// untold tells which sources are not to be had without which nobody can say whether a group with workers is settled; "" when all are,
// or when the group has no workers, which is answer enough.
func untold(s *group.State) string {
	if s == nil || s.Phase == "Empty" || s.Phase == "Dead" {
		return ""
	}
	var out []string
	for _, source := range []group.Source{group.SourceDescribe, group.SourceConfig, group.SourceStatus} {
		switch src := s.SourceOf(source); {
		case src == nil:
		case src.Health == group.HealthDenied, src.Health == group.HealthMissing, src.Health == group.HealthAmbiguous:
			out = append(out, sourceLine(*src))
		}
	}
	return strings.Join(out, "; ")
}

func (a *app) settledNow(s *group.State) error {
	if a.json() {
		return describeJSON(a.out, s)
	}
	_, err := fmt.Fprintln(a.out, headline(s))
	return err
}

// missing tells what a group still lacks: nothing when it is settled, every unit runs or is meant not to, and who has to be there
// is. Workers that left since from have to be back.
func (w waiting) missing(s *group.State, from time.Time) []string {
	out := s.Unsettled()
	r := s.Round()
	switch {
	case s.Reading() != nil || r == nil:
		return out
	case s.Phase == "":
		return []string{"the broker has not said how it stands"}
	case s.Phase != "Stable" && s.Phase != "Empty":
		return out
	}
	out = append(out, w.absent(s, from)...)
	if r.Empty() {
		return append(out, "no worker is there")
	}
	for _, u := range s.Unanswered() {
		if u.Last.IsZero() { // one that answered before is among what is unsettled
			out = append(out, decode.Printable(s.UnansweredText(u)))
		}
	}
	return append(out, restingUnits(s)...)
}

// absent tells of the workers that have to be in the group and are not, or do not work yet.
func (w waiting) absent(s *group.State, from time.Time) []string {
	var out []string
	if n := s.Round().Workers; n < w.workers {
		out = append(out, fmt.Sprintf("%s of %d in the group", words.Count(n, "worker"), w.workers))
	}
	named := map[string]bool{}
	for _, name := range w.names {
		if _, err := process.FindWorker(s, name); err != nil {
			named[name] = true
			out = append(out, err.Error())
		}
	}
	rest := s.REST()
	for i := range s.Workers {
		worker := &s.Workers[i]
		if r := rest[worker.URL]; !worker.Gone && r.Starting() && r.At.After(s.Round().RecordedAt) {
			out = append(out, decode.Printable(worker.Name)+" is starting anew, and has not joined yet")
		}
	}
	if w.workers > 0 {
		return out
	}
	for _, m := range s.MissingSince(from) {
		if !named[m.Name] {
			out = append(out, fmt.Sprintf("%s left at %s and is not back; --workers says how many are enough", decode.Printable(m.Name),
				m.Left.Local().Format("15:04:05")))
		}
	}
	return out
}

// restingUnits tells which units do not run and should, a line a state.
func restingUnits(s *group.State) []string {
	byState := map[group.UnitStateKind][]group.Unit{}
	var order []group.UnitStateKind
	for i := range s.Units {
		u := &s.Units[i]
		switch u.State {
		case group.UnitRunning, group.UnitPaused, group.UnitStopped:
			continue
		}
		if byState[u.State] == nil {
			order = append(order, u.State)
		}
		byState[u.State] = append(byState[u.State], u.Unit)
	}
	var out []string
	for _, k := range order {
		units := byState[k]
		const most = 20
		more := ""
		if len(units) > most {
			more = fmt.Sprintf(" and %d more", len(units)-most)
		}
		if src := s.SourceOf(group.SourceStatus); k == group.UnitUnknown && src != nil && src.Health != group.HealthOK {
			more += " (" + sourceLine(*src) + ")"
		}
		out = append(out, fmt.Sprintf("%s: %s%s", k, compact(units[:min(most, len(units))], nil), more))
	}
	return out
}
