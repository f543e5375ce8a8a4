package ghost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"regroup/actions/act"
	"regroup/actions/process"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group/assign"
	"regroup/internal/words"
)

// Ghost is this program as a worker of the group: it joins, is given units and runs none of them. When it leads, it decides
// as Connect's own leader does.
type Ghost struct {
	Client   string // client id; "" is "ghost"
	Protocol string // connect.protocol: sessioned (""), compatible or eager
	// Listen is the address of its REST interface, which says what it is and refuses the rest; "" is a free port of
	// 127.0.0.1. Workers look for the leader there.
	Listen string
	URL    string        // as advertised, where somebody else serves it; "": the ghost's own
	For    time.Duration // it leaves after that long; 0: when ctx ends

	// RealWork: whoever calls knows that real work will stand still while a ghost holds it.
	RealWork bool
	// Demo: the group's work is not real.
	Demo bool

	Session   time.Duration // session.timeout.ms; 0: 10 s
	Heartbeat time.Duration // heartbeat.interval.ms; 0: 3 s
}

func (g *Ghost) fill() error {
	g.Client, g.Protocol = cmp.Or(g.Client, "ghost"), cmp.Or(g.Protocol, "sessioned")
	if decode.Offers(g.Protocol) == nil {
		return fmt.Errorf("ghost: no protocol %q: sessioned, compatible or eager", g.Protocol)
	}
	if g.Session == 0 {
		g.Session = 10 * time.Second
	}
	if g.Heartbeat == 0 {
		g.Heartbeat = 3 * time.Second
	}
	return nil
}

// Action joins the group until it is told to leave; it leaves on every way out.
func (g Ghost) Action(k *process.Workers) (act.Action, error) {
	if err := g.fill(); err != nil {
		return act.Action{}, err
	}
	x := act.Action{
		Verb: "ghost", Target: g.Client, Destructive: true, Change: foresight.Visit{Client: g.Client, Eager: g.Protocol == "eager", For: g.For, Idle: true},
		Harm: "regroup joins the group as a worker: units that it is given stand still until it has left",
	}
	if g.Protocol == "eager" {
		x.Harm += ", and the whole group goes to eager"
	}
	if !g.Demo && !g.RealWork {
		return x, &act.Refused{
			Action: x.String(),
			Why:    "a ghost holds units and runs none, so real work would stand still: give --i-know-it-holds-real-work where that is wanted",
		}
	}
	x.Do = func(ctx context.Context, tell func(string)) (string, error) {
		return run(ctx, k, g, tell)
	}
	return x, nil
}

// run joins, holds what it is given, and leaves. That ctx ends is how it is told to leave, and no error.
func run(ctx context.Context, k *process.Workers, opt Ghost, tell func(string)) (answer string, err error) {
	if opt.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, opt.For)
		defer cancel()
	}
	if opt.URL == "" {
		rest, err := serveGhost(opt.Listen, opt.Client)
		if err != nil {
			return "", err
		}
		defer rest.close()
		opt.URL = rest.url
	}
	cl, err := k.Dial(kgo.ClientID(opt.Client))
	if err != nil {
		return "", err
	}
	defer cl.Close()
	m := &ghost{opt: opt, group: k.Group, url: opt.URL, cl: cl, watch: k.Watch, tell: tell, completed: -1, rejoin: true}
	if s := k.Watch.State(); s != nil {
		m.state = assign.New(assign.Released, int32(k.MaxDelay(ctx, s).Milliseconds()))
	} else {
		m.state = assign.New(assign.Released, foresight.AssumedDelay)
	}
	defer func() {
		r := recover()
		if r != nil {
			err = fmt.Errorf("ghost: panic: %v\n%s", r, debug.Stack())
		}
		// Also when ctx has ended: a member that does not say goodbye is waited for.
		bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), process.AnswerTime)
		defer cancel()
		err = errors.Join(err, m.leave(bye))
	}()
	if err := m.run(ctx); err != nil {
		return "", err
	}
	return fmt.Sprintf("left after %s, %d of them led; it held %s at most", words.Count(m.rounds, "round"), m.led, words.Count(m.most, "unit")), nil
}

// rebalanceTimeout is Connect's rebalance.timeout.ms.
const rebalanceTimeout = time.Minute

// join goes through one join and sync. It is false when another has to follow; an error is one that no trying mends.
func (m *ghost) join(ctx context.Context) (bool, error) {
	resp, err := m.askJoin(ctx)
	if err == nil && resp.ErrorCode == kerr.MemberIDRequired.Code {
		m.id = resp.MemberID
		resp, err = m.askJoin(ctx)
	}
	if err != nil {
		m.unreachable(ctx)
		return false, nil //nolint:nilerr // the coordinator may come back; until then nothing is held
	}
	m.away = time.Time{}
	switch err := kerr.ErrorForCode(resp.ErrorCode); {
	case err == nil:
	case errors.Is(err, kerr.UnknownMemberID):
		m.id = ""
		return false, nil
	case kerr.IsRetriable(err), errors.Is(err, kerr.RebalanceInProgress):
		return false, nil
	case errors.Is(err, kerr.InconsistentGroupProtocol):
		return false, fmt.Errorf("ghost: the group's workers and a %s one have no protocol in common", m.opt.Protocol)
	case errors.Is(err, kerr.GroupAuthorizationFailed):
		return false, fmt.Errorf("ghost: not allowed: joining needs Read on Group %s", decode.Printable(m.group))
	default:
		return false, fmt.Errorf("ghost: join group %s: %w", decode.Printable(m.group), err)
	}
	m.id, m.generation = resp.MemberID, resp.Generation
	sync, err := m.askSync(ctx, resp)
	if err != nil {
		m.unreachable(ctx)
		return false, nil //nolint:nilerr // likewise
	}
	if sync.ErrorCode != 0 {
		m.lostPlace(sync.ErrorCode)
		return false, nil
	}
	told, err := decode.ParseAssignment(sync.MemberAssignment)
	if err != nil {
		return false, fmt.Errorf("ghost: round %d: %w", resp.Generation, err)
	}
	if told == nil { // the leader could not read what we said, or could not decide
		return false, nil
	}
	m.complete(*resp.Protocol, resp.Generation, *told)
	return true, nil
}

func (m *ghost) askJoin(ctx context.Context) (*kmsg.JoinGroupResponse, error) {
	req := kmsg.NewPtrJoinGroupRequest()
	req.Group, req.ProtocolType, req.MemberID = m.group, decode.ProtocolType, m.id
	req.SessionTimeoutMillis = int32(m.opt.Session.Milliseconds())
	req.RebalanceTimeoutMillis = int32(rebalanceTimeout.Milliseconds())
	req.Protocols = decode.JoinProtocols(decode.Offers(m.opt.Protocol), decode.Subscription{
		URL: m.url, ConfigOffset: m.offset(), Allocation: m.snapshot,
	})
	return req.RequestWith(ctx, m.cl)
}

func (m *ghost) askSync(ctx context.Context, join *kmsg.JoinGroupResponse) (*kmsg.SyncGroupResponse, error) {
	req := kmsg.NewPtrSyncGroupRequest()
	req.Group, req.MemberID, req.Generation = m.group, join.MemberID, join.Generation
	req.ProtocolType, req.Protocol = join.ProtocolType, join.Protocol
	if join.LeaderID == join.MemberID {
		for id, b := range m.lead(ctx, join) {
			a := kmsg.NewSyncGroupRequestGroupAssignment()
			a.MemberID, a.MemberAssignment = id, b
			req.GroupAssignment = append(req.GroupAssignment, a)
		}
	}
	return req.RequestWith(ctx, m.cl)
}

func (m *ghost) heartbeat(ctx context.Context) {
	req := kmsg.NewPtrHeartbeatRequest()
	req.Group, req.MemberID, req.Generation = m.group, m.id, m.generation
	resp, err := req.RequestWith(ctx, m.cl)
	if err != nil {
		m.unreachable(ctx)
		return
	}
	if m.away = (time.Time{}); resp.ErrorCode != 0 {
		m.lostPlace(resp.ErrorCode)
	}
}

// lostPlace takes in an error that says that the ghost has to join again.
func (m *ghost) lostPlace(code int16) {
	m.rejoin = true
	if code == kerr.UnknownMemberID.Code {
		m.id = ""
	}
}

func (m *ghost) unreachable(ctx context.Context) {
	if ctx.Err() == nil && m.away.IsZero() {
		m.away = time.Now()
	}
	m.letGo()
	m.rejoin = m.rejoin || m.snapshot == nil
}

// leave says goodbye, so that nobody waits for the ghost's session to end.
func (m *ghost) leave(ctx context.Context) error {
	if m.id == "" {
		return nil
	}
	err := process.LeaveGroup(ctx, m.cl, m.group, m.id)
	if err != nil {
		err = fmt.Errorf("ghost: it could not say goodbye; the group waits %s for it: %w", m.opt.Session, err)
	}
	m.id = ""
	return err
}
