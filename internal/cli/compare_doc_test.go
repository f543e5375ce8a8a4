package cli

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var updateDocs = flag.Bool("update-docs", false, "write what the commands in docs/eager-and-cooperative.md print into it")

// The stories in docs/ are what the commands in them print.
func TestComparisonsInDocs(t *testing.T) {
	t.Chdir("../..")
	const path = "docs/eager-and-cooperative.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	block := regexp.MustCompile("(?s)```console\n\\$ regroup ([^\n]*)\n.*?```")
	now := block.ReplaceAllFunc(text, func(old []byte) []byte {
		commands++
		line := string(block.FindSubmatch(old)[1])
		var out, errs bytes.Buffer
		if code := Execute(t.Context(), append(strings.Fields(line), "--print"), strings.NewReader(""), &out, &errs); code != 0 {
			t.Errorf("%s: exit %d: %s", line, code, errs.String())
		}
		return []byte("```console\n$ regroup " + line + "\n" + out.String() + "```")
	})
	if commands < 10 {
		t.Fatalf("%d commands found in %s", commands, path)
	}
	if bytes.Equal(now, text) {
		return
	}
	if *updateDocs {
		if err := os.WriteFile(path, now, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s is out of date; run go test ./internal/cli -run ComparisonsInDocs -update-docs and read what changed", path)
}
