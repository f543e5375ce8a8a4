package actions

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words splits a command line as a shell would, with quotes and backslashes and nothing else: no variables, no pipes, for no
// shell will see it.
func words(line string) ([]string, error) {
	if !utf8.ValidString(line) {
		return nil, errors.New("it is no UTF-8")
	}
	var out []string
	var word strings.Builder
	in, quote, escaped := false, rune(0), false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, in = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, in = r, true
		case unicode.IsSpace(r):
			if in {
				out = append(out, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote or a backslash is left open")
	}
	if in {
		out = append(out, word.String())
	}
	return out, nil
}
