package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
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
		Long: `Print the current assignment, the state of every unit with its evidence, and the health of each source. With --from and --at, as
it was at a moment of a recording.

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
	word := string(v.Word)
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
		out = append(out, string(w.Change))
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

// Field names and order are DESIGN.md, section 6. They are a promise to scripts.
type describeObject struct {
	Group        string         `json:"group"`
	State        *string        `json:"state"`
	Generation   *int32         `json:"generation"`
	Protocol     *string        `json:"protocol"`
	Mode         *group.Mode    `json:"mode"`
	Leader       *string        `json:"leader"`
	LeaderURL    *string        `json:"leaderUrl"`
	ConfigOffset *int64         `json:"configOffset"`
	At           string         `json:"at"` // the moment that is described
	Delay        *delayObject   `json:"delay"`
	Workers      []workerObject `json:"workers"`
	Units        []unitObject   `json:"units"`
	Sources      []sourceObject `json:"sources"`
}

type delayObject struct {
	TotalMs     int64        `json:"totalMs"`
	RemainingMs int64        `json:"remainingMs"`
	Units       []group.Unit `json:"units"`
}

type workerObject struct {
	Member       string  `json:"member"`
	Client       string  `json:"client"`
	Host         string  `json:"host"`
	URL          string  `json:"url"`
	Leader       bool    `json:"leader"`
	ConfigOffset int64   `json:"configOffset"`
	Connectors   int     `json:"connectors"`
	Tasks        int     `json:"tasks"`
	Version      *string `json:"version"`
	REST         *string `json:"rest"`
}

type unitObject struct {
	Connector  string           `json:"connector"`
	Task       *int32           `json:"task"`
	State      string           `json:"state"`
	Worker     *string          `json:"worker"`     // a member id
	LastWorker *string          `json:"lastWorker"` // a member id too, of a worker that may be gone
	Since      *string          `json:"since"`
	Orphaned   bool             `json:"orphaned,omitempty"`
	Stale      bool             `json:"stale,omitempty"`
	Evidence   []evidenceObject `json:"evidence"`
}

type evidenceObject struct {
	At     *string `json:"at"`
	Source string  `json:"source"`
	Text   string  `json:"text"`
}

type sourceObject struct {
	Source string `json:"source"`
	Name   string `json:"name"`
	State  string `json:"state"`
	Detail string `json:"detail"`
}

func describeJSON(w io.Writer, s *group.State) error {
	return jsonLines(w).Encode(describeOf(s))
}

func describeOf(s *group.State) describeObject {
	out := describeObject{
		Group: s.Group, State: orNull(s.Phase), At: group.FormatTime(s.Now),
		Workers: []workerObject{}, Units: []unitObject{}, Sources: []sourceObject{},
	}
	if r := s.Round(); r != nil {
		if !r.Polled {
			out.Generation = &r.Generation
		}
		if !r.Empty() {
			out.Protocol, out.Mode, out.Leader = orNull(r.Protocol), &r.Mode, orNull(r.Leader)
			out.LeaderURL, out.ConfigOffset = orNull(r.LeaderURL), &r.ConfigOffset
		}
	}
	if d := s.Delay; d != nil {
		out.Delay = &delayObject{TotalMs: d.Total.Milliseconds(), RemainingMs: d.Remaining.Milliseconds(), Units: []group.Unit{}}
	}
	for _, w := range s.Workers {
		if w.Gone {
			continue // its units say so, by lastWorker
		}
		out.Workers = append(out.Workers, workerObject{
			w.ID, w.Client, w.Host, w.URL, w.Leader, w.ConfigOffset, w.HeldConns,
			w.Held - w.HeldConns, orNull(w.Version), orNull(w.REST),
		})
	}
	last := lastMembers(s)
	for i, u := range s.Units {
		if out.Delay != nil && u.State == group.UnitDelayed {
			out.Delay.Units = append(out.Delay.Units, u.Unit)
		}
		out.Units = append(out.Units, unitOf(s, i, last))
	}
	for _, src := range sources(s) {
		out.Sources = append(out.Sources, sourceOf(src))
	}
	return out
}

func unitOf(s *group.State, i int, last map[int32]string) unitObject {
	u := &s.Units[i]
	o := unitObject{
		Connector: u.Unit.Connector, State: u.State.String(), LastWorker: orNull(last[u.Last]),
		Since: timeOrNull(u.Since), Orphaned: u.Orphaned, Stale: u.Stale, Evidence: []evidenceObject{},
	}
	if !u.Unit.IsInstance() {
		task := u.Unit.Task
		o.Task = &task
	}
	if u.Worker >= 0 {
		o.Worker = &s.Workers[u.Worker].ID
	}
	for _, e := range s.Evidence(i) {
		o.Evidence = append(o.Evidence, evidenceObject{timeOrNull(e.At), string(e.Source), e.Text})
	}
	return o
}

func sourceOf(src group.SourceState) sourceObject {
	return sourceObject{string(src.Source), src.Name, string(src.Health), src.Detail}
}

// sources are those of a State in one order, whichever spoke first.
func sources(s *group.State) []group.SourceState {
	order := []group.Source{group.SourceLog, group.SourceDescribe, group.SourceConfig, group.SourceStatus}
	rank := func(src group.SourceState) int {
		if i := slices.Index(order, src.Source); i >= 0 {
			return i
		}
		return len(order)
	}
	out := slices.Clone(s.Sources)
	slices.SortStableFunc(out, func(a, b group.SourceState) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Source, b.Source))
	})
	return out
}

// lastMembers are the newest member ids of workers, by worker number: present ones, then those that left.
func lastMembers(s *group.State) map[int32]string {
	out := map[int32]string{}
	for _, w := range s.Workers {
		if _, ok := out[w.Worker]; !ok || !w.Gone {
			out[w.Worker] = w.ID
		}
	}
	for i := s.At; i >= 0; i-- {
		for _, g := range s.Rounds[i].Left {
			if _, ok := out[g.Worker]; !ok {
				out[g.Worker] = g.Member
			}
		}
	}
	return out
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func timeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return orNull(group.FormatTime(t))
}
