package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"regroup/actions/act"

	"github.com/spf13/cobra"

	"regroup/group"
	"regroup/internal/observe"
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
		Short: "Wait until a group is settled: every unit runs and no worker is missing",
		Long: `Wait until a group is settled: no round is coming, and every unit runs, or is paused or stopped on purpose. A worker that left
within the last five minutes, or leaves meanwhile, must be back, unless --workers sets how many are enough. Use it between the
steps of a rolling restart.

A worker whose REST interface does not answer may have crashed. The group notices after a session timeout, so wait waits that long.

Exit codes: 0 settled; 1 timed out: what is still missing is printed; 2 the group could not be watched, or a
permission is missing that is needed to decide.`,
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
	cmd.Flags().BoolVar(&settled, "settled", false, "accepted for compatibility: wait always waits for settled")
	cmd.Flags().IntVar(&w.workers, "workers", 0, "wait for at least `int` workers, whichever they are, instead of for all that left")
	cmd.Flags().StringArrayVar(&w.names, "worker", nil, "wait for this worker: `name`, host, host:port, URL or member id; repeatable")
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
	out, more := act.Wanted{Workers: w.workers, Names: w.names, Since: from}.Missing(s)
	if !more {
		return out
	}
	for _, r := range act.Resting(s) {
		const most = 20
		more := ""
		if len(r.Units) > most {
			more = fmt.Sprintf(" and %d more", len(r.Units)-most)
		}
		if src := s.SourceOf(group.SourceStatus); r.State == group.UnitUnknown && src != nil && src.Health != group.HealthOK {
			more += " (" + sourceLine(*src) + ")"
		}
		out = append(out, fmt.Sprintf("%s: %s%s", r.State, compact(r.Units[:min(most, len(r.Units))], nil), more))
	}
	return out
}
