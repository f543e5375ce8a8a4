package report

import (
	"fmt"
	"html"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/tui/ui/theme"
)

// TimelineOptions say how a timeline is drawn.
type TimelineOptions struct {
	Theme    theme.Kind // auto, and "", follow the reader's own setting
	From, To time.Time  // zero: all that is worth showing
	Location *time.Location
	MaxUnits int  // more units than this get no lane each; 0 is 200
	Bare     bool // no headline: the page around has one
}

const (
	width     = 1200
	left      = 190 // where lanes begin
	right     = 16
	laneH     = 16
	workerH   = 40
	maxUnits  = 200
	topMargin = 14
)

// picture is an SVG that is being drawn.
type picture struct {
	strings.Builder
	s        *group.State
	o        TimelineOptions
	from, to time.Time
	y        float64
}

// Timeline draws what ran where over time as an SVG document: workers as areas as high as what they hold, below them a lane
// a unit, above them the rounds.
func Timeline(s *group.State, o TimelineOptions) []byte {
	p := &picture{s: s, o: o}
	if p.o.Location == nil {
		p.o.Location = time.UTC
	}
	if p.o.MaxUnits == 0 {
		p.o.MaxUnits = maxUnits
	}
	p.from, p.to = span(s, o)
	p.draw()
	body := p.String()
	var out strings.Builder
	height := p.y + 10
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" class="rg" width="%d" height="%.0f" viewBox="0 0 %d %.0f" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&out, "<title>%s</title>\n<style>%s</style>\n", esc(p.headline()), resolved(pictureStyle, o.Theme))
	out.WriteString(`<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="5"/></pattern></defs>` + "\n")
	fmt.Fprintf(&out, `<rect class="page" width="%d" height="%.0f"/>`+"\n", width, height)
	out.WriteString(body)
	out.WriteString("</svg>\n")
	return []byte(out.String())
}

// esc makes text from outside fit for a document: no control characters, no markup.
func esc(text string) string { return html.EscapeString(decode.Printable(text)) }

// span is the stretch of time to be drawn: from just before the first round that did anything to the State's moment.
func span(s *group.State, o TimelineOptions) (from, to time.Time) {
	from, to = o.From, o.To
	if to.IsZero() {
		to = s.Now
	}
	if from.IsZero() {
		from = to.Add(-time.Minute)
		for _, r := range s.Rounds {
			if r.Units > 0 || r.Workers > 0 {
				from = r.At
				break
			}
		}
		from = from.Add(-to.Sub(from) / 50)
	}
	if !to.After(from) {
		to = from.Add(time.Second)
	}
	return from, to
}

func (p *picture) headline() string {
	return p.s.Group + ", " + p.from.In(p.o.Location).Format("2006-01-02 15:04:05") + " to " + p.to.In(p.o.Location).Format("15:04:05 MST")
}

func (p *picture) draw() {
	p.y = topMargin
	if !p.o.Bare {
		p.y += 8
		p.text(12, p.y, "strong", p.s.Group)
		p.text(left, p.y, "muted", strings.TrimPrefix(p.headline(), p.s.Group+", "))
		p.y += 20
	}
	top := p.y
	p.times()
	p.rounds(top + 20)
	p.y = top + 58
	p.workers()
	p.units()
	p.guides(top+48, p.y)
	p.legend()
}

// x is where a time lies.
func (p *picture) x(t time.Time) float64 {
	f := float64(t.Sub(p.from)) / float64(p.to.Sub(p.from))
	return left + min(max(f, 0), 1)*(width-left-right)
}

func (p *picture) inside(t time.Time) bool { return !t.Before(p.from) && !t.After(p.to) }

func (p *picture) text(x, y float64, class, text string) {
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f" class="%s">%s</text>`+"\n", x, y, class, esc(text))
}

// box is a rectangle with words for whoever points at it.
func (p *picture) box(class string, x1, x2, y, h float64, title string) {
	fmt.Fprintf(p, `<rect class="%s" x="%.2f" y="%.2f" width="%.2f" height="%.2f"><title>%s</title></rect>`+"\n", class, x1, y, max(x2-x1, .8), h, esc(title))
}

func (p *picture) line(class string, x1, x2, y float64, title string) {
	fmt.Fprintf(p, `<path class="%s" d="M%.2f %.2fH%.2f"><title>%s</title></path>`+"\n", class, x1, y, max(x2, x1+.8), esc(title))
}

func (p *picture) clock(t time.Time) string { return t.In(p.o.Location).Format("15:04:05.000") }
