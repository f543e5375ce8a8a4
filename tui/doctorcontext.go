package tui

import (
	"slices"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/cell"
	"regroup/tui/theme"
)

// aboutOffsets and aboutProtocols are the findings that a table of workers shows at a glance.
var (
	aboutOffsets   = []string{"config-topic-mismatch", "config-offset-behind", "config-mismatch", "member-churn", "internal-topic-settings"}
	aboutProtocols = []string{"eager-forced", "unit-duplicated", "known-bug", "mixed-versions"}
)

// drawContext is a table of the workers that a finding is about, and says how many rows it took.
func drawContext(s *scene, r cell.Rect, f *doctor.Finding) int {
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
func contextWorkers(s *scene, f *doctor.Finding, most int) (named []bool, out []*group.Worker) {
	for _, want := range []bool{true, false} {
		for i := range s.state.Workers {
			w := &s.state.Workers[i]
			if w.Gone || slices.Contains(f.Workers, w.ID) != want || len(out) == most {
				continue
			}
			out, named = append(out, w), append(named, want)
		}
	}
	return named, out
}

func drawOffsets(s *scene, r cell.Rect, f *doctor.Finding) int {
	round, _ := s.round()
	named, workers := contextWorkers(s, f, max(min(r.H/3, 8), 2))
	if round == nil || r.H < len(workers)+3 {
		return 0
	}
	s.title(r, "Config offset", "", "", false)
	head := s.Line(r, 1)
	name := max(r.W-2-10-8-11, 8)
	head.Gap(2).Words(muted, "worker", name).Number(muted, "reported", 10).Number(muted, "group", 8).Number(muted, "topic end", 11)
	end := ""
	if n := s.state.ConfigEnd(); n > 0 {
		end = count(int(n))
	}
	for i, w := range workers {
		l := s.Line(r, i+2)
		style := text
		if named[i] {
			l.Rune(theme.Wrong.Plain(), '▌', 1)
			style = theme.Wrong.Bold()
		}
		l.At(2).Name(strong, w.Name, name).Number(style, count(int(w.ConfigOffset)), 10)
		l.Number(text, count(int(round.ConfigOffset)), 8).Number(muted, end, 11)
	}
	row := len(workers) + 2
	if slices.ContainsFunc(workers, func(w *group.Worker) bool { return w.ConfigOffset < 0 }) {
		l := s.Line(r, row+1)
		l.Sentence(muted, "-1 is an empty config topic: nothing was read.")
		row += 2
	}
	return row + 1
}

func drawProtocols(s *scene, r cell.Rect, f *doctor.Finding) int {
	forced := forcedBy(s.state)
	named, workers := contextWorkers(s, f, max(min(r.H/3, 8), 2))
	if r.H < len(workers)+3 {
		return 0
	}
	knew := s.protocolsBefore()
	s.title(r, "Protocols", "", "", false)
	head := s.Line(r, 1)
	name := max(min(r.W-2-12-18, 20), 8)
	head.Gap(2).Words(muted, "worker", name).Gap(2).Words(muted, "version", 10).Text(muted, "has shown")
	for i, w := range workers {
		l := s.Line(r, i+2)
		known := knew[w.Worker]
		style := text
		switch {
		case w.Name == forced:
			known, style = "only eager", theme.Wrong.Plain()
		case known == "":
			known, style = "only this one", muted
		}
		if named[i] || w.Name == forced {
			l.Rune(theme.Wrong.Plain(), '▌', 1)
		}
		version := w.Version
		if version == "" {
			version = "?"
		}
		l.At(2).Name(strong, w.Name, name).Gap(2).Words(muted, version, 10).Sentence(style, known)
	}
	l := s.Line(r, len(workers)+2)
	l.Gap(2).Sentence(muted, "the group runs what all members know")
	return len(workers) + 4
}

// protocolsBefore are the protocols of the rounds before the group turned eager, by worker.
func (s *scene) protocolsBefore() map[int32]string {
	out := map[int32]string{}
	i := s.state.At
	for i >= 0 && s.state.Rounds[i].Mode == group.ModeEager {
		i--
	}
	if d := s.detail(i); d != nil {
		for _, m := range d.Members {
			out[m.Worker] = d.Protocol
		}
	}
	return out
}

// drawRoundsBeside is the list of rounds in a column of its own, without what it costs.
func drawRoundsBeside(s *scene, r cell.Rect) {
	s.title(r, "Rounds", "", "", false)
	rounds := s.state.Rounds
	t := newRoundsTable(s)
	t.costWidth, t.counts, t.whyWidth = 0, false, 21
	last := s.state.At
	first := max(last-(r.H-2), 0)
	for i := first; i <= last; i++ {
		t.most = max(t.most, total(roundParts(rounds[i], before(rounds, i))))
		t.numberWidth = max(t.numberWidth, cell.Width(generation(rounds[i])))
	}
	for i := last; i >= first && last-i+1 < r.H; i-- {
		t.draw(r, last-i+1, i, false)
	}
}
