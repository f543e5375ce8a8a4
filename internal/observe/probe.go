package observe

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"

	"regroup/group"
	"regroup/internal/rest"
)

// probe asks one worker over REST, again and again, and notices at once when it closes its connection.
type probe struct {
	s      *source
	url    string
	leads  atomic.Bool
	cancel context.CancelFunc
	client rest.Client
	closed chan time.Time // the worker closed an idle connection: its process ended, or is ending

	noHealth   bool // before 3.9
	plugins    []string
	pluginsAt  time.Time
	statusesAt time.Time
}

func newProbe(s *source, url string, leads bool) *probe {
	p := &probe{s: s, url: url, closed: make(chan time.Time, 1), client: s.opt.REST.Client}
	p.leads.Store(leads)
	p.client.HTTP = watchful(p.client.HTTP, func() {
		select {
		case p.closed <- s.opt.Clock():
		default:
		}
	})
	return p
}

func (p *probe) run(ctx context.Context) error {
	defer p.client.HTTP.CloseIdleConnections()
	for {
		p.ask(ctx)
		if ctx.Err() != nil {
			return nil
		}
		t := time.NewTimer(restEvery)
		select {
		case <-ctx.Done():
			t.Stop()
			return nil
		case at := <-p.closed:
			t.Stop()
			p.check(ctx, at)
		case <-t.C:
		}
	}
}

// check tells an idle connection that timed out from the end of a process: whoever lives takes a new one.
func (p *probe) check(ctx context.Context, at time.Time) {
	ctx, cancel := context.WithTimeout(ctx, restTimeout)
	defer cancel()
	_, err := p.client.Info(ctx, p.s.opt.REST.at(p.url))
	if err == nil || ctx.Err() != nil || !refused(err) {
		return
	}
	p.s.out.put(group.RESTReport{At: at, URL: p.url, Root: inFewWords(err), Closed: true})
}

func (p *probe) ask(ctx context.Context) {
	at := p.s.opt.REST.at(p.url)
	r := group.RESTReport{URL: p.url, Plugins: p.plugins}
	begun := p.s.opt.Clock()
	info, err := within(ctx, func(ctx context.Context) (rest.Info, error) { return p.client.Info(ctx, at) })
	r.At, r.Latency = p.s.opt.Clock(), p.s.opt.Clock().Sub(begun)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		r.Root, r.Status, r.Closed = inFewWords(err), rest.StatusOf(err), refused(err)
		p.tell(r, err)
		return
	}
	r.Root, r.Version, r.Cluster = "ok", info.Version, info.Cluster
	r.Herder, err = p.herder(ctx, at)
	if r.Herder == "ok" {
		p.more(ctx, at, &r, begun)
	}
	if rest.Barred(err) == "" {
		err = nil // the herder may be busy: the worker answers
	}
	if ctx.Err() == nil {
		p.tell(r, err)
	}
}

// herder asks what needs the herder's thread: GET /health, or one connector of a worker that is older. The list of connectors
// does not need it (seen on 3.5.1, 3.9.1 and 4.3.1 while a connector's taskConfigs hung: it came at once, the connector never).
func (p *probe) herder(ctx context.Context, at string) (string, error) {
	if !p.noHealth {
		h, err := withinTime(ctx, herderTimeout, func(ctx context.Context) (rest.Health, error) { return p.client.Health(ctx, at) })
		switch {
		case rest.StatusOf(err) == http.StatusNotFound:
			p.noHealth = true
		case err != nil:
			return fewWords(err, herderTimeout), err
		case h.Status == "healthy":
			return "ok", nil
		default:
			return h.Status + ": " + h.Message, nil
		}
	}
	names, err := within(ctx, func(ctx context.Context) ([]string, error) { return p.client.Names(ctx, at) })
	if err == nil && len(names) > 0 {
		_, err = within(ctx, func(ctx context.Context) (rest.Connector, error) { return p.client.Connector(ctx, at, names[0]) })
		if rest.StatusOf(err) == http.StatusNotFound { // deleted meanwhile: the herder says so
			return "ok", nil
		}
	}
	if err != nil {
		return inFewWords(err), err
	}
	return "ok", nil
}

// more asks what is asked seldom: plugins of each worker, and of the leader what all units say.
func (p *probe) more(ctx context.Context, at string, r *group.RESTReport, now time.Time) {
	if now.Sub(p.pluginsAt) >= pluginsEvery {
		if list, err := within(ctx, func(ctx context.Context) ([]rest.Plugin, error) { return p.client.Plugins(ctx, at) }); err == nil {
			p.pluginsAt, p.plugins = now, nil
			for _, plugin := range list {
				p.plugins = append(p.plugins, plugin.Class)
			}
			r.Plugins = p.plugins
		}
	}
	if p.leads.Load() && now.Sub(p.statusesAt) >= statusesEvery {
		if all, err := within(ctx, func(ctx context.Context) (map[string]rest.Expanded, error) { return p.client.Expanded(ctx, at) }); err == nil {
			p.statusesAt = now
			r.Statuses = statuses(all)
		}
	}
}

func statuses(all map[string]rest.Expanded) []group.RESTStatus {
	out := []group.RESTStatus{}
	for name, e := range all {
		if e.Status == nil {
			continue
		}
		c := e.Status.Connector
		out = append(out, group.RESTStatus{Unit: group.Unit{Connector: name, Task: -1}, State: c.State, WorkerID: c.WorkerID, Trace: c.Trace})
		for _, t := range e.Status.Tasks {
			out = append(out, group.RESTStatus{Unit: group.Unit{Connector: name, Task: t.ID}, State: t.State, WorkerID: t.WorkerID, Trace: t.Trace})
		}
	}
	return out
}

func (p *probe) tell(r group.RESTReport, err error) {
	report := group.SourceReport{At: r.At, Source: group.SourceREST, Name: p.url, Health: group.HealthOK}
	switch why := rest.Barred(err); {
	case why != "":
		report.Health, report.Detail = group.HealthDenied, why
	case r.Internal():
		report.Detail = group.InternalREST
	case r.Refusal() != "": // whatever is wrong there: it can be reached
		report.Detail = r.Refusal()
	case err != nil:
		report.Health, report.Detail = group.HealthUnreachable, r.Root
	}
	p.s.out.put(r, report)
}

func within[T any](ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	return withinTime(ctx, restTimeout, f)
}

func withinTime[T any](ctx context.Context, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return f(ctx)
}

// refused says whether nothing listens at a worker's address any more.
func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// inFewWords is an error in few words.
func inFewWords(err error) string { return fewWords(err, restTimeout) }

func fewWords(err error, limit time.Duration) string {
	var dns *net.DNSError
	var answer *rest.Error
	switch {
	case errors.As(err, &answer):
		return answer.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer within " + limit.String()
	case refused(err):
		return "nothing listens there"
	case errors.As(err, &dns):
		return "no address for " + dns.Name
	}
	return err.Error()
}
