package group_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"regroup/decode"
	"regroup/group"
)

// TestStandIsState: standing on a past round shows what the program showed then.
func TestStandIsState(t *testing.T) {
	for _, name := range []string{"lifecycle", "eager-rolling", "clash"} {
		t.Run(name, func(t *testing.T) {
			records := capture(t, name)
			whole := fold(records)
			for i := range whole.Rounds {
				got := whole.Stand(i)
				m := group.New(group.Options{Group: "connect-rig"})
				for _, r := range records {
					if !r.at().After(got.Now) {
						m.Apply(r.fact(), got.Now)
					}
				}
				ended(m, got.Now)
				want := m.State(got.Now)
				for what, pair := range map[string][2]any{
					"units": {got.Units, want.Units}, "workers": {got.Workers, want.Workers},
					"delay": {got.Delay, want.Delay}, "tasks": {got.Tasks, want.Tasks},
				} {
					if !same(pair[0], pair[1]) {
						t.Errorf("generation %d, %s:\n got %+v\nwant %+v", got.Round().Generation, what, pair[0], pair[1])
					}
				}
				for u := range got.Units {
					if a, b := got.Evidence(u), want.Evidence(u); !same(a, b) {
						t.Errorf("generation %d, %v:\n got %+v\nwant %+v", got.Round().Generation, got.Units[u].Unit, a, b)
					}
				}
			}
		})
	}
}

// mess is a group in which anything goes: members come and go, hold and are told what no sound leader would have it, under
// changing protocols. Nothing in it makes sense but the arithmetic.
type mess struct {
	rnd   *rand.Rand
	cast  cast
	lives map[string]int
	gen   int32
	now   time.Time
}

func newMess(seed uint64) *mess {
	return &mess{rnd: rand.New(rand.NewPCG(seed, 1)), cast: cast{}, lives: map[string]int{}, now: noon}
}

// some is a few of the units of two connectors.
func (m *mess) some(n int) []decode.Share {
	var out []decode.Share
	for _, name := range []string{"a", "b"} {
		var tasks []int32
		for task := int32(-1); task < 10; task++ {
			if m.rnd.IntN(12) < n {
				tasks = append(tasks, task)
			}
		}
		if len(tasks) > 0 {
			out = append(out, decode.Share{Connector: name, Tasks: tasks})
		}
	}
	return out
}

func (m *mess) record() group.LogRecord {
	m.gen += 1 + int32(m.rnd.IntN(20)/19)
	m.now = m.now.Add(time.Duration(m.rnd.IntN(20_000)) * time.Millisecond)
	t := &take{generation: m.gen, protocol: decode.ProtocolSessioned, config: int64(m.rnd.IntN(4)), at: m.now}
	if m.rnd.IntN(5) == 0 {
		t.protocol = decode.ProtocolEager
	}
	if m.rnd.IntN(15) == 0 {
		t.err = decode.ConfigMismatch
	}
	if m.rnd.IntN(4) == 0 {
		t.delay = time.Duration(m.rnd.IntN(20)) * time.Second
	}
	g := decode.GroupRecord{ProtocolType: decode.ProtocolType, Generation: m.gen, Protocol: t.protocol, StateAt: m.now}
	for w := range 5 {
		name := fmt.Sprintf("w%d", w)
		p := m.cast.of(name)
		switch m.rnd.IntN(12) {
		case 0:
			m.lives[name]++
			p.id = fmt.Sprintf("%s-%d", name, m.lives[name])
		case 1, 2:
			continue
		}
		if t.leader == nil {
			t.leader, g.Leader = p, p.id
		}
		s := &scene{
			player: p, config: t.config, has: m.some(4), starts: m.some(1), stops: m.some(1), isNull: m.rnd.IntN(6) == 0,
			broken: m.rnd.IntN(20) == 0,
		}
		g.Members = append(g.Members, t.member(s))
	}
	if len(g.Members) == 0 {
		g.Protocol, g.Leader = "", ""
	}
	record, err := decode.ParseGroupRecord(decode.AppendGroupRecord(nil, g))
	return group.LogRecord{At: m.now, Offset: int64(m.gen), Record: record, Err: err}
}

func (m *mess) config() []group.Fact {
	var out []group.Fact
	for i, line := range []string{"connector a", "commit a 10", "connector b", "commit b 8"} {
		key, value, _ := configBytes(line)
		record, err := decode.ParseConfig(key, value)
		out = append(out, group.ConfigRecord{At: noon, Offset: int64(i), Record: record, Err: err})
	}
	return append(out, group.Progress{At: noon, Source: group.SourceConfig, UpTo: 4, CaughtUp: true})
}

// TestAnythingGoes folds groups in which anything goes. Every round adds up; its Detail is the same when it is new, when it
// is rebuilt from a keyframe far back, and when older rounds were dropped from the ring.
func TestAnythingGoes(t *testing.T) {
	for _, known := range []bool{true, false} {
		seed := rand.Uint64()
		t.Run(fmt.Sprintf("config known %v, seed %d", known, seed), func(t *testing.T) {
			mess := newMess(seed)
			all, few := group.New(group.Options{Group: "g"}), group.New(group.Options{Group: "g", Ring: 10})
			if known {
				for _, f := range mess.config() {
					all.Apply(f, noon)
					few.Apply(f, noon)
				}
			} else {
				off := group.SourceReport{At: noon, Source: group.SourceConfig, Health: group.HealthOff}
				all.Apply(off, noon)
				few.Apply(off, noon)
			}
			fresh := map[int][]byte{}
			for range 500 {
				f := mess.record()
				all.Apply(f, mess.now)
				few.Apply(f, mess.now)
				s := all.State(mess.now)
				d := *s.Detail(s.At)
				checkDetail(t, &d)
				checkSame(t, "standing on the last round", s.Stand(s.At), s)
				d.Story, d.Cost, d.Gaps, d.EpisodeCost = "", nil, nil, nil // tell what came later too
				fresh[d.Seq] = marshal(t, &d)
				if t.Failed() {
					t.Fatalf("at generation %d", d.Generation)
				}
			}
			for what, m := range map[string]*group.Model{"all": all, "a few": few} {
				s := m.State(mess.now)
				if what == "a few" && (len(s.Rounds) > 300 || s.Forgotten+len(s.Rounds) != 500) {
					t.Errorf("%d rounds are kept and %d forgotten, with a ring of 10", len(s.Rounds), s.Forgotten)
				}
				for i := range s.Rounds {
					d := *s.Detail(i)
					d.Story, d.Cost, d.Gaps, d.EpisodeCost = "", nil, nil, nil
					if got := marshal(t, &d); !slices.Equal(got, fresh[d.Seq]) {
						t.Fatalf("%s: generation %d\n got %s\nwant %s", what, d.Generation, got, fresh[d.Seq])
					}
				}
			}
		})
	}
}

func marshal(t *testing.T, d *group.Detail) []byte {
	t.Helper()
	out, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReadersGoOn lets others read a State, its details and its past while the model goes on. The race detector is the
// judge.
func TestReadersGoOn(t *testing.T) {
	records := capture(t, "lifecycle")
	m := group.New(group.Options{Group: "connect-rig"})
	type read struct {
		s *group.State
		n int
	}
	states := make(chan read)
	done := make(chan struct{})
	for range 2 {
		go func() {
			defer func() { done <- struct{}{} }()
			for r := range states {
				for i := range r.s.Units {
					r.s.Evidence(i)
				}
				for i := max(0, len(r.s.Rounds)-3); i < len(r.s.Rounds); i++ {
					if _, err := json.Marshal(r.s.Detail(i)); err != nil {
						t.Error(err)
					}
					r.s.Cost(r.s.Rounds[i])
				}
				if r.s.At >= 0 {
					r.s.Stand(r.s.At / 2).Evidence(0)
				}
				r.s.Coming()
			}
		}()
	}
	for n, r := range records {
		m.Apply(r.fact(), r.at())
		if n%3 == 0 {
			s := m.State(r.at())
			states <- read{s, n}
			states <- read{m.State(r.at()), n} // takes over what s has
		}
	}
	close(states)
	<-done
	<-done
}
