package cli

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/observe"
)

// pair is a stop and a start of a unit on one worker within one generation.
type pair struct {
	unit        group.Unit
	stop, start time.Time
}

// pairsOf finds them in the status records themselves.
func pairsOf(facts []observe.Seen) map[pair]bool {
	type key struct {
		unit   group.Unit
		worker string
	}
	stopped := map[key]group.StatusRecord{}
	out := map[pair]bool{}
	for _, s := range facts {
		k, ok := s.Fact.(group.StatusRecord)
		if !ok || k.Record.Kind != decode.StatusOfUnit || k.Record.Deleted {
			continue
		}
		at := key{k.Record.Unit, k.Record.WorkerID}
		was, stops := stopped[at]
		switch {
		case k.Record.State == decode.Unassigned && !stops:
			stopped[at] = k
		case k.Record.State == decode.Running:
			if stops && was.Record.Generation == k.Record.Generation {
				out[pair{at.unit, was.At, k.At}] = true
			}
			delete(stopped, at)
		case k.Record.State != decode.Unassigned:
			delete(stopped, at)
		}
	}
	return out
}

// toldPairs are those that unit events tell of.
func toldPairs(t *testing.T, events []event) map[pair]bool {
	t.Helper()
	stopped := map[group.Unit]event{}
	out := map[pair]bool{}
	for _, e := range events {
		o, ok := e.body.(unitEvent)
		if !ok {
			continue
		}
		unit := group.Unit{Connector: o.Connector, Task: decode.Instance}
		if o.Task != nil {
			unit.Task = *o.Task
		}
		if o.State == "restarting" || o.State == "stopping" { // the latter where a State lay between
			stopped[unit] = e
			continue
		}
		if stop, ok := stopped[unit]; ok && o.State == "running" {
			p := pair{unit, stop.at, e.at}
			if out[p] {
				t.Errorf("%v is told twice", p)
			}
			out[p] = true
		}
		delete(stopped, unit)
	}
	return out
}

// However States are coalesced, a unit that stops and starts again on its worker is told to have done so, each time.
func TestEveryStopAndStart(t *testing.T) {
	for name, least := range map[string]int{"same-config-6-times-4.3.1": 6, "restarted-6-times-3.9.1": 6, "evening-4.3.1": 3} {
		f, err := os.Open("../../testdata/cases/" + name + ".jsonl")
		must(t, err)
		defer f.Close()
		facts, err := observe.ReadFacts(f, "")
		must(t, err)
		want := pairsOf(facts.All)
		if len(want) < least {
			t.Fatalf("%s has %d stops with a start, and %d are known", name, len(want), least)
		}
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 1))
			m := group.New(group.Options{Group: name})
			w := newFollower(false)
			at := facts.All[0].At
			for _, src := range []group.Source{group.SourceLog, group.SourceConfig, group.SourceStatus} {
				m.Apply(group.SourceReport{At: at, Source: src, Health: group.HealthOK}, at)
			}
			events := w.next(m.State(at))
			for _, s := range facts.All {
				if _, report := s.Fact.(group.SourceReport); report {
					continue
				}
				m.Apply(s.Fact, s.At)
				if k, ok := s.Fact.(group.ConfigRecord); ok {
					m.Apply(group.Progress{At: s.At, Source: group.SourceConfig, UpTo: k.Offset + 1, CaughtUp: true}, s.At)
				}
				if rng.IntN(40) == 0 {
					events = append(events, w.next(m.State(s.At))...)
				}
			}
			events = append(events, w.next(m.State(facts.All[len(facts.All)-1].At))...)
			told := toldPairs(t, events)
			for p := range want {
				if !told[p] {
					t.Errorf("%s, seed %d: %s stopped at %s and ran again at %s, which is not told", name, seed, p.unit, p.stop.Format("15:04:05.000"), p.start.Format("15:04:05.000"))
				}
			}
		}

		// A file's history tells them too.
		m := group.New(group.Options{Group: name})
		for _, s := range facts.All {
			m.Apply(s.Fact, s.At)
		}
		told := toldPairs(t, newFollower(true).next(m.State(facts.All[len(facts.All)-1].At)))
		for p := range want {
			if !told[p] {
				t.Errorf("%s: %s stopped at %s and ran again at %s, which the history does not tell", name, p.unit, p.stop.Format("15:04:05.000"), p.start.Format("15:04:05.000"))
			}
		}
	}
}
