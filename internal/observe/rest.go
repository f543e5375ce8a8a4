package observe

import (
	"context"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"regroup/decode"
	"regroup/internal/rest"
	"regroup/internal/taskgroup"
)

const (
	restEvery     = 10 * time.Second // GET / and the herder's health, of each worker
	restTimeout   = 5 * time.Second
	herderTimeout = 12 * time.Second // GET /health: a worker gives up after 10 s, and says what its herder is doing and since when
	statusesEvery = time.Minute      // the expanded connectors, of one worker
	pluginsEvery  = 5 * time.Minute
	// restLinger is how long a worker that left is still asked: one that answers and is no member was expelled.
	restLinger = 10 * time.Minute
)

// workersREST asks every worker of the group over REST. Workers are asked side by side: a slow one delays no other.
func workersREST(ctx context.Context, s *source) error {
	all, ctx := taskgroup.New(ctx)
	probes := map[string]*probe{}
	left := map[string]time.Time{}
	for {
		view, changed := s.out.view()
		now := s.opt.Clock()
		here := advertised(view.members())
		for url, leads := range here {
			if s.opt.REST.at(url) == "" {
				continue
			}
			delete(left, url)
			if p := probes[url]; p != nil {
				p.leads.Store(leads)
				continue
			}
			p := newProbe(s, url, leads)
			ctx, cancel := context.WithCancel(ctx)
			p.cancel = cancel
			probes[url] = p
			all.Go("REST of "+url, func(context.Context) error { return p.run(ctx) })
		}
		for _, url := range slices.Collect(maps.Keys(probes)) {
			if _, ok := here[url]; ok {
				continue
			}
			if left[url].IsZero() {
				left[url] = now
			}
			if now.Sub(left[url]) > restLinger {
				probes[url].cancel()
				delete(probes, url)
			}
		}
		t := time.NewTimer(restEvery)
		select {
		case <-ctx.Done():
			t.Stop()
			return all.Wait()
		case <-changed:
			t.Stop()
			if !sleep(ctx, 100*time.Millisecond) { // a storm changes the members two hundred times a second
				return all.Wait()
			}
		case <-t.C:
		}
	}
}

// advertised are the URLs that the members of the newest round give, and which of them leads.
func advertised(members []decode.Member) map[string]bool {
	out := map[string]bool{}
	for _, m := range members {
		sub, err := decode.ParseSubscription(m.Subscription)
		if err != nil || hostPort(sub.URL) == "" {
			continue // no REST in this mode (NOTUSED), or an address that nobody can reach: the doctor says so
		}
		a, err := decode.ParseAssignment(m.Assignment)
		out[sub.URL] = out[sub.URL] || err == nil && a != nil && a.Leader == m.ID
	}
	return out
}

// REST tells how workers are asked.
type REST struct {
	Client rest.Client
	// Reach maps an advertised URL to one that works from here (--rest, --rest-map), "" where none does; nil changes nothing.
	Reach func(advertised string) string
}

func (r *REST) at(advertised string) string {
	if r.Reach == nil {
		return advertised
	}
	return r.Reach(advertised)
}

// watchful is client with connections that tell when the other end closes them: net/http reads on an idle connection, so
// the end of a worker's process is known at once and not at the next question.
func watchful(client *http.Client, closed func()) *http.Client {
	var base *http.Transport
	out := &http.Client{}
	if client != nil {
		*out = *client
		base, _ = client.Transport.(*http.Transport)
	}
	if base == nil {
		base, _ = http.DefaultTransport.(*http.Transport)
	}
	t := base.Clone()
	dial := t.DialContext
	if dial == nil {
		dial = (&net.Dialer{Timeout: restTimeout}).DialContext
	}
	t.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &watchedConn{Conn: c, closed: closed}, nil
	}
	t.MaxIdleConnsPerHost, t.IdleConnTimeout = 1, 2*time.Minute
	out.Transport = t
	return out
}

// watchedConn tells once when a read fails that we did not end ourselves.
type watchedConn struct {
	net.Conn
	closed func()
	once   sync.Once
}

func (c *watchedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err != nil {
		c.once.Do(c.closed)
	}
	return n, err
}

func (c *watchedConn) Close() error {
	c.once.Do(func() {}) // our own doing
	return c.Conn.Close()
}
