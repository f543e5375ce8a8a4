// Package atomicfile writes files whole or not at all: half a file would look like a whole one, and what stood there before is not lost for it.
package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// File is a file on its way to its place. What is no regular file, /dev/stdout say, is written as it comes, and stays.
type File struct {
	*os.File
	path string // where it is to stand; "": it is written as it comes
}

// Replace begins a file in the place of another, for its owner alone. Where that is a link, what it leads to is replaced.
func Replace(path string) (*File, error) {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // made with mode 0600
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &File{f, path}, nil
}

// New is a file that was opened where there was none, or that is no regular one.
func New(f *os.File) *File {
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return &File{f, ""}
	}
	return &File{f, f.Name()}
}

// Finish puts the file in its place, or takes it away where what was to be in it went wrong.
func (w *File) Finish(err error) error {
	if err == nil && w.path != "" && w.path != w.Name() {
		err = w.Sync()
	}
	err = errors.Join(err, w.Close())
	switch {
	case w.path == "":
		return err
	case err != nil:
		return errors.Join(err, os.Remove(w.Name()))
	case w.Name() == w.path:
		return nil
	}
	return os.Rename(w.Name(), w.path)
}
