package theme

import (
	"image/color"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
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

// Theme has the escape sequence of every style ready: the grid writes them by the thousand a frame. It is immutable.
type Theme struct {
	prefix [styles]string
	plain  bool
}

var (
	made   = map[madeOf]*Theme{}
	making sync.Mutex
)

type madeOf struct {
	kind    Kind
	profile colorprofile.Profile
}

// New makes the theme of a kind for a terminal that can show as much as profile says. NoTTY gives plain text.
func New(kind Kind, profile colorprofile.Profile) *Theme {
	making.Lock()
	defer making.Unlock()
	key := madeOf{kind, profile}
	if made[key] == nil {
		made[key] = newTheme(paintOf(kind, &light, &dark, kind != Light, profile), profile)
	}
	return made[key]
}

func newTheme(p paint, profile colorprofile.Profile) *Theme {
	t := &Theme{plain: profile <= colorprofile.NoTTY}
	if t.plain {
		return t
	}
	for tok := Text; tok < tokens; tok++ {
		for g := Page; g < grounds; g++ {
			for attr := Style(0); attr < styles; attr += boldBit {
				s := tok.On(g) | attr
				t.prefix[s] = prefixOf(p.style(s))
			}
		}
	}
	return t
}

// prefixOf is what a style writes before a text, and before that what undoes every style.
func prefixOf(s lipgloss.Style) string {
	before, _, _ := strings.Cut(s.Render("x"), "x")
	if sequence, ok := strings.CutPrefix(before, "\x1b["); ok {
		return "\x1b[0;" + sequence
	}
	return "\x1b[0m"
}

// Plain says that the theme gives no escape sequences at all.
func (t *Theme) Plain() bool { return t.plain }

// Prefix is what goes before text of style s. It undoes every style before it.
func (t *Theme) Prefix(s Style) string { return t.prefix[s&(styles-1)] }

// paint makes lipgloss styles of ours: the colours of a palette for the background, in as many as the terminal has.
type paint struct {
	light, dark *palette
	pick        lipgloss.LightDarkFunc
	complete    lipgloss.CompleteFunc
	mono        bool
	few         bool // 16 colours or none
}

func paintOf(kind Kind, light, dark *palette, onDark bool, profile colorprofile.Profile) paint {
	p := paint{light: light, dark: dark, pick: lipgloss.LightDark(onDark), mono: kind == Mono || profile == colorprofile.ASCII}
	if p.mono {
		p.light, p.dark, profile = &mono, &mono, colorprofile.ASCII
	}
	p.complete, p.few = lipgloss.Complete(profile), profile < colorprofile.ANSI256
	return p
}

// colour is one of the palette, in as many colours as there are.
func (p paint) colour(of func(*palette) colours) color.Color {
	l, d := of(p.light), of(p.dark)
	return p.complete(p.pick(l.in16, d.in16), p.pick(l.in256, d.in256), p.pick(l.full, d.full))
}

// style is one of ours as lipgloss has it. Where there are 16 colours or none there are no grounds, so a chip and the line under
// the cursor are reversed. Dim text on a reversed line would lose its contrast, so there it is not dim.
func (p paint) style(s Style) lipgloss.Style {
	t, g := s.Token(), s.Ground()
	out := lipgloss.NewStyle().Bold(s.IsBold()).Underline(s.IsUnderlined())
	if !p.few {
		out = out.Foreground(p.colour(func(of *palette) colours { return of.ofToken(t) }))
		if g != Page {
			out = out.Background(p.colour(func(of *palette) colours { return of.ofGround(g) }))
		}
		return out
	}
	if g.chip() {
		t = chipToken[g]
	}
	drawn := p.dark.basic[t] // attributes are the same on both grounds
	if g.named() && !p.mono {
		drawn = basic{}
	}
	reverse := g == Select || g.chip() || g.named()
	out = out.Bold(s.IsBold() || drawn.bold).Faint(drawn.faint && !reverse).Underline(s.IsUnderlined() || g == Field).Reverse(reverse)
	c := p.colour(func(of *palette) colours {
		if g.named() {
			return of.ofGround(g)
		}
		return of.ofToken(t)
	})
	if c == nil {
		return out
	}
	return out.Foreground(c)
}
