package doctor

import (
	"slices"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// aboutOffsets and aboutProtocols are the findings that a table of workers shows at a glance.
var (
	aboutOffsets   = []string{"config-topic-mismatch", "config-offset-behind", "config-mismatch", "member-churn", "internal-topic-settings"}
	aboutProtocols = []string{"eager-forced", "unit-duplicated", "known-bug", "mixed-versions"}
)

// drawContext is a table of the workers that a finding is about, and says how many rows it took.
func drawContext(s *scene.Scene, r cell.Rect, f *doctor.Finding) int {
	switch {
	case f == nil:
		return 0
	case slices.Contains(aboutOffsets, f.ID):
		return drawOffsets(s, r, f)
	case slices.Contains(aboutProtocols, f.ID):
		return drawProtocols(s, r, f)
	}
	return 0
}

// contextRows is how many workers such a table lists at most; those that the finding names come first.
func contextWorkers(s *scene.Scene, f *doctor.Finding, most int) (named []bool, out []*group.Worker) {
	for _, want := range []bool{true, false} {
		for i := range s.State.Workers {
			w := &s.State.Workers[i]
			if w.Gone || slices.Contains(f.Workers, w.ID) != want || len(out) == most {
				continue
			}
			out, named = append(out, w), append(named, want)
		}
	}
	return named, out
}

func drawOffsets(s *scene.Scene, r cell.Rect, f *doctor.Finding) int {
	round, _ := s.Round()
	named, workers := contextWorkers(s, f, max(min(r.H/3, 8), 2))
	if round == nil || r.H < len(workers)+3 {
		return 0
	}
	s.Title(r, "Config offset", "", "", false)
	head := s.Line(r, 1)
	name := max(r.W-2-10-8-11, 8)
	head.Gap(2).Words(ui.Muted, "worker", name).Number(ui.Muted, "reported", 10).Number(ui.Muted, "group", 8).Number(ui.Muted, "topic end", 11)
	end := ""
	if n := s.State.ConfigEnd(); n > 0 {
		end = words.Thousands(int(n))
	}
	for i, w := range workers {
		l := s.Line(r, i+2)
		style := ui.Text
		if named[i] {
			l.Rune(theme.Wrong.Plain(), '▌', 1)
			style = theme.Wrong.Bold()
		}
		l.At(2).Name(ui.Strong, w.Name, name).Number(style, words.Thousands(int(w.ConfigOffset)), 10)
		l.Number(ui.Text, words.Thousands(int(round.ConfigOffset)), 8).Number(ui.Muted, end, 11)
	}
	row := len(workers) + 2
	if slices.ContainsFunc(workers, func(w *group.Worker) bool { return w.ConfigOffset < 0 }) {
		l := s.Line(r, row+1)
		l.Sentence(ui.Muted, "-1 is an empty config topic: nothing was read.")
		row += 2
	}
	return row + 1
}

func drawProtocols(s *scene.Scene, r cell.Rect, f *doctor.Finding) int {
	forced := scene.ForcedBy(s.State)
	named, workers := contextWorkers(s, f, max(min(r.H/3, 8), 2))
	if r.H < len(workers)+3 {
		return 0
	}
	knew := protocolsBefore(s)
	s.Title(r, "Protocols", "", "", false)
	head := s.Line(r, 1)
	name := max(min(r.W-2-12-18, 20), 8)
	head.Gap(2).Words(ui.Muted, "worker", name).Gap(2).Words(ui.Muted, "version", 10).Text(ui.Muted, "has shown")
	for i, w := range workers {
		l := s.Line(r, i+2)
		known := knew[w.Worker]
		style := ui.Text
		switch {
		case w.Name == forced:
			known, style = "only eager", theme.Wrong.Plain()
		case known == "":
			known, style = "only this one", ui.Muted
		}
		if named[i] || w.Name == forced {
			l.Rune(theme.Wrong.Plain(), '▌', 1)
		}
		version := w.Version
		if version == "" {
			version = "?"
		}
		l.At(2).Name(ui.Strong, w.Name, name).Gap(2).Words(ui.Muted, version, 10).Sentence(style, known)
	}
	l := s.Line(r, len(workers)+2)
	l.Gap(2).Sentence(ui.Muted, "the group runs what all members know")
	return len(workers) + 4
}

// protocolsBefore are the protocols of the rounds before the group turned eager, by worker.
func protocolsBefore(s *scene.Scene) map[int32]string {
	out := map[int32]string{}
	i := s.State.At
	for i >= 0 && s.State.Rounds[i].Mode == group.ModeEager {
		i--
	}
	if d := s.Detail(i); d != nil {
		for _, m := range d.Members {
			out[m.Worker] = d.Protocol
		}
	}
	return out
}

// drawRoundsBeside is the list of rounds in a column of its own, without what it costs.
func drawRoundsBeside(s *scene.Scene, r cell.Rect) {
	s.Title(r, "Rounds", "", "", false)
	rounds := s.State.Rounds
	t := parts.NewRoundsTable(s)
	t.CostWidth, t.Counts, t.WhyWidth = 0, false, 21
	last := s.State.At
	first := max(last-(r.H-2), 0)
	for i := first; i <= last; i++ {
		t.Most = max(t.Most, label.Total(label.RoundParts(rounds[i], label.Before(rounds, i))))
		t.NumberWidth = max(t.NumberWidth, cell.Width(label.Generation(rounds[i])))
	}
	for i := last; i >= first && last-i+1 < r.H; i-- {
		t.Draw(r, last-i+1, i, false)
	}
}
