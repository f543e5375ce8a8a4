//go:build kafka

package oracle_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"regroup/decode"
	"regroup/group/assign"
	"regroup/test/oracle"
)

// BenchmarkAgainstConnect times the same five rounds in Connect and here, each from the members' bytes to the assignments'
// bytes: all is handed out, ten of 1,000 workers are lost, their delay ends, ten others come, and get what was released.
func BenchmarkAgainstConnect(b *testing.B) {
	rounds := lossAndJoin(b, 1000, 100_000)
	b.Run("connect", func(b *testing.B) {
		theirs, err := oracle.Start(b.Context(), oracle.Version)
		if err != nil {
			b.Fatal(err)
		}
		defer end(b, theirs)
		q := map[string]any{"cmd": "bench", "assignor": "incremental", "maxDelay": 300_000, "warm": 10, "laps": 10, "rounds": asJSON(rounds)}
		line, err := json.Marshal(q)
		if err != nil {
			b.Fatal(err)
		}
		var answer struct {
			NS        []int64 `json:"ns"`
			Exception string  `json:"exception"`
		}
		for b.Loop() {
			out, err := theirs.Ask(line)
			if err == nil {
				err = json.Unmarshal(out, &answer)
			}
			if err != nil || answer.Exception != "" {
				b.Fatal(err, answer.Exception)
			}
		}
		slices.Sort(answer.NS)
		b.ReportMetric(0, "ns/op") // most of that is JSON
		b.ReportMetric(float64(answer.NS[len(answer.NS)/2])/1e3/float64(len(rounds)), "µs/round")
	})
	b.Run("regroup", func(b *testing.B) {
		for b.Loop() {
			state := assign.New(assign.Released, 300_000)
			for _, r := range rounds {
				state = decide(b, state, r)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1e3/float64(b.N*len(rounds)), "µs/round")
	})
}

// question is a round whose members are bytes.
type question struct {
	assign.Request
	subscriptions [][]byte
}

func decide(b *testing.B, state assign.LeaderState, q question) assign.LeaderState {
	b.Helper()
	var d decode.Decoder
	req := q.Request
	req.Members = make([]assign.Member, len(q.Members))
	for i, bytes := range q.subscriptions {
		s, err := d.Subscription(bytes)
		if err != nil {
			b.Fatal(err)
		}
		req.Members[i] = assign.Joining(q.Members[i].ID, s)
	}
	told, state, err := state.Decide(req)
	if err != nil {
		b.Fatal(err)
	}
	for _, a := range told.Assignments {
		decode.AppendAssignment(nil, a)
	}
	return state
}

func lossAndJoin(b *testing.B, workers, tasks int) []question {
	b.Helper()
	config := assign.Config{Offset: 1, Connectors: map[string]int{}}
	for i := range tasks / 100 {
		config.Connectors[fmt.Sprintf("connector-%04d", i)] = 100
	}
	var members []assign.Member
	for i := range workers {
		members = append(members, assign.Member{ID: fmt.Sprintf("worker-%04d", i), URL: "http://worker", Offset: 1})
	}
	state := assign.New(assign.Released, 300_000)
	now, generation, completed := int64(1_000_000), int32(0), int32(-1)
	var out []question
	round := func() {
		q := question{Request: assign.Request{
			Now: now, Generation: generation, LastCompleted: completed, Leader: "worker-0000",
			Protocol: decode.ProtocolSessioned, Config: config, Members: slices.Clone(members),
		}}
		for _, m := range members {
			q.subscriptions = append(q.subscriptions, decode.AppendSubscription(nil, decode.Subscription{
				Version: 2, URL: m.URL,
				ConfigOffset: m.Offset, Allocation: &decode.Assignment{Version: 2, Assigned: m.Reported},
			}))
		}
		d, after, err := state.Decide(q.Request)
		if err != nil {
			b.Fatal(err)
		}
		state = after
		for i := range members {
			members[i].Reported = assign.Java17.Report(members[i].Reported, d.Assignments[i])
		}
		completed = generation
		generation++
		out = append(out, q)
	}
	round() // everything is handed out
	members = members[:workers-workers/100]
	round()
	now += 300_000
	round()
	for i := range workers / 100 {
		members = append(members, assign.Member{ID: fmt.Sprintf("new-%04d", i), URL: "http://worker", Offset: 1})
	}
	round()
	round()
	return out
}

func asJSON(rounds []question) []any {
	var out []any
	for _, q := range rounds {
		var members []any
		for i, m := range q.Members {
			members = append(members, map[string]any{"id": m.ID, "metadata": q.subscriptions[i]})
		}
		out = append(out, map[string]any{
			"cmd": "round", "now": q.Now, "generation": q.Generation, "lastCompleted": q.LastCompleted,
			"leader": q.Leader, "protocol": q.Protocol, "members": members,
			"config": map[string]any{"offset": q.Config.Offset, "connectors": q.Config.Connectors},
		})
	}
	return out
}
