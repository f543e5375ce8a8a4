package group_test

import (
	"fmt"
	"strings"
	"testing"

	"regroup/group"
)

var laneWords = map[group.LaneKind]string{
	group.LaneNone: "gone", group.LanePaused: "paused", group.LaneRuns: "runs", group.LaneStarts: "starts",
	group.LaneDelayed: "delayed", group.LaneDown: "down", group.LaneTwice: "twice", group.LaneUnassigned: "unassigned", group.LaneFailed: "failed",
}

// TestLanesOfTheCaptures holds what became of every unit and every worker of a real group against goldens that can be read
// beside the workers' own logs.
func TestLanesOfTheCaptures(t *testing.T) {
	for _, name := range []string{"lifecycle", "eager-rolling", "clash"} {
		t.Run(name, func(t *testing.T) {
			s := fold(capture(t, name))
			var b strings.Builder
			for _, l := range s.Lanes(s.LaneUnits()) {
				fmt.Fprintf(&b, "%s\n", l.Unit)
				for _, k := range l.Stretches {
					fmt.Fprintf(&b, "  %s %s", k.From.UTC().Format("15:04:05.000"), laneWords[k.Kind])
					if k.Worker >= 0 && k.Kind != group.LaneNone {
						fmt.Fprintf(&b, " %s", s.WorkerName(k.Worker))
					}
					if k.Said {
						b.WriteString(", said so")
					}
					b.WriteString("\n")
				}
			}
			for _, l := range s.WorkerLanes() {
				fmt.Fprintf(&b, "%s\n", l.Name)
				for _, k := range l.Steps {
					fmt.Fprintf(&b, "  %s here=%t leads=%t held=%d wait=%d %s\n", k.At.UTC().Format("15:04:05"), k.Here, k.Leads, k.Held, k.Wait, k.Came)
				}
			}
			b.WriteString("not running\n")
			for _, d := range s.Downtimes() {
				fmt.Fprintf(&b, "  %s down=%d waiting=%d failed=%d\n", d.At.UTC().Format("15:04:05.000"), d.Down, d.Waiting, d.Failed)
			}
			golden(t, "lanes-"+name+".txt", []byte(b.String()))
		})
	}
}
