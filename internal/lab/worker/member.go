package worker

import (
	"context"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group/assign"
	"regroup/internal/lab/rules"
)

// member is the worker's place in its group.
type member struct {
	w *Worker

	// Of the herder's goroutine alone.
	snapshot  *decode.Assignment // the last assignment, with all that the worker holds in Assigned; nil: none
	protocol  string             // of the last join
	completed int32              // generation of the last completed join, -1 before any
	mind      assign.LeaderState // what it remembers as a leader
	said      assign.Config      // the configs when it last joined

	mu         sync.Mutex // what heartbeats and requests see too
	id         string
	generation int32
	beating    bool      // joined, and not joining again
	rejoin     bool      // somebody or something wants a rebalance
	away       time.Time // since when the coordinator cannot be reached; zero: it can
	owners     map[decode.Unit]string
}

func newMember(w *Worker) *member {
	m := &member{w: w, completed: -1, mind: assign.New(w.opt.Rules, int32(w.opt.MaxDelay.Milliseconds())), rejoin: true}
	m.protocol = decode.Offers(string(w.opt.Protocol))[0] // its own until the group says another
	return m
}

func (m *member) requestRejoin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rejoin = true
}

func (m *member) rejoinNeeded() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return rules.MustJoin(m.rejoin, m.snapshot)
}

// ensureActive joins until the worker has an assignment that is good for something, or ctx ends.
func (m *member) ensureActive(ctx context.Context) {
	m.letGoIfAway()
	for ctx.Err() == nil && m.rejoinNeeded() {
		m.w.gate.pass(ctx)
		m.prepare()
		if !sleep(ctx, joinTime+m.w.opt.Lag) {
			return
		}
		if m.join(ctx) {
			continue
		}
		m.letGoIfAway()
		if !sleep(ctx, retryBackoff) {
			return
		}
	}
}

// joinTime is what Connect takes between two joins that it wants at once; a worker with another config topic does nothing
// else all day.
const joinTime = time.Millisecond

// retryBackoff is Connect's retry.backoff.ms.
const retryBackoff = 100 * time.Millisecond

// prepare stops what has to stop before a worker joins.
func (m *member) prepare() {
	m.mu.Lock()
	m.owners = nil
	m.mu.Unlock()
	m.w.herder.revoke(rules.StopsFirst(m.protocol, m.snapshot))
}

// join goes through one join and sync. It is false when that did not come to an end.
func (m *member) join(ctx context.Context) bool {
	m.beat(false)
	resp, err := m.askJoin(ctx)
	if err == nil && resp.ErrorCode == kerr.MemberIDRequired.Code {
		m.heardJoin(resp)
		resp, err = m.askJoin(ctx)
	}
	if err != nil {
		m.unreachable()
		return false
	}
	m.reachable()
	if !m.heardJoin(resp) {
		return false
	}
	sync, err := m.askSync(ctx, resp)
	if err != nil {
		m.unreachable()
		return false
	}
	if sync.ErrorCode != 0 {
		m.lostPlace(sync.ErrorCode)
		return false
	}
	told, err := decode.ParseAssignment(sync.MemberAssignment)
	if err != nil || told == nil {
		m.requestRejoin()
		return false
	}
	m.complete(*resp.Protocol, resp.Generation, *told)
	return true
}

func (m *member) askJoin(ctx context.Context) (*kmsg.JoinGroupResponse, error) {
	m.said = m.w.configs.config()
	req := kmsg.NewPtrJoinGroupRequest()
	req.Group, req.ProtocolType = m.w.opt.Group, decode.ProtocolType
	req.MemberID, _ = m.place()
	req.SessionTimeoutMillis = int32(m.w.opt.Session.Milliseconds())
	req.RebalanceTimeoutMillis = int32(m.w.opt.Rebalance.Milliseconds())
	req.Protocols = decode.JoinProtocols(decode.Offers(string(m.w.opt.Protocol)), decode.Subscription{
		URL: m.w.url, ConfigOffset: m.said.Offset, Allocation: m.snapshot,
	})
	return req.RequestWith(ctx, m.w.cl)
}

// heardJoin takes in the answer to a join; false when another one has to follow.
func (m *member) heardJoin(resp *kmsg.JoinGroupResponse) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch resp.ErrorCode {
	case 0:
		m.id, m.generation = resp.MemberID, resp.Generation
		m.beating, m.rejoin = true, false
		return true
	case kerr.MemberIDRequired.Code:
		m.id = resp.MemberID
	case kerr.UnknownMemberID.Code:
		m.id = ""
	}
	return false
}

func (m *member) askSync(ctx context.Context, join *kmsg.JoinGroupResponse) (*kmsg.SyncGroupResponse, error) {
	req := kmsg.NewPtrSyncGroupRequest()
	req.Group, req.MemberID, req.Generation = m.w.opt.Group, join.MemberID, join.Generation
	req.ProtocolType, req.Protocol = join.ProtocolType, join.Protocol
	if join.LeaderID == join.MemberID {
		for id, b := range m.lead(join) {
			a := kmsg.NewSyncGroupRequestGroupAssignment()
			a.MemberID, a.MemberAssignment = id, b
			req.GroupAssignment = append(req.GroupAssignment, a)
		}
	}
	return req.RequestWith(ctx, m.w.cl)
}

// complete takes in what the leader decided. Cooperative: what is revoked stops now, the rest of what it held stays its own.
func (m *member) complete(protocol string, generation int32, told decode.Assignment) {
	m.protocol = protocol
	if protocol != decode.ProtocolEager {
		m.w.herder.revoke(decode.Units(told.Revoked))
	}
	merged := assign.Java17.Merge(m.snapshot, protocol, told)
	m.snapshot = &merged
	m.completed = generation
	m.w.herder.assigned(merged, protocol, generation)
}

// lostPlace takes in an error that says that the worker's place in the group is not what it was.
func (m *member) lostPlace(code int16) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rejoin, m.beating = true, false
	if code == kerr.UnknownMemberID.Code {
		m.id = ""
	}
}

func (m *member) place() (id string, generation int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.id, m.generation
}

// leave tells the coordinator that the worker goes.
func (m *member) leave(ctx context.Context) {
	id, _ := m.place()
	if id == "" {
		return
	}
	req := kmsg.NewPtrLeaveGroupRequest()
	req.Group, req.MemberID = m.w.opt.Group, id
	left := kmsg.NewLeaveGroupRequestMember()
	left.MemberID, left.Reason = id, kmsg.StringPtr("the worker stops")
	req.Members = append(req.Members, left)
	_, _ = req.RequestWith(ctx, m.w.cl) // what it does not hear of expires
	m.lostPlace(kerr.UnknownMemberID.Code)
}
