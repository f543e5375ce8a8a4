package conn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// secretRef is a secret of a context, or where it is kept: in the environment, or in a file. One of the three.
type secretRef struct {
	name    string // of the plain key: "rest.password"
	context string
	plain   Secret
	env     string
	file    string
}

func (k secretRef) given() bool { return k.plain != "" || k.env != "" || k.file != "" }

// read gives the secret. A file's last line end is no part of it.
func (k secretRef) read(getenv func(string) string) (Secret, error) {
	n := 0
	for _, v := range []string{string(k.plain), k.env, k.file} {
		if v != "" {
			n++
		}
	}
	switch {
	case n > 1:
		return "", fmt.Errorf("context %s: %s: given more than once; keep one of %s, %s-env and %s-file", k.context, k.name, k.name, k.name, k.name)
	case k.env != "":
		v := getenv(k.env)
		if v == "" {
			return "", fmt.Errorf("context %s: %s-env: %s is not set in the environment", k.context, k.name, k.env)
		}
		return Secret(v), nil
	case k.file != "":
		raw, err := os.ReadFile(home(k.file, getenv))
		if err != nil {
			var pe *fs.PathError
			if errors.As(err, &pe) {
				err = pe.Err
			}
			return "", fmt.Errorf("context %s: %s-file: %s: %w", k.context, k.name, k.file, err)
		}
		return Secret(strings.TrimRight(string(raw), "\r\n")), nil
	}
	return k.plain, nil
}

// home lets a path begin with ~/.
func home(path string, getenv func(string) string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if dir := getenv("HOME"); dir != "" {
			return filepath.Join(dir, rest)
		}
	}
	return path
}
