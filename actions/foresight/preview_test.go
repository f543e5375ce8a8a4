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
