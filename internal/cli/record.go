package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/atomicfile"
	"regroup/internal/observe"
	"regroup/internal/words"
)

func newRecord(a *app) *cobra.Command {
	var v view
	cmd := &cobra.Command{
		Use:   "record FILE [GROUP]",
		Short: "Record a group's events to a file, without secrets",
		Long: `Record a group's events to a file, from the beginning of the log or from --since, until interrupted. Open it with replay; rounds,
describe, doctor and watch read it with --from.

A recording is safe to share. The session key is left out. Values of connectors' and tasks' properties are replaced by salted
digests, so that a change still shows, but for those that say nothing private (connector.class, tasks.max, name, converters,
topics). Traces and errors lose what looks like a credential. Names of topics, connectors, properties and hosts stay.

With --from, make the recording from raw records or another recording.`,
		Example: `  regroup record group.jsonl connect-rig -b localhost:9092 --since 2h
  regroup record shareable.jsonl --from capture.jsonl
  regroup replay group.jsonl`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if v.from != "" {
				return a.rerecord(args[0], v.from, args[1:])
			}
			return a.record(cmd.Context(), args[0], v, args[1:])
		},
	}
	v.sinceFlag(cmd)
	cmd.Flags().StringVar(&v.from, "from", "", "make the recording from raw records or another recording in `file`")
	return cmd
}

// recorded is what a recording came to.
type recorded struct {
	File  string `json:"file"`
	Group string `json:"group"`
	Lines int    `json:"lines"`
}

func (a *app) tellRecorded(r recorded) error {
	if !a.json() {
		a.note("%s: %s of group %s", r.File, words.Count(r.Lines, "line"), r.Group)
		return nil
	}
	return a.print(r)
}

// newFile is a file that was not there before, unless --yes says that it may have been.
func (a *app) newFile(path string) (*os.File, error) {
	how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if a.flags.yes {
		how = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, how, 0o600)
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, misuse("%s is there already: name another file, or overwrite it with --yes", path)
	case errors.As(err, &pe):
		return nil, fmt.Errorf("%s: %w", path, pe.Err)
	}
	return f, err
}

// rerecord makes a recording of a file.
func (a *app) rerecord(path, from string, args []string) (err error) {
	in := a.in
	if from != "-" {
		f, err := os.Open(from)
		var pe *fs.PathError
		if errors.As(err, &pe) {
			return fmt.Errorf("--from %s: %w", from, pe.Err)
		}
		defer f.Close()
		if same(f, path) {
			return misuse("%s is what is read: name another file to write", path)
		}
		in = f
	}
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	out, err := a.newWhole(path)
	if err != nil {
		return err
	}
	header, lines, err := observe.Rerecord(out, in, name)
	if err := out.Finish(err); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return a.tellRecorded(recorded{path, header.Group, lines})
}

func same(open *os.File, path string) bool {
	one, err1 := open.Stat()
	other, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// record writes what is observed until ctx ends, which is how a recording ends, and no failure.
func (a *app) record(ctx context.Context, path string, v view, args []string) (err error) {
	since, err := v.sinceTime(a.now())
	if err != nil {
		return err
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
	opt.Since = since
	out, err := a.newFile(path)
	if err != nil {
		return err
	}
	if !a.json() {
		a.note("recording group %s to %s; ctrl-c ends it", name, path)
	}
	w := observe.NewRecorder(out, observe.Header{Group: name, ConfigTopic: opt.ConfigTopic, StatusTopic: opt.StatusTopic, At: a.now().UnixMilli()})
	err = recording(ctx, opt, w, a.tellTrouble())
	if err := errors.Join(err, w.Close(), out.Close()); err != nil {
		return fmt.Errorf("%s, after %s: %w", path, words.Count(w.Lines(), "line"), err)
	}
	return a.tellRecorded(recorded{path, name, w.Lines()})
}

// tellTrouble says of a source that it cannot be read, and when it can be again: a recording goes on meanwhile, and has a gap.
func (a *app) tellTrouble() func(group.SourceReport) {
	type source struct {
		source group.Source
		name   string
	}
	said := map[source]string{}
	return func(r group.SourceReport) {
		key := source{r.Source, r.Name}
		if r.Source != group.SourceREST { // its partition is not known before it is read
			key.name = ""
		}
		line := ""
		switch r.Health {
		case group.HealthOK, group.HealthEnded, group.HealthOff:
		case group.HealthCatchingUp:
			return
		default:
			line = decode.Printable(strings.TrimSpace(fmt.Sprintf("%s %s", r.Source, key.name))) + " " + string(r.Health) + ": " + decode.Printable(r.Detail)
		}
		switch line {
		case said[key]:
			return
		case "":
			a.note("source %s ok again", decode.Printable(strings.TrimSpace(fmt.Sprintf("%s %s", r.Source, key.name))))
		default:
			a.note("source %s", line)
		}
		said[key] = line
	}
}

// flushEvery is how much of a recording may be lost with the program.
const flushEvery = time.Second

// recording runs until ctx ends or nothing more can be written.
func recording(ctx context.Context, opt observe.Options, w *observe.Recorder, tell func(group.SourceReport)) error {
	opt.Raw = w.Raw
	live, cancel := context.WithCancelCause(ctx)
	var flushing sync.WaitGroup
	flushing.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				cancel(fmt.Errorf("a bug: %v\n%s", p, debug.Stack()))
			}
		}()
		cancel(flush(live, w))
	})
	err := observe.Run(live, opt, func(f group.Fact, seen time.Time) {
		if r, ok := f.(group.SourceReport); ok {
			tell(r)
		}
		w.Apply(f, seen)
	})
	cancel(nil)
	flushing.Wait()
	if err == nil && ctx.Err() == nil { // it ended by itself: somebody says why
		err = context.Cause(live)
	}
	return err
}

// flush writes what came, again and again, until ctx ends or it cannot.
func flush(ctx context.Context, w *observe.Recorder) error {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

// newWhole is as newFile, and writes what is there already anew only once all of it is written.
func (a *app) newWhole(path string) (*atomicfile.File, error) {
	if info, err := os.Stat(path); err == nil && a.flags.yes && info.Mode().IsRegular() {
		return atomicfile.Replace(path)
	}
	f, err := a.newFile(path)
	if err != nil {
		return nil, err
	}
	return atomicfile.New(f), nil
}
