package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// wholeFile is a file that is written whole or not at all: half a recording would look like a whole one, and what stood there
// before is not lost for it. What is no regular file, /dev/stdout say, is written as it comes, and stays.
type wholeFile struct {
	*os.File
	path string // where it is to stand; "": it is written as it comes
}

// newWhole is as newFile.
func (a *app) newWhole(path string) (wholeFile, error) {
	if to, err := filepath.EvalSymlinks(path); err == nil && a.flags.yes {
		if info, err := os.Stat(to); err == nil && info.Mode().IsRegular() {
			f, err := os.CreateTemp(filepath.Dir(to), "."+filepath.Base(to)+"-*") // made with mode 0600
			if err != nil {
				return wholeFile{}, fmt.Errorf("%s: %w", path, err)
			}
			return wholeFile{f, to}, nil
		}
	}
	f, err := a.newFile(path)
	if err != nil {
		return wholeFile{}, err
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		path = ""
	}
	return wholeFile{f, path}, nil
}

// finish puts the file in its place, or takes it away where what was to be in it went wrong.
func (w wholeFile) finish(err error) error {
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
