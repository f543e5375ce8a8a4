package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"regroup/group"
	"regroup/internal/observe"
)

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
