package decode

import (
	"strings"
	"unicode/utf8"
)

// Printable makes a text from outside fit for a terminal line: control characters (C0, C1, DEL), bidi controls, line and
// paragraph separators and bytes that are no UTF-8 become U+FFFD, tabs and newlines a space. Names and addresses keep
// their own bytes wherever they are used as names; only what is shown passes here.
func Printable(s string) string {
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		clean = s[i] >= ' ' && s[i] < 0x7F
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case harmful(r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// PrintableLines is Printable for text of several lines, a stack trace for one: line ends stay, a tab becomes four spaces.
func PrintableLines(s string) []string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = Printable(strings.ReplaceAll(l, "\t", "    "))
	}
	return lines
}

func harmful(r rune) bool {
	return r < ' ' || r >= 0x7F && r < 0xA0 || // C0, DEL, C1
		r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C || // bidi
		r == 0x2028 || r == 0x2029 || r == 0xFEFF
}
