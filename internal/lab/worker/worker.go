package worker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/decode"
	"regroup/internal/lab/herder"
	"regroup/internal/taskgroup"
)

// Worker runs from Start until Stop or Kill.
type Worker struct {
	opt   Options
	url   string
	id    string          // host:port, as it stands in statuses
	ctx   context.Context //nolint:containedctx // the process's life
	tasks *taskgroup.Group
	gate  gate
	cl    *kgo.Client
	rest  *http.Server
	http  *http.Client

	tail     *tail
	configs  *configs
	statuses *statuses
	units    *units
	herder   *driver
	pokes    chan struct{} // the herder has something to look at
}

// Start gives a worker that listens and has begun to read and to join. It outlives ctx.
func Start(ctx context.Context, opt Options) (*Worker, error) {
	opt.fill()
	w := &Worker{opt: opt, pokes: make(chan struct{}, 1)}
	w.tasks, w.ctx = taskgroup.New(context.WithoutCancel(ctx))
	listener, err := w.listen()
	if err != nil {
		return nil, err
	}
	if w.cl, err = w.client(); err != nil {
		listener.Close()
		return nil, fmt.Errorf("worker %s: %w", opt.Name, err)
	}
	w.http = &http.Client{Transport: &http.Transport{DialContext: w.dial}, Timeout: restTimeout}
	w.tail = newTail(w)
	w.configs = newConfigs(w.configChanged)
	w.statuses = newStatuses(w)
	w.units = newUnits(w)
	w.herder = newDriver(w)
	w.rest = &http.Server{Handler: w.routes(), ReadHeaderTimeout: restTimeout}
	w.tasks.Run("REST of "+opt.Name, func(context.Context) { _ = w.rest.Serve(gatedListener{listener, w}) })
	w.tasks.Run("topics of "+opt.Name, w.tail.run)
	w.tasks.Run("herder of "+opt.Name, w.live)
	return w, nil
}

// live reads the topics to their end and then takes part.
func (w *Worker) live(ctx context.Context) {
	for w.tail.begin(ctx) != nil || w.tail.toEnd(ctx, writeTimeout, w.opt.Topics.Config, w.opt.Topics.Status) != nil {
		if !sleep(ctx, herder.RetryBackoff) {
			return
		}
	}
	w.configs.begin()
	w.tasks.Run("heartbeats of "+w.opt.Name, w.herder.heartbeats)
	w.herder.run(ctx)
}

func (w *Worker) listen() (net.Listener, error) {
	port := w.opt.Port
	if port == 0 {
		port = w.opt.Net.Port()
	}
	l, err := w.opt.Net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("worker %s: REST: %w", w.opt.Name, err)
	}
	_, at, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("worker %s: REST: %w", w.opt.Name, err)
	}
	w.id = net.JoinHostPort("127.0.0.1", at)
	w.url = "http://" + w.id + "/"
	w.opt.Port, _ = strconv.Atoi(at)
	return l, nil
}

func (w *Worker) client() (*kgo.Client, error) {
	return kgo.NewClient(
		kgo.SeedBrokers(w.opt.Brokers...), kgo.ClientID(w.opt.Name), kgo.Dialer(w.dial), kgo.DisableClientMetrics(),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.FetchMaxWait(500*time.Millisecond),
		kgo.ProducerLinger(0), kgo.ProducerBatchCompression(kgo.NoCompression()),
		kgo.RequestRetries(1), kgo.RetryBackoffFn(func(int) time.Duration { return herder.RetryBackoff }),
		kgo.DialTimeout(3*time.Second), kgo.MetadataMinAge(herder.RetryBackoff),
	)
}

// Name is the worker's client id.
func (w *Worker) Name() string { return w.opt.Name }

// URL is where its REST interface is, as advertised in the group.
func (w *Worker) URL() string { return w.url }

// Options are the worker's, with the port that it got: Start with them makes the same worker again.
func (w *Worker) Options() Options { return w.opt }

// Member is its member id; "" while it has none.
func (w *Worker) Member() string { return w.herder.place().ID }

// Freeze stops everything in it where it stands, as SIGSTOP does; Wake lets it go on.
func (w *Worker) Freeze() { w.gate.freeze() }

// Wake lets a frozen worker go on.
func (w *Worker) Wake() { w.gate.wake() }

// Stop ends the worker politely: it stops what it runs and leaves the group.
func (w *Worker) Stop(ctx context.Context) error {
	w.gate.wake()
	stopped := make(chan struct{})
	w.herder.end(func() {
		defer close(stopped)
		w.units.stop(w.units.everything())
		w.flush()
		w.herder.leave(ctx)
	})
	select {
	case <-stopped:
	case <-ctx.Done():
	case <-w.ctx.Done():
	}
	return w.Kill()
}

// Kill ends the worker as a crash does: nobody is told, its connections break. Its error is a panic in it.
func (w *Worker) Kill() error {
	w.tasks.Cancel()
	_ = w.rest.Close()
	w.http.CloseIdleConnections()
	w.cl.Close()
	return w.tasks.Stop()
}

// Err is a panic in one of the worker's goroutines.
func (w *Worker) Err() error { return w.tasks.Err() }

// poke has the herder look for something to do.
func (w *Worker) poke() {
	select {
	case w.pokes <- struct{}{}:
	default:
	}
}

// configChanged has the herder look at what the config topic brought: a restart is a request, the rest waits in configs.
func (w *Worker) configChanged(r decode.ConfigRecord) {
	if r.Kind == decode.ConfigRestart && !r.Deleted {
		w.herder.ask(0, func() { w.herder.restart(r) })
		return
	}
	w.poke()
}

// flush waits for statuses to be written; not long, for the broker may be away.
func (w *Worker) flush() {
	ctx, cancel := context.WithTimeoutCause(w.ctx, flushTimeout, errors.New("the broker does not take statuses"))
	defer cancel()
	_ = w.cl.Flush(ctx)
}

const (
	flushTimeout = time.Second
	restTimeout  = 90 * time.Second // Connect's for a request that has to wait for the herder
)
