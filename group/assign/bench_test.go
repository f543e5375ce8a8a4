package assign

import (
	"fmt"
	"testing"

	"regroup/decode"
)

// BenchmarkRound decides rounds from the members' bytes to the assignments' bytes, as a leader does: ten workers of a settled
// group are lost, their delay expires, and ten others come.
func BenchmarkRound(b *testing.B) {
	for _, size := range []struct{ workers, tasks int }{{20, 2000}, {1000, 100_000}} {
		b.Run(fmt.Sprintf("%dx%d", size.workers, size.tasks), func(b *testing.B) {
			state, rounds := lossAndJoin(b, size.workers, size.tasks)
			b.ReportAllocs()
			for b.Loop() {
				m := state
				for _, r := range rounds {
					_, m = decideBytes(b, m, r)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(rounds)), "µs/round")
		})
	}
}

// asked is a round whose members still are bytes.
type asked struct {
	Request
	subscriptions [][]byte
}

func decideBytes(t testing.TB, m LeaderState, r asked) ([][]byte, LeaderState) {
	t.Helper()
	var d decode.Decoder
	req := r.Request
	req.Members = make([]Member, len(r.Members))
	for i, s := range r.subscriptions {
		sub, err := d.Subscription(s)
		if err != nil {
			t.Fatal(err)
		}
		req.Members[i] = Joining(r.Members[i].ID, sub)
	}
	decision, after, err := m.Decide(req)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]byte, len(decision.Assignments))
	for i, a := range decision.Assignments {
		out[i] = decode.AppendAssignment(nil, a)
	}
	return out, after
}

// lossAndJoin prepares the rounds, and the state of the leader just before them.
func lossAndJoin(t testing.TB, workers, tasks int) (LeaderState, []asked) {
	t.Helper()
	g := newGroup(t, Released, 300_000)
	for i := range max(1, tasks/100) {
		g.config.Connectors[fmt.Sprintf("connector-%04d", i)] = min(100, tasks)
	}
	for i := range workers {
		g.join(fmt.Sprintf("worker-%04d", i))
	}
	g.round()
	before := g.leader.state
	lost := max(1, workers/100)
	var rounds []asked
	ask := func() {
		rounds = append(rounds, withBytes(g.request()))
		g.round()
	}
	for i := range lost {
		g.leave(fmt.Sprintf("worker-%04d", workers-1-i))
	}
	ask() // a delay
	g.now += 300_000
	ask() // it expires
	for i := range lost {
		g.join(fmt.Sprintf("new-%04d", i))
	}
	ask() // some units are released
	ask() // and given to those that came
	return before, rounds
}

func withBytes(r Request) asked {
	out := asked{Request: r}
	for _, m := range r.Members {
		s := decode.Subscription{Version: 2, URL: m.URL, ConfigOffset: m.Offset}
		if m.Reported != nil {
			s.Allocation = &decode.Assignment{Version: 2, Assigned: m.Reported}
		}
		out.subscriptions = append(out.subscriptions, decode.AppendSubscription(nil, s))
	}
	return out
}
