package group_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cockroachdb/datadriven"

	"regroup/group"
)

// roundText is a round for a person to review: what is zero or empty is left out.
func roundText(d *group.Detail) string {
	var b strings.Builder
	name := fmt.Sprintf("round %d", d.Generation)
	if d.Polled {
		name = "round, polled"
	}
	mode := string(d.Mode)
	if d.Empty() {
		mode = "empty"
	}
	fmt.Fprintf(&b, "%s %s: %s\n", name, mode, counts(d.Round))
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	for _, c := range d.Causes {
		line("%s: %s", c.Kind, c.Detail)
	}
	for _, m := range d.Members {
		if m.Err != "" {
			line("%s cannot be read: %s", m.Name, m.Err)
		}
	}
	for i, g := range d.Left {
		line("left: %s, held %s", g.Name, unitsText(d.LeftHeld[i]))
	}
	for _, l := range []struct {
		name  string
		units []group.Unit
	}{
		{"released", d.Released},
		{"delayed", d.Delayed},
		{"unassigned", d.Unassigned},
		{"duplicated", d.Duplicated},
		{"restarted", d.Restarted},
		{"dropped", d.Dropped},
	} {
		if len(l.units) > 0 {
			line("%s: %s", l.name, unitsText(l.units))
		}
	}
	settled := "not settled"
	if d.Settled {
		settled = "settled"
	}
	episode := fmt.Sprintf(", episode of %d", d.Episode)
	if d.Polled {
		episode = ""
	}
	line("%s%s%s", settled, episode, extras(d.Round))
	return b.String()
}

func counts(r *group.Round) string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{
		{r.Kept, "kept"},
		{r.Started, "started"},
		{r.Stopped, "stopped"},
		{r.Restarted, "restarted"},
		{r.Dropped, "dropped"},
		{r.Moved, "moved"},
		{r.Twice, "twice"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing"}
	}
	return strings.Join(parts, ", ") + fmt.Sprintf("; eager would stop %d", r.EagerWouldStop)
}

func extras(r *group.Round) string {
	var b strings.Builder
	for _, x := range []struct {
		is   bool
		text string
	}{
		{r.DelayMs > 0, fmt.Sprintf("delay %d ms", r.DelayMs)},
		{r.Error != 0, fmt.Sprintf("error %d", r.Error)},
		{r.Gap > 0, fmt.Sprintf("%d generations before it were never recorded", r.Gap)},
		{r.Provisional, "provisional"},
		{r.Deleted, "then the group was deleted"},
	} {
		if x.is {
			b.WriteString(", " + x.text)
		}
	}
	return b.String()
}

// unitsText prints sorted units as scripts write them: "a c 0 1, b c".
func unitsText(units []group.Unit) string {
	var b strings.Builder
	for i, u := range units {
		switch {
		case i == 0:
			b.WriteString(u.String())
		case u.Connector == units[i-1].Connector:
			b.WriteString(strings.TrimPrefix(u.String(), u.Connector))
		default:
			b.WriteString(", " + u.String())
		}
	}
	if b.Len() == 0 {
		return "nothing"
	}
	return b.String()
}

func (s *stage) allRounds(*datadriven.TestData) string {
	state := s.model.State(s.now)
	var b strings.Builder
	if state.Forgotten > 0 {
		fmt.Fprintf(&b, "%d forgotten\n", state.Forgotten)
	}
	for i := range state.Rounds {
		b.WriteString(roundText(state.Detail(i)))
	}
	return b.String()
}

// lastJSON prints the last round as the program does, a worker a line.
func (s *stage) lastJSON(d *datadriven.TestData) string {
	state := s.model.State(s.now)
	out, err := json.Marshal(state.Detail(state.At))
	if err != nil {
		d.Fatalf(s.t, "%v", err)
	}
	return strings.ReplaceAll(string(out), `{"member":`, "\n  {\"member\":") + "\n"
}

func (s *stage) units(*datadriven.TestData) string {
	state := s.model.State(s.now)
	var b strings.Builder
	for i, u := range state.Units {
		fmt.Fprintf(&b, "%s %s", u.Unit, u.State)
		if u.Worker >= 0 {
			fmt.Fprintf(&b, " on %s", state.Workers[u.Worker].Name)
		}
		if u.Orphaned {
			b.WriteString(", orphaned")
		}
		if u.Stale {
			b.WriteString(", stale")
		}
		for _, e := range state.Evidence(i) {
			fmt.Fprintf(&b, "; %s: %s", e.Source, e.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (s *stage) workers(*datadriven.TestData) string {
	state := s.model.State(s.now)
	var b strings.Builder
	for _, w := range state.Workers {
		var holds []group.Unit
		for _, i := range w.Holds {
			holds = append(holds, state.Units[i].Unit)
		}
		fmt.Fprintf(&b, "%s %s: %s", w.Name, w.ID, unitsText(holds))
		for _, x := range []struct {
			is   bool
			text string
		}{{w.Leader, "leads"}, {string(w.Change) != "", string(w.Change)}, {w.Wait > 0, fmt.Sprintf("%d wait", w.Wait)}} {
			if x.is {
				b.WriteString(", " + x.text)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
