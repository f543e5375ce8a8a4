package report

import (
	"fmt"
	"strconv"
	"time"

	"regroup/group"
)

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
	both := r.Restarted
	if r.Mode == group.ModeEager || prev != nil && prev.Mode == group.ModeEager {
		both += min(r.Started, r.Stopped)
	}
	switch {
	case r.Error != 0:
		return "!", "twrong"
	case r.Unassigned > 0:
		return "x", "twrong"
	case r.Twice > 0:
		return "&", "twrong"
	case r.Delayed > 0:
		return "░", "tdelayed"
	case both > 0:
		return "◆", "tstopped"
	case r.Stopped+r.Dropped > 0:
		return "▼", "tstopped"
	case r.Started > 0:
		return "▲", "tstarted"
	}
	return "│", "muted"
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
