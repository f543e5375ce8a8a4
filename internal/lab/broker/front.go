package broker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/internal/lab/coordinator"
	"regroup/internal/taskgroup"
)

// front is kfake's listener. It takes the connections of clients, keeps them, and hands kfake the other end of a pipe.
type front struct {
	outer  net.Listener
	groups *groups
	tasks  *taskgroup.Group
	inner  chan net.Conn
	closed chan struct{}
	once   sync.Once

	mu    sync.Mutex
	away  bool
	links map[*link]bool
}

// link is one client's connection, with ours to kfake.
type link struct {
	client, inner net.Conn
	hangUp        context.CancelFunc // for a request that waits
}

func newFront(outer net.Listener, g *groups, c *taskgroup.Group) *front {
	f := &front{outer: outer, groups: g, tasks: c, inner: make(chan net.Conn), closed: make(chan struct{}), links: map[*link]bool{}}
	c.Run("broker: listener", f.listen)
	return f
}

// Accept hands kfake its end of the next connection.
func (f *front) Accept() (net.Conn, error) {
	select {
	case c := <-f.inner:
		return c, nil
	case <-f.closed:
		return nil, net.ErrClosed
	}
}

// Addr is where clients dial.
func (f *front) Addr() net.Addr { return f.outer.Addr() }

// Close ends all connections.
func (f *front) Close() error {
	f.once.Do(func() { close(f.closed) })
	err := f.outer.Close()
	f.hangUp()
	return err
}

// setAway takes the broker off the network: every connection breaks, and new ones break at once.
func (f *front) setAway(away bool) {
	f.mu.Lock()
	f.away = away
	f.mu.Unlock()
	if away {
		f.hangUp()
	}
}

func (f *front) hangUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for l := range f.links {
		l.close()
	}
}

func (l *link) close() {
	l.hangUp()
	l.client.Close()
	l.inner.Close()
}

// keep remembers a connection so that it can be broken; false when it has to be broken now.
func (f *front) keep(l *link) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.closed:
		return false
	default:
	}
	if f.away {
		return false
	}
	f.links[l] = true
	return true
}

func (f *front) drop(l *link) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l.close()
	delete(f.links, l)
}

func (f *front) listen(context.Context) {
	for {
		conn, err := f.outer.Accept()
		if err != nil {
			return // closed
		}
		f.tasks.Run("broker: connection", func(ctx context.Context) { f.serve(ctx, conn) })
	}
}

// dialInner connects to kfake itself: the coordinator's own records do not depend on the front.
func (f *front) dialInner(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case f.inner <- theirs:
		return ours, nil
	case <-f.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve answers a connection's requests one after another, as a broker does.
func (f *front) serve(ctx context.Context, client net.Conn) {
	ours, theirs := net.Pipe()
	ctx, cancel := context.WithCancel(ctx)
	l := &link{client, ours, cancel}
	defer f.drop(l)
	if !f.keep(l) {
		return
	}
	select {
	case f.inner <- theirs:
	case <-ctx.Done():
		return
	}
	host := hostOf(client)
	for {
		frame, err := readFrame(client)
		if err != nil {
			return
		}
		var answer []byte
		if coordinator.Handles(key(frame)) {
			answer, err = f.ask(ctx, frame, host)
		} else {
			answer, err = pass(ours, frame)
		}
		if err != nil {
			return // the client sees its connection break, as with a broker that cannot read a request
		}
		if _, err := client.Write(answer); err != nil {
			return
		}
	}
}

// ask has the coordinator answer, however long it takes.
func (f *front) ask(ctx context.Context, frame []byte, host string) ([]byte, error) {
	req, err := parseRequest(frame)
	if err != nil {
		return nil, err
	}
	answer := make(chan kmsg.Response, 1)
	f.groups.ask(coordinator.Client{ID: req.client, Host: host}, req.body, func(resp kmsg.Response) { answer <- resp })
	select {
	case resp := <-answer:
		return appendResponse(req.correlation, resp), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pass has kfake answer.
func pass(inner net.Conn, frame []byte) ([]byte, error) {
	if _, err := inner.Write(frame); err != nil {
		return nil, err
	}
	if silent(frame) {
		return nil, nil
	}
	return readFrame(inner)
}

// hostOf is a client's host as brokers write it.
func hostOf(conn net.Conn) string {
	if host, _, err := net.SplitHostPort(conn.RemoteAddr().String()); err == nil {
		return "/" + host
	}
	return "/127.0.0.1" // a pipe in memory
}

// listenOnce gives kfake the front for its one listener.
func (b *Broker) listenOnce(network, address string) (net.Listener, error) {
	if b.front != nil {
		return nil, errors.New("the lab's broker has one listener")
	}
	outer, err := b.net.Listen(network, address)
	if err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	b.front = newFront(outer, b.groups, b.tasks)
	return b.front, nil
}

// maxFrame is what brokers accept by default (socket.request.max.bytes).
const maxFrame = 100 << 20

// readFrame reads one message with its length before it.
func readFrame(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n < 8 && n != 4 || n > maxFrame {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	frame := make([]byte, 4+n)
	copy(frame, size[:])
	_, err := io.ReadFull(r, frame[4:])
	return frame, err
}

// request is a frame that is for the coordinator.
type request struct {
	correlation int32
	client      string
	body        kmsg.Request
}

// key is the request's API key; the frame is at least that long.
func key(frame []byte) int16 { return int16(binary.BigEndian.Uint16(frame[4:])) }

func parseRequest(frame []byte) (request, error) {
	r := kbin.Reader{Src: frame[4:]}
	body := kmsg.RequestForKey(r.Int16())
	version := r.Int16()
	out := request{correlation: r.Int32(), body: body}
	if client := r.NullableString(); client != nil {
		out.client = *client
	}
	if err := r.Complete(); err != nil {
		return out, fmt.Errorf("request header: %w", err)
	}
	if version < 0 || version > body.MaxVersion() {
		return out, fmt.Errorf("%s: version %d is not known", kmsg.NameForKey(body.Key()), version)
	}
	body.SetVersion(version)
	if body.IsFlexible() {
		kmsg.SkipTags(&r)
	}
	if err := body.ReadFrom(r.Src); err != nil {
		return out, fmt.Errorf("%s: %w", kmsg.NameForKey(body.Key()), err)
	}
	return out, nil
}

// appendResponse writes a response with its length and header.
func appendResponse(correlation int32, resp kmsg.Response) []byte {
	b := make([]byte, 4, 256)
	b = binary.BigEndian.AppendUint32(b, uint32(correlation))
	if resp.IsFlexible() {
		b = append(b, 0) // no tags
	}
	b = resp.AppendTo(b)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

const produceKey = 0

// silent says whether a request gets no answer: a Produce with acks=0.
func silent(frame []byte) bool {
	if key(frame) != produceKey {
		return false
	}
	r := kbin.Reader{Src: frame[6:]}
	version := r.Int16()
	r.Int32()          // correlation
	r.NullableString() // client id
	produce := kmsg.ProduceRequest{Version: version}
	switch {
	case produce.IsFlexible():
		kmsg.SkipTags(&r)
		r.CompactNullableString() // transactional id
	case version >= 3:
		r.NullableString()
	}
	acks := r.Int16()
	return r.Ok() && acks == 0
}
