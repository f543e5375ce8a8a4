package theme

import "fmt"

// Hex is the colour of a token as #RRGGBB, for pictures. Mono has none: its text is Dark's or Light's.
func Hex(kind Kind, t Token) string { return of(kind).token[t].hex() }

// HexGround is the colour of a ground; of Page what the terminal's own is taken to be.
func HexGround(kind Kind, g Ground) string {
	p := of(kind)
	switch {
	case g == Page:
		return p.page.hex()
	case g.chip():
		return p.token[chipToken[g]].hex()
	}
	return p.ground[g].hex()
}

func of(kind Kind) *palette {
	if kind == Light {
		return &light
	}
	return &dark
}

func (c rgb) hex() string { return fmt.Sprintf("#%06X", uint32(c)) }
