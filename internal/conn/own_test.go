package conn

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func keysIn(t *testing.T, text string) (Own, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return LoadOwn(path)
}

// Keys stand beside the contexts, one or several, and each knows its line.
func TestKeysOfTheFile(t *testing.T) {
	k, err := keysIn(t, "current: a\ncontexts:\n  a: {brokers: 'x:1'}\nkeys:\n  follow: F\n  round before: [b, left]\n  show matrix: 2\n  theme: []\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"follow": {"F"}, "round before": {"b", "left"}, "show matrix": {"2"}, "theme": {}} {
		if got, ok := k.Keys[name]; !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if at := k.Where("round before"); !strings.HasSuffix(at, "config.yaml:6") {
		t.Errorf("round before stands at %q", at)
	}
	if _, err := findContext(k.path, "a"); err != nil {
		t.Errorf("the contexts beside keys cannot be read: %v", err)
	}
}

func TestNoKeys(t *testing.T) {
	for _, text := range []string{"", "current: a\n", "keys:\n", "keys: {}\n"} {
		if k, err := keysIn(t, text); err != nil || len(k.Keys) > 0 {
			t.Errorf("%q: %v, %v", text, k.Keys, err)
		}
	}
	if k, err := LoadOwn(filepath.Join(t.TempDir(), "none.yaml")); err != nil || len(k.Keys) > 0 {
		t.Errorf("no file: %v, %v", k.Keys, err)
	}
}

// What cannot be read is named with its file and line.
func TestKeysThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"keys: [F]\n":                         "config.yaml:1: keys: write what a key does",
		"keys:\n  follow: {F: 1}\n":           `config.yaml:2: keys: "follow": give a key`,
		"keys:\n  follow: [[F]]\n":            `config.yaml:2: keys: "follow": give a key`,
		"keys:\n  follow: F\n  follow: [b]\n": "", // YAML itself refuses it: which line, it says
		"keys:\n - \tx: {\n":                  "keys and themes in ",
	} {
		if _, err := keysIn(t, text); err == nil || !strings.Contains(fmt.Sprint(err), want) || !strings.Contains(fmt.Sprint(err), "config.yaml") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Themes stand beside them, each colour for both backgrounds or for one each, and each knows its line.
func TestThemesOfTheFile(t *testing.T) {
	o, err := keysIn(t, "themes:\n  sea:\n    running: '#00AFAF'\n    select: {light: 254, dark: '#123456'}\n")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]string{"running": {"#00AFAF", "#00AFAF"}, "select": {"254", "#123456"}}
	if got := o.Themes["sea"]; !maps.Equal(got, want) {
		t.Errorf("the colours are %v", got)
	}
	if at := o.Where("sea", "select"); !strings.HasSuffix(at, "config.yaml:4") {
		t.Errorf("select stands at %q", at)
	}
	for text, want := range map[string]string{
		"themes: sea\n":                                "config.yaml:1: themes: write a name",
		"themes:\n  sea: blue\n":                       "config.yaml:2: themes: write a name",
		"themes:\n  sea: {running: [1]}\n":             `config.yaml:2: themes: sea: "running": give a colour`,
		"themes:\n  sea:\n    running: {light: '1'}\n": `config.yaml:3: themes: sea: "running": give a colour`,
		"themes:\n  sea: {a: 1, a: 2}\n":               `"a" is there twice`,
	} {
		if _, err := keysIn(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
