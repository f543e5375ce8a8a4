package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/lab/compare"
	"regroup/internal/words"
	"regroup/tui/label"
)

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
		fmt.Fprintf(b, ", for %s to %s unit-seconds\n%s; others are waited for up to 3 s", compare.UnitSeconds(low), compare.UnitSeconds(high), paceText(pace))
	} else {
		fmt.Fprint(b, "; for how long cannot be said: no status records tell how long units take to start here")
	}
	fmt.Fprintln(b)
	return b.Flush()
}

// paceText says how quick this group's units were, and how many of them say so.
func paceText(p group.Pace) string {
	start := fmt.Sprintf("starts within %s, the median of %d", compare.Short(p.Start), p.Starts)
	if p.Stops == 0 {
		return "a unit here " + start + "; none was told to stop, and stopping counts as nothing"
	}
	return fmt.Sprintf("a unit here stops within %s, the median of %d, and %s", compare.Short(p.Stop), p.Stops, start)
}

func eagerCost(e group.EagerStops) string {
	if !e.Known() {
		return ""
	}
	return fmt.Sprintf(", %s to %s unit-s", compare.UnitSeconds(e.Low), compare.UnitSeconds(e.High))
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
