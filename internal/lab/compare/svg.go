package compare

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"time"

	"regroup/decode"
	"regroup/internal/words"
)

// The picture's measures, in its own units.
const (
	svgWidth, svgLeft, svgRight = 960, 130, 24
	svgTop, svgArea, svgGap     = 106, 90, 46
	svgLegend                   = 30
)

// colours that are told apart on white and on black, and by eyes of every kind: the shape of a mark says the same.
var svgColours = map[rune]string{'◆': "#c2631d", '▼': "#c2631d", '▲': "#2f6fd0", '░': "#a08a1c", '·': "#808080"}

// SVG is the comparison as a picture: how many units run over time, the modes under one another on one axis.
func (c *Comparison) SVG() []byte {
	var b strings.Builder
	height := svgTop + len(c.Runs)*(svgArea+svgGap) + svgLegend
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img">`+"\n", svgWidth, height)
	text := func(x, y float64, attrs, s string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" %s>%s</text>`+"\n", x, y, attrs, html.EscapeString(decode.Printable(s)))
	}
	fmt.Fprintf(&b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n", html.EscapeString(decode.Printable(c.Name)))
	text(16, 26, `font-size="17" font-weight="bold" fill="#1e2530"`, c.Name)
	text(16, 46, `font-size="14" fill="#1e2530"`, c.Headline())
	text(16, 65, `fill="#56606f"`, c.Options.Line())
	for i, r := range c.Runs {
		top := float64(svgTop + i*(svgArea+svgGap))
		text(16, top+14, `font-weight="bold" fill="#1e2530"`, r.Mode.Name)
		text(16, top+32, `fill="#56606f"`, words.Thousands(r.Sum.Stopped)+" stopped")
		text(16, top+48, `fill="#56606f"`, words.Sum(r.Sum.Lost)+" unit-s")
		most := c.Most()
		if most == 0 {
			text(svgLeft+8, top+svgArea/2, `fill="#56606f"`, "no units")
		} else {
			text(svgLeft-6, top+5, `text-anchor="end" font-size="10" fill="#56606f"`, words.Thousands(most))
		}
		text(svgLeft-6, top+svgArea, `text-anchor="end" font-size="10" fill="#56606f"`, "0")
		c.svgRun(&b, r, top)
	}
	c.svgLegend(float64(height-8), text)
	c.svgAxis(&b, float64(svgTop+len(c.Runs)*(svgArea+svgGap)-svgGap+14), text)
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// svgLegend says what the area and the marks are, those that there are.
func (c *Comparison) svgLegend(y float64, text func(x, y float64, attrs, s string)) {
	there := map[rune]bool{}
	for _, r := range c.Runs {
		for i, round := range r.Rounds() {
			there[Glyph(round, r.Before(i))] = true
		}
	}
	x := float64(svgLeft)
	text(x, y, `fill="#5a9486"`, "■")
	text(x+14, y, `fill="#56606f"`, "units that run")
	x += 120
	for _, m := range Legend {
		if there[m.Glyph] {
			text(x, y, `fill="`+svgColours[m.Glyph]+`"`, string(m.Glyph))
			text(x+14, y, `fill="#56606f"`, m.Means)
			x += 40 + 6*float64(len(m.Means))
		}
	}
}

func (c *Comparison) svgX(at time.Duration) float64 {
	if c.Span <= 0 {
		return svgLeft
	}
	return svgLeft + float64(svgWidth-svgLeft-svgRight)*float64(min(at, c.Span))/float64(c.Span)
}

// svgRun draws one area, its steps as they change, and a mark a round above it.
func (c *Comparison) svgRun(b *strings.Builder, r *Run, top float64) {
	most := float64(max(c.Most(), 1))
	y := func(running int) float64 { return top + svgArea - svgArea*float64(running)/most }
	units := r.Units(0)
	fmt.Fprintf(b, `<path fill="#5a9486" d="M%.1f %.1fV%.1f`, c.svgX(0), top+svgArea, y(units))
	for _, l := range r.downs {
		fmt.Fprintf(b, "H%.1fV%.1f", c.svgX(l.at), y(max(0, r.Units(l.at)-l.n)))
	}
	fmt.Fprintf(b, "H%.1fV%.1fZ\"/>\n", c.svgX(c.Span), top+svgArea)
	fmt.Fprintf(b, `<path fill="none" stroke="#c8ced8" d="M%d %.1fH%d"/>`+"\n", svgLeft, top, svgWidth-svgRight)
	for i, round := range r.Rounds() {
		g := Glyph(round, r.Before(i))
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="11" fill="%s"><title>%s: round %d</title>%c</text>`+"\n",
			c.svgX(r.At(i)), top-5, svgColours[g], words.Countdown(r.At(i).Round(time.Second)), round.Generation, g)
	}
}

func (c *Comparison) svgAxis(b *strings.Builder, y float64, text func(x, y float64, attrs, s string)) {
	for _, t := range Ticks(c.Span, 9) {
		fmt.Fprintf(b, `<path stroke="#c8ced8" d="M%.1f %.1fv5"/>`+"\n", c.svgX(t.At), y-14)
		text(c.svgX(t.At), y+4, `text-anchor="middle" fill="#56606f"`, t.Label)
	}
}

// Tick is a round moment on the time axis.
type Tick struct {
	At    time.Duration
	Label string
}

var tickSteps = []time.Duration{
	10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute,
	5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 24 * time.Hour,
}

// Ticks are round moments of a stretch of time, at most so many.
func Ticks(span time.Duration, most int) []Tick {
	for _, step := range tickSteps {
		if int(span/step) >= most {
			continue
		}
		var out []Tick
		for at := time.Duration(0); at <= span; at += step {
			label := words.Countdown(at.Round(time.Second))
			if step < time.Second {
				label = fmt.Sprintf("%.2f s", at.Seconds())
			}
			out = append(out, Tick{at, label})
		}
		return out
	}
	return []Tick{{0, words.Countdown(0)}}
}

type comparisonJSON struct {
	Exercise string     `json:"exercise"`
	About    string     `json:"about,omitempty"`
	Group    groupJSON  `json:"group"`
	Headline string     `json:"headline"`
	Modes    []modeJSON `json:"modes"`
}

type groupJSON struct {
	Workers     int    `json:"workers"`
	Connectors  int    `json:"connectors"`
	Tasks       int    `json:"tasks"`
	DelayMs     int64  `json:"delayMs"`
	StartMs     int64  `json:"startMs"`
	StopMs      int64  `json:"stopMs"`
	DownMs      int64  `json:"downMs"`
	HeartbeatMs int64  `json:"heartbeatMs"`
	Seed        uint64 `json:"seed"`
}

type modeJSON struct {
	Mode         string       `json:"mode"`
	Rounds       int          `json:"rounds"`
	UnitsStopped int          `json:"unitsStopped"`
	UnitSeconds  float64      `json:"unitSecondsLost"`
	MostDown     int          `json:"mostDown"`
	LongestSecs  float64      `json:"longestGapSeconds"`
	SettledSecs  *float64     `json:"settledSeconds"` // null: never
	DownForGood  int          `json:"downForGood"`
	Twice        int          `json:"startedTwice"`
	Twins        int          `json:"runTwiceForGood"`
	Failed       int          `json:"failedForGood"`
	Steps        []stepJSON   `json:"steps"`
	Down         [][2]float64 `json:"down"` // [seconds, units down from then on]
	Why          []whyJSON    `json:"why"`
	History      []any        `json:"history"` // rounds, as "regroup rounds -o json" prints them
}

type stepJSON struct {
	AtSecs float64 `json:"atSeconds"`
	Do     string  `json:"do"`
}

type whyJSON struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// MarshalJSON writes the whole comparison for scripts.
func (c *Comparison) MarshalJSON() ([]byte, error) {
	o := c.Options
	out := comparisonJSON{Exercise: c.Name, About: c.About, Headline: c.Headline(), Group: groupJSON{
		o.Workers, o.Connectors, o.Tasks, o.Delay.Milliseconds(), o.Start.Milliseconds(), o.Stop.Milliseconds(),
		o.Down.Milliseconds(), o.Heartbeat.Milliseconds(), o.Seed,
	}}
	reasons := c.Explain()
	for _, r := range c.Runs {
		m := modeJSON{
			Mode: r.Mode.Name, Rounds: r.Sum.Rounds, UnitsStopped: r.Sum.Stopped, UnitSeconds: seconds(r.Sum.Lost), MostDown: r.Sum.MostDown,
			LongestSecs: seconds(r.Sum.Longest), DownForGood: r.Sum.Waiting, Twice: r.Sum.Twice, Twins: r.Sum.Twins, Failed: r.Sum.Failed,
			Steps: []stepJSON{}, Down: [][2]float64{}, Why: []whyJSON{}, History: []any{},
		}
		if settled := seconds(r.Sum.Settled); !r.Sum.Never {
			m.SettledSecs = &settled
		}
		for _, s := range r.Steps {
			m.Steps = append(m.Steps, stepJSON{seconds(s.At), s.Do})
		}
		for _, l := range r.downs {
			m.Down = append(m.Down, [2]float64{seconds(l.at), float64(l.n)})
		}
		for _, why := range reasons {
			if why.Mode == r.Mode.Name {
				m.Why = append(m.Why, whyJSON{why.Rule, why.Text})
			}
		}
		for i := range r.Rounds() {
			m.History = append(m.History, r.State.Detail(r.First+i))
		}
		out.Modes = append(out.Modes, m)
	}
	return json.Marshal(out)
}

func seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }
