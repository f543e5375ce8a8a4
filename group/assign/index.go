package assign

import (
	"slices"

	"regroup/decode"
)

// The two kinds of units, balanced apart. They index what is kept for each.
const (
	connectors = iota
	tasks
	kinds
)

// index numbers the connectors and the tasks of one round densely, so that a round is decided on slices of numbers. What is
// configured comes first, in Java's order of names and then of task numbers; what members report or the leader remembers
// beside that gets the numbers after it, as it comes.
type index struct {
	names      []string
	hashes     []int32 // Java's, of names
	byName     map[string]int32
	first      []int32    // of a configured connector's tasks; one more at the end
	configured [kinds]int // how many numbers are configured
	owner      []int32    // connector of each task
	strays     []int32    // number within its connector of each task that is not configured
	byStray    map[stray]int32
}

type stray struct{ connector, task int32 }

func newIndex(c Config) *index {
	n := len(c.Connectors)
	ix := &index{names: make([]string, 0, n), byName: make(map[string]int32, n), hashes: make([]int32, n), first: make([]int32, n+1)}
	for name := range c.Connectors {
		ix.names = append(ix.names, name)
	}
	slices.SortFunc(ix.names, compareJava)
	total := int32(0)
	for i, name := range ix.names {
		ix.byName[name] = int32(i)
		ix.hashes[i] = decode.JavaHash(name)
		ix.first[i] = total
		total += int32(c.Connectors[name])
	}
	ix.first[n] = total
	ix.configured = [kinds]int{n, int(total)}
	ix.owner = make([]int32, total)
	for c := range n {
		for t := ix.first[c]; t < ix.first[c+1]; t++ {
			ix.owner[t] = int32(c)
		}
	}
	return ix
}

// size is how many numbers of a kind there are.
func (ix *index) size(kind int) int {
	if kind == connectors {
		return len(ix.names)
	}
	return len(ix.owner)
}

func (ix *index) connector(name string) int32 {
	if c, ok := ix.byName[name]; ok {
		return c
	}
	c := int32(len(ix.names))
	ix.names = append(ix.names, name)
	ix.hashes = append(ix.hashes, decode.JavaHash(name))
	ix.byName[name] = c
	return c
}

func (ix *index) task(connector, task int32) int32 {
	if int(connector) < ix.configured[connectors] && task >= 0 && task < ix.first[connector+1]-ix.first[connector] {
		return ix.first[connector] + task
	}
	s := stray{connector, task}
	if id, ok := ix.byStray[s]; ok {
		return id
	}
	if ix.byStray == nil {
		ix.byStray = map[stray]int32{}
	}
	id := int32(len(ix.owner))
	ix.byStray[s] = id
	ix.owner = append(ix.owner, connector)
	ix.strays = append(ix.strays, task)
	return id
}

// number is a task's number within its connector.
func (ix *index) number(id int32) int32 {
	if n := id - int32(ix.configured[tasks]); n >= 0 {
		return ix.strays[n]
	}
	return id - ix.first[ix.owner[id]]
}

// hash is Java's, of a connector's name or a task's id.
func (ix *index) hash(kind int, id int32) int32 {
	if kind == connectors {
		return ix.hashes[id]
	}
	return hashTask(ix.hashes[ix.owner[id]], ix.number(id))
}

// compare orders numbers as Java orders what they stand for.
func (ix *index) compare(kind int, a, b int32) int {
	if kind == connectors {
		return compareJava(ix.names[a], ix.names[b])
	}
	if ix.owner[a] != ix.owner[b] {
		return compareJava(ix.names[ix.owner[a]], ix.names[ix.owner[b]])
	}
	return int(ix.number(a)) - int(ix.number(b))
}
