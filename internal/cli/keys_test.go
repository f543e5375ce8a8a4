package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A person's own keys come from the file of contexts; one that means nothing is named with its line.
func TestKeysFromTheFile(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "regroup", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	a := &app{getenv: func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("keys:\n  follow: F\n  round before: [b]\n")
	if k, _, err := a.own(); err != nil || !slices.Equal(k["follow"], []string{"F"}) || !slices.Equal(k["round before"], []string{"b"}) {
		t.Errorf("%v, %v", k, err)
	}
	for text, want := range map[string]string{
		"keys:\n  follow: F\n  explode: x\n":  `config.yaml:3: keys: "explode" is nothing a key can do`,
		"keys:\n  follow: hyper+x\n":          `config.yaml:2: keys: follow: `,
		"keys:\n  follow: x\n  theme: x\n":    `config.yaml:3: keys: "x" is given to "follow" and to "theme"`,
		"keys:\n  quit: []\n":                 `config.yaml:2: keys: "quit" needs a key`,
		"themes:\n  dark: {}\n":               `config.yaml:2: themes: dark is one of the program's own`,
		"themes:\n  sea: {blue: '#0000FF'}\n": `config.yaml:2: themes: sea: "blue" has no colour`,
	} {
		write(text)
		if _, _, err := a.own(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	write("themes:\n  sea: {running: '#00AFAF'}\n")
	if _, themes, err := a.own(); err != nil || themes["sea"]["running"].Dark != "#00AFAF" {
		t.Errorf("%v, %v", themes, err)
	}
	for name, want := range map[string]string{"sea": "", "mono": "", "pink": `theme "pink" is not known: use auto, dark, light, mono, sea`} {
		a.flags.theme = name
		switch err := a.checkTheme(); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("--theme %s: %v, want %q", name, err, want)
		}
	}
}
