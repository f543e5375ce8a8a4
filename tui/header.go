package tui

import (
	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// drawHeader is row 0: where one is, the views, and the time. What does not fit goes in steps: the other tabs shrink to their
// numbers, the tabs go, then the word "following", then "regroup"; then the name is cut.
func drawHeader(s *scene.Scene) {
	r := s.Lay.Header.Columns(1, s.Lay.Header.W-2)
	name := s.Group
	if s.View == keys.Fleet {
		name = "fleet"
	}
	for step := 0; ; step++ {
		left, right := headerLeft(s, name, step), headerRight(s, step)
		gap := r.W - ui.WidthOf(left) - ui.WidthOf(right)
		if gap < 2 && step < headerSteps {
			continue
		}
		if gap < 2 {
			left = headerLeft(s, cell.Middle(name, max(cell.Width(name)-2+gap, 4)), step)
		}
		l := s.Line(r, 0)
		s.Pieces(&l, left)
		s.Tabs = tabZones(s, r.X+ui.WidthOf(left), step)
		l.FromRight(ui.WidthOf(right))
		s.Pieces(&l, right)
		return
	}
}

const (
	headerShortTabs = iota + 1
	headerNoTabs
	headerNoFollowing
	headerNoProgram
	headerNoContext
	headerSteps = headerNoContext
)

func headerLeft(s *scene.Scene, name string, step int) []ui.Piece {
	var out []ui.Piece
	if step < headerNoProgram {
		out = append(out, ui.Piece{ui.Strong, "regroup"}, ui.Piece{ui.Muted, " ▸ "})
	}
	if chip := contextPieces(s.Context, step); chip != nil {
		out = append(append(out, chip...), ui.Piece{ui.Muted, " ▸ "})
	}
	out = append(out, ui.Piece{ui.Text, name})
	if s.View == keys.Fleet {
		return out
	}
	if s.Form != "" {
		return append(out, ui.Piece{ui.Muted, " ▸ "}, ui.Piece{ui.Text, cell.Middle(ui.Printable(s.Form), max(label.MaxConnector, s.Lay.Header.W/3))})
	}
	if s.View == keys.Unit && s.Unit != nil {
		out = append(out, ui.Piece{ui.Muted, " ▸ "}, ui.Piece{ui.Text, cell.Middle(s.Unit.String(), label.MaxConnector)})
	} else if step >= headerNoTabs {
		out = append(out, ui.Piece{ui.Muted, " ▸ "}, ui.Piece{ui.Text, string(s.View)})
	}
	if step >= headerNoTabs {
		return out
	}
	if step >= headerShortTabs {
		out = append(out, ui.Piece{ui.Text, "   "})
	} else {
		out = append(out, ui.Piece{ui.Text, "     "})
	}
	for _, t := range tabs {
		out = append(out, tabPieces(s, t, step >= headerShortTabs)...)
	}
	return out
}

// tabZones are where the tabs were drawn: they end the left part.
func tabZones(s *scene.Scene, end, step int) []scene.TabZone {
	if s.View == keys.Fleet || s.Form != "" || step >= headerNoTabs {
		return nil
	}
	out := make([]scene.TabZone, len(tabs))
	for i := len(tabs) - 1; i >= 0; i-- {
		from := end - ui.WidthOf(tabPieces(s, tabs[i], step >= headerShortTabs))
		out[i], end = scene.TabZone{tabs[i].id, from, end}, from
	}
	return out
}

// tabPieces are one tab. The doctor's counts what it found, and keeps its name while it does.
func tabPieces(s *scene.Scene, t tab, short bool) []ui.Piece {
	found, style := "", ui.Text
	if t.id == keys.Doctor && s.State != nil {
		var n int
		if n, style = s.FoundStyle(); n > 0 {
			found = " " + words.Thousands(n)
		}
	}
	switch {
	case t.id == tabOf(s.View):
		on := theme.Strong.On(theme.Select)
		return []ui.Piece{{on, "["}, {on.Bold(), t.key + " " + string(t.id)}, {style.On(theme.Select), found}, {on, "]"}}
	case short && found == "":
		return []ui.Piece{{ui.Muted, " " + t.key + " "}}
	}
	return []ui.Piece{{ui.Muted, " " + t.key + " "}, {ui.Text, string(t.id)}, {style, found}, {ui.Text, " "}}
}

func headerRight(s *scene.Scene, step int) []ui.Piece {
	var now string
	switch {
	case s.View == keys.Fleet && s.Fleet != nil:
		now = s.Clock(s.Fleet.Now)
	case s.State != nil:
		now = s.Clock(s.State.Now)
	}
	if s.View != keys.Fleet && s.State != nil && s.State.Past {
		at := now
		if r := s.State.Round(); r != nil {
			at = s.Clock(r.At)
		}
		return []ui.Piece{{theme.OnChip.On(theme.ChipPast).Bold(), " PAST "}, {theme.Past.On(theme.BandPast), " " + at + " "}}
	}
	var out []ui.Piece
	if s.View == keys.Fleet && s.Fleet != nil && s.Fleet.Brokers != "" && step < headerNoTabs {
		out = append(out, ui.Piece{ui.Muted, s.Fleet.Brokers + "   "})
	}
	if step >= headerNoTabs && s.View != keys.Fleet && s.State != nil {
		if n, style := s.FoundStyle(); n > 0 {
			out = append(out, ui.Piece{ui.Muted, "doctor "}, ui.Piece{style, words.Thousands(n)}, ui.Piece{ui.Text, "   "})
		}
	}
	switch {
	case s.Recorded():
		out = append(out, ui.Piece{ui.Muted, "replay "})
	case step < headerNoFollowing && !s.Blind() && now != "":
		out = append(out, ui.Piece{ui.Muted, "following "})
	}
	return append(out, ui.Piece{ui.Text, now})
}

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
