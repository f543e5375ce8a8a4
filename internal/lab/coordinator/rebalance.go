package coordinator

import (
	"container/heap"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
)

// rebalanceOrComplete goes on after members came or went.
func (c *Coordinator) rebalanceOrComplete(now time.Time, g *group) {
	if g.state == preparing {
		c.completeIfJoined(now, g)
		return
	}
	c.prepare(now, g)
}

// prepare begins a rebalance. Who waits for an assignment is told to join again.
func (c *Coordinator) prepare(now time.Time, g *group) {
	if g.state == completing {
		for _, m := range g.inOrder() {
			m.assignment = nil
		}
		c.answerSyncs(now, g, kerr.RebalanceInProgress.Code)
	}
	clear(g.unsynced)
	c.due.stop(timer{kind: syncTimer, group: g.name})
	c.due.stop(timer{kind: cleanupTimer, group: g.name})
	was := g.state
	g.enter(preparing, now)
	if was == empty {
		step := min(c.opt.InitialDelay, g.patience())
		if step <= 0 {
			c.complete(now, g)
			return
		}
		g.fresh = &freshness{step: step, left: g.patience() - step}
		c.due.set(now.Add(step), timer{kind: joinTimer, group: g.name})
		return
	}
	if g.allJoined() {
		c.complete(now, g)
		return
	}
	c.due.set(now.Add(g.patience()), timer{kind: joinTimer, group: g.name})
}

// completeIfJoined does not hurry a group that was empty: it waits out its delay.
func (c *Coordinator) completeIfJoined(now time.Time, g *group) {
	if g.fresh == nil && g.allJoined() {
		c.complete(now, g)
	}
}

// joinIsUp: the delay of a group that was empty goes on while members keep coming; else who has not joined is out.
func (c *Coordinator) joinIsUp(now time.Time, g *group) {
	if f := g.fresh; f != nil && f.grown && f.left > 0 {
		f.grown = false
		f.step = min(c.opt.InitialDelay, f.left)
		f.left -= f.step
		c.due.set(now.Add(f.step), timer{kind: joinTimer, group: g.name})
		return
	}
	c.complete(now, g)
}

// complete ends the join: one generation more, and everyone who joined hears of it.
func (c *Coordinator) complete(now time.Time, g *group) {
	g.fresh = nil
	c.due.stop(timer{kind: joinTimer, group: g.name})
	for _, m := range g.inOrder() {
		if m.joining == nil {
			c.due.stop(timer{sessionTimer, g.name, m.id})
			g.remove(m.id)
		}
	}
	g.electJoined()
	g.generation++
	if len(g.members) == 0 {
		g.protocol = ""
		g.enter(empty, now)
		c.write(g, g.record(nil), nil)
		c.cleanLater(now, g)
		return
	}
	g.protocol = g.vote()
	g.enter(completing, now)
	c.due.set(now.Add(g.patience()), timer{kind: syncTimer, group: g.name})
	for _, m := range g.inOrder() {
		parked := m.joining
		m.joining = nil
		g.unsynced[m.id] = true
		c.hear(now, g, m)
		c.reply(parked.ask, g.joined(m, parked.req))
	}
}

// expireUnsynced drops members that took part in the join and never asked for their assignment.
func (c *Coordinator) expireUnsynced(now time.Time, g *group) {
	late := false
	for _, m := range g.inOrder() {
		if g.unsynced[m.id] {
			late = true
			c.due.stop(timer{sessionTimer, g.name, m.id})
			g.remove(m.id)
		}
	}
	if late {
		c.prepare(now, g)
	}
}

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
