package tui

import "regroup/tui/cell"

// class is how much a screen's width allows.
type class int

const (
	classSmall  class = iota // nothing but the verdict
	classNarrow              // from 60 columns
	classSlim                // from 80
	classMedium              // from 100
	classWide                // from 120
	classVast                // from 200
)

const minWidth, minHeight = 60, 15

// layout is where things are, computed once for each size of the screen.
type layout struct {
	class                 class
	screen                cell.Rect
	header, band, facts   cell.Rect
	body                  cell.Rect // with one column of margin left and right
	message, footer       cell.Rect
	counts                cell.Rect // of a narrow screen: what the round did
	caption               cell.Rect // of a tour, below the body; empty without one
	gap                   int       // between panes side by side
	roundsWidth, whyWidth int       // of the list of rounds in the live view
}

func newLayout(w, h int) layout {
	l := layout{screen: cell.Rect{W: w, H: h}, gap: 3}
	if w < minWidth || h < minHeight {
		return l
	}
	row := func(y, n int) cell.Rect { return cell.Rect{X: 0, Y: y, W: w, H: n} }
	l.header, l.footer, l.message = row(0, 1), row(h-1, 1), row(h-2, 1)
	l.band, l.facts = row(1, 1), row(2, 1)
	bottom := h - 2
	switch {
	case w >= 200:
		l.class, l.roundsWidth, l.whyWidth = classVast, 119+(w-200)/3, 38
	case w >= 120:
		l.class, l.roundsWidth, l.whyWidth = classWide, 64+(w-120)/2, 21
	case w >= 100:
		l.class, l.roundsWidth, l.whyWidth = classMedium, 57+(w-100)/2, 19
	case w >= 80:
		l.class, l.roundsWidth, l.whyWidth = classSlim, w-2, 21
	default: // the facts give their row to the band, and the list goes down to the footer
		l.class, l.roundsWidth, l.whyWidth = classNarrow, w-2, 21
		l.band, l.facts, bottom = row(1, 2), row(2, 0), h-1
		l.counts = cell.Rect{X: 1, Y: 3, W: w - 2, H: 1}
	}
	l.body = cell.Rect{X: 1, Y: 4, W: w - 2, H: bottom - 4}
	return l
}
