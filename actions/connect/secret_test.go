package connect

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"regroup/internal/rest"
)

// Which values are shown, by the type that a plugin declares, by name, and by what is in them.
//
//	masked
//	password PASSWORD hunter2
func TestSecrets(t *testing.T) {
	datadriven.RunTest(t, "testdata/secrets", func(t *testing.T, d *datadriven.TestData) string {
		var out strings.Builder
		for line := range strings.Lines(d.Input) {
			key, rest1, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			kind, value, _ := strings.Cut(rest1, " ")
			s := Secrets{}
			if kind != "-" {
				s = secretsOf([]rest.Definition{{Name: key, Type: kind}})
			}
			fmt.Fprintf(&out, "%s = %s\n", key, s.Show(key, value))
		}
		return out.String()
	})
}

// anyText is a value as it may stand anywhere in a connector's configuration.
func anyText(r *rand.Rand) string {
	pieces := []string{
		"a", "Z", "9", " ", "  ", "\t", "\n", "\r\n", "\"", "'", "\\", "\\n", ":", ": ", "#", " #", "- ", "---", "...", "{", "}", "[", "]",
		"&x", "*x", "!", "|", ">", "%", "@", "`", "~", "null", "true", "6", "0x1F", "1e3", "${file:/a:b}", "\x00", "\x07", "\x1b[31m", "\x7f", "\u0085",
		"\u00a0", "\u2028", "\u2029", "\ufeff", "\u202e", "\ufffd", "\ufffe", "ü", "漢字", "😀", Mask, "=", ",", "?",
	}
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func anyConfig(r *rand.Rand) rest.Config {
	keys := []string{"name", "connector.class", "tasks.max", "db.password", "secret", "ssl.key", "topics", "y", "no", "null", "123", "a b", "größe", "", "- x", "#c", "key.converter"}
	c := rest.Config{}
	for range 1 + r.IntN(12) {
		k := keys[r.IntN(len(keys))]
		if r.IntN(6) == 0 {
			k = anyText(r)
		}
		v := anyText(r)
		if c[k] = &v; r.IntN(10) == 0 {
			c[k] = nil
		}
	}
	return c
}

// A configuration that is fetched, masked, put into an editor, saved as it is and applied is byte for byte the same: nothing is
// written for it. And where one property is changed, all others are what they were.
func TestEditedUnchangedIsUnchanged(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		was := anyConfig(r)
		secrets := Secrets{types: map[string]string{"topics": rest.Password, "ssl.key": "INT"}}
		masked := secrets.Masked(was)
		text := EditText(masked, "a comment\nof two lines", anyText(r))
		edited, err := ParseEdit(text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if !same(edited, masked) {
			t.Fatalf("seed %d: out of the editor came %q\n%s", seed, shown(edited), text)
		}
		now, err := unmask(edited, was)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !same(now, was) || len(Changes(was, now, secrets)) > 0 {
			t.Fatalf("seed %d: was %q, is %q", seed, shown(was), shown(now))
		}
		for k, v := range was {
			if v != nil && len(*v) > 3 && *v != Mask && secrets.Secret(k, *v) && masked[k] != nil && *masked[k] == *v {
				t.Fatalf("seed %d: %q shows its secret", seed, k)
			}
		}
		changed, other := slices.Sorted(maps.Keys(was))[r.IntN(len(was))], "another one"
		edited[changed] = &other
		if now, err = unmask(edited, was); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if c := Changes(was, now, secrets); len(c) != 1 || c[0].Key != changed || *c[0].Now != other {
			t.Fatalf("seed %d: %q was changed, and these are: %+v", seed, changed, c)
		}
	}
}

func shown(c rest.Config) map[string]string {
	out := map[string]string{}
	for k, v := range c {
		if out[k] = "(null)"; v != nil {
			out[k] = *v
		}
	}
	return out
}

// A mask that stands for nothing is never written.
func TestMaskThatStandsForNothing(t *testing.T) {
	mask, was := Mask, "hunter2"
	for _, old := range []rest.Config{nil, {}, {"db.password": nil}, {"other": &was}} {
		if got, err := unmask(rest.Config{"db.password": &mask}, old); err == nil {
			t.Errorf("over %q: %q", shown(old), shown(got))
		}
	}
}

// Workers repeat values in their complaints.
func TestSecretsInErrors(t *testing.T) {
	secret, topic := "hunter2", "orders"
	c := rest.Config{"db.password": &secret, "topics": &topic}
	err := Secrets{}.HideIn(&rest.Error{Status: 400, Message: "Invalid value hunter2 for configuration db.password; topics is orders"}, c)
	if strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), topic) || rest.StatusOf(err) != 400 {
		t.Errorf("got %v", err)
	}
}

func FuzzParseEdit(f *testing.F) {
	f.Add("a: b\nc: \"d\"\n")
	f.Add("a: *b\n")
	f.Add("? [a]\n: b")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseEdit(text)
		if err != nil {
			return
		}
		again, err := ParseEdit(EditText(c))
		if err != nil || !same(again, c) {
			t.Fatalf("%q: %q, again %q, %v", text, shown(c), shown(again), err)
		}
	})
}
