package foresight

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/group"
	"regroup/internal/observe/observetest"
)

// Each script stands somewhere in a recording of a real group, foresees what was really done there next, and holds it
// against what really followed.
//
//	foresee at=13+2s
//	crash worker-2
func TestForesee(t *testing.T) {
	datadriven.Walk(t, "testdata/foresee", func(t *testing.T, path string) {
		capture, err := os.ReadFile("../../testdata/captures/" + filepath.Base(path) + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		whole := observetest.Read(t, string(capture), "")
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var at string
			d.ScanArgs(t, "at", &at)
			s := observetest.Read(t, string(capture), at)
			s.Past = false
			p, err := Foresee(s, change(t, s, d.Input))
			if err != nil {
				return err.Error() + "\n"
			}
			return told(p) + happened(whole, p)
		})
	})
}

// change reads "crash worker-2 back=10s", "create sink-a 4".
func change(t *testing.T, s *group.State, line string) Change {
	t.Helper()
	words := strings.Fields(line)
	args := map[string]time.Duration{}
	for len(words) > 1 {
		k, v, ok := strings.Cut(words[len(words)-1], "=")
		if !ok {
			break
		}
		d, err := time.ParseDuration(v)
		if err != nil {
			t.Fatal(err)
		}
		args[k] = d
		words = words[:len(words)-1]
	}
	name, n := "", 0
	if len(words) > 1 {
		name = words[1]
	}
	if len(words) > 2 {
		var err error
		if n, err = strconv.Atoi(words[2]); err != nil {
			t.Fatal(err)
		}
	}
	member := func() string {
		for _, w := range s.Workers {
			if w.Name == name && !w.Gone {
				return w.ID
			}
		}
		return name
	}
	url := ""
	for _, w := range s.Workers {
		if w.Name == name {
			url = w.URL
		}
	}
	switch words[0] {
	case "crash":
		return Crash{member(), args["back"]}
	case "stop":
		return Stop{Worker: member(), Back: args["back"]}
	case "freeze":
		return Freeze{member(), args["for"]}
	case "evict":
		return Evict{member(), 1}
	case "join":
		return Join{Client: name, URL: url}
	case "join-eager":
		return Join{Client: name, Eager: true}
	case "create":
		return Create{name, n}
	case "configure":
		return Configure{Connector: name, Tasks: n}
	case "delete":
		return Delete{name}
	case "halt":
		return Halt{name}
	case "resume":
		return Resume{name, n}
	}
	t.Fatalf("no change %q", words[0])
	return nil
}

func told(p *Preview) string {
	var b strings.Builder
	for _, o := range p.Outcomes {
		if o.Name != "" {
			fmt.Fprintf(&b, "if %s:\n", o.Name)
		}
		for _, r := range o.Rounds {
			in := r.In.Round(100 * time.Millisecond).String()
			if r.Slack > 0 {
				in += " to " + (r.In + r.Slack).Round(100*time.Millisecond).String()
			}
			fmt.Fprintf(&b, "  %d in %s, %s: %s\n", r.Generation, in, r.Why, counts(r.Detail))
			for _, m := range r.Members {
				if len(m.Assigned)+len(m.Revoked) > 0 {
					fmt.Fprintf(&b, "    %s", m.Name)
					for _, u := range m.Assigned {
						fmt.Fprintf(&b, "  +%s", u)
					}
					for _, u := range m.Revoked {
						fmt.Fprintf(&b, "  -%s", u)
					}
					b.WriteByte('\n')
				}
			}
		}
		for _, d := range o.Caveats {
			fmt.Fprintf(&b, "  but: %s\n", d)
		}
		for _, w := range o.Warnings {
			fmt.Fprintf(&b, "  warning: %s\n", w)
		}
		fmt.Fprintf(&b, "  cost: %s\n", priced(o.Cost))
		fmt.Fprintf(&b, "  eager: %d rounds, %d stopped, cost: %s\n", len(o.Eager), Stopped(o.Eager), priced(o.EagerCost))
	}
	return b.String()
}

// priced is a cost in unit-seconds.
func priced(c group.Cost) string {
	text := fmt.Sprintf("%d units, %.1f to %.1f unit-s", c.Units, c.Low.Seconds(), c.High.Seconds())
	if c.Exact() {
		text = fmt.Sprintf("%d units, %.1f unit-s", c.Units, c.Low.Seconds())
	}
	if c.Growing {
		text += " and growing"
	}
	if c.Estimated {
		text += ", assumed"
	}
	return text
}

func counts(d *group.Detail) string {
	out := []string{fmt.Sprintf("kept %d", d.Kept)}
	for _, c := range []struct {
		what string
		n    int
	}{
		{"started", d.Started},
		{"stopped", d.Stopped},
		{"restarted", d.Round.Restarted},
		{"moved", d.Moved},
		{"delayed", d.Round.Delayed},
		{"released", d.Round.Released},
		{"unassigned", d.Round.Unassigned},
		{"eager", d.EagerWouldStop},
	} {
		if c.n > 0 {
			out = append(out, fmt.Sprintf("%s %d", c.what, c.n))
		}
	}
	return strings.Join(out, " ")
}

// happened compares a preview with as many rounds of the recording.
func happened(whole *group.State, p *Preview) string {
	var b strings.Builder
	at := slices.IndexFunc(whole.Rounds, func(r *group.Round) bool { return r.Seq == p.Seq })
	var best *Outcome
	var diff []Difference
	var took []*group.Detail
	for i := range p.Outcomes {
		var actual []*group.Detail
		for n := range p.Outcomes[i].Rounds {
			actual = append(actual, whole.Detail(at+1+n))
		}
		d := Compare(p.Outcomes[i].Rounds, actual)
		if best == nil || len(d) < len(diff) {
			best, diff, took = &p.Outcomes[i], d, actual
		}
	}
	b.WriteString("happened")
	if best.Name != "" {
		b.WriteString(", " + best.Name)
	}
	b.WriteString(":\n")
	for i, d := range took {
		same := "other counts: "
		if counts(d) == counts(best.Rounds[i].Detail) {
			same = "the same counts: "
		}
		fmt.Fprintf(&b, "  %d %s%s\n", d.Generation, same, counts(d))
	}
	var cost group.Cost
	for _, d := range took {
		c, _ := whole.Cost(d.Round)
		cost.Units, cost.Low, cost.High = cost.Units+c.Units, cost.Low+c.Low, cost.High+c.High
		cost.Growing = cost.Growing || c.Growing
	}
	fmt.Fprintf(&b, "  cost: %s\n", priced(cost))
	for _, d := range diff {
		fmt.Fprintf(&b, "  %s\n", d)
	}
	if len(diff) == 0 {
		b.WriteString("  every unit as foreseen\n")
	}
	return b.String()
}

// How long a worker takes to start is learned from those that came back: before the first return the range is wide.
func TestStartTimesOfAnEvening(t *testing.T) {
	capture, err := os.ReadFile("../../testdata/cases/evening-4.3.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	before := observetest.Read(t, string(capture), "8").StartTimes()
	if before.Known() || before.Low > time.Second || before.High < time.Minute {
		t.Errorf("before any worker came back: %+v", before)
	}
	after := observetest.Read(t, string(capture), "").StartTimes()
	// The shortest time for which a worker was away is 4.2 s: from round 62 to round 64.
	if after.Absent < 10 || after.Low > 4*time.Second || after.High < 8*time.Second || after.High >= before.High {
		t.Errorf("at the evening's end: %+v", after)
	}
}

// A worker that is back a moment before the delay is over joins within a heartbeat: the delay's end may be the same round. That is
// said; of one that is back well before, nothing of the kind.
func TestReturnAsTheDelayEnds(t *testing.T) {
	capture, err := os.ReadFile("../../testdata/captures/lifecycle-4.3.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := observetest.Read(t, string(capture), "29+2s") // its delay is 20 s
	s.Past = false
	i := slices.IndexFunc(s.Workers, func(w group.Worker) bool { return !w.Gone && !w.Leader })
	for back, doubted := range map[time.Duration]bool{18 * time.Second: true, 10 * time.Second: false} {
		p, err := Foresee(s, Stop{Worker: s.Workers[i].ID, Back: back})
		if err != nil {
			t.Fatal(err)
		}
		of := p.Outcomes[0].Caveats
		if got := slices.ContainsFunc(of, func(d string) bool {
			return strings.HasPrefix(d, "the delay ends within a heartbeat of "+s.Workers[i].Name+"'s return")
		}); got != doubted {
			t.Errorf("back after %v: doubts %q", back, of)
		}
	}
}

// Where a member id that nobody knows decides ties, what came is held against the counts, or the rounds alone, and no finer.
func TestHeldAgainstAsFinelyAsForeseen(t *testing.T) {
	unit := func(task int32) group.Unit { return group.Unit{Connector: "sink-a", Task: task} }
	round := func(given ...[]group.Unit) *group.Detail {
		d := &group.Detail{Round: &group.Round{Generation: 7, Started: 1}}
		for i, units := range given {
			m := group.WorkerDetail{Assigned: units, Held: units}
			m.ID, m.Client, m.Name = []string{"a", "b"}[i], []string{"a", "b"}[i], []string{"worker-a", "worker-b"}[i]
			d.Members = append(d.Members, m)
		}
		return d
	}
	foreseen := []Foreseen{{Detail: round([]group.Unit{unit(0), unit(1)}, []group.Unit{unit(2)})}}
	swapped := round([]group.Unit{unit(0), unit(2)}, []group.Unit{unit(1)})
	uneven := round([]group.Unit{unit(0)}, []group.Unit{unit(1), unit(2)})
	alone := round([]group.Unit{unit(0), unit(1), unit(2)})
	for _, c := range []struct {
		name   string
		grain  Precision
		came   *group.Detail
		differ int
		first  string
	}{
		{"other units", InUnits, swapped, 4, "round 7: worker-a: start sink-a 1: foreseen, and it did not happen"},
		{"other units, in counts", InCounts, swapped, 0, ""},
		{"other counts, in counts", InCounts, uneven, 2, "round 7: worker-a: start: 1 unit, and 2 foreseen"},
		{"other counts, in rounds", InRounds, uneven, 0, ""},
		{"somebody missing, in rounds", InRounds, alone, 1, "round 7: worker-b: worker: foreseen, and it did not happen"},
	} {
		p := &Preview{Outcomes: []Outcome{{Rounds: foreseen, Precision: c.grain}}}
		_, diff := p.Compare([]*group.Detail{c.came})
		if len(diff) != c.differ || len(diff) > 0 && !strings.HasPrefix(diff[0].String(), c.first) {
			t.Errorf("%s: %d differences: %v", c.name, len(diff), diff)
		}
	}
}

// A worker that is put out may be back before all have heard of the round without it: what one of them has not heard of it does not
// report. That is not told beforehand, and what came is held against it all the same, of one eviction and of several.
func TestSomeHaveNotHeard(t *testing.T) {
	capture, err := os.ReadFile("../../testdata/captures/lifecycle-4.3.1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := observetest.Read(t, string(capture), "13")
	s.Past = false
	lead := s.Round().Leader
	once, err := Foresee(s, Evict{lead, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range once.Outcomes {
		if strings.Contains(o.Name, " hears of the round ") {
			t.Errorf("told beforehand: %s", o.Name)
		}
	}
	if once.rare == nil {
		t.Fatal("nobody may have missed the round")
	}
	twice, err := Foresee(s, Evict{lead, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range once.rare() {
		came := details(want.Rounds)
		if o, diff := once.Compare(came); o.Name != want.Name || len(diff) > 0 {
			t.Errorf("once: %s is taken for %s: %v", want.Name, o.Name, diff)
		}
		played, err := twice.repeated.play(course{branches: []int{3, 0}})
		if err != nil {
			t.Fatal(err)
		}
		if o, diff := twice.Compare(details(played.Rounds)); o.Name != played.Name || len(diff) > 0 {
			t.Errorf("twice: %s is taken for %s: %v", played.Name, o.Name, diff)
		}
	}
}

func details(rounds []Foreseen) []*group.Detail {
	var out []*group.Detail
	for _, f := range rounds {
		out = append(out, f.Detail)
	}
	return out
}
