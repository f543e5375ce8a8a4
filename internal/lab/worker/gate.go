package worker

import (
	"context"
	"net"
	"sync"
)

// gate is shut while the worker is frozen: nothing of it goes on, and its sockets stay open, as after SIGSTOP.
type gate struct {
	mu   sync.Mutex
	shut chan struct{} // nil: open
}

func (g *gate) freeze() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut == nil {
		g.shut = make(chan struct{})
	}
}

func (g *gate) wake() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut != nil {
		close(g.shut)
		g.shut = nil
	}
}

// pass waits until the gate is open, or ctx ends.
func (g *gate) pass(ctx context.Context) {
	g.mu.Lock()
	shut := g.shut
	g.mu.Unlock()
	if shut == nil {
		return
	}
	select {
	case <-shut:
	case <-ctx.Done():
	}
}

// gatedConn holds up what a frozen process would neither read nor write.
type gatedConn struct {
	net.Conn
	w *Worker
}

func (c gatedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.w.gate.pass(c.w.ctx)
	return n, err
}

func (c gatedConn) Write(b []byte) (int, error) {
	c.w.gate.pass(c.w.ctx)
	return c.Conn.Write(b)
}

// gatedListener takes connections: a frozen process's system still does.
type gatedListener struct {
	net.Listener
	w *Worker
}

func (l gatedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return gatedConn{c, l.w}, nil
}

func (w *Worker) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.gate.pass(ctx)
	c, err := w.opt.Net.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return gatedConn{c, w}, nil
}
