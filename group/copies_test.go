package group_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"regroup/decode"
	"regroup/group"
)

// A downgrade to eager left copies of 29 units running (KAFKA-13816). Each worker was stopped politely later, and wrote UNASSIGNED for
// every unit that it ran: those of units that it did not hold are the old copies, neither more nor less.
func TestOldCopiesAreThoseThatStopLater(t *testing.T) {
	records := recorded(t, filepath.Join("cases", "evening-4.3.1.jsonl"))
	whole := fold(records)
	at := slices.IndexFunc(whole.Rounds, func(r *group.Round) bool { return r.Generation == 55 })
	now := whole.Rounds[at].RecordedAt.Add(time.Minute)
	s := whole.StandAt(at, now)

	got := map[string]bool{}
	for _, c := range s.Copies() {
		got[fmt.Sprintf("%s on %s", s.Units[c.Unit].Unit, s.Workers[c.Worker].Name)] = true
	}
	want := map[string]bool{}
	address := map[string]string{}
	for _, w := range s.Workers {
		address[w.Name] = decode.AdvertisedAddress(w.URL)
	}
	for _, u := range s.Units {
		for name, worker := range address {
			if u.Worker >= 0 && s.Workers[u.Worker].Name == name {
				continue
			}
			before, after := "", ""
			for _, r := range records {
				k, ok := r.fact().(group.StatusRecord)
				if !ok || k.Record.Unit != u.Unit || k.Record.WorkerID != worker {
					continue
				}
				if !k.At.After(now) {
					before = k.Record.State
				} else if after == "" {
					after = k.Record.State
				}
			}
			if before == decode.Running && after == decode.Unassigned {
				want[fmt.Sprintf("%s on %s", u.Unit, name)] = true
			}
		}
	}
	if len(want) < 20 {
		t.Fatalf("only %d units were stopped by workers that did not hold them", len(want))
	}
	for c := range want {
		if !got[c] {
			t.Errorf("an old copy of %s is not found", c)
		}
	}
	for c := range got {
		if !want[c] {
			t.Errorf("there is no old copy of %s", c)
		}
	}
}
