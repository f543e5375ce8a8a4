package doctor

import (
	"slices"
	"strings"
	"time"

	"regroup/group"
)

// Watch examines a group again and again, and remembers what was wrong meanwhile: work that runs twice for three seconds is
// worth telling though it is over.
type Watch struct {
	report Report
	met    []met
}

// met is a finding as it stood last, and when that was.
type met struct {
	Finding
	at time.Time
}

// See examines a State.
func (w *Watch) See(s *group.State, opt Options) Report {
	w.report = Examine(s, opt)
	for _, f := range w.report.Findings {
		if f.Severity == Info || !read(s) {
			continue
		}
		m := met{f, s.Now}
		if i := slices.IndexFunc(w.met, func(o met) bool { return o.Same(f) }); i >= 0 {
			w.met[i] = m
		} else {
			w.met = append(w.met, m)
		}
	}
	return w.report
}

// read says whether sources are read to their end: before that a State is of some moment of the past.
func read(s *group.State) bool {
	return s.SourceOf(group.SourceLog) != nil && s.Reading() == nil
}

// Same says whether two findings are about the same, whatever their numbers are by now. A worker that comes back is a new
// member: then the moment at which it began tells.
func (f Finding) Same(g Finding) bool {
	switch {
	case f.ID != g.ID || f.about != g.about:
		return false
	case slices.Equal(f.Workers, g.Workers):
		return related(&f, &g)
	}
	return !f.Since.IsZero() && f.Since.Equal(g.Since) && (len(f.Units) == 0 && len(g.Units) == 0 || meet(f.Units, g.Units))
}

// Report is the newest one, and at its end what was wrong at some moment of the watch and is over. What is over leaves a
// group healthy.
func (w *Watch) Report() Report {
	out := w.report
	out.Findings = slices.Clone(out.Findings)
	for _, m := range w.met {
		if slices.ContainsFunc(w.report.Findings, m.Same) {
			continue
		}
		f := m.Finding
		f.Severity, f.Cause = Info, ""
		f.Title = "over: " + strings.TrimPrefix(f.Title, "over: ")
		f.Evidence = append(slices.Clone(f.Evidence), Evidence{m.at, source(f), "it was last so then"})
		out.Findings = append(out.Findings, f)
	}
	return out
}

// source is where a finding's own evidence is from.
func source(f Finding) group.Source {
	if len(f.Evidence) > 0 {
		return f.Evidence[0].Source
	}
	return group.SourceLog
}
