package report

import (
	"fmt"
	"html"
	"strconv"
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

var tickSteps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour,
}

// times writes the times above the lanes.
func (p *picture) times() {
	step := max(28*24*time.Hour, p.to.Sub(p.from)/8) // a record may claim any time
	for _, d := range tickSteps {
		if int64(p.to.Sub(p.from)/d) <= (width-left)/90 {
			step = d
			break
		}
	}
	format := "15:04"
	switch {
	case step < time.Minute:
		format = "15:04:05"
	case step >= 24*time.Hour:
		format = "Jan 2"
	}
	_, offset := p.from.In(p.o.Location).Zone()
	shift := time.Duration(offset) * time.Second
	for t := p.from.Add(shift).Truncate(step).Add(-shift); !t.After(p.to); t = t.Add(step) {
		if p.x(t) >= width-right-40 {
			break
		}
		if !t.Before(p.from) {
			fmt.Fprintf(p, `<path class="tick" d="M%.1f %.1fv14"/>`+"\n", p.x(t), p.y-10)
			p.text(p.x(t)+4, p.y, "muted", t.In(p.o.Location).Format(format))
		}
	}
}

// roundMark is what a round was above all: a sign, and its colour.
func roundMark(r, prev *group.Round) (sign, class string) {
	m := marks[r.Mark(prev)]
	return m.sign, m.class
}

var marks = map[group.RoundMark]struct{ sign, class string }{
	group.MarkError: {"!", "twrong"}, group.MarkUnassigned: {"x", "twrong"}, group.MarkTwice: {"&", "twrong"}, group.MarkDelayed: {"░", "tdelayed"},
	group.MarkRestarted: {"◆", "tstopped"}, group.MarkStopped: {"▼", "tstopped"}, group.MarkStarted: {"▲", "tstarted"}, group.MarkNothing: {"│", "muted"},
}

// rounds writes generations and marks. Those that would overlap share a label.
func (p *picture) rounds(y float64) {
	p.text(12, y, "muted", "round")
	const letter = 7.3
	free, marked := 0.0, 0.0
	rounds := p.s.Rounds
	for i := 0; i < len(rounds); i++ {
		r := rounds[i]
		if !p.inside(r.At) {
			continue
		}
		x := p.x(r.At)
		last := i
		label := number(r)
		for last+1 < len(rounds) && p.inside(rounds[last+1].At) && p.x(rounds[last+1].At) < x+letter*float64(len(label)+1) {
			last++
			label = number(r) + "-" + number(rounds[last])
		}
		p.text(min(max(x, free), width-right-letter*float64(len(label))), y, "text", label)
		free = x + letter*float64(len(label)+1)
		for k := i; k <= last; k++ {
			var prev *group.Round
			if k > 0 {
				prev = rounds[k-1]
			}
			if at := p.x(rounds[k].At); at >= marked {
				sign, class := roundMark(rounds[k], prev)
				p.text(at-3.5, y+16, class, sign)
				marked = at + letter
			}
		}
		i = last
	}
}

// guides are faint lines down from the rounds.
func (p *picture) guides(from, to float64) {
	last := -10.0
	for _, r := range p.s.Rounds {
		if x := p.x(r.At); p.inside(r.At) && x-last >= 5 {
			fmt.Fprintf(p, `<path class="mark" d="M%.1f %.1fV%.1f"><title>round %s</title></path>`+"\n", x, from, to, number(r))
			last = x
		}
	}
}

func number(r *group.Round) string {
	if r.Polled || r.Generation < 0 {
		return "?"
	}
	return strconv.Itoa(int(r.Generation))
}
