package theme

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Themes are a person's own, by their names.
type Themes map[Kind]Own

// Own is a theme that a person wrote: colours by the names of what they mean. What it does not name is drawn as ever.
type Own map[string]Colour

// Colour is #RRGGBB or one of 256 by its number, for each background.
type Colour struct{ Light, Dark string }

// tokenNames and groundNames are what a person can give a colour. The colours of contexts keep theirs, and chips have their state's.
var tokenNames = [tokens]string{
	Text: "text", Strong: "strong", Muted: "muted", Faint: "faint", Running: "running", Started: "started", Stopped: "stopped",
	Delayed: "delayed", Wrong: "wrong", Past: "past", OnChip: "on chip", Behind: "behind",
}

var groundNames = map[Ground]string{
	BandDelayed: "band delayed", BandWrong: "band wrong", BandStopped: "band stopped", BandRunning: "band running", BandPast: "band past",
	Select: "select", Select2: "select without focus", Dialog: "dialog", Field: "field",
}

// Names are what can have a colour, in the order in which a person reads them.
func Names() []string {
	return slices.Concat(tokenNames[:], slices.Sorted(maps.Values(groundNames)))
}

// Error says what is wrong with one entry of a person's themes.
type Error struct {
	Theme, Name string
	Why         string
}

func (e *Error) Error() string { return "themes: " + e.Why }

// Check says what is wrong with a person's themes: an *Error.
func (own Themes) Check() error {
	for _, kind := range slices.Sorted(maps.Keys(own)) {
		if slices.Contains(Kinds, kind) {
			return &Error{string(kind), "", fmt.Sprintf("%s is one of the program's own: choose another name", kind)}
		}
		for _, name := range slices.Sorted(maps.Keys(own[kind])) {
			if !slices.Contains(Names(), name) {
				return &Error{string(kind), name, fmt.Sprintf("%s: %q has no colour: use one of %s", kind, name, strings.Join(Names(), ", "))}
			}
			for _, c := range []string{own[kind][name].Light, own[kind][name].Dark} {
				if _, err := parse(c); err != nil {
					return &Error{string(kind), name, fmt.Sprintf("%s: %s: %v", kind, name, err)}
				}
			}
		}
	}
	return nil
}

// Kinds are all themes, the program's own first, in the order that a key steps through them.
func (own Themes) Kinds() []Kind { return slices.Concat(Kinds, slices.Sorted(maps.Keys(own))) }

// Parse reads the name of a theme.
func (own Themes) Parse(s string) (Kind, error) {
	if s == "" {
		return Auto, nil
	}
	var names []string
	for _, k := range own.Kinds() {
		if string(k) == s {
			return k, nil
		}
		names = append(names, string(k))
	}
	return "", fmt.Errorf("theme %q is not known: use %s", s, strings.Join(names, ", "))
}

// FollowsBackground reports whether a theme has other colours on a dark terminal than on a light one.
func (own Themes) FollowsBackground(kind Kind) bool {
	_, mine := own[kind]
	return mine || kind == Auto || kind == ""
}

// Shown is the one of the program's themes that is in use, or that a person's stands on: pictures are drawn in its colours.
func (own Themes) Shown(kind Kind, onDark bool) Kind {
	switch {
	case !own.FollowsBackground(kind):
		return kind
	case onDark:
		return Dark
	}
	return Light
}

// New makes a theme for a terminal, as the function of that name does of the program's own.
func (own Themes) New(kind Kind, onDark bool, profile colorprofile.Profile) *Theme {
	mine, ok := own[kind]
	if !ok {
		return New(own.Shown(kind, onDark), profile)
	}
	l, d := light, dark
	for name, c := range mine {
		l.give(name, c.Light)
		d.give(name, c.Dark)
	}
	return newTheme(paintOf(kind, &l, &d, onDark, profile), profile)
}

// give gives a token or a ground another colour, and the nearest one where there are fewer.
func (p *palette) give(name, text string) {
	c, err := parse(text)
	if err != nil {
		return // Check has said so
	}
	if t := slices.Index(tokenNames[:], name); t >= 0 {
		p.token[t], p.token256[t] = c.full, c.in256
		p.basic[t] = basic{colour: c.in16}
	}
	for g, n := range groundNames {
		if n == name {
			p.ground[g], p.ground256[g] = c.full, c.in256
		}
	}
}

type given struct {
	full  rgb
	in256 uint8
	in16  ansi.BasicColor
}

func parse(text string) (given, error) {
	wrong := fmt.Errorf("%q is no colour: write #RRGGBB, or a number up to 255", text)
	var c given
	if digits, ok := strings.CutPrefix(text, "#"); ok {
		n, err := strconv.ParseUint(digits, 16, 24)
		if err != nil || len(digits) != 6 {
			return c, wrong
		}
		c.full = rgb(n)
		c.in256 = uint8(colorprofile.ANSI256.Convert(c.full).(ansi.IndexedColor))
	} else {
		n, err := strconv.ParseUint(text, 10, 8)
		if err != nil {
			return c, wrong
		}
		c.in256 = uint8(n)
		r, g, b, _ := ansi.IndexedColor(n).RGBA()
		c.full = rgb(r>>8<<16 | g>>8<<8 | b>>8)
	}
	c.in16 = colorprofile.ANSI.Convert(c.full).(ansi.BasicColor)
	if c.in256 < 16 {
		c.in16 = ansi.BasicColor(c.in256)
	}
	return c, nil
}
