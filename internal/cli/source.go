package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
	"regroup/internal/conn"
	"regroup/internal/observe"
)

// view says which part of a group's history a command looks at, and where that is read.
type view struct {
	since string
	from  string // a file instead of a broker
	at    string // the moment to stop at, in that file

	realWork bool // a ghost may hold real work

	recordsAlone bool // what workers say over REST is not shown: they are not asked
}

func (v *view) sinceFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&v.since, "since", "", "leave out what is older: a `time` (17:40, 2026-11-29T17:40) or how long ago (2h, 3d)")
}

// ghostFlag lets ghosts join from the screen.
func (v *view) ghostFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&v.realWork, actions.RealWorkFlag, false, "a ghost may join from the screen: units may stand still while it holds them")
}

func (v *view) fileFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&v.from, "from", "", "read a recording, or raw records, from `file` instead of a broker")
	cmd.Flags().StringVar(&v.at, "at", "", "with --from: the `moment` to look at: a generation (16), 2 s after it (16+2s), an offset (@14)")
}

// reach asks whether a broker answers, before a command that runs once sets out.
func (a *app) reach(ctx context.Context, s conn.Settings) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	unreached, err := s.Reach(ctx)
	for _, u := range unreached {
		a.note("%s does not answer; the other brokers are asked: %s", decode.Printable(u.Addr), decode.Printable(u.Reason))
	}
	return err
}

// fits asks, before a watch begins, whether settings and broker fit. A broker that is down is no reason not to begin: it may
// come up, and the watch says how it stands. Wrong settings stay wrong.
func fits(ctx context.Context, s conn.Settings) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var ce *conn.ConnectError
	if _, err := s.Reach(ctx); errors.As(err, &ce) && ce.Lasting {
		return err
	}
	return nil
}

// state is a group's State for a command that prints it once.
func (a *app) state(ctx context.Context, v view, args []string) (*group.State, error) {
	if v.from != "" {
		return a.fileState(v, args)
	}
	since, err := v.sinceTime(a.now())
	if err != nil {
		return nil, err
	}
	if v.at != "" {
		return nil, misuse("--at: it looks into a file; give --from FILE with it")
	}
	s, err := a.settings()
	if err != nil {
		return nil, err
	}
	if err := a.reach(ctx, s); err != nil {
		return nil, err
	}
	name, err := a.groupName(ctx, s, args)
	if err != nil {
		return nil, err
	}
	opt := a.observed(s, name)
	opt.Since = since
	if v.recordsAlone {
		opt.REST = nil
	}
	st, err := observe.Once(ctx, opt)
	if err != nil {
		return nil, err
	}
	return st, known(st)
}

// known refuses a group that nobody has heard of. One that once was has rounds.
func known(s *group.State) error {
	if len(s.Rounds) == 0 && (s.Phase == "" || s.Phase == "Dead") {
		return bad("group %q: there is none; regroup groups lists those that there are", s.Group)
	}
	return nil
}

// observed is what to observe of a cluster: flags before what a worker's own file says.
func (a *app) observed(s conn.Settings, name string) observe.Options {
	opt := observe.Options{Group: name, Dial: s.Client, REST: a.rest(s), ConfigTopic: a.flags.configTopic, StatusTopic: a.flags.statusTopic}
	if s.Worker.Group == "" || s.Worker.Group == name {
		if opt.ConfigTopic == "" {
			opt.ConfigTopic = s.Worker.ConfigTopic
		}
		if opt.StatusTopic == "" {
			opt.StatusTopic = s.Worker.StatusTopic
		}
		opt.OffsetsTopic, opt.MaxDelay = s.Worker.OffsetTopic, s.Worker.MaxDelay
	}
	return opt
}

// groupName is the group that was named, or the one of a worker's file, or the only one that there is. A group that is none of
// Connect workers is refused.
func (a *app) groupName(ctx context.Context, s conn.Settings, args []string) (string, error) {
	named := s.Worker.Group
	if len(args) > 0 {
		named = args[0]
	}
	if named != "" {
		return named, observe.CheckKind(ctx, s.Client, named)
	}
	found, hidden, err := observe.Groups(ctx, s.Client)
	if err != nil {
		return "", s.Explain(err)
	}
	switch len(found) {
	case 0:
		if err := noGroupSeen(ctx, s, found, hidden); err != nil {
			return "", err
		}
		return "", bad("no Connect group is on %s", strings.Join(s.Brokers, ","))
	case 1:
		return found[0].Group, nil
	}
	var names []string
	for _, g := range found {
		names = append(names, g.Group)
	}
	return "", misuse("which group? there are %s", strings.Join(names, ", "))
}
