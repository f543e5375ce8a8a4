package conn

import (
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

var mechanisms = []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}

func (t table) sasl() (*SASL, error) {
	mechanism, err := t.choice(keyMechanism, "", mechanisms...)
	if err != nil {
		return nil, err
	}
	if mechanism == "" {
		return nil, fmt.Errorf("%s: not set, and Kafka's default, GSSAPI, is not supported; allowed are %s", keyMechanism,
			strings.Join(mechanisms, ", "))
	}
	if t.get(keyJAAS) == "" {
		return nil, fmt.Errorf("%s: not set, but %s %s needs it; set it to %s required username=\"…\" password=\"…\";", keyJAAS,
			keyProtocol, strings.ToUpper(t.get(keyProtocol)), modules[mechanism])
	}
	j, err := parseJAAS(t.get(keyJAAS))
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", keyJAAS, t[keyJAAS].origin, err)
	}
	if want := modules[mechanism]; j.module != want[strings.LastIndexByte(want, '.')+1:] {
		return nil, fmt.Errorf("%s in %s: %s does not serve %s %s; that needs %s", keyJAAS, t[keyJAAS].origin, j.module,
			keyMechanism, mechanism, want)
	}
	for _, k := range []string{"username", "password"} {
		if j.options[k] == "" {
			return nil, fmt.Errorf("%s in %s: %s is missing", keyJAAS, t[keyJAAS].origin, k)
		}
	}
	return &SASL{
		Mechanism: mechanism, User: j.options["username"], Password: Secret(j.options["password"]),
		Token: strings.EqualFold(j.options["tokenauth"], "true"),
		From:  t[keyJAAS].origin,
	}, nil
}

const (
	plainModule = "org.apache.kafka.common.security.plain.PlainLoginModule"
	scramModule = "org.apache.kafka.common.security.scram.ScramLoginModule"
)

var modules = map[string]string{"PLAIN": plainModule, "SCRAM-SHA-256": scramModule, "SCRAM-SHA-512": scramModule}

// mechanism is what the Kafka client logs in with.
func (a *SASL) mechanism() (sasl.Mechanism, error) {
	switch a.Mechanism {
	case "PLAIN":
		return plain.Auth{User: a.User, Pass: string(a.Password)}.AsMechanism(), nil
	case "SCRAM-SHA-256":
		return scram.Auth{User: a.User, Pass: string(a.Password), IsToken: a.Token}.AsSha256Mechanism(), nil
	case "SCRAM-SHA-512":
		return scram.Auth{User: a.User, Pass: string(a.Password), IsToken: a.Token}.AsSha512Mechanism(), nil
	}
	return nil, fmt.Errorf("%s: %q is not supported; allowed are %s", keyMechanism, a.Mechanism, strings.Join(mechanisms, ", "))
}

// jaas is one login module of a sasl.jaas.config line:
//
//	org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="p";
type jaas struct {
	module  string // the class, without its package
	options map[string]string
}

// parseJAAS reads the line as Kafka does: by the rules of java.io.StreamTokenizer, with // and /* */ comments, texts in
// double or single quotes with C's escapes, and exactly one module. Its errors never repeat a value: it may be a password.
func parseJAAS(s string) (jaas, error) {
	tok := jaasTokens{rest: s}
	class, err := tok.word("a login module's class")
	if err != nil {
		return jaas{}, err
	}
	j := jaas{module: class[strings.LastIndexByte(class, '.')+1:], options: map[string]string{}}
	flag, err := tok.word(`"required" after the class`)
	if err != nil {
		return jaas{}, err
	}
	switch strings.ToLower(flag) {
	case "required", "requisite", "sufficient", "optional":
	default:
		return jaas{}, errors.New(`"required" has to follow the class`)
	}
	for {
		t, kind, err := tok.next()
		switch {
		case err != nil:
			return jaas{}, err
		case kind == ';':
			if _, kind, err = tok.next(); err != nil || kind != 0 {
				return jaas{}, errors.New("there is more than one login module")
			}
			return j, nil
		case kind == 0:
			return jaas{}, errors.New(`it has to end with ";"`)
		case kind != 'w':
			return jaas{}, fmt.Errorf("%q stands where an option's name is due", string(kind))
		}
		if _, kind, err := tok.next(); err != nil || kind != '=' {
			return jaas{}, fmt.Errorf(`"=" has to follow %q`, t)
		}
		if j.options[t], err = tok.word("a value for " + t + ", in double quotes"); err != nil {
			return jaas{}, err
		}
	}
}

// jaasTokens cuts a line into words and single characters.
type jaasTokens struct{ rest string }

func (t *jaasTokens) word(what string) (string, error) {
	w, kind, err := t.next()
	if err == nil && kind != 'w' {
		err = fmt.Errorf("%s is missing", what)
	}
	return w, err
}

// next gives a word (kind 'w'), one other character (itself), or the end (0).
func (t *jaasTokens) next() (string, rune, error) {
	if err := t.skip(); err != nil {
		return "", 0, err
	}
	if t.rest == "" {
		return "", 0, nil
	}
	if q := t.rest[0]; q == '"' || q == '\'' {
		return t.quoted(q)
	}
	n := 0
	for n < len(t.rest) && wordByte(t.rest[n]) {
		n++
	}
	if n == 0 {
		c := t.rest[0]
		t.rest = t.rest[1:]
		return "", rune(c), nil
	}
	w := t.rest[:n]
	t.rest = t.rest[n:]
	return w, 'w', nil
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 ||
		c == '.' || c == '-' || c == '_' || c == '$'
}

func (t *jaasTokens) skip() error {
	for {
		t.rest = strings.TrimLeft(t.rest, " \t\r\n\f")
		switch {
		case strings.HasPrefix(t.rest, "//"):
			_, t.rest, _ = strings.Cut(t.rest, "\n")
		case strings.HasPrefix(t.rest, "/*"):
			_, rest, ok := strings.Cut(t.rest[2:], "*/")
			if !ok {
				return errors.New("a comment does not end")
			}
			t.rest = rest
		default:
			return nil
		}
	}
}

var jaasEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'a': 7, 'v': 11}

func (t *jaasTokens) quoted(q byte) (string, rune, error) {
	var b strings.Builder
	s := t.rest
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == q:
			t.rest = s[i+1:]
			return b.String(), 'w', nil
		case c == '\n' || c == '\r':
			return "", 0, errors.New("a quoted text does not end on its line")
		case c == '\\' && i+1 < len(s):
			i++
			v, n := octal(s[i:])
			switch e, ok := jaasEscapes[s[i]]; {
			case n > 0:
				b.WriteRune(v) // Java's chars: an escape above 0x7F is one of Latin-1
				i += n - 1
			case ok:
				b.WriteByte(e)
			default:
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, errors.New("a quoted text does not end")
}

// octal reads up to three octal digits, the first of three no more than 3.
func octal(s string) (v rune, n int) {
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '7' {
		if n == 2 && s[0] > '3' {
			break
		}
		v = v*8 + rune(s[n]-'0')
		n++
	}
	return v, n
}
