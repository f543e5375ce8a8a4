package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

func newDescribe(a *app) *cobra.Command {
	var v view
	cmd := &cobra.Command{
		Use:   "describe [GROUP]",
		Short: "Print a group's workers and units as they are now",
		Long: `Print who holds what now, the state of every unit with the evidence for it, and how well each source is read. With --from and
--at, as it was at a moment of a recording.

In what a worker holds, a sign follows each unit that does not simply run: ! failed, & duplicated, v stopping, ^ starting,
* restarting, p paused, s stopped, ? not known; with a worker that left: delayed :, o released, x unassigned.`,
		Example: `  regroup describe connect-rig -b localhost:9092
  regroup describe --from capture.jsonl --at 22+2s -o json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeGroup,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.state(cmd.Context(), v, args)
			if err != nil {
				return err
			}
			if a.json() {
				return describeJSON(a.out, s)
			}
			return describeText(a.out, s)
		},
	}
	v.sinceFlag(cmd)
	v.fileFlags(cmd)
	return cmd
}

func describeText(w io.Writer, s *group.State) error {
	if _, err := io.WriteString(w, decode.Printable(headline(s))+"\n"); err != nil {
		return err
	}
	if v := verdictLine(s); v != "" {
		if _, err := io.WriteString(w, decode.Printable(v)+"\n"); err != nil {
			return err
		}
	}
	for _, t := range []*table{workersTable(s), unitsTable(s), sourcesTable(s)} {
		if len(t.rows) == 0 {
			continue
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := t.write(w); err != nil {
			return err
		}
	}
	return nil
}

// headline is "connect-rig: Stable, generation 22, 2026-11-29 17:44:51, cooperative (sessioned), leader …".
func headline(s *group.State) string {
	var parts []string
	if flow := s.MirrorFlow(); flow != "" {
		parts = append(parts, "MirrorMaker "+decode.Printable(flow))
	}
	if s.Phase != "" {
		parts = append(parts, s.Phase)
	}
	r := s.Round()
	if r == nil {
		return s.Group + ": " + strings.Join(append(parts, "no rounds"), ", ")
	}
	if !r.Polled {
		parts = append(parts, "generation "+generation(r))
	}
	parts = append(parts, s.Now.Local().Format(time.DateTime))
	if !r.Empty() {
		parts = append(parts, fmt.Sprintf("%s (%s)", r.Mode, r.Protocol), "leader "+leaderName(s, r.Leader),
			"config offset "+strconv.FormatInt(r.ConfigOffset, 10))
	}
	parts = append(parts, words.Count(r.Workers, "worker"), words.Count(s.Connectors, "connector"), words.Count(s.Tasks, "task"))
	return s.Group + ": " + strings.Join(parts, ", ")
}

func leaderName(s *group.State, member string) string {
	for _, w := range s.Workers {
		if w.ID == member {
			return w.Name
		}
	}
	return member
}

// verdictLine is "DELAYED 18 s: worker-3 left. Its 5 units wait …".
func verdictLine(s *group.State) string {
	v := s.Verdict
	if v.Word == "" {
		return ""
	}
	word := v.Word
	if v.Likely {
		word += "?"
	}
	if !v.Ends.IsZero() && v.Ends.After(s.Now) {
		word += " " + v.Left(s.Now).String()
	}
	return word + ": " + v.Sentence
}

func workersTable(s *group.State) *table {
	t := newTable("worker", "role", "url", ">connectors", ">tasks", ">kept", ">started", ">stopped", ">waiting", "holds")
	for _, w := range s.Workers {
		var units []group.Unit
		for _, i := range w.Holds {
			units = append(units, s.Units[i].Unit)
		}
		holds := compact(units, func(i int) string { return marks[s.Units[w.Holds[i]].State] })
		if w.Err != "" {
			holds = w.Err
		}
		if w.Gone {
			t.row(w.Name, "left", w.URL, "", "", "", "", "", strconv.Itoa(w.Wait), holds)
			continue
		}
		t.row(w.Name, role(w), w.URL, strconv.Itoa(w.HeldConns), strconv.Itoa(w.Held-w.HeldConns), strconv.Itoa(w.Kept),
			strconv.Itoa(w.Started), strconv.Itoa(w.Stopped), "0", holds)
	}
	return t
}

func role(w group.Worker) string {
	var out []string
	if w.Leader {
		out = append(out, "leader")
	}
	if w.Change != "" {
		out = append(out, w.Change)
	}
	return strings.Join(out, " ")
}

func unitsTable(s *group.State) *table {
	t := newTable("unit", "state", "worker", "since", "evidence")
	for i, u := range s.Units {
		since := ""
		if !u.Since.IsZero() {
			since = u.Since.Local().Format(time.TimeOnly)
		}
		worker := ""
		if u.Worker >= 0 {
			worker = s.Workers[u.Worker].Name
		}
		t.row(u.Unit.String(), unitState(u), worker, since, evidence(s.Evidence(i)))
	}
	return t
}

func unitState(u group.UnitState) string {
	state := u.State.String()
	if u.Orphaned {
		state += ", orphaned"
	}
	if u.Stale {
		state += ", stale"
	}
	return state
}

// evidence is the first line of each piece: a trace has dozens, and all of them are in the JSON.
func evidence(lines []group.Evidence) string {
	var out []string
	for _, e := range lines {
		text, _, _ := strings.Cut(e.Text, "\n")
		out = append(out, string(e.Source)+": "+text)
	}
	return strings.Join(out, "; ")
}

func sourcesTable(s *group.State) *table {
	t := newTable("source", "name", "state", "detail")
	for _, src := range sources(s) {
		t.row(string(src.Source), src.Name, string(src.Health), src.Detail)
	}
	return t
}
