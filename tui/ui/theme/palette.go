package theme

import (
	"image/color"

	"github.com/charmbracelet/x/ansi"
)

// rgb is a colour as 0xRRGGBB.
type rgb uint32

// RGBA makes it a color.Color.
func (c rgb) RGBA() (r, g, b, a uint32) {
	return uint32(c>>16&0xFF) * 0x101, uint32(c>>8&0xFF) * 0x101, uint32(c&0xFF) * 0x101, 0xFFFF
}

// colours are one colour for terminals of 16, of 256 and of all colours; nil: the terminal's own.
type colours struct{ in16, in256, full color.Color }

// basic is how a token is drawn where there are 16 colours: what has none there has an attribute.
type basic struct {
	colour      color.Color
	bold, faint bool
}

// palette has the colours of one kind of background. Text contrast is at least 4.5 for every token but Faint and Behind, and any
// two of the five state colours are at least 8 apart (OKLab × 100) for normal, protanopic, deuteranopic and tritanopic eyes;
// palette_test.go holds both.
type palette struct {
	page   rgb // what the terminal's own background is taken to be, for the contrast test alone
	token  [tokens]rgb
	ground [grounds]rgb
	// In 256 colours the nearest neighbour of a quiet tint is a loud one (the selection would be navy, muted text green), so
	// these are chosen by hand and by the same measures.
	token256  [tokens]uint8
	ground256 [grounds]uint8
	basic     [tokens]basic
	ground16  [grounds]color.Color // of the colours that a person chose by name alone
}

func (p *palette) ofToken(t Token) colours {
	return colours{p.basic[t].colour, ansi.IndexedColor(p.token256[t]), p.token[t]}
}

func (p *palette) ofGround(g Ground) colours {
	if g.chip() {
		return p.ofToken(chipToken[g])
	}
	return colours{p.ground16[g], ansi.IndexedColor(p.ground256[g]), p.ground[g]}
}

// named16 are the colours that a person can choose by name, where there are 16.
var named16 = [grounds]color.Color{
	NamedRed: ansi.Red, NamedYellow: ansi.Yellow, NamedGreen: ansi.Green, NamedCyan: ansi.Cyan, NamedBlue: ansi.Blue, NamedMagenta: ansi.Magenta,
}

var dark = palette{
	page: 0x12161B,
	token: [tokens]rgb{
		Text: 0xD3D9E2, Strong: 0xF4F6F9, Muted: 0x93A0B1, Faint: 0x465060,
		Running: 0x5A9486, Started: 0x6EA9FC, Stopped: 0xF59556, Delayed: 0xEBDF8C, Wrong: 0xF5485E,
		Past: 0xA9B4F0, OnChip: 0x0D1014, Behind: 0x5C6675,
	},
	ground: [grounds]rgb{
		BandDelayed: 0x2A2712, BandWrong: 0x36171E, BandStopped: 0x33210F, BandRunning: 0x14231F, BandPast: 0x1E2140,
		Select: 0x232C38, Select2: 0x1B2129, Dialog: 0x1A2028, Field: 0x0D1014,
		NamedRed: 0xE86671, NamedYellow: 0xD9B84A, NamedGreen: 0x7FB55F, NamedCyan: 0x56B6C2, NamedBlue: 0x6C9CF0, NamedMagenta: 0xC678DD,
	},
	token256: [tokens]uint8{
		Text: 252, Strong: 255, Muted: 247, Faint: 239,
		Running: 66, Started: 75, Stopped: 209, Delayed: 222, Wrong: 197, Past: 147, OnChip: 232, Behind: 241,
	},
	ground256: [grounds]uint8{
		BandDelayed: 235, BandWrong: 235, BandStopped: 235, BandRunning: 235, BandPast: 235,
		Select: 237, Select2: 235, Dialog: 234, Field: 232,
		NamedRed: 167, NamedYellow: 179, NamedGreen: 107, NamedCyan: 73, NamedBlue: 69, NamedMagenta: 176,
	},
	basic: [tokens]basic{
		Strong: {bold: true}, Muted: {faint: true}, Faint: {faint: true}, Running: {colour: ansi.Cyan}, Started: {colour: ansi.BrightBlue}, Stopped: {colour: ansi.BrightMagenta}, Delayed: {colour: ansi.BrightYellow}, Wrong: {colour: ansi.BrightRed}, Behind: {faint: true},
	},
	ground16: named16,
}

var light = palette{
	page: 0xFFFFFF,
	token: [tokens]rgb{
		Text: 0x1E2530, Strong: 0x000000, Muted: 0x595F6A, Faint: 0xC3CAD4,
		Running: 0x2F8080, Started: 0x1D48C0, Stopped: 0xB06214, Delayed: 0x525000, Wrong: 0xB20045,
		Past: 0x3D478F, OnChip: 0xFFFFFF, Behind: 0x9AA3B0,
	},
	ground: [grounds]rgb{
		BandDelayed: 0xF8F4CC, BandWrong: 0xFBE3EA, BandStopped: 0xFCEBDC, BandRunning: 0xE0F1F0, BandPast: 0xE6E8FA,
		Select: 0xDFE7F2, Select2: 0xEFF2F6, Dialog: 0xF6F8FA, Field: 0xFFFFFF,
		NamedRed: 0xB3261E, NamedYellow: 0x7A5D00, NamedGreen: 0x2E6B2E, NamedCyan: 0x006879, NamedBlue: 0x1F4FBF, NamedMagenta: 0x8A2BA0,
	},
	token256: [tokens]uint8{
		Text: 235, Strong: 16, Muted: 241, Faint: 251,
		Running: 29, Started: 20, Stopped: 130, Delayed: 239, Wrong: 124, Past: 60, OnChip: 231, Behind: 247,
	},
	ground256: [grounds]uint8{
		BandDelayed: 230, BandWrong: 224, BandStopped: 230, BandRunning: 195, BandPast: 189,
		Select: 254, Select2: 255, Dialog: 255, Field: 231,
		NamedRed: 124, NamedYellow: 58, NamedGreen: 22, NamedCyan: 23, NamedBlue: 20, NamedMagenta: 90,
	},
	basic: [tokens]basic{
		Strong: {bold: true}, Muted: {faint: true}, Faint: {faint: true}, Running: {colour: ansi.Cyan}, Started: {colour: ansi.Blue}, Stopped: {colour: ansi.Magenta}, Delayed: {colour: ansi.Yellow}, Wrong: {colour: ansi.Red}, Behind: {faint: true},
	},
	ground16: named16,
}

// mono has attributes alone. Dim is the default colour dimmed, never bright black, which some palettes make invisible.
var mono = palette{
	basic: [tokens]basic{
		Strong: {bold: true}, Muted: {faint: true}, Faint: {faint: true}, Wrong: {bold: true}, Behind: {faint: true},
	},
}
