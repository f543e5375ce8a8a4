package theme

// Token is a meaning that text can have. Its colours are in palette.go.
type Token uint8

// The tokens, each with one meaning.
const (
	Text    Token = iota // what is read
	Strong               // names, selection, what to press
	Muted                // labels, times, secondary
	Faint                // rules, zeros; nothing that must be read
	Running              // runs, kept, settled
	Started              // starts, started, moved here, back, joined
	Stopped              // stops, revoked, released, restarted
	Delayed              // waits for the delay; warnings; orphaned
	Wrong                // failed, duplicated, unassigned, critical, forced eager
	Past                 // not now: standing on a past round, simulated, replay
	OnChip               // text on a chip of a state's colour
	Behind               // what lies behind a dialog
	tokens
)

// Ground is what text lies on.
type Ground uint8

// The grounds. Page is the terminal's own and is never painted.
const (
	Page Ground = iota
	BandDelayed
	BandWrong
	BandStopped
	BandRunning
	BandPast
	Select  // the line or column under the cursor, the view's tab, the focused button
	Select2 // the cursor of a pane without focus
	Dialog
	Field // being typed in
	ChipRunning
	ChipStarted
	ChipStopped
	ChipDelayed
	ChipWrong
	ChipPast
	// The colours that a person can give a context's name. They stand for nothing but what that person means by them.
	NamedRed
	NamedYellow
	NamedGreen
	NamedCyan
	NamedBlue
	NamedMagenta
	grounds
)

// Named is the ground of a colour that a person chose by its name; Page for none.
func Named(colour string) Ground { return named[colour] }

var named = map[string]Ground{
	"red": NamedRed, "yellow": NamedYellow, "green": NamedGreen, "cyan": NamedCyan, "blue": NamedBlue, "magenta": NamedMagenta,
}

// chipToken is the state whose colour a chip is filled with.
var chipToken = [grounds]Token{
	ChipRunning: Running, ChipStarted: Started, ChipStopped: Stopped, ChipDelayed: Delayed, ChipWrong: Wrong, ChipPast: Past,
}

func (g Ground) chip() bool { return g >= ChipRunning && g < NamedRed }

func (g Ground) named() bool { return g >= NamedRed }

// Style is a token, a ground and two attributes, packed so that a cell stays small and a lookup is an index.
type Style uint16

const (
	groundShift  = 4
	boldBit      = 1 << 9
	underlineBit = 1 << 10
	styles       = 1 << 11
)

// Plain is the style of a token on the page.
func (t Token) Plain() Style { return Style(t) }

// Bold is the style of a token on the page, bold.
func (t Token) Bold() Style { return Style(t) | boldBit }

// On is the style of a token on a ground.
func (t Token) On(g Ground) Style { return Style(t).On(g) }

// On is s on another ground.
func (s Style) On(g Ground) Style { return s&^(31<<groundShift) | Style(g)<<groundShift }

// Bold is s in bold.
func (s Style) Bold() Style { return s | boldBit }

// Underline is s underlined.
func (s Style) Underline() Style { return s | underlineBit }

// Token is the meaning of s.
func (s Style) Token() Token { return Token(s & 15) }

// Ground is what s lies on.
func (s Style) Ground() Ground { return Ground(s >> groundShift & 31) }

// IsBold says whether s is bold.
func (s Style) IsBold() bool { return s&boldBit != 0 }

// IsUnderlined says whether s is underlined.
func (s Style) IsUnderlined() bool { return s&underlineBit != 0 }
