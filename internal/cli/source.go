package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
	"regroup/internal/conn"
	"regroup/internal/observe"
	"regroup/internal/words"
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
	cmd.Flags().StringVar(&v.since, "since", "", "skip what is older than a `time` (17:40, 2026-11-29T17:40) or an age (2h, 3d)")
}

// ghostFlag lets ghosts join from the screen.
func (v *view) ghostFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&v.realWork, actions.RealWorkFlag, false, "allow a ghost to join from the screen: units assigned to it do not run")
}

func (v *view) fileFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&v.from, "from", "", "read a recording or raw records from `file` instead of a broker")
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
	return st, known(ctx, s.Client, st)
}

// known refuses a group that was never seen, and names those that exist. One that existed has rounds.
func known(ctx context.Context, dial observe.Dial, s *group.State) error {
	if len(s.Rounds) > 0 || s.Phase != "" && s.Phase != "Dead" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	found, _, err := observe.Groups(ctx, dial)
	if err != nil || len(found) == 0 {
		return bad("group %q: not found; regroup groups lists the Connect groups of this cluster", s.Group)
	}
	var names []string
	for _, g := range found {
		names = append(names, decode.Printable(g.Group))
	}
	return bad("group %q: not found; Connect groups of this cluster: %s", s.Group, words.Few(names))
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

// sinceTime reads --since: how long ago (90s, 2h, 3d), or a time of day, of a day, or in full; local unless it says else.
func (v view) sinceTime(now time.Time) (time.Time, error) {
	s := strings.TrimSpace(v.since)
	if s == "" {
		return time.Time{}, nil
	}
	if n, ok := strings.CutSuffix(s, "d"); ok {
		if days, err := strconv.ParseFloat(n, 64); err == nil && days >= 0 && days < 100_000 {
			return now.Add(-time.Duration(days * 24 * float64(time.Hour))), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{"15:04", "15:04:05"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			at := time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), t.Second(), 0, now.Location())
			if at.After(now) {
				at = at.AddDate(0, 0, -1) // 23:50, asked for at 00:10
			}
			return at, nil
		}
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, misuse("--since: %q is no time; write 2h, 3d, 17:40 or 2026-11-29T17:40", s)
}

// fileState is the State that a file, or "-" for stdin, tells at the moment that --at names.
func (a *app) fileState(v view, args []string) (*group.State, error) {
	stop, err := observe.ParseStop(v.at)
	if err != nil {
		return nil, misuse("--at: %w", err)
	}
	in, where := a.in, "stdin"
	if v.from != "-" {
		f, err := v.open()
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in, where = io.Reader(f), v.from
	}
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	s, err := observe.Read(in, name, stop)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	if log := s.SourceOf(group.SourceLog); log != nil && log.Health == group.HealthEnded && log.Detail != "" {
		shown := "; what stands before that is shown"
		if log.Unread > 0 {
			shown = "; rounds are shown without it"
		}
		a.note("%s: %s%s", where, log.Detail, shown)
	}
	return s, nil
}

func (v view) open() (*os.File, error) {
	f, err := os.Open(v.from)
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if err != nil {
		return nil, fmt.Errorf("--from %s: %w", v.from, err)
	}
	return f, nil
}

// readable says of a file that is not there that it is not, before anything else is found wanting.
func (v view) readable() error {
	if v.from == "-" {
		return nil
	}
	f, err := v.open()
	if err != nil {
		return err
	}
	return f.Close()
}
