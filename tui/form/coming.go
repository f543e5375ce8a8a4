package form

import (
	"slices"
	"strconv"
	"strings"

	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

func tasksNote(f *Form) string {
	v, given := f.given("tasks.max")
	if s := f.setting("tasks.max"); !given && s != nil && s.Default != nil {
		v = *s.Default
	}
	if n, err := strconv.Atoi(v); err == nil && n > 0 {
		return "with " + words.Plural(n, "task")
	}
	return "with 1 task"
}

// coming are the rounds that sending it would bring, as far as that can be told from what is written.
func coming(f *Form, width int) [][]ui.Piece {
	sentence := func(words string) [][]ui.Piece {
		var out [][]ui.Piece
		for _, line := range cell.Wrap(ui.Printable(words), width) {
			out = append(out, []ui.Piece{{ui.Muted, line}})
		}
		return out
	}
	switch {
	case f.look == nil:
		return sentence("Nothing is known of that before a worker has looked at it.")
	case f.look.Unseen != "":
		return sentence("It cannot be foreseen: " + f.look.Unseen + ".")
	case f.look.Preview == nil && f.Plain:
		return sentence("No round comes of it: everything stays where it is.")
	case f.look.Preview == nil && !f.New && !f.touched():
		return sentence("Nothing, as long as nothing changes.")
	case f.look.Preview == nil:
		return sentence("That is known once it has a name.")
	}
	var out [][]ui.Piece
	for i, o := range f.look.Preview.Outcomes {
		if o.Name != "" {
			word := "if "
			if i > 0 {
				word = "or, if "
			}
			out = append(out, sentence(word+o.Name+":")...)
		}
		out = append(out, narrowRounds(o.Rounds, width)...)
		stops := "Nothing stops."
		if n := foresight.Stopped(o.Rounds); n > 0 {
			stops = words.Plural(n, "unit") + " stop."
			if n == 1 {
				stops = "1 unit stops."
			}
		}
		if n := foresight.Restarted(o.Rounds); n > 0 {
			stops = strings.TrimSuffix(stops, ".") + ", " + parts.Restarts(n) + "."
		}
		if len(o.Rounds)+len(o.Eager) > 0 {
			out = append(out, nil)
			out = append(out, sentence(stops+" Eager would stop "+words.Thousands(foresight.Stopped(o.Eager))+".")...)
		}
		for _, d := range o.Caveats {
			out = append(out, sentence("? "+d)...)
		}
	}
	return out
}

// narrowRounds are foreseenRounds for a column: each has its number, when and why on a line, and below it who.
func narrowRounds(rounds []foresight.Foreseen, width int) [][]ui.Piece {
	if len(rounds) == 0 {
		return [][]ui.Piece{{{ui.Muted, "no round: nothing moves"}}}
	}
	const indent = 9
	var out [][]ui.Piece
	for i, f := range rounds {
		when := parts.WhenText(rounds, i)
		who := parts.WhoLines(f, width-indent)
		out = append(out, []ui.Piece{{ui.Strong, ui.PadLeft(label.Generation(f.Round), 6) + "   "}, {ui.Text, when}})
		if why := who[0][0].Text; cell.Width(when)+cell.Width(why)+indent+2 <= width {
			out[len(out)-1] = append(out[len(out)-1], ui.Piece{ui.Muted, "  " + why})
			who = who[1:]
		}
		for _, w := range who {
			out = append(out, append([]ui.Piece{{ui.Text, ui.Repeat(' ', indent)}}, w...))
		}
	}
	return out
}

// then is what a worker holds at the end of what will happen.
type then struct {
	name                   string
	kept, started, stopped int
}

// then_ are the workers once all has happened that is certain to. It is nil where that may go several ways.
func workersThen(f *Form) []then {
	if f.look == nil || f.look.Preview == nil || len(f.look.Preview.Outcomes) != 1 {
		return nil
	}
	rounds := f.look.Preview.Outcomes[0].Rounds
	if len(rounds) == 0 {
		return nil
	}
	had := map[string]map[group.Unit]bool{}
	for _, m := range rounds[0].Members {
		had[m.ID] = map[group.Unit]bool{}
		for _, u := range m.Reported {
			had[m.ID][u] = true
		}
	}
	var out []then
	for _, m := range rounds[len(rounds)-1].Members {
		w := then{name: m.Name}
		for _, u := range m.Held {
			if had[m.ID][u] {
				w.kept++
			} else {
				w.started++
			}
		}
		w.stopped = len(had[m.ID]) - w.kept
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b then) int { return strings.Compare(a.name, b.name) })
	return out
}

// drawThen shows what the workers hold then, a line each, where there is room for it.
func drawThen(s *scene.Scene, f *Form, r cell.Rect) {
	workers := workersThen(f)
	if len(workers) == 0 || r.H < 3 {
		return
	}
	s.Title(r, "Workers then", "", "", false)
	name, most := 0, 0
	for _, w := range workers {
		name, most = max(name, cell.Width(ui.Printable(w.name))), max(most, w.kept+w.started+w.stopped)
	}
	name = min(name, max(r.W/2, 8))
	for n, w := range workers {
		l := s.Line(r, n+1)
		if n == r.H-2 && len(workers) > r.H-1 {
			l.Sentence(ui.Muted, "… "+words.Plural(len(workers)-n, "more worker"))
			return
		}
		l.Name(ui.Text, ui.Printable(w.name), name).Text(ui.Text, ui.PadLeft(words.Thousands(w.kept+w.started), 5)).Gap(2)
		ui.DrawStrip(&l, []ui.Part{{'■', theme.Running, w.kept}, {'▲', theme.Started, w.started}, {'▼', theme.Stopped, w.stopped}}, most, max(l.Left(), 1))
	}
}
