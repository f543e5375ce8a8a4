package observe

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

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
