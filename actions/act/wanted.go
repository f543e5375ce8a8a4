package act

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// Wanted is what a group is waited for to be, besides settled: complete, with every unit running. That is more than what an
// action waits for: a unit that failed never runs by itself, and a worker that was stopped on purpose is not missed.
type Wanted struct {
	Workers int       // at least so many; 0: all that were there
	Names   []string  // these workers among them
	Since   time.Time // workers that left since then have to be back, unless Workers says how many are enough
}

// Missing says what a group still lacks, but for the units that do not run, which Resting lists; more is false where nothing
// can be said of those yet.
func (w Wanted) Missing(s *group.State) (out []string, more bool) {
	out, more = notSettled(s)
	switch {
	case !more:
		return out, false
	case s.Phase == "": // an action can do without the broker's word; who waits for nothing else cannot
		return []string{"the broker has not said how it stands"}, false
	}
	out = append(out, w.absent(s)...)
	if s.Round().Empty() {
		return append(out, "no worker is there"), false
	}
	return append(out, mayBeDead(s)...), true
}

// absent tells of the workers that have to be in the group and are not, or do not work yet.
func (w Wanted) absent(s *group.State) []string {
	var out []string
	if n := s.Round().Workers; n < w.Workers {
		out = append(out, fmt.Sprintf("%s of %d in the group", words.Count(n, "worker"), w.Workers))
	}
	named := map[string]bool{}
	for _, name := range w.Names {
		if _, err := FindWorker(s, name); err != nil {
			named[name] = true
			out = append(out, err.Error())
		}
	}
	rest := s.REST()
	for i := range s.Workers {
		worker := &s.Workers[i]
		if r := rest[worker.URL]; !worker.Gone && r.Starting() && r.At.After(s.Round().RecordedAt) {
			out = append(out, decode.Printable(worker.Name)+" is starting anew, and has not joined yet")
		}
	}
	if w.Workers > 0 {
		return out
	}
	for _, m := range s.MissingSince(w.Since) {
		if !named[m.Name] {
			out = append(out, fmt.Sprintf("%s left at %s and is not back; --workers says how many are enough", decode.Printable(m.Name),
				m.Left.Local().Format("15:04:05")))
		}
	}
	return out
}

// UnitsIn are the units that are in one state.
type UnitsIn struct {
	State group.UnitStateKind
	Units []group.Unit
}

// Resting are the units that do not run and should, by state.
func Resting(s *group.State) []UnitsIn {
	var out []UnitsIn
	at := map[group.UnitStateKind]int{}
	for i := range s.Units {
		u := &s.Units[i]
		switch u.State {
		case group.UnitRunning, group.UnitPaused, group.UnitStopped:
			continue
		}
		n, ok := at[u.State]
		if !ok {
			n = len(out)
			at[u.State], out = n, append(out, UnitsIn{State: u.State})
		}
		out[n].Units = append(out[n].Units, u.Unit)
	}
	return out
}
