package decode

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable makes a text from outside fit for a terminal line. Nothing of it can drive the terminal, stay invisible, or be
// counted as another number of columns than it takes: for what comes out, terminals that count by character and those
// that count by grapheme agree, whatever stands beside it.
//
//	U+FFFD takes the place of
//	  C0, DEL, C1                      so no escape sequence begins; the rest of it stays, as plain text
//	  bytes that are no UTF-8
//	  format characters                bidi controls, zero width space, joiner and non-joiner, soft hyphen, tags
//	  line and paragraph separators
//	  private, unassigned              nobody knows how wide they are drawn
//	  variation selectors, fillers, invisible marks
//	  skin tones, flag letters         two or four columns, depending on the terminal
//	  spacing marks, viramas, conjoining Hangul letters and the like, see uneven
//	  marks with nothing to stand on, or more than three on one character
//	a space takes the place of a tab and of each line end
//
// So a family emoji falls apart into its people, and an accent stays on its letter. Hebrew and Arabic letters stay as
// they are: some terminals draw them right to left, within the columns that they take.
//
// Names keep their own bytes wherever they are used as names; only what is shown passes here. Two names that differ only
// in what is replaced look alike but not like any clean name.
func Printable(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	marks := maxMarks // on the character before; at the start there is none to stand on
	for _, r := range s {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			r, marks = ' ', maxMarks
		case !showable(r):
			r, marks = utf8.RuneError, maxMarks
		case !unicode.Is(unicode.Mn, r):
			marks = 0
			if unicode.IsSpace(r) {
				marks = maxMarks
			}
		case marks == maxMarks:
			r = utf8.RuneError
		default:
			marks++
		}
		b.WriteRune(r)
	}
	return b.String()
}

// PrintableLines is Printable for text of several lines, a stack trace for one: line ends stay, except the last, and a tab
// becomes four spaces.
func PrintableLines(s string) []string {
	s = strings.TrimSuffix(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = Printable(strings.ReplaceAll(l, "\t", "    "))
	}
	return lines
}

// maxMarks is what real writing needs: Vietnamese, Hebrew and Thai have two marks on a letter, pointed Hebrew three.
const maxMarks = 3

func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7F {
			return false
		}
	}
	return true
}

func showable(r rune) bool {
	return r < 0x7F && r >= ' ' ||
		unicode.IsGraphic(r) && !unicode.In(r, unicode.Mc, unicode.Me) && !unicode.Is(uneven, r)
}

// uneven are graphic characters that are invisible, or whose columns depend on their neighbours and on the terminal.
var uneven = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x034F, 0x034F, 1},    // combining grapheme joiner
		{0x094D, 0x0D4D, 0x80}, // viramas: Devanagari … Malayalam
		{0x0D4E, 0x0D4E, 1},    // dot reph
		{0x0E33, 0x0EB3, 0x80}, // Thai and Lao am
		{0x1039, 0x1039, 1},
		{0x1100, 0x11FF, 1}, // conjoining Hangul
		{0x17B4, 0x17B5, 1}, // Khmer vowels without a shape
		{0x17D2, 0x17D2, 1},
		{0x180B, 0x180F, 1}, // Mongolian variation selectors
		{0x1A60, 0x1A60, 1},
		{0x1BAB, 0x1BAB, 1},
		{0x3164, 0x3164, 1}, // Hangul filler
		{0xA960, 0xA97C, 1}, // conjoining Hangul
		{0xAAF6, 0xAAF6, 1},
		{0xD7B0, 0xD7FB, 1},
		{0xFE00, 0xFE0F, 1}, // variation selectors
		{0xFF9E, 0xFFA0, 1}, // halfwidth voiced marks, filler
	},
	R32: []unicode.Range32{
		{0x10A3F, 0x10A3F, 1}, // more viramas, and letters that join the next one
		{0x11133, 0x11133, 1},
		{0x111C2, 0x111C3, 1},
		{0x1171E, 0x1171E, 1},
		{0x1193E, 0x1193F, 1},
		{0x11941, 0x11941, 1},
		{0x11A47, 0x11A47, 1},
		{0x11A84, 0x11A89, 1},
		{0x11A99, 0x11A99, 1},
		{0x11D46, 0x11D46, 1},
		{0x11F02, 0x11F02, 1},
		{0x11F42, 0x11F42, 1},
		{0x1F1E6, 0x1F1FF, 1}, // flag letters
		{0x1F3FB, 0x1F3FF, 1}, // skin tones
		{0xE0100, 0xE01EF, 1}, // variation selectors
	},
}
