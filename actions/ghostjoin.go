package actions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
)

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
	err := leaveGroup(ctx, m.cl, m.group, m.id)
	if err != nil {
		err = fmt.Errorf("ghost: it could not say goodbye; the group waits %s for it: %w", m.opt.Session, err)
	}
	m.id = ""
	return err
}
