package group_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"regroup/group"
)

// sources splits facts by source and partition: each keeps its own order, and between them there is none.
func sources(facts []group.Fact) [][]group.Fact {
	var out [][]group.Fact
	places := map[any]int{}
	for _, f := range facts {
		var key any
		switch f := f.(type) {
		case group.LogRecord:
			key = f.Partition
		case group.ConfigRecord:
			key = f.Topic
		case group.StatusRecord:
			key = [2]any{f.Topic, f.Partition}
		}
		i, ok := places[key]
		if !ok {
			i = len(out)
			places[key], out = i, append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	return out
}

// shuffle merges sources in a random order. Runs of one source are as likely as single facts: a topic that is read late is
// read at once.
func shuffle(rnd *rand.Rand, sources [][]group.Fact) []group.Fact {
	rest := make([][]group.Fact, len(sources))
	copy(rest, sources)
	var out []group.Fact
	for {
		var open []int
		for i := range rest {
			if len(rest[i]) > 0 {
				open = append(open, i)
			}
		}
		if len(open) == 0 {
			return out
		}
		i := open[rnd.IntN(len(open))]
		n := 1
		if rnd.IntN(3) == 0 {
			n = 1 + rnd.IntN(len(rest[i]))
		}
		out = append(out, rest[i][:n]...)
		rest[i] = rest[i][n:]
	}
}

// progress puts in how far the config topic was read, at random places, and at its end that it was.
func progress(rnd *rand.Rand, facts []group.Fact) []group.Fact {
	var out []group.Fact
	for _, f := range facts {
		out = append(out, f)
		if f, ok := f.(group.ConfigRecord); ok && rnd.IntN(4) == 0 {
			out = append(out, group.Progress{At: f.At, Source: group.SourceConfig, UpTo: f.Offset + 1})
		}
	}
	return out
}

// TestAnyOrder folds the facts of each capture in many orders of its sources: the State and all rounds come out the same.
// Some go slowly, so that rounds are published before the config topic comes, and are folded again; States are asked for
// in between, so that what they share with the model is there to be spoilt.
func TestAnyOrder(t *testing.T) {
	for _, name := range []string{
		"lifecycle", "eager-rolling", "clash", "lifecycle, compacted", "cases/mm2-no-rest", "cases/mm2-internal-rest", "cases/underscore-host",
	} {
		t.Run(name, func(t *testing.T) {
			capt, compacted := strings.CutSuffix(name, ", compacted")
			if !strings.Contains(capt, "/") {
				capt = "captures/" + capt
			}
			records := recorded(t, capt+"-4.3.1.jsonl")
			if compacted {
				records = newestConfig(from(records, 14))
			}
			var facts []group.Fact
			for _, r := range records {
				facts = append(facts, r.fact())
			}
			end := records[len(records)-1].at()
			want := play(facts, end, 0, nil)
			wantJSON := roundsJSON(t, want)
			by := sources(facts)
			for range 100 {
				seed := rand.Uint64()
				rnd := rand.New(rand.NewPCG(seed, 0))
				order := shuffle(rnd, by)
				if rnd.IntN(2) == 0 {
					order = progress(rnd, order)
				}
				got := play(order, end, time.Duration(rnd.IntN(3))*time.Second, rnd)
				if text := roundsJSON(t, got); text != wantJSON {
					t.Fatalf("seed %d: rounds differ:\n%s", seed, firstDifference(text, wantJSON))
				}
				checkSame(t, "another order", got, want)
				if a, b := got.Pace(), want.Pace(); a != b {
					t.Errorf("the pace is %+v, want %+v", a, b)
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// play folds facts, one every step of the observer's clock, and says at the end that nothing more comes.
func play(facts []group.Fact, end time.Time, step time.Duration, rnd *rand.Rand) *group.State {
	m := group.New(group.Options{Group: "connect-rig"})
	seen := end
	for _, s := range []group.Source{group.SourceLog, group.SourceConfig, group.SourceStatus} {
		m.Apply(group.SourceReport{At: end, Source: s, Health: group.HealthCatchingUp}, seen)
	}
	for _, f := range facts {
		seen = seen.Add(step)
		m.Apply(f, seen)
		if rnd != nil && rnd.IntN(20) == 0 {
			s := m.State(seen)
			s.Evidence(rnd.IntN(max(1, len(s.Units))))
		}
	}
	ended(m, end)
	return m.State(end)
}

func roundsJSON(t *testing.T, s *group.State) string {
	t.Helper()
	var b strings.Builder
	for i := range s.Rounds {
		line, err := json.Marshal(s.Detail(i))
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return " got " + a[i] + "\nwant " + b[i]
		}
	}
	return "one is longer"
}
