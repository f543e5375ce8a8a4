package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
)

func newRounds(a *app) *cobra.Command {
	v := view{recordsAlone: true}
	eager := false
	cmd := &cobra.Command{
		Use:   "rounds [GROUP]",
		Short: "Print a group's rounds: what each rebalance moved, and why",
		Long: `Print every round in the coordinator's log, oldest first: why it happened and how many units were kept, started,
stopped, restarted, delayed and moved, how many eager would have stopped, and the unit-seconds of work that did not run because of
it: 27.1; 299-365, a range where the sources leave it open; >20.9, at least that; 65-95+, still growing; ~32, estimated. An episode's story follows its last round. With -o json, one object per round, with all lists.

With --eager, what eager would have stopped in each round, unit by unit, and the unit-seconds that this would have cost at the
pace at which this group's own units stop and start; with -o json each round has it as "eager".`,
		Example: `  regroup rounds connect-rig -b localhost:9092 --since 2h
  regroup rounds --from capture.jsonl -o json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeGroup,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.state(cmd.Context(), v, args)
			if err != nil {
				return err
			}
			a.blanks(s)
			since, err := v.sinceTime(s.Now)
			if err != nil {
				return err
			}
			from := firstSince(s, since)
			switch {
			case eager && a.json():
				return eagerRoundsJSON(a.out, s, from)
			case eager:
				return eagerText(a.out, s, from)
			case a.json():
				return roundsJSON(a.out, s, from)
			}
			return roundsText(a.out, s, from)
		},
	}
	v.sinceFlag(cmd)
	v.fileFlags(cmd)
	cmd.Flags().BoolVar(&eager, "eager", false, "tell what eager would have stopped, unit by unit, and its cost")
	return cmd
}

// blanks tells, beside the result, which sources it lacks.
func (a *app) blanks(s *group.State) {
	for _, src := range s.Sources {
		switch src.Health {
		case group.HealthOK, group.HealthEnded, group.HealthOff, group.HealthCatchingUp, "":
			continue
		}
		a.note("%s", decode.Printable(sourceLine(src)))
	}
}

func sourceLine(src group.SourceState) string {
	line := string(src.Source) + " " + string(src.Health)
	if src.Source == group.SourceREST { // there is one for each worker
		line = string(src.Source) + " " + src.Name + " " + string(src.Health)
	}
	if src.Detail != "" {
		line += ": " + src.Detail
	}
	return line
}

// firstSince is the index of the first round recorded from then on: a file is read whole, whatever is to be shown of it.
func firstSince(s *group.State, since time.Time) int {
	i := 0
	for i <= s.At && s.Rounds[i].RecordedAt.Before(since) {
		i++
	}
	return i
}

func roundsJSON(w io.Writer, s *group.State, from int) error {
	b := bufio.NewWriter(w)
	enc := jsonLines(b)
	for i := from; i <= s.At; i++ {
		if err := enc.Encode(s.Detail(i)); err != nil {
			return err
		}
	}
	return b.Flush()
}

func roundsText(w io.Writer, s *group.State, from int) error {
	if from > s.At {
		_, err := fmt.Fprintf(w, "%s: no rounds\n", decode.Printable(s.Group))
		return err
	}
	t := newTable(">gen", "time", "why", ">workers", ">kept", ">started", ">stopped", ">restarted", ">delayed", ">moved", ">eager", ">unit-s", "and")
	day := ""
	for i := from; i <= s.At; i++ {
		r := s.Rounds[i]
		at := r.At.Local()
		if d := at.Format(time.DateOnly); d != day {
			day = d
			t.line(d)
		}
		var prev *group.Round
		if i > 0 {
			prev = s.Rounds[i-1]
		}
		t.row(generation(r), at.Format(time.TimeOnly), label.LongWhy(r, prev), strconv.Itoa(r.Workers), strconv.Itoa(r.Kept),
			strconv.Itoa(r.Started), strconv.Itoa(r.Stopped), strconv.Itoa(r.Restarted), strconv.Itoa(r.Delayed),
			strconv.Itoa(r.Moved), strconv.Itoa(r.EagerWouldStop), parts.RoundCost(s, r), beside(r))
		if story := s.StoryAtEnd(i); story != "" && worthTelling(s, i) {
			t.line("     " + story)
		}
	}
	if _, err := fmt.Fprintf(w, "%s: %s\n\n", decode.Printable(s.Group), words.Count(s.At+1-from, "round")); err != nil {
		return err
	}
	return t.write(w)
}

// worthTelling says whether an episode's story says more than why its only round happened.
func worthTelling(s *group.State, last int) bool {
	r := s.Rounds[last]
	_, cost := s.EpisodeCost(r)
	return cost || r.Seq != r.EpisodeSeq || r.Twice > 0
}

func generation(r *group.Round) string {
	if r.Polled {
		return "-"
	}
	return strconv.Itoa(int(r.Generation))
}

// beside is what a round has that most have not.
func beside(r *group.Round) string {
	var out []string
	add := func(n int, format string) {
		if n > 0 {
			out = append(out, fmt.Sprintf(format, n))
		}
	}
	add(r.Dropped, "%d dropped")
	add(r.Released, "%d released")
	add(r.Unassigned, "%d unassigned")
	add(r.Duplicated, "%d duplicated")
	add(r.Twice, "%d may run twice")
	add(int(r.Gap), "after %d that never synced")
	if r.DelayMs > 0 {
		out = append(out, "delay "+(time.Duration(r.DelayMs)*time.Millisecond).String())
	}
	if r.Error != 0 {
		out = append(out, fmt.Sprintf("error %d", r.Error))
	}
	if r.Provisional {
		out = append(out, "provisional")
	}
	if r.Deleted {
		out = append(out, "then the group was deleted")
	}
	return strings.Join(out, ", ")
}

// eagerText prints, for each round that eager would have had, what it would have stopped, unit by unit, and the cost.
func eagerText(w io.Writer, s *group.State, from int) error {
	b := bufio.NewWriter(w)
	pace := s.Pace()
	rounds, stops := 0, 0
	var low, high time.Duration
	for i := from; i <= s.At; i++ {
		e := s.EagerStops(i, pace)
		if e.Units == 0 {
			continue
		}
		r := s.Rounds[i]
		rounds++
		stops += e.Units
		low, high = low+e.Low, high+e.High
		var prev *group.Round
		if i > 0 {
			prev = s.Rounds[i-1]
		}
		fmt.Fprintf(b, "round %s  %s  %s: stopped %d, eager %d%s\n", generation(r), r.At.Local().Format(time.TimeOnly),
			decode.Printable(label.Causes(r, prev)), r.Stopped+r.Dropped, e.Units, eagerCost(e))
		for _, worker := range e.Workers {
			fmt.Fprintf(b, "  %s  %s\n", decode.Printable(worker.Name), decode.Printable(compact(worker.Units, nil)))
		}
	}
	fmt.Fprintf(b, "%s: %s of %d; eager would have stopped %d units", decode.Printable(s.Group), words.Count(rounds, "round"), s.At+1-from, stops)
	if pace.Known() {
		fmt.Fprintf(b, ", for %s to %s unit-seconds\n%s; others are waited for up to 3 s", words.Sum(low), words.Sum(high), paceText(pace))
	} else {
		fmt.Fprint(b, "; for how long cannot be said: no status records tell how long units take to start here")
	}
	fmt.Fprintln(b)
	return b.Flush()
}

// paceText says how quick this group's units were, and how many of them say so.
func paceText(p group.Pace) string {
	start := fmt.Sprintf("starts within %s, the median of %d", words.Short(p.Start), p.Starts)
	if p.Stops == 0 {
		return "a unit here " + start + "; none was told to stop, and stopping counts as nothing"
	}
	return fmt.Sprintf("a unit here stops within %s, the median of %d, and %s", words.Short(p.Stop), p.Stops, start)
}

func eagerCost(e group.EagerStops) string {
	if !e.Known() {
		return ""
	}
	return fmt.Sprintf(", %s to %s unit-s", words.Sum(e.Low), words.Sum(e.High))
}

type eagerJSON struct {
	Units       int               `json:"units"`
	UnitSeconds *[2]float64       `json:"unitSeconds"` // at least, at most; null: not known
	Pace        *paceJSON         `json:"pace"`        // what that was worked out with; null: not known
	Workers     []eagerWorkerJSON `json:"workers"`
}

// paceJSON is how long this group's units take, medians, and of how many. Of no stops, stopMs is 0.
type paceJSON struct {
	StopMs  int64 `json:"stopMs"`
	Stops   int   `json:"stops"`
	StartMs int64 `json:"startMs"`
	Starts  int   `json:"starts"`
}

type eagerWorkerJSON struct {
	Member string       `json:"member"`
	Units  []group.Unit `json:"units"`
}

// eagerLine is a round as JSON with one field more.
func eagerLine(s *group.State, i int, pace group.Pace) ([]byte, error) {
	round, err := json.Marshal(s.Detail(i))
	if err != nil {
		return nil, err
	}
	e := s.EagerStops(i, pace)
	out := eagerJSON{Units: e.Units, Workers: []eagerWorkerJSON{}}
	if e.Known() {
		out.UnitSeconds = &[2]float64{e.Low.Seconds(), e.High.Seconds()}
		out.Pace = &paceJSON{pace.Stop.Milliseconds(), pace.Stops, pace.Start.Milliseconds(), pace.Starts}
	}
	for _, w := range e.Workers {
		out.Workers = append(out.Workers, eagerWorkerJSON{w.Member, w.Units})
	}
	more, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return append(bytes.TrimSuffix(round, []byte("}")), []byte(`,"eager":`+strings.TrimSpace(string(more))+"}\n")...), nil
}

func eagerRoundsJSON(w io.Writer, s *group.State, from int) error {
	b := bufio.NewWriter(w)
	pace := s.Pace()
	for i := from; i <= s.At; i++ {
		line, err := eagerLine(s, i, pace)
		if err != nil {
			return err
		}
		if _, err := b.Write(line); err != nil {
			return err
		}
	}
	return b.Flush()
}

// compact lists sorted units in few words: "sink-a c 0-5, sink-b 2 7". A mark may follow each unit; units with one stand
// alone.
func compact(units []group.Unit, mark func(i int) string) string {
	var b strings.Builder
	for i := 0; i < len(units); {
		if i == 0 || units[i].Connector != units[i-1].Connector {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(units[i].Connector)
		}
		n := run(units[i:], i, mark)
		switch {
		case units[i].IsInstance():
			b.WriteString(" c")
		case n > 2:
			fmt.Fprintf(&b, " %d-%d", units[i].Task, units[i+n-1].Task)
		default:
			n = 1
			b.WriteString(" " + strconv.Itoa(int(units[i].Task)))
		}
		if mark != nil {
			b.WriteString(mark(i))
		}
		i += n
	}
	return b.String()
}

// run is how many tasks of one connector follow each other unmarked, from the first on.
func run(units []group.Unit, at int, mark func(int) string) int {
	plain := func(i int) bool { return mark == nil || mark(at+i) == "" }
	n := 1
	if units[0].IsInstance() || !plain(0) {
		return n
	}
	for n < len(units) && units[n].Connector == units[0].Connector && units[n].Task == units[n-1].Task+1 && plain(n) {
		n++
	}
	return n
}

// marks are the signs behind a unit that does not simply run, in ASCII: text goes through pipes.
var marks = map[group.UnitStateKind]string{
	group.UnitFailed: "!", group.UnitDuplicated: "&", group.UnitUnassigned: "x", group.UnitStopping: "v",
	group.UnitReleased: "o", group.UnitDelayed: ":", group.UnitRestarting: "*", group.UnitStarting: "^",
	group.UnitUnknown: "?", group.UnitPaused: "p", group.UnitStopped: "s",
}
