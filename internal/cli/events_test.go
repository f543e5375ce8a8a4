package cli

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe"
)

// captured are the facts of a capture, in its order.
func captured(t *testing.T, name string) []observe.Seen {
	t.Helper()
	f, err := os.Open("../../testdata/captures/" + name + ".jsonl")
	must(t, err)
	defer f.Close()
	facts, err := observe.ReadFacts(f, "")
	must(t, err)
	return facts.All
}

// generations of the round events of a stream.
func generations(events []event) (out []int32) {
	for _, e := range events {
		if d, ok := e.body.(*group.Detail); ok {
			out = append(out, d.Generation)
		}
	}
	return out
}

// However States are coalesced on their way, every round is told once, in order, from the first on that counts as news.
func TestEveryRoundOnce(t *testing.T) {
	facts := captured(t, "lifecycle-4.3.1")
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 1))
		m := group.New(group.Options{Group: "connect-rig"})
		f := newFollower(false)
		var events []event
		// The group has been watched from its beginning: each source at its end before anything happens.
		at := facts[0].At
		for _, src := range []group.Source{group.SourceLog, group.SourceConfig} {
			m.Apply(group.SourceReport{At: at, Source: src, Health: group.HealthOK}, at)
		}
		events = append(events, f.next(m.State(at))...)
		for i, s := range facts {
			m.Apply(s.Fact, s.At)
			if k, ok := s.Fact.(group.ConfigRecord); ok {
				m.Apply(group.Progress{At: s.At, Source: group.SourceConfig, UpTo: k.Offset + 1, CaughtUp: true}, s.At)
			}
			if rng.IntN(10) == 0 || i == len(facts)-1 {
				events = append(events, f.next(m.State(s.At.Add(time.Second)))...)
			}
		}
		state := m.State(facts[len(facts)-1].At.Add(time.Minute))
		events = append(events, f.next(state)...)
		var want []int32
		for _, r := range state.Rounds {
			want = append(want, r.Generation)
		}
		told := generations(events)
		if seed == 0 && len(want) != 33 {
			t.Fatalf("the capture has %d rounds", len(want))
		}
		if got := slices.Compact(slices.Clone(told)); !slices.Equal(got, want) {
			t.Fatalf("seed %d: told %v, want %v", seed, told, want)
		}
		if again := f.next(state); len(again) != 0 {
			t.Fatalf("seed %d: the same State again brings %d events, first %s", seed, len(again), again[0].text())
		}
		if len(told) != len(want) {
			checkProvisional(t, events)
		}
	}
}

// checkProvisional: a round that comes twice was provisional the first time.
func checkProvisional(t *testing.T, events []event) {
	open := map[int]bool{}
	told := map[int]bool{}
	for _, e := range events {
		d, ok := e.body.(*group.Detail)
		if !ok {
			continue
		}
		if told[d.Seq] && !open[d.Seq] {
			t.Fatalf("round %d was told again without need", d.Generation)
		}
		told[d.Seq], open[d.Seq] = true, d.Provisional
	}
}

// A round that was published before its config records came is told again when they have.
func TestProvisionalRoundComesAgain(t *testing.T) {
	facts := captured(t, "lifecycle-4.3.1")
	m := group.New(group.Options{Group: "connect-rig"})
	f := newFollower(true)
	end := facts[len(facts)-1].At
	m.Apply(group.SourceReport{At: end, Source: group.SourceLog, Health: group.HealthOK}, end)
	m.Apply(group.SourceReport{At: end, Source: group.SourceConfig, Health: group.HealthUnreachable}, end)
	for _, s := range facts {
		if _, ok := s.Fact.(group.LogRecord); ok {
			m.Apply(s.Fact, end)
		}
	}
	first := f.next(m.State(end.Add(time.Minute)))
	for _, s := range facts {
		if _, ok := s.Fact.(group.ConfigRecord); ok {
			m.Apply(s.Fact, end)
		}
	}
	m.Apply(group.SourceReport{At: end, Source: group.SourceConfig, Health: group.HealthOK}, end)
	m.Apply(group.Progress{At: end, Source: group.SourceConfig, UpTo: 1 << 20, CaughtUp: true}, end)
	second := f.next(m.State(end.Add(2 * time.Minute)))
	if len(generations(first)) != 33 || len(generations(second)) == 0 {
		t.Fatalf("first %v, then %v", generations(first), generations(second))
	}
	for _, e := range second {
		if d, ok := e.body.(*group.Detail); ok && d.Provisional {
			t.Fatalf("round %d is still provisional", d.Generation)
		}
	}
	checkProvisional(t, append(first, second...))
}

// Each event is one JSON object that begins with its kind, has a time, and no field twice.
func TestEventObjects(t *testing.T) {
	facts := captured(t, "lifecycle-4.3.1")
	m := group.New(group.Options{Group: "connect-rig"})
	f := newFollower(true)
	kinds := map[string]int{}
	for _, src := range []group.Source{group.SourceLog, group.SourceConfig} {
		m.Apply(group.SourceReport{At: facts[0].At, Source: src, Health: group.HealthOK, Detail: `"<&>"`}, facts[0].At)
	}
	for _, s := range facts {
		m.Apply(s.Fact, s.At)
		for _, e := range f.next(m.State(s.At)) {
			raw, err := json.Marshal(e)
			must(t, err)
			kinds[e.kind]++
			if !strings.HasPrefix(string(raw), `{"event":"`+e.kind+`",`) {
				t.Fatalf("%s", raw)
			}
			noFieldTwice(t, raw)
			if strings.ContainsAny(e.text(), "\n\t") {
				t.Fatalf("%q", e.text())
			}
		}
	}
	m.Apply(group.Action{At: m.State(facts[len(facts)-1].At).Now, ID: "1", Who: "ann@desk", Verb: "evict", Target: "worker-1"}, facts[len(facts)-1].At)
	for _, e := range f.next(m.State(facts[len(facts)-1].At.Add(time.Second))) {
		kinds[e.kind]++
		raw, err := json.Marshal(e)
		must(t, err)
		if e.kind == "action" && !strings.HasSuffix(string(raw), `"id":"1","who":"ann@desk","verb":"evict","target":"worker-1","answer":null}`) {
			t.Errorf("%s", raw)
		}
	}
	for _, k := range []string{"round", "state", "unit", "source", "finding", "action"} {
		if kinds[k] == 0 {
			t.Errorf("no %s event", k)
		}
	}
}

// What the doctor finds is told when it begins and when it is over, each once, however often it is looked.
func TestFindingsBeginAndEnd(t *testing.T) {
	facts := captured(t, "lifecycle-4.3.1")
	m := group.New(group.Options{Group: "connect-rig"})
	f := newFollower(false)
	var open []doctor.Finding
	ends := map[string]int{}
	see := func(at time.Time) {
		for _, e := range f.next(m.State(at)) {
			o, ok := e.body.(findingObject)
			if !ok {
				continue
			}
			was := slices.IndexFunc(open, o.Same)
			if o.over != (was >= 0) {
				t.Fatalf("%s; what stands: %+v", e.text(), open)
			}
			if !o.over {
				open = append(open, o.Finding)
				continue
			}
			open = slices.Delete(open, was, was+1)
			ends[o.ID]++
		}
	}
	for _, src := range []group.Source{group.SourceLog, group.SourceConfig, group.SourceStatus} {
		m.Apply(group.SourceReport{At: facts[0].At, Source: src, Health: group.HealthOK}, facts[0].At)
	}
	last := facts[0].At
	for _, s := range facts {
		for ; s.At.Sub(last) > time.Second; last = last.Add(time.Second) { // time passes between records, too
			see(last)
		}
		m.Apply(s.Fact, s.At)
		last = s.At
		see(last)
	}
	for _, id := range []string{"delay-running", "unit-failed", "eager-forced", "unit-orphaned"} {
		if ends[id] == 0 {
			t.Errorf("%s never began or never ended: %v", id, ends)
		}
	}
}

func noFieldTwice(t *testing.T, raw []byte) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	depth, seen, key := 0, map[string]bool{}, true
	for {
		tok, err := dec.Token()
		if err != nil {
			break
		}
		switch v := tok.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				depth++
			} else {
				depth--
			}
			key = depth == 1 && (v == '}' || v == ']' || v == '{')
			continue
		case string:
			if depth == 1 && key {
				if seen[v] {
					t.Fatalf("%q twice in %s", v, raw)
				}
				seen[v], key = true, false
				continue
			}
		}
		if depth == 1 {
			key = true
		}
	}
	if !seen["at"] {
		t.Fatalf("no time in %s", raw)
	}
}

// Each worker's REST interface is a source of its own: what it is at is told when it changes, and whose it is.
func TestSourcesOfManyWorkers(t *testing.T) {
	m := group.New(group.Options{Group: "g"})
	f := newFollower(false)
	var told []string
	at := time.Date(2026, 11, 30, 17, 0, 0, 0, time.Local)
	tell := func(url string, h group.Health, detail string) {
		at = at.Add(time.Second)
		if url != "" {
			m.Apply(group.SourceReport{At: at, Source: group.SourceREST, Name: url, Health: h, Detail: detail}, at)
		}
		for _, e := range f.next(m.State(at)) {
			told = append(told, e.text())
		}
	}
	tell("http://a:8083/", group.HealthOK, "")
	tell("http://b:8083/", group.HealthUnreachable, "nothing listens there")
	tell("", "", "")
	tell("http://b:8083/", group.HealthOK, "")
	want := []string{
		"17:00:01.000  source rest http://a:8083/ ok",
		"17:00:02.000  source rest http://b:8083/ unreachable: nothing listens there",
		"17:00:04.000  source rest http://b:8083/ ok",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

// A coordinator that moved is told once, as an event of the source that asks it.
func TestCoordinatorMoved(t *testing.T) {
	m := group.New(group.Options{Group: "g"})
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, src := range []group.Source{group.SourceLog, group.SourceConfig, group.SourceDescribe} {
		m.Apply(group.SourceReport{At: now, Source: src, Health: group.HealthOK}, now)
	}
	f := newFollower(false)
	var told []string
	for _, at := range []string{"", "a:1", "a:1", "b:2", "b:2", "a:1"} {
		now = now.Add(time.Second)
		m.Apply(group.Description{At: now, State: "Stable", Coordinator: at}, now)
		for _, e := range f.next(m.State(now)) {
			if strings.Contains(e.line, "coordinator") {
				told = append(told, e.kind+": "+e.line)
			}
		}
	}
	want := []string{
		"source: source describe: the coordinator moved from a:1 to b:2",
		"source: source describe: the coordinator moved from b:2 to a:1",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}
