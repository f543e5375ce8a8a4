package virtual

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group/assign"
	"regroup/internal/lab/rules"
)

// member is a worker's place in the group.
type member struct {
	snapshot   *decode.Assignment // the last assignment, with all that the worker holds in Assigned; nil: none
	protocol   string             // of the last join
	completed  int32              // generation of the last completed join, -1 before any
	mind       assign.LeaderState // what it remembers as a leader
	said       assign.Config      // the configs when it last joined
	id         string             // in the group
	generation int32
	beating    bool // joined, and not joining again
	rejoin     bool // somebody or something wants a rebalance
	again      bool // as a leader it decided a round that another has to follow
}

func newMember(w *worker) member {
	return member{
		completed: -1, rejoin: true, protocol: decode.Offers(w.speaks())[0], // its own until the group says another
		mind: assign.New(w.rules(), int32(w.s.opt.Delay.Milliseconds())),
	}
}

func (w *worker) rejoinNeeded() bool {
	return rules.MustJoin(w.rejoin, w.snapshot)
}

// ensureActive joins until the worker has an assignment that is good for something.
func (w *worker) ensureActive(then func()) {
	if !w.rejoinNeeded() {
		then()
		return
	}
	again := func() { w.ensureActive(then) }
	w.prepare(func() {
		w.sleep(joinTime, func() {
			w.join(again, func() { w.sleep(retryBackoff, again) })
		})
	})
}

// prepare stops what has to stop before a worker joins.
func (w *worker) prepare(then func()) { w.revoke(rules.StopsFirst(w.protocol, w.snapshot), then) }

// join goes through one join and sync; failed is when that did not come to an end.
func (w *worker) join(done, failed func()) {
	w.beating = false
	w.askJoin(func(resp *kmsg.JoinGroupResponse) {
		switch resp.ErrorCode {
		case 0:
			w.id, w.generation = resp.MemberID, resp.Generation
			w.beating, w.rejoin = true, false
			w.askSync(resp, done, failed)
			return
		case kerr.MemberIDRequired.Code:
			w.id = resp.MemberID
			w.join(done, failed)
			return
		case kerr.UnknownMemberID.Code:
			w.id = ""
		}
		failed()
	})
}

func (w *worker) askJoin(answer func(*kmsg.JoinGroupResponse)) {
	w.said = w.configs().config()
	req := kmsg.NewPtrJoinGroupRequest()
	req.SetVersion(9)
	req.Group, req.ProtocolType, req.MemberID = w.s.opt.Group, decode.ProtocolType, w.id
	req.SessionTimeoutMillis = int32(w.s.opt.Session.Milliseconds())
	req.RebalanceTimeoutMillis = int32(w.s.opt.Rebalance.Milliseconds())
	req.Protocols = decode.JoinProtocols(decode.Offers(w.speaks()), decode.Subscription{
		URL: w.url(), ConfigOffset: w.said.Offset, Allocation: w.snapshot,
	})
	w.request(req, func(resp kmsg.Response) { answer(resp.(*kmsg.JoinGroupResponse)) }) //nolint:forcetypeassert // kmsg's own pair
}

// request asks the coordinator; the answer reaches the herder if that still waits for it.
func (w *worker) request(req kmsg.Request, answer func(kmsg.Response)) {
	life, turn := w.life, w.turn
	w.s.ask(w.client(), req, func(resp kmsg.Response) {
		w.happen(life, func() {
			if w.turn == turn {
				answer(resp)
			}
		})
	})
}

func (w *worker) askSync(join *kmsg.JoinGroupResponse, done, failed func()) {
	req := kmsg.NewPtrSyncGroupRequest()
	req.SetVersion(5)
	req.Group, req.MemberID, req.Generation = w.s.opt.Group, join.MemberID, join.Generation
	req.ProtocolType, req.Protocol = join.ProtocolType, join.Protocol
	w.again = false
	if join.LeaderID == join.MemberID {
		req.GroupAssignment = w.lead(join)
	}
	w.request(req, func(r kmsg.Response) {
		resp := r.(*kmsg.SyncGroupResponse) //nolint:forcetypeassert // kmsg's own pair
		if resp.ErrorCode != 0 {
			w.lostPlace(resp.ErrorCode)
			failed()
			return
		}
		told, err := decode.ParseAssignment(resp.MemberAssignment)
		if err != nil || told == nil {
			w.rejoin = true
			failed()
			return
		}
		w.complete(*join.Protocol, join.Generation, *told, done)
	})
}

// lead decides the round.
func (w *worker) lead(join *kmsg.JoinGroupResponse) []kmsg.SyncGroupRequestGroupAssignment {
	fresh := w.configs().config()
	req := assign.Request{
		Now: w.s.now.UnixMilli(), Generation: join.Generation, LastCompleted: w.completed, Leader: join.MemberID,
		Protocol: *join.Protocol, Config: w.said, Fresh: &fresh,
	}
	if !w.scheduled.IsZero() {
		req.Scheduled = w.scheduled.UnixMilli()
	}
	if w.snapshot != nil && w.snapshot.Error == decode.NoError && w.protocol != decode.ProtocolEager {
		req.Before = &assign.Before{Leader: w.snapshot.Leader, Config: w.s.topic.at(w.snapshot.ConfigOffset).config()}
	}
	for _, rm := range join.Members {
		if sub, err := decode.ParseSubscription(rm.ProtocolMetadata); err == nil {
			req.Members = append(req.Members, assign.Joining(rm.MemberID, sub))
		}
	}
	decision, mind, err := w.mind.Decide(req)
	if err != nil {
		return nil // everyone gets nothing, and joins again
	}
	w.mind, w.again = mind, decision.Again
	out := make([]kmsg.SyncGroupRequestGroupAssignment, len(req.Members))
	for i, a := range decision.Assignments {
		out[i] = kmsg.NewSyncGroupRequestGroupAssignment()
		out[i].MemberID, out[i].MemberAssignment = req.Members[i].ID, decode.AppendAssignment(nil, a)
	}
	return out
}

// complete takes in what the leader decided. Cooperative: what is revoked stops now, the rest of what it held stays its own.
// Eager after cooperative: what it ran goes on, as released (KAFKA-13816), or stops, as proposed.
func (w *worker) complete(protocol string, generation int32, told decode.Assignment, done func()) {
	was := w.protocol
	w.protocol = protocol
	finish := func() {
		merged := assign.Java17.Merge(w.snapshot, protocol, told)
		w.snapshot = &merged
		w.completed = generation
		w.assigned(merged, protocol, generation)
		w.rejoin = w.rejoin || w.again
		done()
	}
	switch {
	case protocol != decode.ProtocolEager:
		w.revoke(decode.Units(told.Revoked), finish)
	case was != decode.ProtocolEager && w.rules() == assign.Proposed:
		w.stopUnits(w.everything(), func() { w.LetGo(); finish() })
	default:
		finish()
	}
}

// lostPlace takes in an error that says that the worker's place in the group is not what it was.
func (w *worker) lostPlace(code int16) {
	w.rejoin, w.beating = true, false
	if code == kerr.UnknownMemberID.Code {
		w.id = ""
	}
}

// beat is how a worker learns of a rebalance that others began. Only a join that waits needs none.
func (w *worker) beat() {
	w.after(w.s.opt.Heartbeat, w.beat)
	if !w.beating {
		return
	}
	id, generation, life := w.id, w.generation, w.life
	req := kmsg.NewPtrHeartbeatRequest()
	req.SetVersion(4)
	req.Group, req.MemberID, req.Generation = w.s.opt.Group, id, generation
	w.s.ask(w.client(), req, func(r kmsg.Response) {
		code := r.(*kmsg.HeartbeatResponse).ErrorCode //nolint:forcetypeassert // kmsg's own pair
		w.happen(life, func() {
			if code == 0 || id != w.id || generation != w.generation {
				return
			}
			if code == kerr.RebalanceInProgress.Code {
				w.rejoin = true // it beats on until it joins
			} else {
				w.lostPlace(code)
			}
			w.poke()
		})
	})
}

// leave tells the coordinator that the worker goes.
func (w *worker) leave() {
	if w.id != "" {
		w.s.ask(w.client(), leaving(w.s.opt.Group, w.id), ignored)
	}
}

func leaving(group, member string) *kmsg.LeaveGroupRequest {
	req := kmsg.NewPtrLeaveGroupRequest()
	req.SetVersion(5)
	req.Group = group
	left := kmsg.NewLeaveGroupRequestMember()
	left.MemberID = member
	req.Members = append(req.Members, left)
	return req
}

func ignored(kmsg.Response) {}
