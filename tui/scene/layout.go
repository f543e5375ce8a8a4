package scene

import "regroup/tui/ui/cell"

// Class is how much a screen's width allows.
type Class int

// The classes, narrowest first.
const (
	Small  Class = iota // nothing but the verdict
	Narrow              // from 60 columns
	Slim                // from 80
	Medium              // from 100
	Wide                // from 120
	Vast                // from 200
)

// The smallest screen that shows more than the verdict.
const (
	MinWidth  = 60
	MinHeight = 15
)

// Layout is where things are, computed once for each size of the screen.
type Layout struct {
	Class                 Class
	Screen                cell.Rect
	Header, Band, Facts   cell.Rect
	Body                  cell.Rect // with one column of margin left and right
	Message, Footer       cell.Rect
	Counts                cell.Rect // of a narrow screen: what the round did
	Caption               cell.Rect // of a tour, below the body; empty without one
	Gap                   int       // between panes side by side
	RoundsWidth, WhyWidth int       // of the list of rounds in the live view
}

// NewLayout lays out a screen of w by h.
func NewLayout(w, h int) Layout {
	l := Layout{Screen: cell.Rect{W: w, H: h}, Gap: 3}
	if w < MinWidth || h < MinHeight {
		return l
	}
	row := func(y, n int) cell.Rect { return cell.Rect{X: 0, Y: y, W: w, H: n} }
	l.Header, l.Footer, l.Message = row(0, 1), row(h-1, 1), row(h-2, 1)
	l.Band, l.Facts = row(1, 1), row(2, 1)
	bottom := h - 2
	switch {
	case w >= 200:
		l.Class, l.RoundsWidth, l.WhyWidth = Vast, 119+(w-200)/3, 38
	case w >= 120:
		l.Class, l.RoundsWidth, l.WhyWidth = Wide, 64+(w-120)/2, 21
	case w >= 100:
		l.Class, l.RoundsWidth, l.WhyWidth = Medium, 57+(w-100)/2, 19
	case w >= 80:
		l.Class, l.RoundsWidth, l.WhyWidth = Slim, w-2, 21
	default: // the facts give their row to the band, and the list goes down to the footer
		l.Class, l.RoundsWidth, l.WhyWidth = Narrow, w-2, 21
		l.Band, l.Facts, bottom = row(1, 2), row(2, 0), h-1
		l.Counts = cell.Rect{X: 1, Y: 3, W: w - 2, H: 1}
	}
	l.Body = cell.Rect{X: 1, Y: 4, W: w - 2, H: bottom - 4}
	return l
}
