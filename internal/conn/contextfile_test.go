package conn_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"regroup/internal/conn"
)

// Scripts change a file of contexts. Commands: file (writes it), set NAME KEY [VALUE in the input], use, remove, show, list,
// cat (the file itself, which may show its secrets).
func TestContextFile(t *testing.T) {
	datadriven.Walk(t, "testdata/contexts", func(t *testing.T, script string) {
		path := filepath.Join(t.TempDir(), "regroup", "config.yaml")
		datadriven.RunTest(t, script, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "file" {
				must(t, os.MkdirAll(filepath.Dir(path), 0o700))
				must(t, os.WriteFile(path, []byte(d.Input+"\n"), 0o644))
				return ""
			}
			if d.Cmd == "cat" {
				raw, err := os.ReadFile(path)
				must(t, err)
				return string(raw)
			}
			f, err := conn.OpenContexts(path)
			if err != nil {
				return "error: " + strings.ReplaceAll(err.Error(), path, "$FILE") + "\n"
			}
			out, err := contextCommand(f, d)
			if strings.Contains(out, "hunter2") || err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Fatal("a password is shown")
			}
			if err != nil {
				return "error: " + strings.ReplaceAll(err.Error(), path, "$FILE") + "\n"
			}
			if out == "" {
				must(t, f.Save())
			}
			return out
		})
	})
}

func contextCommand(f *conn.ContextFile, d *datadriven.TestData) (string, error) {
	var args []string
	for _, a := range d.CmdArgs {
		args = append(args, a.Key)
	}
	switch d.Cmd {
	case "set":
		return "", f.Set(args[0], args[1], strings.TrimSpace(d.Input))
	case "use":
		return "", f.Use(args[0])
	case "remove":
		return "", f.Remove(args[0])
	case "show":
		return f.Show(args[0])
	}
	return fmt.Sprintf("%s; current %q\n", strings.Join(f.Names(), " "), f.Current()), nil
}

// The file may hold passwords: it is its owner's alone, also where it was not before, and nothing else is left beside it.
func TestContextFileIsItsOwnersAlone(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "dotfiles.yaml"), filepath.Join(dir, "config.yaml")
	must(t, os.WriteFile(file, []byte("contexts: {}\n"), 0o644))
	if err := os.Symlink(file, link); err != nil {
		t.Skip("no links here:", err)
	}
	f, err := conn.OpenContexts(link)
	must(t, err)
	must(t, f.Set("dev", "brokers", "localhost:9092"))
	must(t, f.Save())
	info, err := os.Lstat(file)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode is %v", info.Mode())
	}
	if info, err = os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is one no more: %v, %v", info, err)
	}
	entries, err := os.ReadDir(dir)
	must(t, err)
	if len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}
