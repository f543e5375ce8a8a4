//go:build kafka

package oracle_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// walk is a group that lives at random: what it asks its leader is what a coordinator and real workers could bring about,
// and more. It moves on with the answers.
type walk struct {
	r       *rand.Rand
	names   []string // that new connectors take
	members []*member
	away    []*member // crashed or cut off: they may come back with what they held
	born    int
	leader  string
	led     int // generation of the leader's last completed join
	round   int
	now     int64
	delay   int64
	offset  int64
	configs map[string]int
	old     bool // a release without sessioned
}

type member struct {
	id         string
	connectors []string
	tasks      []task
	offset     int64
}

type task struct {
	Connector string
	Number    int
}

func (t task) MarshalJSON() ([]byte, error) { return json.Marshal([]any{t.Connector, t.Number}) }

func (t *task) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&t.Connector, &t.Number})
}

// traps are names whose order, or place in a hash table, is easily got wrong.
var traps = []string{
	"\U0001F600", "\uFF5E", "\uE000x", "\U00010000", "日本語", "é", "e\u0301", "z", "Z", "a-0", "a", "connector-connector",
	"Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", // equal hashes
	"", " ", "\"<&>\\", strings.Repeat("x", 200), "polygenelubricants", // the last one hashes to the smallest number
}

// crowd are eight names with one hash: as many as a bucket of Java's hash table holds before it becomes a tree.
func crowd() []string {
	var out []string
	for i := range 8 {
		s := ""
		for bit := range 3 {
			s += [2]string{"Aa", "BB"}[i>>bit&1]
		}
		out = append(out, s)
	}
	return out
}

func newWalk(r *rand.Rand, old bool) *walk {
	w := &walk{r: r, now: 1_000_000 + r.Int64N(1e12), configs: map[string]int{}, led: -1, round: r.IntN(100), old: old}
	w.names = slices.Concat(traps, []string{"orders", "sink-a", "sink-b", "source.c", "cdc_1"})
	switch r.IntN(6) {
	case 0:
		w.names = crowd()
	case 1:
		for i := range 40 {
			w.names = append(w.names, fmt.Sprintf("connector-%d", i))
		}
	}
	for range 1 + r.IntN(5) {
		w.join()
	}
	most := 6
	if r.IntN(4) == 0 {
		most = 30
	}
	for range r.IntN(most) {
		w.create()
	}
	w.leader = w.members[0].id
	return w
}

func (w *walk) chance(percent int) bool { return w.r.IntN(100) < percent }

func (w *walk) join() {
	w.born++
	id := fmt.Sprintf("worker-%d-%016x", w.born, w.r.Uint64())
	switch w.r.IntN(12) {
	case 0:
		id = fmt.Sprintf("%s-%d", traps[w.r.IntN(len(traps))], w.born)
	case 1:
		id = crowd()[w.r.IntN(8)] + fmt.Sprintf("-%04d", w.born)
	}
	w.members = append(w.members, &member{id: id, offset: w.offset})
}

func (w *walk) create() {
	w.configs[w.names[w.r.IntN(len(w.names))]] = w.r.IntN(9)
	w.offset += 2
}

func (w *walk) someConnector() string {
	return slices.Sorted(maps.Keys(w.configs))[w.r.IntN(len(w.configs))]
}

// step lets things happen between two rounds.
func (w *walk) step() {
	w.round++
	w.pass()
	if w.chance(12) {
		w.join()
	}
	if w.chance(15) && len(w.members) > 1 {
		i := w.r.IntN(len(w.members))
		w.away = append(w.away, w.members[i])
		w.members = slices.Delete(w.members, i, i+1)
	}
	if w.chance(25) && len(w.away) > 0 {
		w.comeBack()
	}
	if w.chance(10) {
		w.create()
	}
	if w.chance(6) && len(w.configs) > 0 {
		delete(w.configs, w.someConnector())
		w.offset += 2
	}
	if w.chance(8) && len(w.configs) > 0 {
		w.configs[w.someConnector()] = w.r.IntN(9)
		w.offset++
	}
	if w.chance(4) && len(w.members) > 1 { // a zombie: claims what another one has
		a, b := w.members[0], w.members[len(w.members)-1]
		if len(a.tasks) > 0 {
			b.tasks = appendOnce(b.tasks, a.tasks[w.r.IntN(len(a.tasks))])
		}
		if len(a.connectors) > 0 && w.chance(50) {
			b.connectors = appendOnce(b.connectors, a.connectors[0])
		}
	}
	if w.chance(4) { // a unit that is configured no more, or never was
		m := w.members[w.r.IntN(len(w.members))]
		m.tasks = appendOnce(m.tasks, task{w.names[w.r.IntN(len(w.names))], w.r.IntN(12)})
	}
	w.elect()
}

// pass lets time go by: nearly none, to just about the end of a delay, or at random.
func (w *walk) pass() {
	switch {
	case w.delay > 0 && w.chance(30):
		w.now += w.delay + int64(w.r.IntN(3)) - 1
	case w.delay > 0 && w.chance(40):
		w.now += w.r.Int64N(w.delay)
	case w.chance(10):
		w.now += w.r.Int64N(400_000)
	default:
		w.now += w.r.Int64N(5_000)
	}
}

func (w *walk) comeBack() {
	i := w.r.IntN(len(w.away))
	m := w.away[i]
	w.away = slices.Delete(w.away, i, i+1)
	if w.chance(60) { // a new process, with nothing
		m.connectors, m.tasks = nil, nil
	}
	if w.chance(70) {
		w.born++
		m.id = fmt.Sprintf("%s~%d", strings.SplitN(m.id, "~", 2)[0], w.born)
	}
	w.members = append(w.members, m)
}

func (w *walk) elect() {
	here := slices.ContainsFunc(w.members, func(m *member) bool { return m.id == w.leader })
	if !here || w.chance(3) {
		w.leader = w.members[w.r.IntN(len(w.members))].id
	}
	w.r.Shuffle(len(w.members), func(i, j int) { w.members[i], w.members[j] = w.members[j], w.members[i] })
}

// ask is the round as a question.
func (w *walk) ask() []byte {
	protocols := []string{"compatible", "sessioned"}
	if w.old {
		protocols = protocols[:1]
	}
	config := map[string]any{"offset": w.offset, "connectors": w.configs}
	q := map[string]any{
		"cmd": "round", "now": w.now, "generation": w.round, "lastCompleted": w.led, "leader": w.leader,
		"protocol": protocols[w.r.IntN(len(protocols))], "config": config,
	}
	if w.chance(3) { // the leader is behind, and may find out or not
		config["offset"] = w.offset - 1
		q["fresh"] = map[string]any{"offset": w.offset - 1 + int64(w.r.IntN(4)), "connectors": w.configs}
	}
	var members []any
	for _, m := range w.members {
		if !w.chance(8) {
			m.offset = w.offset
		}
		members = append(members, map[string]any{
			"id": m.id, "url": "http://" + m.id + ":8083/", "offset": m.offset,
			"connectors": orEmpty(m.connectors), "tasks": orEmpty(m.tasks),
		})
	}
	q["members"] = members
	b, err := json.Marshal(q)
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	return b
}

// told is what an answer says to one member.
type told struct {
	Error             int
	Connectors        []string
	Tasks             []task
	RevokedConnectors []string
	RevokedTasks      []task
	Delay             int64
}

// hear moves on with an answer. Some members do not get theirs, and some do not stop what they should.
func (w *walk) hear(answer map[string]told) {
	for _, m := range w.members {
		a := answer[m.id]
		w.delay = a.Delay
		if a.Error != 0 || w.chance(3) {
			continue
		}
		if !w.chance(3) {
			m.connectors = without(m.connectors, a.RevokedConnectors)
			m.tasks = without(m.tasks, a.RevokedTasks)
		}
		m.connectors = appendOnce(m.connectors, a.Connectors...)
		m.tasks = appendOnce(m.tasks, a.Tasks...)
		if w.chance(20) {
			w.r.Shuffle(len(m.tasks), func(i, j int) { m.tasks[i], m.tasks[j] = m.tasks[j], m.tasks[i] })
		}
	}
	if !w.chance(4) { // else the leader's own sync is lost
		w.led = w.round
	}
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func without[T comparable](from, what []T) []T {
	return slices.DeleteFunc(slices.Clone(from), func(x T) bool { return slices.Contains(what, x) })
}

func appendOnce[T comparable](to []T, what ...T) []T {
	for _, x := range what {
		if !slices.Contains(to, x) {
			to = append(to, x)
		}
	}
	return to
}
