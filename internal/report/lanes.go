package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"regroup/group"
)

// workers are areas as high as the units that each holds.
func (p *picture) workers() {
	lanes := p.s.WorkerLanes()
	most := 1
	for _, l := range lanes {
		for _, k := range l.Steps {
			most = max(most, k.Held, k.Wait)
		}
	}
	for i := range lanes {
		p.worker(&lanes[i], most)
	}
	p.down()
	p.y += 8
}

func (p *picture) worker(l *group.WorkerLane, most int) {
	base := p.y + workerH - 8
	high := func(n int) float64 { return float64(n) / float64(most) * (workerH - 18) }
	p.text(12, base, "text", short(l.Name, 22))
	free := 0.0
	for i, k := range l.Steps {
		end := p.to
		if i+1 < len(l.Steps) {
			end = l.Steps[i+1].At
		}
		if end.Before(p.from) || k.At.After(p.to) {
			continue
		}
		x1, x2 := p.x(k.At), p.x(end)
		title := fmt.Sprintf("%s holds %d from %s", l.Name, k.Held, p.clock(k.At))
		switch {
		case k.Wait > 0:
			p.box("wait", x1, x2, base-high(k.Wait), high(k.Wait), fmt.Sprintf("%s left at %s, %d units wait", l.Name, p.clock(k.At), k.Wait))
		case k.Here && k.Held == 0:
			p.box("idle", x1, x2, base-1.5, 1.5, title)
		case k.Here:
			p.box("runs", x1, x2, base-high(k.Held), high(k.Held), title)
		}
		note, class := "", "tstarted"
		switch {
		case k.Came == "left":
			note, class = "left", "tstopped"
		case k.Came != "":
			note = string(k.Came)
		case k.Held > 0 && x2-x1 > 12:
			note, class = strconv.Itoa(k.Held), "muted"
		}
		if note != "" && p.inside(k.At) && x1 >= free {
			p.text(x1, base-high(highest(l.Steps[i:], k.At, p.to.Sub(p.from)*time.Duration(8*len(note))/(width-left-right)))-3, class, note)
			free = x1 + 7.3*float64(len(note)+1)
		}
	}
	p.y += workerH
}

// highest is the most that is drawn in a stretch of time: what is written over it stays clear of it.
func highest(steps []group.WorkerStep, from time.Time, d time.Duration) int {
	most := 0
	for _, k := range steps {
		if k.At.Sub(from) <= d {
			most = max(most, k.Held, k.Wait)
		}
	}
	return most
}

// down is how many units did not run.
func (p *picture) down() {
	steps := p.s.Downtimes()
	most := 1
	for _, d := range steps {
		most = max(most, d.Down+d.Failed)
	}
	base := p.y + workerH - 8
	p.text(12, base, "muted", "units not running")
	for i, d := range steps {
		end := p.to
		if i+1 < len(steps) {
			end = steps[i+1].At
		}
		if end.Before(p.from) || d.At.After(p.to) {
			continue
		}
		x1, x2 := p.x(d.At), p.x(end)
		y := base
		for _, part := range []struct {
			n     int
			class string
		}{{d.Failed, "bad"}, {d.Down - d.Waiting, "dead"}, {d.Waiting, "wait"}} {
			if part.n > 0 {
				h := float64(part.n) / float64(most) * (workerH - 14)
				y -= h
				p.box(part.class, x1, x2, y, h, fmt.Sprintf("%d stopped, of them %d wait; %d failed, from %s", d.Down, d.Waiting, d.Failed, p.clock(d.At)))
			}
		}
	}
	p.y += workerH
}

// units are lanes, one a unit; of a group too large for that a line that says so.
func (p *picture) units() {
	units := p.s.LaneUnits()
	if len(units) > p.o.MaxUnits {
		p.y += laneH
		p.text(left, p.y, "muted", fmt.Sprintf("%d units: too many for a lane each", len(units)))
		p.y += laneH
		return
	}
	names := map[int32]string{}
	for _, l := range p.s.WorkerLanes() {
		names[l.Worker] = l.Name
	}
	last := "\x00"
	for _, l := range p.s.Lanes(units) {
		if !p.lived(l.Stretches) {
			continue
		}
		if l.Unit.Connector != last {
			p.y += 6
			p.text(12, p.y+12, "text", short(l.Unit.Connector, 20))
			last = l.Unit.Connector
		}
		task := "c"
		if !l.Unit.IsInstance() {
			task = strconv.Itoa(int(l.Unit.Task))
		}
		fmt.Fprintf(p, `<text x="%d" y="%.1f" class="muted" text-anchor="end">%s</text>`+"\n", left-12, p.y+12, task)
		p.lane(&l, names)
		p.y += laneH
	}
	p.y += 6
}

func (p *picture) lived(stretches []group.Stretch) bool {
	for i := range stretches {
		if stretches[i].Kind != group.LaneNone && !stretches[i].From.After(p.to) && (i+1 == len(stretches) || stretches[i+1].From.After(p.from)) {
			return true
		}
	}
	return false
}

func (p *picture) lane(l *group.Lane, names map[int32]string) {
	y, mid := p.y+4, p.y+8
	shown, free := int32(-1), 0.0
	for i, k := range l.Stretches {
		end := p.to
		if i+1 < len(l.Stretches) {
			end = l.Stretches[i+1].From
		}
		if k.Kind == group.LaneNone {
			shown = -1
		}
		if end.Before(p.from) || k.From.After(p.to) || k.Kind == group.LaneNone {
			continue
		}
		x1, x2 := p.x(k.From), p.x(end)
		title := p.titleOf(l, &k, names, end)
		switch k.Kind {
		case group.LaneRuns:
			p.box("runs", x1, x2, mid-2, 4, title)
		case group.LaneStarts:
			p.line("starts", x1, x2, mid, title)
		case group.LanePaused:
			p.line("paused", x1, x2, mid, title)
			p.text(x1, mid+4, "muted", "p")
		case group.LaneDelayed:
			p.box("wait", x1, x2, y-1, 10, title)
		case group.LaneDown:
			p.line("down", x1, x2, mid, title)
			if k.Said && p.inside(k.From) {
				fmt.Fprintf(p, `<path class="stop" d="M%.2f %.2fh8l-4 7z"><title>%s</title></path>`+"\n", x1-4, mid-4, esc(title))
			}
		case group.LaneTwice:
			p.line("twice", x1, x2, mid-2, title)
			p.line("twice", x1, x2, mid+2, title)
		case group.LaneFailed, group.LaneUnassigned:
			p.line("failed", x1, x2, mid, title)
			sign := "!"
			if k.Kind == group.LaneUnassigned {
				sign = "x"
			}
			p.text(x1-3, mid+4, "twrong", sign)
		}
		if name := names[k.Worker]; (k.Kind == group.LaneRuns || k.Kind == group.LaneTwice) && k.Worker != shown && x2-x1 > 24 && x1 >= free {
			label := laneLabel(name, int((x2-x1-6)/6.2))
			fmt.Fprintf(p, `<text x="%.1f" y="%.1f" class="muted" font-size="9">%s</text>`+"\n", x1+3, mid-3, esc(label))
			shown, free = k.Worker, x1+6*float64(len(label))
		}
	}
}

var laneWords = map[group.LaneKind]string{
	group.LaneStarts: "told to start", group.LanePaused: "paused", group.LaneRuns: "runs", group.LaneDelayed: "waits for the delay",
	group.LaneDown: "stopped", group.LaneTwice: "claimed twice, newest", group.LaneUnassigned: "in nobody's hands", group.LaneFailed: "failed",
}

func (p *picture) titleOf(l *group.Lane, k *group.Stretch, names map[int32]string, end time.Time) string {
	what := laneWords[k.Kind]
	if k.Kind == group.LaneDown && !k.Said {
		what = "not running"
	}
	if name := names[k.Worker]; name != "" {
		what += ", " + name
	}
	return fmt.Sprintf("%s: %s, %s to %s", l.Unit, what, p.clock(k.From), p.clock(end))
}

// laneLabel is a worker's name where there is room for it, else its last word.
func laneLabel(name string, room int) string {
	const most = 14
	if utf8.RuneCountInString(name) <= min(room, most) {
		return name
	}
	if room >= most {
		return short(name, most)
	}
	last := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(last) == 0 || utf8.RuneCountInString(last[len(last)-1]) > room {
		return ""
	}
	return last[len(last)-1]
}

// short cuts the middle out of a name that is too long.
func short(name string, most int) string {
	r := []rune(name)
	if len(r) <= most || most < 4 {
		return string(r[:min(len(r), max(most, 0))])
	}
	tail := most / 2
	return string(r[:most-tail-1]) + "…" + string(r[len(r)-tail:])
}

// legend says what is drawn how.
func (p *picture) legend() {
	p.y += 14
	x := float64(left)
	item := func(words string, draw func(x, y float64)) {
		draw(x, p.y-4)
		p.text(x+26, p.y, "muted", words)
		x += 26 + 7.4*float64(len(words)) + 18
	}
	item("runs", func(x, y float64) { p.box("runs", x, x+20, y-2, 4, "") })
	item("stopped", func(x, y float64) {
		fmt.Fprintf(p, `<path class="stop" d="M%.2f %.2fh8l-4 7z"/>`, x, y-4)
		p.line("down", x+8, x+20, y, "")
	})
	item("delayed", func(x, y float64) { p.box("wait", x, x+20, y-5, 10, "") })
	item("claimed twice", func(x, y float64) { p.line("twice", x, x+20, y-2, ""); p.line("twice", x, x+20, y+2, "") })
	item("failed", func(x, y float64) { p.line("failed", x+8, x+20, y, ""); p.text(x, y+4, "twrong", "!") })
	item("in nobody's hands", func(x, y float64) { p.line("failed", x+8, x+20, y, ""); p.text(x, y+4, "twrong", "x") })
	item("paused", func(x, y float64) { p.line("paused", x+8, x+20, y, ""); p.text(x, y+4, "muted", "p") })
	p.y += 6
}
