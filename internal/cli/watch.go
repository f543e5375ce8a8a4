package cli

import (
	"context"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"regroup/group"
	"regroup/internal/observe"
)

func newWatch(a *app) *cobra.Command {
	var v view
	cmd := &cobra.Command{
		Use:   "watch [GROUP]",
		Short: "Watch a group: the screen on a terminal, one line per event otherwise",
		Long: `On a terminal, open the screen; if there are several groups and none is named, their list. In a pipe, or with -o json, print one
line per event: a round, the group's state, each stop and start of a unit, a source's health, what the
doctor finds and when that is over, and in a recording what was done with this program. It begins with the newest round; with
--since, with all rounds from then on.`,
		Example: `  regroup watch -b localhost:9092
  regroup watch connect-rig -o json | jq 'select(.event == "round")'`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeGroup,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.watch(cmd.Context(), v, args)
		},
	}
	v.sinceFlag(cmd)
	v.fileFlags(cmd)
	v.ghostFlag(cmd)
	return cmd
}

func (a *app) watch(ctx context.Context, v view, args []string) error {
	if a.screen() && !a.json() {
		return a.watchScreen(ctx, v, args)
	}
	if v.from != "" {
		s, err := a.state(ctx, v, args)
		if err != nil {
			return err
		}
		f := newFollower(true)
		f.passed = true
		return a.tell(f.next(s))
	}
	s, err := a.settings()
	if err != nil {
		return err
	}
	if err := fits(ctx, s); err != nil {
		return err
	}
	name, err := a.groupName(ctx, s, args)
	if err != nil {
		return err
	}
	opt := a.observed(s, name)
	if opt.Since, err = v.sinceTime(a.now()); err != nil {
		return err
	}
	return a.follow(ctx, opt, v.since != "")
}

// follow prints a line for each thing that happens until ctx ends; all begins with every round, else with the newest.
func (a *app) follow(ctx context.Context, opt observe.Options, all bool) error {
	follow := newFollower(all)
	live, cancel := context.WithCancel(ctx)
	defer cancel()
	var told error
	err := observe.Live(live, opt, func(s *group.State) {
		if told == nil {
			told = a.tell(follow.next(s))
		}
		if told != nil {
			cancel() // nobody reads any more
		}
	})
	switch {
	case told != nil:
		return told
	case ctx.Err() != nil:
		return nil // to end a watch is no failure
	}
	return err
}

func (a *app) tell(events []event) error {
	for _, e := range events {
		if !a.json() {
			if _, err := io.WriteString(a.out, e.text()+"\n"); err != nil {
				return err
			}
			continue
		}
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := a.out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
