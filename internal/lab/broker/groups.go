package broker

import (
	"context"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/internal/lab/coordinator"
	"regroup/internal/taskgroup"
)

// groups gives the coordinator a clock, a log, and requests from many connections.
type groups struct {
	tasks  *taskgroup.Group // runs what the clock brings about
	mu     sync.Mutex
	c      *coordinator.Coordinator
	asks   map[coordinator.Ask]func(kmsg.Response)
	last   coordinator.Ask
	timer  *time.Timer
	queue  []coordinator.Write
	queued chan struct{}
	off    bool // closed, or away
	epoch  int  // of restarts: outcomes of writes from before are nobody's
}

func newGroups(opt coordinator.Options, c *taskgroup.Group) *groups {
	return &groups{tasks: c, c: coordinator.New(opt), asks: map[coordinator.Ask]func(kmsg.Response){}, queued: make(chan struct{}, 1)}
}

func (g *groups) ask(from coordinator.Client, req kmsg.Request, answer func(kmsg.Response)) {
	g.do(func(now time.Time) coordinator.Out {
		g.last++
		g.asks[g.last] = answer
		return g.c.Handle(now, g.last, from, req)
	})
}

// do runs one step and brings about what comes of it. Answers are functions that never block.
func (g *groups) do(step func(now time.Time) coordinator.Out) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.off {
		return
	}
	out := step(time.Now())
	g.queue = append(g.queue, out.Writes...)
	if len(out.Writes) > 0 {
		select {
		case g.queued <- struct{}{}:
		default:
		}
	}
	for _, r := range out.Replies {
		g.asks[r.Ask](r.Response)
		delete(g.asks, r.Ask)
	}
	g.arm()
}

func (g *groups) arm() {
	if g.timer != nil {
		g.timer.Stop()
	}
	if at, ok := g.c.Next(); ok {
		g.timer = time.AfterFunc(time.Until(at), func() {
			// A panic on a timer's own goroutine would be nobody's, and end the program as it stands.
			g.tasks.Run("broker: the coordinator's clock", func(context.Context) { g.do(g.c.Tick) })
		})
	}
}

// stop ends it until start; requests go unanswered.
func (g *groups) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.off = true
	if g.timer != nil {
		g.timer.Stop()
	}
	clear(g.asks)
}

// start is a broker that comes back.
func (g *groups) start() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.off = false
	g.epoch++
	g.c.Restart(time.Now())
	g.arm()
}

// write puts records into the log, one after another.
func (g *groups) write(ctx context.Context, cl *kgo.Client) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-g.queued:
		}
		for {
			w, epoch, ok := g.take()
			if !ok {
				break
			}
			err := cl.ProduceSync(ctx, &kgo.Record{
				Topic: OffsetsTopic, Partition: decode.GroupPartition(w.Group, OffsetsPartitions),
				Key: w.Key, Value: w.Value,
			}).FirstErr()
			var code int16
			if err != nil {
				code = kerr.UnknownServerError.Code
			}
			g.do(func(now time.Time) coordinator.Out {
				if epoch != g.epoch {
					return coordinator.Out{}
				}
				return g.c.Written(now, w.ID, code)
			})
		}
	}
}

func (g *groups) take() (coordinator.Write, int, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queue) == 0 {
		g.queue = nil
		return coordinator.Write{}, 0, false
	}
	w := g.queue[0]
	g.queue = g.queue[1:]
	return w, g.epoch, true
}
