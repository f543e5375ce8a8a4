package assign

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"regroup/decode"
)

// life lets a group live at random. What workers miss, and what comes back with work in hand, is up to unsound.
type life struct {
	*group
	r    *rand.Rand
	born int
	away []*worker
	// blind: a leader may not have seen a deletion, because it was not the leader before it, or missed that round. What was
	// deleted then runs on until balancing happens to take it: Connect is so.
	blind bool
}

func newLife(t *testing.T, r *rand.Rand, rules AssignorVersion) *life {
	l := &life{group: newGroup(t, rules, []int32{0, 20_000, 60_000, 300_000}[r.IntN(4)]), r: r}
	for range 1 + r.IntN(4) {
		l.arrive()
	}
	for range 1 + r.IntN(5) {
		l.configure(fmt.Sprintf("connector-%d", r.IntN(20)), r.IntN(9))
	}
	return l
}

func (l *life) chance(percent int) bool { return l.r.IntN(100) < percent }

func (l *life) arrive() {
	l.born++
	l.join(fmt.Sprintf("worker-%d-%08x", l.born, l.r.Uint32()))
}

// step lets something happen: a sound group's joins, crashes, restarts and config changes.
func (l *life) step() {
	leader, configured := l.leader, len(l.everyUnit())
	defer func() { l.blind = l.blind || l.leader != leader && len(l.everyUnit()) < configured }()
	l.now += l.r.Int64N(3000)
	if l.rejoin > l.now && l.chance(30) {
		l.now += l.r.Int64N(l.rejoin - l.now)
	}
	if l.chance(20) {
		l.arrive()
	}
	if l.chance(20) && len(l.workers) > 1 {
		l.away = append(l.away, l.leave(l.workers[l.r.IntN(len(l.workers))].id))
	}
	if l.chance(20) && len(l.away) > 0 { // a new process under the old name
		w := l.comeBack()
		w.state, w.completed, w.reported, w.nothing = New(l.rules, l.maxDelay), -1, nil, true
		l.add(w)
	}
	if l.chance(15) {
		l.configure(fmt.Sprintf("connector-%d", l.r.IntN(20)), l.r.IntN(10)-1)
	}
}

// unsound adds what a network does: assignments that get lost, and evicted workers that come back with what they hold.
func (l *life) unsound() {
	l.blind = true
	for _, w := range l.workers {
		w.misses = l.chance(4)
	}
	if l.chance(15) && len(l.away) > 0 {
		l.add(l.comeBack())
	}
	if l.chance(5) {
		l.leader = l.workers[l.r.IntN(len(l.workers))]
	}
}

func (l *life) comeBack() *worker {
	i := l.r.IntN(len(l.away))
	w := l.away[i]
	l.away = slices.Delete(l.away, i, i+1)
	l.born++
	w.id = fmt.Sprintf("%s~%d", processOf(w.id), l.born)
	w.offset = l.config.Offset
	return w
}

// holders says who holds each unit.
func (g *group) holders() map[decode.Unit][]string {
	out := map[decode.Unit][]string{}
	for _, w := range g.workers {
		for _, u := range decode.Units(w.reported) {
			out[u] = append(out[u], w.id)
		}
	}
	return out
}

// everyUnit lists what is configured.
func (g *group) everyUnit() []decode.Unit {
	var out []decode.Unit
	for _, name := range slices.Sorted(maps.Keys(g.config.Connectors)) {
		for t := decode.Instance; int(t) < g.config.Connectors[name]; t++ {
			out = append(out, decode.Unit{Connector: name, Task: t})
		}
	}
	return out
}

// spread is by how many units of a kind the loads of any two workers differ at most.
func (g *group) spread() (out [kinds]int) {
	var least, most [kinds]int
	for i, w := range g.workers {
		var n [kinds]int
		for _, u := range decode.Units(w.reported) {
			if u.IsInstance() {
				n[connectors]++
			} else {
				n[tasks]++
			}
		}
		for k := range n {
			if i == 0 {
				least[k], most[k] = n[k], n[k]
			}
			least[k], most[k] = min(least[k], n[k]), max(most[k], n[k])
		}
	}
	return [kinds]int{most[0] - least[0], most[1] - least[1]}
}

// seeds are fixed: a failure here is a failure everywhere. Fresh ones are drawn where Connect itself is asked (test/oracle).
const seeds = 150

// TestSoundGroups: in a group whose workers do as they are told, no unit is ever with two workers, no delay is longer than
// the maximum, and once nothing more happens every unit is with somebody and loads differ by at most one of each kind.
func TestSoundGroups(t *testing.T) {
	for _, rules := range []AssignorVersion{Released, Proposed} {
		for seed := range uint64(seeds) {
			l := newLife(t, rand.New(rand.NewPCG(seed, 1)), rules)
			for range 25 {
				l.step()
				d := l.round()
				for _, a := range d.Assignments {
					if a.DelayMs < 0 || a.DelayMs > l.maxDelay {
						t.Fatalf("%s, seed %d: delay %d of at most %d", rules, seed, a.DelayMs, l.maxDelay)
					}
				}
				for u, ids := range l.holders() {
					if len(ids) > 1 {
						t.Fatalf("%s, seed %d: %s is with %v", rules, seed, u, ids)
					}
				}
				if l.chance(30) {
					l.checkSettled(d, fmt.Sprintf("%s, seed %d", rules, seed))
				}
			}
			l.checkSettled(l.round(), fmt.Sprintf("%s, seed %d", rules, seed))
		}
	}
}

// TestUnsoundGroups: whatever gets lost on the way, nothing is lost for ever and nothing stays with two workers, once
// everyone hears again.
func TestUnsoundGroups(t *testing.T) {
	for seed := range uint64(seeds) {
		l := newLife(t, rand.New(rand.NewPCG(seed, 2)), Released)
		for range 25 {
			l.step()
			l.unsound()
			l.round()
		}
		l.round()
		l.checkSettled(l.round(), fmt.Sprintf("seed %d", seed))
	}
}

func (l *life) checkSettled(d Decision, what string) {
	l.t.Helper()
	rounds, ok := l.settle(d, 20)
	if !ok {
		l.t.Fatalf("%s: not settled after %d rounds", what, rounds)
	}
	holders := l.holders()
	for _, u := range l.everyUnit() {
		if len(holders[u]) != 1 {
			l.t.Fatalf("%s: settled, and %s is with %v", what, u, holders[u])
		}
		delete(holders, u)
	}
	if l.blind {
		return
	}
	for u, ids := range holders {
		l.t.Fatalf("%s: settled, and %s, which is not configured, is with %v", what, u, ids)
	}
	if s := l.spread(); s[connectors] > 1 || s[tasks] > 1 {
		l.t.Fatalf("%s: settled, and loads differ by %d connectors and %d tasks", what, s[connectors], s[tasks])
	}
}

// TestDecideChangesNothing: a state is a value. Deciding with it twice gives the same twice, also after others decided on.
func TestDecideChangesNothing(t *testing.T) {
	l := newLife(t, rand.New(rand.NewPCG(7, 3)), Released)
	for range 60 {
		l.step()
		l.unsound()
		state, req := l.leader.state, l.request()
		first, _, err := state.Decide(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(state, req, 5); err != nil {
			t.Fatal(err)
		}
		again, _, err := state.Decide(req)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range first.Assignments {
			if !bytes.Equal(decode.AppendAssignment(nil, a), decode.AppendAssignment(nil, again.Assignments[i])) {
				t.Fatalf("generation %d: %s is told otherwise the second time", req.Generation, req.Members[i].ID)
			}
		}
		l.round()
	}
}
