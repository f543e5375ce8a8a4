package tui

import (
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// contextPieces are the header's chip: the context's name in its colour, and that it is production. The word production stays
// as long as anything of it does.
func contextPieces(c scene.Context, step int) []ui.Piece {
	if c.Name == "" {
		return nil
	}
	width := maxContext
	if step >= headerNoFollowing {
		width = maxContext / 2
	}
	name := cell.Middle(ui.Printable(c.Name), width)
	ground := theme.Named(c.Colour)
	if ground == theme.Page && c.Production {
		ground = theme.NamedRed
	}
	style := theme.OnChip.On(ground)
	var out []ui.Piece
	switch {
	case c.Production && step >= headerNoContext:
		out = []ui.Piece{{style.Bold(), " production "}}
	case c.Production:
		out = []ui.Piece{{style.Bold(), " " + name + " "}, {style, "production "}}
	case ground != theme.Page && step < headerNoContext:
		out = []ui.Piece{{style.Bold(), " " + name + " "}}
	case step >= headerNoContext:
		return nil
	default:
		out = []ui.Piece{{ui.Text, name}}
	}
	if c.ReadOnly && step < headerNoTabs {
		out = append(out, ui.Piece{ui.Muted, " read-only"})
	}
	return out
}

// maxContext is how much of a context's name is shown.
const maxContext = 20
