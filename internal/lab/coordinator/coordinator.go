package coordinator

import (
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Options are a broker's settings that matter to groups. A zero duration stands for the broker's default, except for
// InitialDelay.
type Options struct {
	InitialDelay time.Duration // group.initial.rebalance.delay.ms: how long an empty group waits for more members
	MinSession   time.Duration // group.min.session.timeout.ms, 6 s
	MaxSession   time.Duration // group.max.session.timeout.ms, 30 min
	Cleanup      time.Duration // offsets.retention.check.interval.ms, 10 min: when empty groups are deleted
	// NewMember names a member of that client: brokers append a dash and a UUID to the client id.
	NewMember func(client string) string
}

const (
	defaultMinSession = 6 * time.Second
	defaultMaxSession = 30 * time.Minute
	defaultCleanup    = 10 * time.Minute
	// A new member that waits in its join cannot send heartbeats; brokers give it this long.
	newMemberPatience = 5 * time.Minute
)

// Ask names a request; the caller picks it, and the reply carries it.
type Ask int64

// Client is who asks.
type Client struct {
	ID   string
	Host string // as recorded, with the leading "/" that brokers write
}

// Reply answers a request, of this call or of an earlier one.
type Reply struct {
	Ask      Ask
	Response kmsg.Response
}

// Write is a record for the group's partition of __consumer_offsets. Its outcome has to be told by Written; the members get
// their assignments only then.
type Write struct {
	ID    int64
	Group string
	Key   []byte
	Value []byte // nil: a tombstone
}

// Out is what a call brings about: the writes first, in order, then the replies.
type Out struct {
	Writes  []Write
	Replies []Reply
}

// Coordinator keeps groups. It is not safe for use by several goroutines.
type Coordinator struct {
	opt     Options
	groups  map[string]*group
	due     timers
	first   time.Time // of all calls: cleaning goes in cycles from there
	writes  int64
	written map[int64]func(now time.Time, code int16)
	out     Out
}

// New makes a Coordinator without groups.
func New(opt Options) *Coordinator {
	setDefault(&opt.MinSession, defaultMinSession)
	setDefault(&opt.MaxSession, defaultMaxSession)
	setDefault(&opt.Cleanup, defaultCleanup)
	return &Coordinator{opt: opt, groups: map[string]*group{}, due: newTimers(), written: map[int64]func(time.Time, int16){}}
}

func setDefault(d *time.Duration, to time.Duration) {
	if *d == 0 {
		*d = to
	}
}

// Handles says whether requests of that key are for a Coordinator: JoinGroup, Heartbeat, LeaveGroup, SyncGroup,
// DescribeGroups, ListGroups, DeleteGroups.
func Handles(key int16) bool { return key >= 11 && key <= 16 || key == 42 }

// Handle takes a request in. The reply to it may come out of a later call: a join waits for the other members.
func (c *Coordinator) Handle(now time.Time, ask Ask, from Client, req kmsg.Request) Out {
	c.begin(now)
	switch req := req.(type) {
	case *kmsg.JoinGroupRequest:
		c.join(now, ask, from, req)
	case *kmsg.SyncGroupRequest:
		c.sync(now, ask, req)
	case *kmsg.HeartbeatRequest:
		c.heartbeat(now, ask, req)
	case *kmsg.LeaveGroupRequest:
		c.leave(now, ask, req)
	case *kmsg.DescribeGroupsRequest:
		c.reply(ask, c.describe(req))
	case *kmsg.ListGroupsRequest:
		c.reply(ask, c.list(req))
	case *kmsg.DeleteGroupsRequest:
		c.reply(ask, c.delete(req))
	}
	return c.end()
}

// Next is the moment at which Tick has something to do; false when there is none.
func (c *Coordinator) Next() (time.Time, bool) { return c.due.next() }

// Tick does what is due by now.
func (c *Coordinator) Tick(now time.Time) Out {
	c.begin(now)
	for {
		t, ok := c.due.pop(now)
		if !ok {
			return c.end()
		}
		if g := c.groups[t.group]; g != nil {
			c.fire(now, g, t)
		}
	}
}

func (c *Coordinator) fire(now time.Time, g *group, t timer) {
	switch t.kind {
	case sessionTimer:
		c.expire(now, g, t.member)
	case joinTimer:
		c.joinIsUp(now, g)
	case syncTimer:
		c.expireUnsynced(now, g)
	case cleanupTimer:
		c.cleanup(g)
	}
}

// Written tells the outcome of a Write: 0, or the Kafka error that its members are to get.
func (c *Coordinator) Written(now time.Time, id int64, code int16) Out {
	c.begin(now)
	if then := c.written[id]; then != nil {
		delete(c.written, id)
		then(now, code)
	}
	return c.end()
}

// Restart is a broker that comes back: members are those of each group's last record, with their time before them. What it
// had been asked and not answered is forgotten, as connections are.
func (c *Coordinator) Restart(now time.Time) {
	clear(c.written)
	c.due = newTimers()
	for name, g := range c.groups {
		if g.recorded == nil {
			delete(c.groups, name)
			continue
		}
		c.groups[name] = c.load(now, name, g.recorded)
	}
}

func (c *Coordinator) begin(now time.Time) {
	if c.first.IsZero() {
		c.first = now
	}
	c.out = Out{}
}

func (c *Coordinator) end() Out {
	out := c.out
	c.out = Out{}
	return out
}

func (c *Coordinator) reply(ask Ask, resp kmsg.Response) {
	c.out.Replies = append(c.out.Replies, Reply{ask, resp})
}

// write asks for a record; then, which may be nil, hears of its outcome.
func (c *Coordinator) write(g *group, value []byte, then func(now time.Time, code int16)) {
	c.writes++
	c.out.Writes = append(c.out.Writes, Write{ID: c.writes, Group: g.name, Key: g.key(), Value: value})
	g.recorded = value
	if then != nil {
		c.written[c.writes] = then
	}
}

// known finds the group of a member's request, or the code that says why not.
func (c *Coordinator) known(name, id string, generation int32) (*group, *member, int16) {
	g := c.groups[name]
	if g == nil {
		return nil, nil, kerr.UnknownMemberID.Code
	}
	m := g.members[id]
	switch {
	case m == nil:
		return nil, nil, kerr.UnknownMemberID.Code
	case generation != g.generation:
		return nil, nil, kerr.IllegalGeneration.Code
	}
	return g, m, 0
}
