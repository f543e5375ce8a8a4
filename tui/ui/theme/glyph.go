package theme

import "strings"

// ascii has every rune outside ASCII that the program draws of its own accord, with its fallback. Each is one column wide
// either way, so ASCII mode never moves a column. Never add an emoji, anything with an emoji form, braille, powerline or
// private-use glyphs.
var ascii = map[rune]byte{
	'■': '#', '▲': '^', '▼': 'v', '◆': '*', '○': 'o', '░': ':', // running, starting, stopping, restarting, released, delayed
	'▸': '>', '▌': '|', '▎': '.', // cursor, change marks
	'─': '-', '━': '=', '═': '%', '┄': '~', '╵': '\'', // rules and lanes
	'┌': '/', '│': '|', '└': '\\', '┐': '\\', '┘': '/', // brackets and boxes
	'▁': '.', '▂': '.', '▃': '-', '▄': '-', '▅': '=', '▆': '=', '▇': '#', '█': '#', // areas
	'·': '.', '…': '~', '×': 'x', // separator, cut, times
	'←': '<', '→': '>', '↑': '^', '↓': 'v',
	'–': '-', '’': '\'',
}

// ASCII is the fallback of a glyph; a rune that has none is '?'.
func ASCII(r rune) byte {
	if r < 0x80 {
		return byte(r)
	}
	if b, ok := ascii[r]; ok {
		return b
	}
	return '?'
}

// WantsASCII says whether the environment asks for ASCII, or describes a terminal that draws the glyphs badly: no UTF-8, or
// a CJK locale, where ambiguous glyphs are drawn two columns wide.
func WantsASCII(getenv func(string) string) bool {
	if getenv("REGROUP_ASCII") != "" || getenv("TERM") == "dumb" {
		return true
	}
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = strings.ToLower(getenv(name)); locale != "" {
			break
		}
	}
	for _, cjk := range []string{"zh", "ja", "ko"} {
		if strings.HasPrefix(locale, cjk) {
			return true
		}
	}
	return locale != "" && !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
}
