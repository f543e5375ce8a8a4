package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// riddles are phrases that readers must translate (docs/STYLE.md).
var riddles = regexp.MustCompile(`(?i)nobody's hands|who holds what|asked wrongly|the answer is bad|what came of it|may be given again|` +
	`found by itself|which nobody needs|put out of the group|held up until|stand still where|set going|begin anew|take(s|n)? away|held against|` +
	`could not say goodbye|broke off|the time is over|could not be told|goes its way|do things to|look a group over|has a twin`)

// TestPlainEnglish holds them out of every command's help, and out of the README.
func TestPlainEnglish(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{"README.md": string(readme)}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		text[c.CommandPath()] = strings.Join([]string{c.Short, c.Long, c.Example, c.UsageString()}, "\n")
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(newApp(nil, nil, nil, os.Getenv)))
	for where, s := range text {
		for _, found := range riddles.FindAllString(s, -1) {
			t.Errorf("%s says %q", where, found)
		}
	}
	if len(text) < 40 {
		t.Errorf("only %d commands were read", len(text))
	}
}

// A mistyped command is not taken for a group.
func TestMistypedCommands(t *testing.T) {
	root := newRoot(newApp(nil, nil, nil, os.Getenv))
	for word, want := range map[string]string{
		"docter": "doctor", "dcotor": "doctor", "doctr": "doctor", "group": "groups", "roundss": "rounds", "wacth": "watch",
		"connect": "", "connect-rig": "", "doctor": "", "shop": "", "d": "",
	} {
		if got := mistyped(root, word); got != want {
			t.Errorf("%s was meant for %q, want %q", word, got, want)
		}
	}
}
