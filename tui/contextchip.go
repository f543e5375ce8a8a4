package tui

import (
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// contextPieces are the header's chip: the context's name in its colour, and that it is production. The word production stays
// as long as anything of it does.
func contextPieces(c Context, step int) []piece {
	if c.Name == "" {
		return nil
	}
	width := maxContext
	if step >= headerNoFollowing {
		width = maxContext / 2
	}
	name := cell.Middle(printable(c.Name), width)
	ground := theme.Named(c.Colour)
	if ground == theme.Page && c.Production {
		ground = theme.NamedRed
	}
	style := theme.OnChip.On(ground)
	var out []piece
	switch {
	case c.Production && step >= headerNoContext:
		out = []piece{{style.Bold(), " production "}}
	case c.Production:
		out = []piece{{style.Bold(), " " + name + " "}, {style, "production "}}
	case ground != theme.Page && step < headerNoContext:
		out = []piece{{style.Bold(), " " + name + " "}}
	case step >= headerNoContext:
		return nil
	default:
		out = []piece{{text, name}}
	}
	if c.ReadOnly && step < headerNoTabs {
		out = append(out, piece{muted, " read-only"})
	}
	return out
}

// maxContext is how much of a context's name is shown.
const maxContext = 20
