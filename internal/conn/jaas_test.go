package conn

import (
	"maps"
	"strings"
	"testing"
)

// What Java's StreamTokenizer makes of texts; a password must come out the same.
func TestJAASValues(t *testing.T) {
	for in, want := range map[string]string{
		`"plain"`:           "plain",
		`'single "quotes"'`: `single "quotes"`,
		`"a \"quoted\" b"`:  `a "quoted" b`,
		`"back\\slash"`:     `back\slash`,
		`"semi;colon=eq"`:   "semi;colon=eq",
		`"tab\tend"`:        "tab\tend",
		`"octal\101\0"`:     "octalA\x00",
		`"four\4011"`:       "four 11", // \40 is a blank: a fourth digit, or a third past 377, is text
		`"// no comment"`:   "// no comment",
		`"odd\q"`:           "oddq",
		`word-1.2_3$`:       "word-1.2_3$",
		`"grün"`:            "grün",
	} {
		j, err := parseJAAS(`a.b.PlainLoginModule required // a comment
			username=/* another */"u" password=` + in + ` ;`)
		if err != nil || j.module != "PlainLoginModule" || j.options["password"] != want {
			t.Errorf("%s: got %q, %v; want %q", in, j.options["password"], err, want)
		}
	}
}

// Whatever is given: no panic, no value in an error, and what is accepted says the same when written out in quotes again.
func FuzzJAAS(f *testing.F) {
	f.Add(`PlainLoginModule required username="alice" password="x\"y\\";`)
	f.Add(`a.B required a='b' c=d; // end`)
	f.Add(`a required x="\377\8" ;`)
	f.Fuzz(func(t *testing.T, s string) {
		j, err := parseJAAS(s)
		if err != nil {
			return
		}
		var b strings.Builder
		b.WriteString(`"` + quote(j.module) + `" required`)
		for k, v := range j.options {
			b.WriteString(` "` + quote(k) + `"="` + quote(v) + `"`)
		}
		again, err := parseJAAS(b.String() + ";")
		if err != nil || !maps.Equal(again.options, j.options) {
			t.Fatalf("%q came back as %v, %v", b.String(), again.options, err)
		}
	})
}

func quote(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(s)
}
