package coordinator

import (
	"container/heap"
	"time"
)

type timerKind uint8

const (
	sessionTimer timerKind = iota // of a member, or of an id that was given out and has not come back
	joinTimer                     // of a group that is preparing
	syncTimer                     // of a group that is completing
	cleanupTimer                  // of an empty group
)

// timer names one; setting it again moves it.
type timer struct {
	kind          timerKind
	group, member string
}

type deadline struct {
	at  time.Time
	seq int // of equal moments the one set first fires first
	timer
}

// timers fire in the order of their moments. What was moved or stopped stays in the queue until its old moment comes.
type timers struct {
	queue deadlines
	now   map[timer]deadline
	seq   int
}

func newTimers() timers { return timers{now: map[timer]deadline{}} }

func (t *timers) set(at time.Time, name timer) {
	t.seq++
	d := deadline{at, t.seq, name}
	t.now[name] = d
	heap.Push(&t.queue, d)
}

func (t *timers) stop(name timer) { delete(t.now, name) }

func (t *timers) next() (time.Time, bool) {
	for len(t.queue) > 0 {
		if top := t.queue[0]; t.now[top.timer].seq == top.seq {
			return top.at, true
		}
		heap.Pop(&t.queue)
	}
	return time.Time{}, false
}

func (t *timers) pop(now time.Time) (timer, bool) {
	at, ok := t.next()
	if !ok || at.After(now) {
		return timer{}, false
	}
	d := heap.Pop(&t.queue).(deadline) //nolint:forcetypeassert // the queue holds nothing else
	delete(t.now, d.timer)
	return d.timer, true
}

type deadlines []deadline

func (d deadlines) Len() int { return len(d) }
func (d deadlines) Less(i, j int) bool {
	return d[i].at.Before(d[j].at) || d[i].at.Equal(d[j].at) && d[i].seq < d[j].seq
}
func (d deadlines) Swap(i, j int) { d[i], d[j] = d[j], d[i] }
func (d *deadlines) Push(x any)   { *d = append(*d, x.(deadline)) } //nolint:forcetypeassert // only set pushes
func (d *deadlines) Pop() any {
	last := len(*d) - 1
	x := (*d)[last]
	(*d)[last] = deadline{}
	*d = (*d)[:last]
	return x
}
