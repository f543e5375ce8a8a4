package decode_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/cockroachdb/datadriven"
	"github.com/mattn/go-runewidth"

	"regroup/decode"
)

// What comes from outside, and what of it reaches the screen. Both sides are quoted as in Go.
func TestPrintableScript(t *testing.T) {
	datadriven.RunTest(t, "testdata/printable", func(t *testing.T, d *datadriven.TestData) string {
		t.Helper()
		var b strings.Builder
		for line := range strings.Lines(d.Input) {
			s, err := strconv.Unquote(strings.TrimSpace(line))
			if err != nil {
				t.Fatalf("%s: %q: %v", d.Pos, line, err)
			}
			switch d.Cmd {
			case "printable":
				p := decode.Printable(s)
				evenly(t, p)
				fmt.Fprintf(&b, "%s %d columns\n", quoted(p), ansi.StringWidth(p))
			case "lines":
				for _, l := range decode.PrintableLines(s) {
					fmt.Fprintf(&b, "%s\n", quoted(l))
				}
			default:
				t.Fatalf("no command %q", d.Cmd)
			}
		}
		return b.String()
	})
}

// quoted shows U+FFFD as an escape: as a glyph it would look like a broken file.
func quoted(s string) string {
	return strings.ReplaceAll(strconv.Quote(s), "\uFFFD", `\ufffd`)
}

// Each character that Unicode has, alone and beside others that could join with it, comes out as columns that no terminal
// counts otherwise than the layout does, and never as one that a terminal obeys.
func TestPrintableKeepsColumns(t *testing.T) {
	beside := []string{"a", " ", "क", "漢", "가", "👍", "é", "ש", "\u0301", "\uFFFD"}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		s := string(r)
		alone := decode.Printable(s)
		if !unicode.IsGraphic(r) {
			if alone != "\uFFFD" && alone != " " {
				t.Fatalf("%U comes out as %+q", r, alone)
			}
			continue // whatever its neighbours are
		}
		safely(t, s, alone)
		if (unicode.Is(unicode.Han, r) || r >= '가' && r <= '힣') && r%16 != 0 {
			continue // a hundred thousand that are alike: alone all of them, beside others one in sixteen
		}
		evenly(t, decode.Printable(s+s))
		for _, x := range beside {
			evenly(t, decode.Printable(x+s+x))
		}
		if t.Failed() {
			t.Fatalf("at %U", r)
		}
	}
}

// safely checks what a terminal would obey, hide or reorder by.
func safely(t *testing.T, from, p string) {
	t.Helper()
	for _, r := range p {
		if !unicode.IsGraphic(r) || unicode.In(r, unicode.Variation_Selector, unicode.Join_Control, unicode.Bidi_Control) {
			t.Errorf("%+q shows %U", from, r)
		}
	}
	if !utf8.ValidString(p) {
		t.Errorf("%+q is no UTF-8: %+q", from, p)
	}
	evenly(t, p)
}

// evenly checks that counting by character and counting by grapheme give the same columns, and that no text is without.
func evenly(t *testing.T, p string) {
	t.Helper()
	byChar := 0
	for _, r := range p {
		byChar += runewidth.RuneWidth(r)
	}
	if byGrapheme := ansi.StringWidth(p); byChar != byGrapheme {
		t.Errorf("%+q takes %d columns by character, %d by grapheme", p, byChar, byGrapheme)
	}
	if p != "" && byChar == 0 {
		t.Errorf("%+q is invisible", p)
	}
}

// FuzzPrintable: whatever the bytes are, the text is safe, its columns certain, and cleaning it again changes nothing.
func FuzzPrintable(f *testing.F) {
	for _, s := range []string{
		"sink-a", "größe", "\x1b[31mred", "\x1b]52;c;aGk=\x07", "\u202eevil", "👩\u200d💻", "❤\ufe0f", "e\u0301\u0301\u0301\u0301",
		"\xff\xfe", "a\tb\r\nc", "क्ष", "ทำ", "🇩🇪", "👍🏽", "1\ufe0f\u20e3",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := decode.Printable(s)
		safely(t, s, p)
		if again := decode.Printable(p); again != p {
			t.Errorf("%+q becomes %+q, then %+q", s, p, again)
		}
		for _, l := range decode.PrintableLines(s) {
			safely(t, s, l)
		}
	})
}

// Almost every name is plain, and drawn often.
func TestPrintableOfPlainTextCopiesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { decode.Printable("worker-1-fb032ed4-0354-4833-aa31-ff43b5fbf760") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
