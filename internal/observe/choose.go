package observe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
)

// fits reports whether a topic that was read can be the group's. A config topic holds all connectors of the newest round, or
// when there are none no living one. A status topic holds some, for a unit that never started has no status, and its records
// name workers of this group: two clusters may run connectors of the same names.
func (k kind) fits(c *candidate, held, urls, flows []string) bool {
	if c.strange() || c.known == 0 {
		return false
	}
	have, living := c.holds(held), 0
	for _, alive := range c.connectors {
		if alive {
			living++
		}
	}
	switch {
	case k.role == configKind.role && len(held) == 0:
		return living == 0
	case k.role == configKind.role:
		return have == len(held)
	case k.role == statusKind.role && len(flows) > 0 && len(c.flows) > 0 && !slices.ContainsFunc(flows, c.names):
		return false // of other pairs of clusters alone, whose connectors have the same names
	case k.role == statusKind.role && len(urls) > 0 && len(c.workers) > 0:
		return have > 0 && slices.ContainsFunc(urls, func(u string) bool { return c.workers[u] })
	}
	return have > 0
}

// names reports whether some status names a pair of clusters.
func (c *candidate) names(flow string) bool {
	for of := range c.flows {
		if (decode.WorkerID{Flow: of}).Mirrors(flow) {
			return true
		}
	}
	return false
}

// emptied reports whether a topic can be the group's config topic whose records were deleted from under running workers: it is
// long enough, it lost its beginning, and of what is left in it something is this group's, or nothing is a connector.
func (k kind) emptied(c *candidate, held []string, offset int64) bool {
	have := c.holds(held)
	return k.role == configKind.role && c.trimmed && offset > 0 && have < len(held) && (have > 0 || len(c.connectors) == 0) && !c.strange()
}

// holds is of how many of some connectors it has records.
func (c *candidate) holds(connectors []string) (n int) {
	for _, name := range connectors {
		if _, ok := c.connectors[name]; ok {
			n++
		}
	}
	return n
}

const (
	// clockSlack is how much a worker's clock and a broker's may differ before their times contradict each other.
	clockSlack = 2 * time.Second
	// lateStatus is how long after the next generation a status of the one before it may come.
	lateStatus = time.Minute
	// patience is how long a topic that shows nothing of this group is left, in case a better one is about to appear.
	patience = 30 * time.Second
)

// grade is how well a topic that fits goes with the group, one criterion after the other: of each, more is better.
type grade struct {
	current bool // a status topic: holds statuses of this group's generations
	recent  bool // its newest record is no older than the group's first round
	name    int  // goes with the group's name by convention
}

func (g grade) compare(o grade) int {
	return cmp.Or(truth(g.current)-truth(o.current), truth(g.recent)-truth(o.recent), cmp.Compare(g.name, o.name))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// grade looks at a topic that fits. others are the names of all groups on the cluster.
func (k kind) grade(c *candidate, view *roster, name string, others []string) grade {
	g := grade{recent: len(view.history) == 0 || !c.newest.Before(view.history[0].at.Add(-clockSlack))}
	if k.role == statusKind.role {
		urls := view.urls()
		for _, cl := range c.claims {
			g.current = g.current || view.wrote(cl, urls)
		}
	}
	g.name = k.namedFor(c.name, name) * 2
	for _, other := range others {
		if other != name && k.namedFor(c.name, other)*2 > g.name {
			g.name = -1
		}
	}
	return g
}

// wrote reports whether a status goes with a generation of this group, in its number and its time.
func (r *roster) wrote(c claim, urls []string) bool {
	id := decode.ParseWorkerID(c.worker)
	if id.Address != "" && len(urls) > 0 && !slices.Contains(urls, id.Address) {
		return false
	}
	if flows := r.flows(); id.Flow != "" && len(flows) > 0 && !slices.ContainsFunc(flows, id.Mirrors) {
		return false
	}
	i := slices.IndexFunc(r.history, func(m roundMark) bool { return m.generation == c.generation })
	if i < 0 || c.at.Before(r.history[i].at.Add(-clockSlack)) {
		return false
	}
	return i+1 == len(r.history) || c.at.Before(r.history[i+1].at.Add(lateStatus))
}

// silent reports whether a status topic says of no unit of these connectors that it is anywhere.
func (c *candidate) silent(held []string) bool {
	for u, cl := range c.claims {
		if slices.Contains(held, u.Connector) && cl.state != decode.Unassigned {
			return false
		}
	}
	return true
}

// choose gives the topic that goes best with the group, and why it was taken over others; nil when two go equally well.
func (k kind) choose(fit []*candidate, view *roster, name string, others []string) (best *candidate, why string) {
	if len(fit) == 0 {
		return nil, ""
	}
	grades := map[*candidate]grade{}
	for _, c := range fit {
		grades[c] = k.grade(c, view, name, others)
	}
	sorted := slices.SortedStableFunc(slices.Values(fit), func(a, b *candidate) int { return grades[b].compare(grades[a]) })
	best = sorted[0]
	var parts []string
	for _, c := range sorted[1:] {
		if grades[c].compare(grades[best]) == 0 {
			return nil, ""
		}
		parts = append(parts, c.name+": "+k.worse(c, grades[c], grades[best], view))
	}
	if len(parts) > 0 {
		why = "chosen over " + strings.Join(parts, "; over ")
	}
	return best, why
}

// pair gives the topic whose name goes with that of the group's status topic: a group that was given the topics of another was given all
// of them. Statuses name their workers, so they tell whose topic that one is where configurations do not.
func (k kind) pair(fit []*candidate, status string) (best *candidate, why string) {
	stem, ok := statusKind.stem(status)
	if !ok {
		return nil, ""
	}
	for _, c := range fit {
		if of, ok := k.stem(c.name); !ok || !slices.Equal(of, stem) {
			continue
		}
		if best != nil {
			return nil, ""
		}
		best = c
	}
	if best == nil {
		return nil, ""
	}
	return best, "chosen for its name, which goes with the status topic " + status
}

// stem is what is left of a topic's name without the words for what topics of this kind hold; false where it has none of them.
func (k kind) stem(topic string) ([]string, bool) {
	words := nameWords(topic)
	n := len(words)
	words = slices.DeleteFunc(words, func(word string) bool { return slices.Contains(roleWords[k.role], word) })
	found := len(words) < n
	return slices.DeleteFunc(words, func(word string) bool { return slices.Contains(formWords, word) }), found
}

// worse says in what a topic is worse than the one that was taken.
func (k kind) worse(c *candidate, g, best grade, view *roster) string {
	switch {
	case g.recent != best.recent:
		return fmt.Sprintf("its newest record (%s) is older than this group's first round (%s)",
			c.newest.Format(time.DateTime), view.history[0].at.UTC().Format(time.DateTime))
	case g.current != best.current:
		return "it holds no " + k.role + " of this group's generations"
	}
	return "its name does not go with this group's"
}

// hasty reports whether a topic should not be taken yet, though it is the only one: nothing in it is this group's, and the group
// is so young that its own topic may only be about to be written.
func (k kind) hasty(c *candidate, view *roster, name string, now time.Time) bool {
	if k.role != statusKind.role || k.namedFor(c.name, name) > 0 {
		return false
	}
	held, _ := view.holding()
	n := len(view.history)
	if n == 0 {
		return !view.told() && c.silent(held)
	}
	g := k.grade(c, view, name, nil)
	return !g.current && !g.recent && c.silent(held) && now.Sub(view.history[n-1].at) < patience
}

// Words of topic names that tell nothing of the group.
var (
	roleWords = map[string][]string{
		"config":  {"config", "configs", "configuration", "configurations"},
		"status":  {"status", "statuses"},
		"offsets": {"offset", "offsets"},
	}
	formWords   = []string{"storage", "topic", "internal"}
	commonWords = []string{"connect", "kafka", "cluster", "group", "mm2", "docker"}
)

// namedFor grades how a topic's name goes with a group's by the conventions in use: GROUP-configs and the like (2); the same but
// for words that many names have, as connect-configs for connect-cluster, or MirrorMaker's mm2-configs.SRC.internal for
// SRC-mm2 (1); else 0.
func (k kind) namedFor(topic, group string) int {
	words, ok := k.stem(topic)
	if !ok {
		return 0
	}
	want := nameWords(group)
	if slices.Equal(words, want) {
		return 2
	}
	common := func(word string) bool { return slices.Contains(commonWords, word) }
	if slices.Equal(slices.DeleteFunc(words, common), slices.DeleteFunc(want, common)) {
		return 1
	}
	return 0
}

// nameWords are the words of a name: what lies between dots, dashes and underscores.
func nameWords(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(".-_", r) })
}

// topicNames are the names of some candidates.
func topicNames(some []*candidate) (out []string) {
	for _, c := range some {
		out = append(out, c.name)
	}
	return out
}
