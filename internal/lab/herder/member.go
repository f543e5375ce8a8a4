package herder

import (
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group/assign"
)

var (
	unknownMember       = kerr.UnknownMemberID.Code
	memberIDRequired    = kerr.MemberIDRequired.Code
	rebalanceInProgress = kerr.RebalanceInProgress.Code
)

// active joins until the worker has an assignment that is good for something.
func (h *Herder) active() Effect {
	if !h.MustJoin() {
		return nil
	}
	return h.first(h.prepare, h.lag, h.join, h.active)
}

// prepare stops what has to stop before a worker joins.
func (h *Herder) prepare() Effect {
	h.owners = nil
	return h.revoke(stopsFirst(h.Protocol, h.snapshot))
}

func (h *Herder) lag() Effect { return Sleep{joinTime + h.opt.Lag} }

func (h *Herder) join() Effect {
	h.beating = false
	h.joined = h.configs.Config()
	req := kmsg.NewPtrJoinGroupRequest()
	req.Group, req.ProtocolType, req.MemberID = h.opt.Group, decode.ProtocolType, h.ID
	req.SessionTimeoutMillis = int32(h.opt.Session.Milliseconds())
	req.RebalanceTimeoutMillis = int32(h.opt.Rebalance.Milliseconds())
	req.Protocols = decode.JoinProtocols(decode.Offers(h.opt.Speaks), decode.Subscription{
		URL: h.opt.URL, ConfigOffset: h.joined.Offset, Allocation: h.snapshot,
	})
	return h.await(Ask{req}, h.onJoin)
}

func (h *Herder) onJoin() Effect {
	resp, ok := h.answer.Response.(*kmsg.JoinGroupResponse)
	if !h.reached(h.now, h.answer.Err) || !ok {
		return h.joinFailed()
	}
	switch resp.ErrorCode {
	case 0:
		h.ID, h.Generation = resp.MemberID, resp.Generation
		h.beating, h.rejoin = true, false
		return h.sync(resp)
	case memberIDRequired:
		h.ID = resp.MemberID
		return h.join()
	case unknownMember:
		h.ID = ""
	}
	return h.joinFailed()
}

func (h *Herder) joinFailed() Effect {
	return h.first(h.letGoIfAway, func() Effect { return Sleep{RetryBackoff} })
}

func (h *Herder) sync(join *kmsg.JoinGroupResponse) Effect {
	req := kmsg.NewPtrSyncGroupRequest()
	req.Group, req.MemberID, req.Generation = h.opt.Group, join.MemberID, join.Generation
	req.ProtocolType, req.Protocol = join.ProtocolType, join.Protocol
	h.again = false
	if join.LeaderID == join.MemberID {
		req.GroupAssignment = h.lead(join)
	}
	return h.await(Ask{req}, func() Effect { return h.onSync(join) })
}

func (h *Herder) onSync(join *kmsg.JoinGroupResponse) Effect {
	resp, ok := h.answer.Response.(*kmsg.SyncGroupResponse)
	if !h.reached(h.now, h.answer.Err) || !ok {
		return h.joinFailed()
	}
	if resp.ErrorCode != 0 {
		h.lose(resp.ErrorCode)
		return h.joinFailed()
	}
	told, err := decode.ParseAssignment(resp.MemberAssignment)
	if err != nil || told == nil {
		h.rejoin = true
		return h.joinFailed()
	}
	return h.complete(*join.Protocol, join.Generation, *told)
}

// lead decides the round as Connect's leader does. Members that it cannot read get nothing, and so does everybody when it cannot decide:
// they will join again.
func (h *Herder) lead(join *kmsg.JoinGroupResponse) []kmsg.SyncGroupRequestGroupAssignment {
	fresh := h.configs.Config()
	req := assign.Request{
		Now: h.now.UnixMilli(), Generation: join.Generation, LastCompleted: h.completed, Leader: join.MemberID,
		Protocol: *join.Protocol, Config: h.joined, Fresh: &fresh,
	}
	if !h.scheduled.IsZero() {
		req.Scheduled = h.scheduled.UnixMilli()
	}
	if last := h.snapshot; h.opt.History != nil && last != nil && last.Error == decode.NoError && h.Protocol != decode.ProtocolEager {
		req.Before = &assign.Before{Leader: last.Leader, Config: h.opt.History(last.ConfigOffset)}
	}
	for _, rm := range join.Members {
		if sub, err := decode.ParseSubscription(rm.ProtocolMetadata); err == nil {
			req.Members = append(req.Members, assign.Joining(rm.MemberID, sub))
		}
	}
	decision, after, err := h.leader.Decide(req)
	if err != nil {
		return nil
	}
	h.leader, h.again = after, decision.Again
	out := make([]kmsg.SyncGroupRequestGroupAssignment, len(req.Members))
	h.owners = map[decode.Unit]string{}
	for i, a := range decision.Assignments {
		member := req.Members[i]
		out[i] = kmsg.NewSyncGroupRequestGroupAssignment()
		out[i].MemberID, out[i].MemberAssignment = member.ID, decode.AppendAssignment(nil, a)
		for _, u := range decode.Units(assign.Java17.Report(member.Reported, a)) {
			h.owners[u] = member.URL
		}
	}
	return out
}

// complete takes in what the leader decided. Cooperative: what is revoked stops now, the rest of what it held stays its own.
// Eager after cooperative: what it ran goes on, as released (KAFKA-13816), or stops, as proposed.
func (h *Herder) complete(protocol string, generation int32, told decode.Assignment) Effect {
	was := h.Protocol
	h.Protocol = protocol
	h.first(func() Effect {
		merged := assign.Java17.Merge(h.snapshot, protocol, told)
		h.snapshot, h.completed = &merged, generation
		return h.assigned(merged, generation)
	})
	switch {
	case protocol != decode.ProtocolEager:
		return h.revoke(decode.Units(told.Revoked))
	case was != decode.ProtocolEager && h.opt.Rules == assign.Proposed:
		return h.await(Stop{Everything: true}, func() Effect { h.work.letGo(); return nil })
	}
	return nil
}

// reached takes in whether the coordinator could be reached.
func (h *Herder) reached(now time.Time, err error) bool {
	switch {
	case err == nil:
		h.away = time.Time{}
	case h.away.IsZero():
		h.away = now
	}
	return err == nil
}

// letGoIfAway: a worker that has not reached its coordinator for a heartbeat interval stops everything, since others may
// have been given it, and has nothing to report when it joins again.
func (h *Herder) letGoIfAway() Effect {
	if h.away.IsZero() || h.now.Sub(h.away) < h.opt.Heartbeat || h.snapshot == nil || h.snapshot.Error != decode.NoError || h.opt.Old {
		return nil
	}
	return h.drop(decode.Units(h.snapshot.Assigned))
}

// Interval is the time until the next heartbeat: short while the coordinator is being looked for.
func (h *Herder) Interval() time.Duration {
	if !h.away.IsZero() {
		return min(RetryBackoff, h.opt.Heartbeat)
	}
	return h.opt.Heartbeat
}

// Heartbeat is the one that is due, whatever effect is under way: only a join that waits needs none; nil.
func (h *Herder) Heartbeat() *kmsg.HeartbeatRequest {
	if !h.beating {
		return nil
	}
	req := kmsg.NewPtrHeartbeatRequest()
	req.Group, req.MemberID, req.Generation = h.opt.Group, h.ID, h.Generation
	return req
}

// OnHeartbeat takes in the answer to a heartbeat, if that still is about the worker's present place. It reports whether the driver is to
// end a Wait.
func (h *Herder) OnHeartbeat(now time.Time, req *kmsg.HeartbeatRequest, answer Answer) bool {
	if !h.reached(now, answer.Err) {
		return true
	}
	resp, ok := answer.Response.(*kmsg.HeartbeatResponse)
	if !ok || resp.ErrorCode == 0 || req.MemberID != h.ID || req.Generation != h.Generation {
		return false
	}
	if resp.ErrorCode == rebalanceInProgress {
		h.rejoin = true // it beats on until it joins
	} else {
		h.lose(resp.ErrorCode)
	}
	return true
}

// leave tells the coordinator that the worker goes.
func (h *Herder) leave() Effect {
	if h.ID == "" {
		return nil
	}
	return h.await(Ask{Leave(h.opt.Group, h.ID)}, func() Effect { h.lose(unknownMember); return nil })
}

// Leave is the request that takes a member out of a group.
func Leave(group, member string) *kmsg.LeaveGroupRequest {
	req := kmsg.NewPtrLeaveGroupRequest()
	req.Group, req.MemberID = group, member
	left := kmsg.NewLeaveGroupRequestMember()
	left.MemberID, left.Reason = member, kmsg.StringPtr("the worker stops")
	req.Members = append(req.Members, left)
	return req
}
