package conn_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"regroup/internal/conn"
)

// TestLoad reads scripts of files and sources, and prints the settings that come of them. Commands:
//
//	file NAME      writes a file; PEM:NAME in it is replaced by that store's text on one line
//	load           one source a line: "flag brokers a:9092", "env config FILE", "flag X key=value", "flag context NAME"
//
// Every folder has the stores of writeStores in it; $DIR is that folder.
func TestLoad(t *testing.T) {
	ca := newAuthority(t, "Test CA")
	datadriven.Walk(t, "testdata/load", func(t *testing.T, path string) {
		dir := t.TempDir()
		writeStores(t, dir, ca)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "file":
				must(t, os.WriteFile(filepath.Join(dir, d.CmdArgs[0].Key), []byte(fill(t, dir, d.Input)), 0o600))
				return ""
			case "load":
				s, err := conn.Load(sources(t, dir, d.Input))
				out := s.String()
				if err != nil {
					out = "error: " + err.Error() + "\n"
				}
				if strings.Contains(out, "hunter2") {
					t.Fatal("a password is shown")
				}
				return strings.ReplaceAll(out, dir, "$DIR")
			}
			t.Fatalf("%s: no such command %s", d.Pos, d.Cmd)
			return ""
		})
	})
}

func sources(t *testing.T, dir, input string) conn.Sources {
	src := conn.Sources{ConfigFile: filepath.Join(dir, "config.yaml")}
	for _, line := range strings.Split(strings.TrimSpace(input), "\n") {
		f := strings.SplitN(fill(t, dir, line), " ", 3)
		if len(f) < 3 {
			continue
		}
		to := &src.Flags
		if f[0] == "env" {
			to = &src.Env
		}
		switch f[1] {
		case "brokers":
			to.Brokers = append(to.Brokers, f[2])
		case "config":
			to.CommandConfig = filepath.Join(dir, f[2])
		case "context":
			to.Context = f[2]
		case "X":
			to.Overrides = append(to.Overrides, f[2])
		default:
			t.Fatalf("no such source %q", line)
		}
	}
	return src
}

func fill(t *testing.T, dir, text string) string {
	for strings.Contains(text, "PEM:") {
		_, rest, _ := strings.Cut(text, "PEM:")
		name := strings.Fields(rest)[0]
		raw, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		text = strings.Replace(text, "PEM:"+name, strings.ReplaceAll(strings.TrimSpace(string(raw)), "\n", " "), 1)
	}
	return strings.ReplaceAll(text, "$DIR", dir)
}
