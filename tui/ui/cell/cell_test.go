package cell

import (
	"strconv"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"regroup/tui/ui/theme"
)

// strange are names that a group may well have.
var strange = []string{
	"sink-a", "日本語コネクタ", "e\u0301t\u0065\u0301", "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306b", "👨‍👩‍👧‍👦-family", "❤️-heart", "🇩🇪-flag", "👍🏽",
	"\u202Eevil\u202C", "\x1b[31mred\x1b[0m", "tab\there\nline", "\u200Bzero\u200D", "क्षि-hindi", "각-jamo", "\xff\xfe", "\u0301lone",
	strings.Repeat("long-name-", 50), "\U000E0041tag", "ﷺ", "…·×", "",
}

// TestWidthIsWhatIsDrawn holds that every method that a terminal may use to count columns gives the grid's width.
func TestWidthIsWhatIsDrawn(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		for _, name := range strange {
			for w := range 24 {
				g := New(w, 1, ascii)
				g.Put(0, 0, w, theme.Text.Plain(), name)
				for _, th := range []*theme.Theme{theme.New(theme.Dark, colorprofile.NoTTY), theme.New(theme.Dark, colorprofile.TrueColor)} {
					line := g.String(th)
					if n := ansi.StringWidth(line); n != w {
						t.Errorf("%q in %d columns: %q is %d wide", name, w, line, n)
					}
					if n := ansi.StringWidthWc(line); n != w {
						t.Errorf("%q in %d columns: %q is %d wide where runes are added up", name, w, line, n)
					}
					if text := ansi.Strip(line); strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 || r == 0x202E }) {
						t.Errorf("%q is drawn as %q, with a control character", name, text)
					}
					if ascii && strings.ContainsFunc(line, func(r rune) bool { return r >= 0x80 }) {
						t.Errorf("%q is drawn as %q in ASCII mode", name, line)
					}
				}
			}
		}
	}
}

// TestCutsFit holds that a cut text fits, and that a name keeps its end.
func TestCutsFit(t *testing.T) {
	for _, name := range strange {
		for w := range 40 {
			for _, cut := range []string{End(name, w), Middle(name, w)} {
				if n := Width(cut); n > w {
					t.Errorf("%q cut to %d columns is %q, %d wide", name, w, cut, n)
				}
			}
			for _, l := range Wrap(name+" "+name, w) {
				if Width(l) > w {
					t.Errorf("%q wrapped to %d columns has %q", name, w, l)
				}
			}
		}
	}
	for _, c := range []struct{ got, want string }{
		{Middle("pg-orders-customers-eu-sink", 19), "pg-orders-…-eu-sink"},
		{Middle("short", 19), "short"},
		{End("Task already exists in this worker", 12), "Task alread…"},
		{strings.Join(Wrap("worker-3 left. Nobody else was stopped.", 20), "|"), "worker-3 left.|Nobody else was|stopped."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestHalvesOfWideLetters holds that covering half of a wide letter takes the other half away.
func TestHalvesOfWideLetters(t *testing.T) {
	for x := range 6 {
		g := New(6, 1, false)
		g.Put(0, 0, 6, theme.Text.Plain(), "日本語")
		g.Put(x, 0, 6, theme.Text.Plain(), "x")
		if line := g.String(theme.New(theme.Dark, colorprofile.NoTTY)); ansi.StringWidth(line) != 6 {
			t.Errorf("x at %d gives %q", x, line)
		}
		g.Put(max(0, x-1), 0, 6, theme.Text.Plain(), "語")
		if line := g.String(theme.New(theme.Dark, colorprofile.NoTTY)); ansi.StringWidth(line) != 6 {
			t.Errorf("a wide letter at %d gives %q", x, line)
		}
	}
}

// TestClipping holds that nothing is drawn outside a rectangle, and that nothing panics.
func TestClipping(t *testing.T) {
	g := New(10, 3, false)
	for _, r := range []Rect{{2, 1, 4, 1}, {-3, -3, 2, 2}, {8, 2, 9, 9}, {0, 0, 0, 0}, {20, 20, 5, 5}} {
		for n := -1; n < 4; n++ {
			l := g.Line(r, n)
			l.Ground(theme.Select).Text(theme.Text.Plain(), "abcdefghijk").Number(theme.Text.Plain(), "12345", 3).Name(theme.Text.Plain(), "name", 2)
			l.FromRight(30).At(3).Sentence(theme.Text.Plain(), "sentence").Rune(theme.Text.Plain(), '■', 40)
		}
	}
	plain := strings.Split(g.String(theme.New(theme.Dark, colorprofile.NoTTY)), "\n")
	if plain[0] != strings.Repeat(" ", 10) || plain[1][:2] != "  " || ansi.StringWidth(plain[1]) != 10 {
		t.Errorf("drawn outside: %q", plain)
	}
	if r := (Rect{1, 1, 10, 5}).Rows(2, 9); r != (Rect{1, 3, 10, 3}) {
		t.Errorf("rows are %v", r)
	}
	if r := (Rect{1, 1, 10, 5}).Columns(4, 99); r != (Rect{5, 1, 6, 5}) {
		t.Errorf("columns are %v", r)
	}
}

// BenchmarkCanvas makes a text of the same screen on Lip Gloss's canvas: what the grid is measured against (docs/ARCHITECTURE.md).
func BenchmarkCanvas(b *testing.B) {
	c := lipgloss.NewCanvas(200, 60)
	for y := range 60 {
		for x := range 200 {
			c.SetCell(x, y, &uv.Cell{Content: string([]rune("■abcd")[x%5]), Width: 1, Style: uv.Style{Fg: lipgloss.Color(strconv.Itoa(1 + x/5%8))}})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = c.Render()
	}
}

func BenchmarkString(b *testing.B) {
	g, th := New(200, 60, false), theme.New(theme.Dark, colorprofile.TrueColor)
	for y := range 60 {
		for x := 0; x < 200; x += 5 {
			g.Put(x, y, 200, theme.Token(x/5%8).Plain(), "■abcd")
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = g.String(th)
	}
}
