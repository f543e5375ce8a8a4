package theme

import (
	"math"
	"testing"
	"unicode"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// TestTextHasContrast keeps every token readable on the page, and on the grounds that text is drawn on.
func TestTextHasContrast(t *testing.T) {
	for name, p := range palettes() {
		for tok := Text; tok < OnChip; tok++ {
			if tok == Faint {
				continue // rules and zeros only
			}
			if c := contrast(p.token[tok], p.page); c < 4.5 {
				t.Errorf("%s: token %d has contrast %.2f on the page, want 4.5", name, tok, c)
			}
		}
		for _, tok := range []Token{Text, Strong} {
			for g := BandDelayed; g < ChipRunning; g++ {
				if c := contrast(p.token[tok], p.ground[g]); c < 7 {
					t.Errorf("%s: token %d has contrast %.2f on ground %d, want 7", name, tok, c, g)
				}
			}
		}
		for g := ChipRunning; g < NamedRed; g++ {
			if c := contrast(p.token[OnChip], p.token[chipToken[g]]); c < 4.5 {
				t.Errorf("%s: chip %d has contrast %.2f, want 4.5", name, g, c)
			}
		}
		for g := NamedRed; g < grounds; g++ {
			if c := contrast(p.token[OnChip], p.ground[g]); c < 4.5 {
				t.Errorf("%s: a context's colour %d has contrast %.2f, want 4.5", name, g, c)
			}
		}
	}
}

// TestStatesAreToldApart keeps the five state colours apart for eyes of every kind.
func TestStatesAreToldApart(t *testing.T) {
	for name, p := range palettes() {
		for eye, m := range eyes {
			for a := Running; a <= Wrong; a++ {
				for b := a + 1; b <= Wrong; b++ {
					if d := distance(p.token[a], p.token[b], m); d < 8 {
						t.Errorf("%s, %s eyes: tokens %d and %d are %.1f apart, want 8", name, eye, a, b, d)
					}
				}
			}
		}
	}
}

func TestPrefixes(t *testing.T) {
	for _, c := range []struct {
		kind    Kind
		profile colorprofile.Profile
		style   Style
		want    string
	}{
		{Dark, colorprofile.TrueColor, Delayed.Plain(), "\x1b[0;38;2;235;223;140m"},
		{Dark, colorprofile.TrueColor, OnChip.On(ChipDelayed).Bold(), "\x1b[0;1;38;2;13;16;20;48;2;235;223;140m"},
		{Light, colorprofile.TrueColor, Text.On(Select), "\x1b[0;38;2;30;37;48;48;2;223;231;242m"},
		{Dark, colorprofile.ANSI256, Wrong.On(Select), "\x1b[0;38;5;197;48;5;237m"},
		{Light, colorprofile.ANSI256, OnChip.On(ChipRunning), "\x1b[0;38;5;231;48;5;29m"},
		{Dark, colorprofile.ANSI, Started.Plain(), "\x1b[0;94m"},
		{Light, colorprofile.ANSI, Started.Plain(), "\x1b[0;34m"},
		{Dark, colorprofile.ANSI, OnChip.On(ChipDelayed).Bold(), "\x1b[0;1;7;93m"},
		{Dark, colorprofile.ANSI, Text.On(BandDelayed), "\x1b[0m"},
		{Dark, colorprofile.ANSI, Muted.On(Select), "\x1b[0;7m"},
		{Mono, colorprofile.TrueColor, Wrong.Plain(), "\x1b[0;1m"},
		{Dark, colorprofile.ASCII, Muted.Plain(), "\x1b[0;2m"},
		{Dark, colorprofile.NoTTY, Wrong.Bold(), ""},
	} {
		if got := New(c.kind, c.profile).Prefix(c.style); got != c.want {
			t.Errorf("%s, %s: style %#x is %q, want %q", c.kind, c.profile, c.style, got, c.want)
		}
	}
}

// TestGlyphsAreOneColumn holds that ASCII mode never moves a column and that nothing draws an emoji.
func TestGlyphsAreOneColumn(t *testing.T) {
	for r, b := range ascii {
		if ansi.StringWidth(string(r)) != 1 || ansi.StringWidthWc(string(r)) != 1 {
			t.Errorf("%c is not one column wide", r)
		}
		if b < ' ' || b > '~' {
			t.Errorf("%c falls back to %q, which is not printable ASCII", r, b)
		}
		if unicode.Is(unicode.Co, r) || r >= 0x2800 && r <= 0x28FF {
			t.Errorf("%c is for private use or braille", r)
		}
	}
	if ASCII('é') != '?' || ASCII('x') != 'x' {
		t.Error("a rune outside the table must be '?', ASCII itself")
	}
}

func TestWantsASCII(t *testing.T) {
	for env, want := range map[[2]string]bool{
		{"LANG", "en_US.UTF-8"}: false, {"LANG", "C.utf8"}: false, {"LANG", ""}: false, {"LANG", "C"}: true,
		{"LC_ALL", "ja_JP.UTF-8"}: true, {"TERM", "dumb"}: true, {"REGROUP_ASCII", "1"}: true,
	} {
		got := WantsASCII(func(name string) string {
			if name == env[0] {
				return env[1]
			}
			return ""
		})
		if got != want {
			t.Errorf("%s=%s: %v, want %v", env[0], env[1], got, want)
		}
	}
}

// palettes are those of both backgrounds, in true colour and as 256 colours show them.
func palettes() map[string]*palette {
	out := map[string]*palette{"dark": &dark, "light": &light}
	for name, p := range map[string]palette{"dark in 256": dark, "light in 256": light} {
		for t := range p.token {
			p.token[t] = xterm(p.token256[t])
		}
		for g := range p.ground {
			p.ground[g] = xterm(p.ground256[g])
		}
		out[name] = &p
	}
	return out
}

// xterm is what the terminal shows for one of the 240 fixed colours.
func xterm(i uint8) rgb {
	if i >= 232 {
		return rgb(8+10*int(i-232)) * 0x010101
	}
	levels := [6]rgb{0, 95, 135, 175, 215, 255}
	n := int(i) - 16
	if n < 0 {
		return 0
	}
	return levels[n/36]<<16 | levels[n/6%6]<<8 | levels[n%6]
}

type matrix [3][3]float64

// eyes are Machado's matrices at full strength, on linear RGB.
var eyes = map[string]matrix{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopic":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopic": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopic":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func linear(c rgb) [3]float64 {
	var out [3]float64
	for i := range out {
		v := float64(uint8(c>>(16-8*i))) / 255
		if v <= 0.04045 {
			out[i] = v / 12.92
		} else {
			out[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return out
}

func contrast(a, b rgb) float64 {
	lum := func(c rgb) float64 {
		l := linear(c)
		return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
	}
	x, y := lum(a), lum(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func apply(m matrix, v [3]float64) [3]float64 {
	var out [3]float64
	for i := range out {
		out[i] = min(1, max(0, m[i][0]*v[0]+m[i][1]*v[1]+m[i][2]*v[2]))
	}
	return out
}

func oklab(v [3]float64) [3]float64 {
	l := math.Cbrt(0.4122214708*v[0] + 0.5363325363*v[1] + 0.0514459929*v[2])
	m := math.Cbrt(0.2119034982*v[0] + 0.6806995451*v[1] + 0.1073969566*v[2])
	s := math.Cbrt(0.0883024619*v[0] + 0.2817188376*v[1] + 0.6299787005*v[2])
	return [3]float64{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func distance(a, b rgb, eye matrix) float64 {
	x, y := oklab(apply(eye, linear(a))), oklab(apply(eye, linear(b)))
	return 100 * math.Sqrt((x[0]-y[0])*(x[0]-y[0])+(x[1]-y[1])*(x[1]-y[1])+(x[2]-y[2])*(x[2]-y[2]))
}
