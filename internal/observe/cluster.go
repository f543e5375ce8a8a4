package observe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"regroup/internal/taskgroup"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// hedgeAfter is how long a broker is waited for before another is asked the same.
const hedgeAfter = 500 * time.Millisecond

// cluster sends requests to the brokers of one Kafka cluster. It chooses the broker itself: the Kafka client takes a random one,
// waits for it alone, and gives up after a few, so that one broker that is dead, frozen or wrongly addressed fails requests
// which any other would have answered. Each broker has a client of its own, made at the first request to it.
type cluster struct {
	dial Dial

	mu     sync.Mutex
	peers  []*peer // in the order in which they are asked: the one that answered last comes first
	nodes  map[int32]*peer
	closed bool
}

// peer is a broker at one address.
type peer struct {
	addr string
	id   int32 // -1 until the cluster has named it
	seed bool  // its address was given to us; else it is the one that the broker advertises

	cl *kgo.Client
}

// openCluster is the cluster that dial's own brokers belong to. Nothing is dialled yet.
func openCluster(dial Dial) (*cluster, error) {
	cl, err := dial()
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	given, _ := cl.OptValue(kgo.SeedBrokers).([]string)
	c := &cluster{dial: dial, nodes: map[int32]*peer{}}
	for _, addr := range given {
		if host, port, err := net.SplitHostPort(addr); err != nil || port == "" {
			addr = net.JoinHostPort(cmp.Or(host, strings.Trim(addr, "[]")), "9092")
		}
		c.peers = append(c.peers, &peer{addr: addr, id: -1, seed: true})
	}
	return c, nil
}

// Close ends all connections.
func (c *cluster) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, p := range c.peers {
		if p.cl != nil {
			p.cl.Close()
		}
	}
}

// broker is the peer's handle of the Kafka client, which is made here.
func (c *cluster) broker(p *peer) (*kgo.Broker, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, kgo.ErrClientClosed
	}
	if p.cl == nil {
		cl, err := c.dial(kgo.SeedBrokers(p.addr))
		if err != nil {
			return nil, err
		}
		p.cl = cl
	}
	return p.cl.SeedBrokers()[0], nil
}

// ask sends a request to one broker and waits for its answer. The request is written into, so it is the call's alone.
func (c *cluster) ask(ctx context.Context, p *peer, req kmsg.Request) (kmsg.Response, error) {
	b, err := c.broker(p)
	if err != nil {
		return nil, err
	}
	resp, err := b.Request(ctx, req)
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		return nil, &peerError{addr: p.addr, id: p.id, advertised: !p.seed, err: err}
	}
	return resp, nil
}

// any asks one broker after the other until one answers: the next as soon as one fails, or has been silent for a moment.
func (c *cluster) any(ctx context.Context, request func() kmsg.Request) (kmsg.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	all, ctx := taskgroup.New(ctx)
	type answer struct {
		peer *peer
		resp kmsg.Response
		err  error
	}
	peers := c.order()
	answers := make(chan answer, len(peers))
	asked, failed := 0, map[*peer]error{}
	hedge := time.NewTimer(hedgeAfter)
	defer hedge.Stop()
	askNext := func() {
		if asked == len(peers) {
			return
		}
		p := peers[asked]
		all.Go("asking "+p.addr, func(context.Context) error {
			resp, err := c.ask(ctx, p, request())
			answers <- answer{p, resp, err}
			return nil
		})
		asked++
		hedge.Reset(hedgeAfter)
	}
	var good *answer
	for askNext(); good == nil && ctx.Err() == nil && len(failed) < len(peers); {
		select {
		case <-ctx.Done():
		case a := <-answers:
			if a.err == nil {
				good = &a
				continue
			}
			failed[a.peer] = a.err
			askNext()
		case <-hedge.C:
			askNext()
		}
	}
	all.Cancel()
	if err := all.Wait(); err != nil {
		return nil, err
	}
	for len(answers) > 0 {
		if a := <-answers; a.err == nil && good == nil {
			good = &a
		} else {
			failed[a.peer] = a.err
		}
	}
	if good != nil {
		c.prefer(good.peer)
		return good.resp, nil
	}
	var each []error
	for _, p := range peers {
		if failed[p] != nil {
			each = append(each, failed[p])
		}
	}
	switch len(each) {
	case 0:
		return nil, context.Cause(ctx)
	case 1:
		return nil, each[0]
	}
	return nil, &noneAnsweredError{each}
}

func (c *cluster) order() []*peer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.peers)
}

// prefer puts a broker that answered before those that were asked with it.
func (c *cluster) prefer(p *peer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.peers, p); i > 0 {
		c.peers = slices.Insert(slices.Delete(c.peers, i, i+1), 0, p)
	}
}

// learn notes where brokers are, as a broker says. The caller holds no lock.
func (c *cluster) learn(id int32, host string, port int32) *peer {
	addr := net.JoinHostPort(host, strconv.Itoa(int(port)))
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.peers, func(p *peer) bool { return p.addr == addr })
	if i < 0 {
		i = len(c.peers)
		c.peers = append(c.peers, &peer{addr: addr})
	}
	p := c.peers[i]
	p.id, c.nodes[id] = id, p
	return p
}

// metadata asks for the metadata of topics, and learns where the brokers are.
func (c *cluster) metadata(ctx context.Context, topics []kmsg.MetadataRequestTopic) (*kmsg.MetadataResponse, error) {
	kresp, err := c.any(ctx, func() kmsg.Request {
		req := kmsg.NewPtrMetadataRequest()
		req.AllowAutoTopicCreation = false
		req.Topics = topics
		return req
	})
	if err != nil {
		return nil, err
	}
	resp := kresp.(*kmsg.MetadataResponse)
	for _, b := range resp.Brokers {
		c.learn(b.NodeID, b.Host, b.Port)
	}
	return resp, nil
}

// node is the broker of an id.
func (c *cluster) node(ctx context.Context, id int32) (*peer, error) {
	for range 2 {
		c.mu.Lock()
		p := c.nodes[id]
		c.mu.Unlock()
		if p != nil {
			return p, nil
		}
		if _, err := c.metadata(ctx, []kmsg.MetadataRequestTopic{}); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("broker %d is not among those that the cluster names: is it down?", id)
}

// at asks the broker of an id. A connection that broke while it was idle is worth a second try.
func (c *cluster) at(ctx context.Context, id int32, request func() kmsg.Request) (kmsg.Response, error) {
	p, err := c.node(ctx, id)
	if err != nil {
		return nil, err
	}
	resp, err := c.ask(ctx, p, request())
	var op *net.OpError
	if err != nil && ctx.Err() == nil && !(errors.As(err, &op) && op.Op == "dial") {
		resp, err = c.ask(ctx, p, request())
	}
	return resp, err
}

// once asks the broker of an id, and does not try again.
func (c *cluster) once(ctx context.Context, id int32, req kmsg.Request) (kmsg.Response, error) {
	p, err := c.node(ctx, id)
	if err != nil {
		return nil, err
	}
	return c.ask(ctx, p, req)
}

// onEach does something with every broker that the cluster names, at once, and gives what came of it in the order of their ids.
func onEach[T any](ctx context.Context, c *cluster, f func(ctx context.Context, id int32) T) ([]T, error) {
	meta, err := c.metadata(ctx, []kmsg.MetadataRequestTopic{})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(meta.Brokers, func(a, b kmsg.MetadataResponseBroker) int { return cmp.Compare(a.NodeID, b.NodeID) })
	out := make([]T, len(meta.Brokers))
	all, inner := taskgroup.New(ctx)
	for i, b := range meta.Brokers {
		all.Go(fmt.Sprintf("asking broker %d", b.NodeID), func(context.Context) error {
			out[i] = f(inner, b.NodeID)
			return nil
		})
	}
	return out, all.Wait()
}

// coordinator asks which broker coordinates a group. Nothing is remembered: a coordinator that died without a word would be.
func (c *cluster) coordinator(ctx context.Context, name string) (*peer, error) {
	kresp, err := c.any(ctx, func() kmsg.Request {
		req := kmsg.NewPtrFindCoordinatorRequest()
		req.CoordinatorKey, req.CoordinatorKeys = name, []string{name} // before version 4, and since
		return req
	})
	if err != nil {
		return nil, err
	}
	resp := kresp.(*kmsg.FindCoordinatorResponse)
	code, id, host, port := resp.ErrorCode, resp.NodeID, resp.Host, resp.Port
	if resp.Version >= 4 {
		if len(resp.Coordinators) != 1 {
			return nil, fmt.Errorf("group %s: %d coordinators in the broker's answer", name, len(resp.Coordinators))
		}
		at := &resp.Coordinators[0]
		code, id, host, port = at.ErrorCode, at.NodeID, at.Host, at.Port
	}
	if err := kerr.ErrorForCode(code); err != nil {
		return nil, err
	}
	return c.learn(id, host, port), nil
}

// peerError is the failure of one broker.
type peerError struct {
	addr       string
	id         int32
	advertised bool
	err        error
}

func (e *peerError) Error() string { return e.addr + ": " + e.few() }
func (e *peerError) Unwrap() error { return e.err }

// few is what failed, in few words.
func (e *peerError) few() string {
	var dns *net.DNSError
	switch {
	case errors.As(e.err, &dns):
		return "no such host"
	case errors.Is(e.err, context.DeadlineExceeded), errors.Is(e.err, os.ErrDeadlineExceeded):
		return "no answer within " + requestTimeout.String()
	}
	return short(e.err)
}

// unreachable explains why nothing can be sent to an address that a broker advertises; "" where something else failed.
func (e *peerError) unreachable() string {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(e.err, &dns):
		return fmt.Sprintf("broker %d advertises %s, and that name is not known here: check its advertised.listeners, or make the name known", e.id, e.addr)
	case errors.As(e.err, &op) && op.Op == "dial":
		return fmt.Sprintf("broker %d does not answer at %s, the address that it advertises: %s: is it down, or its advertised.listeners wrong for here?", e.id, e.addr, short(op.Err))
	case errors.Is(e.err, context.DeadlineExceeded), errors.Is(e.err, os.ErrDeadlineExceeded):
		return fmt.Sprintf("broker %d at %s gives no answer within %s: is it stuck, or the network slow?", e.id, e.addr, requestTimeout)
	}
	return ""
}

// noneAnsweredError is the failure of all brokers, each in its own way.
type noneAnsweredError struct{ each []error }

func (e *noneAnsweredError) Error() string {
	var parts []string
	for _, err := range e.each {
		parts = append(parts, err.Error())
	}
	return "no broker answers: " + strings.Join(parts, "; ")
}

func (e *noneAnsweredError) Unwrap() []error { return e.each }
