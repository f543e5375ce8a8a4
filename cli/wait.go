package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"regroup/group"
	"regroup/observe"
)

func newWait(a *app) *cobra.Command {
	var settled bool
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "wait [GROUP] --settled",
		Short: "Return when a group is settled and every unit runs",
		Long: `Wait until nothing more will happen by itself and every unit runs, or is paused or stopped on purpose: between the steps of a
rolling restart, before the next worker is stopped. A worker that died is missed only after its session timeout, so stop workers
politely, or wait that long first.

Exit codes: 0 settled; 1 the time is over, and what is still missing is said; 2 the group could not be watched.`,
		Example: `  systemctl restart kafka-connect && regroup wait connect-rig --settled --timeout 10m -b localhost:9092`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !settled {
				return misuse("wait: what for? give --settled")
			}
			if timeout <= 0 {
				return misuse("--timeout: %s is no time to wait", timeout)
			}
			return a.waitSettled(cmd.Context(), timeout, args)
		},
	}
	cmd.Flags().BoolVar(&settled, "settled", false, "wait until the group is settled and every unit runs")
	cmd.Flags().DurationVar(&timeout, "timeout", 10*time.Minute, "give up after that `long`")
	return cmd
}

func (a *app) waitSettled(ctx context.Context, timeout time.Duration, args []string) error {
	opt, err := a.reached(ctx, args)
	if err != nil {
		return err
	}
	inner, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var last *group.State
	missing, done := []string{"nothing was read of it yet"}, false
	err = observe.Live(inner, opt, func(s *group.State) {
		if done {
			return
		}
		last, missing = s, unsettled(s)
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
		return bad("group %s: not settled within %s: %s", opt.Group, timeout, strings.Join(missing, "; "))
	}
	return nil
}

func (a *app) settledNow(s *group.State) error {
	if a.json() {
		return describeJSON(a.out, s)
	}
	_, err := fmt.Fprintln(a.out, headline(s))
	return err
}

// unsettled tells what a group still lacks: nothing when it is settled and every unit runs or is meant not to.
func unsettled(s *group.State) []string {
	for _, src := range s.Sources {
		if src.Health == group.HealthCatchingUp {
			return []string{"the " + string(src.Source) + " is still being read"}
		}
	}
	r := s.Round()
	switch {
	case r == nil && s.Phase == "Dead":
		return []string{"there is none; regroup groups lists those that there are"}
	case r == nil:
		return []string{"no round of it was seen"}
	case s.Phase == "":
		return []string{"the broker has not said how it stands"}
	case s.Phase != "Stable":
		return []string{"the group is " + s.Phase}
	case r.Empty():
		return []string{"no worker is there"}
	case r.Provisional:
		return []string{"its config topic is still being read"}
	}
	var out []string
	if !r.Settled {
		out = append(out, called(r)+" is not the last: "+whatComes(s, r))
	}
	return append(out, restingUnits(s)...)
}

func called(r *group.Round) string {
	if r.Polled {
		return "this round"
	}
	return "round " + generation(r)
}

func whatComes(s *group.State, r *group.Round) string {
	switch {
	case r.Error != 0:
		return "it decided nothing"
	case s.Delay != nil && s.Delay.Units > 0:
		return fmt.Sprintf("%s wait for a delay, %s more", plural(s.Delay.Units, "unit"), s.Delay.Remaining.Round(time.Second))
	case s.Delay != nil:
		return "the leader pauses before it goes on"
	case r.Released > 0:
		return plural(r.Released, "unit") + " released"
	}
	return "more work is to come"
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
