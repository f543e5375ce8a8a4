package theme

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// A person's theme changes what it names, on each background and in as many colours as there are; the rest is drawn as ever.
func TestOwnThemes(t *testing.T) {
	own := Themes{"sea": {"running": {Light: "#005F5F", Dark: "#00AFAF"}, "select": {Light: "254", Dark: "#123456"}}}
	if err := own.Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dark    bool
		profile colorprofile.Profile
		style   Style
		want    string
	}{
		{true, colorprofile.TrueColor, Running.Plain(), "\x1b[0;38;2;0;175;175m"},
		{false, colorprofile.TrueColor, Running.Plain(), "\x1b[0;38;2;0;95;95m"},
		{true, colorprofile.ANSI256, Running.Plain(), "\x1b[0;38;5;37m"},
		{true, colorprofile.ANSI, Running.Plain(), "\x1b[0;36m"},
		{true, colorprofile.TrueColor, OnChip.On(ChipRunning), "\x1b[0;38;2;13;16;20;48;2;0;175;175m"},
		{true, colorprofile.TrueColor, Text.On(Select), "\x1b[0;38;2;211;217;226;48;2;18;52;86m"},
		{false, colorprofile.ANSI256, Text.On(Select), "\x1b[0;38;5;235;48;5;254m"},
		{true, colorprofile.TrueColor, Delayed.Plain(), New(Dark, colorprofile.TrueColor).Prefix(Delayed.Plain())},
		{true, colorprofile.ASCII, Running.Bold(), "\x1b[0;1m"},
	} {
		if got := own.New("sea", c.dark, c.profile).Prefix(c.style); got != c.want {
			t.Errorf("dark %v, %s: style %#x is %q, want %q", c.dark, c.profile, c.style, got, c.want)
		}
	}
	if k, err := own.Parse("sea"); err != nil || k != "sea" {
		t.Errorf("--theme sea: %q, %v", k, err)
	}
	for want, own := range map[string]Themes{
		"dark is one of the program's own": {"dark": {}},
		`"walking" has no colour`:          {"sea": {"walking": {"1", "1"}}},
		`"teal" is no colour`:              {"sea": {"running": {"#005F5F", "teal"}}},
		`"#05F" is no colour`:              {"sea": {"running": {"#05F", "#05F"}}},
		`"256" is no colour`:               {"sea": {"running": {"256", "1"}}},
	} {
		if err := own.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want that %s", own, err, want)
		}
	}
}
