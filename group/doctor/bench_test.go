package doctor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
)

// BenchmarkExamine looks over a sound group of 1,000 workers and 100,000 units, each running.
func BenchmarkExamine(b *testing.B) {
	s := newStage(b)
	const workers, connectors, tasks = 1000, 1000, 99
	var configs strings.Builder
	for c := range connectors {
		fmt.Fprintf(&configs, "%d: connector c%d class=X\n%d: commit c%d %d\n", 2*c, c, 2*c+1, c, tasks)
	}
	s.play(&datadriven.TestData{Cmd: "config", Input: configs.String()})
	round := &datadriven.TestData{Cmd: "round", CmdArgs: []datadriven.CmdArg{{Key: "1"}, {Key: "leader", Vals: []string{"w0"}}, {Key: "config", Vals: []string{fmt.Sprint(2 * connectors)}}, {Key: "bytes", Vals: []string{"1000"}}}}
	var lines []string
	holds := make([]string, workers)
	for c := range connectors {
		for k := range tasks + 1 {
			w := (c + k) % workers
			unit := fmt.Sprintf("c%d %d", c, k-1)
			if k == 0 {
				unit = fmt.Sprintf("c%d c", c)
			}
			if holds[w] != "" {
				unit = ", " + unit
			}
			holds[w] += unit
		}
	}
	for w := range workers {
		lines = append(lines, fmt.Sprintf("w%d: has %s", w, holds[w]))
	}
	round.Input = strings.Join(lines, "\n")
	for g := range 40 {
		round.CmdArgs[0].Key = fmt.Sprint(g + 1)
		s.play(round)
	}
	for c := range connectors {
		for k := range tasks + 1 {
			w := (c + k) % workers
			s.said++
			r := decode.StatusRecord{Kind: decode.StatusOfUnit, Unit: decode.Unit{Connector: fmt.Sprintf("c%d", c), Task: int32(k - 1)}, State: "RUNNING", WorkerID: fmt.Sprintf("w%d:8083", w), Generation: 40}
			s.model.Apply(group.StatusRecord{At: s.now, Topic: "statuses", Offset: s.said, Record: r}, s.now)
		}
	}
	s.now = s.now.Add(10 * time.Minute)
	state := s.model.State(s.now)
	if r := doctor.Examine(state, doctor.Options{}); len(r.Findings) > 0 {
		b.Fatalf("the group is not sound: %s", brief(r))
	}
	b.ReportMetric(float64(len(state.Units)), "units")
	for b.Loop() {
		doctor.Examine(state, doctor.Options{})
	}
}
