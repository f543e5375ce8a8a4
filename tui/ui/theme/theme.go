package theme

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Kind names a theme, as --theme does.
type Kind string

// The kinds. Auto is Dark or Light, as the terminal's background says.
const (
	Auto  Kind = "auto"
	Dark  Kind = "dark"
	Light Kind = "light"
	Mono  Kind = "mono"
)

// Kinds are all of them, in the order that a key steps through them.
var Kinds = []Kind{Auto, Dark, Light, Mono}

// Parse reads the name of a theme.
func Parse(s string) (Kind, error) {
	if s == "" {
		return Auto, nil
	}
	for _, k := range Kinds {
		if string(k) == s {
			return k, nil
		}
	}
	return "", fmt.Errorf("theme %q is not known: use auto, dark, light or mono", s)
}

// Theme has the escape sequence of every style ready. It is immutable.
type Theme struct {
	prefix [styles]string
	plain  bool
}

// New makes the theme of a kind for a terminal that can show as much as profile says. NoTTY gives plain text.
func New(kind Kind, profile colorprofile.Profile) *Theme {
	t := &Theme{plain: profile <= colorprofile.NoTTY}
	if t.plain {
		return t
	}
	p := &dark
	if kind == Light {
		p = &light
	}
	if kind == Mono || profile == colorprofile.ASCII {
		p, profile = &mono, colorprofile.ASCII
	}
	for tok := Text; tok < tokens; tok++ {
		for g := Page; g < grounds; g++ {
			for attr := Style(0); attr < styles; attr += boldBit {
				s := tok.On(g) | attr
				t.prefix[s] = "\x1b[" + strings.Join(append([]string{"0"}, p.parts(s, profile)...), ";") + "m"
			}
		}
	}
	return t
}

// Plain says that the theme gives no escape sequences at all.
func (t *Theme) Plain() bool { return t.plain }

// Prefix is what goes before text of style s. It undoes every style before it.
func (t *Theme) Prefix(s Style) string { return t.prefix[s&(styles-1)] }

func (p *palette) parts(s Style, profile colorprofile.Profile) []string {
	if profile < colorprofile.ANSI256 {
		return p.basicParts(s)
	}
	var out []string
	if s&boldBit != 0 {
		out = append(out, "1")
	}
	if s&underlineBit != 0 {
		out = append(out, "4")
	}
	out = append(out, p.foreground(s.Token(), 38, profile))
	switch g := s.Ground(); {
	case g == Page:
	case g.chip():
		out = append(out, p.foreground(chipToken[g], 48, profile))
	case profile == colorprofile.ANSI256:
		out = append(out, fmt.Sprintf("48;5;%d", p.ground256[g]))
	default:
		out = append(out, p.ground[g].sgr(48))
	}
	return out
}

// foreground is a token's colour; base 48 fills with it.
func (p *palette) foreground(t Token, base int, profile colorprofile.Profile) string {
	if profile == colorprofile.ANSI256 {
		return fmt.Sprintf("%d;5;%d", base, p.token256[t])
	}
	return p.token[t].sgr(base)
}

func (c rgb) sgr(base int) string {
	return fmt.Sprintf("%d;2;%d;%d;%d", base, uint8(c>>16), uint8(c>>8), uint8(c))
}

// basicParts is for 16 colours and none: there are no grounds, so a chip and the line under the cursor are reversed. Dim text on
// a reversed line would lose its contrast, so there it is not dim.
func (p *palette) basicParts(s Style) []string {
	g := s.Ground()
	reverse := g == Select || g.chip() || g.named()
	fg := p.basic[s.Token()]
	if g.named() && p != &mono {
		fg = namedBasic[g]
	}
	if g.chip() {
		fg = p.basic[chipToken[g]]
	}
	var out []string
	if s&boldBit != 0 && fg != "1" {
		out = append(out, "1")
	}
	if s&underlineBit != 0 || g == Field {
		out = append(out, "4")
	}
	if reverse {
		out = append(out, "7")
	}
	if fg != "" && !(reverse && fg == "2") {
		out = append(out, fg)
	}
	return out
}
