package virtual

import (
	"container/heap"
	"time"
)

// event is something that happens at a moment.
type event struct {
	at  time.Time
	seq int // of equal moments, what was planned first happens first
	do  func()
}

// queue gives events in the order of their moments.
type queue struct {
	events events
	seq    int
}

func (q *queue) put(at time.Time, do func()) {
	q.seq++
	heap.Push(&q.events, event{at, q.seq, do})
}

func (q *queue) next() (time.Time, bool) {
	if len(q.events) == 0 {
		return time.Time{}, false
	}
	return q.events[0].at, true
}

func (q *queue) pop() event {
	return heap.Pop(&q.events).(event) //nolint:forcetypeassert // the queue holds nothing else
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at.Before(e[j].at) || e[i].at.Equal(e[j].at) && e[i].seq < e[j].seq
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) } //nolint:forcetypeassert // only put pushes
func (e *events) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	(*e)[last] = event{}
	*e = (*e)[:last]
	return x
}
