package worker

import (
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group/assign"
)

// lead decides the round as Connect's leader does, and gives the bytes for each member. Members that it cannot read get
// nothing, and so does everybody when it cannot decide: they will join again.
func (m *member) lead(join *kmsg.JoinGroupResponse) map[string][]byte {
	fresh := m.w.configs.config()
	req := assign.Request{
		Now: time.Now().UnixMilli(), Generation: join.Generation, LastCompleted: m.completed,
		Leader: join.MemberID, Protocol: *join.Protocol, Config: m.said, Fresh: &fresh,
	}
	for _, rm := range join.Members {
		s, err := decode.ParseSubscription(rm.ProtocolMetadata)
		if err != nil {
			continue
		}
		req.Members = append(req.Members, assign.Joining(rm.MemberID, s))
	}
	decision, mind, err := m.mind.Decide(req)
	if err != nil {
		return nil
	}
	m.mind = mind
	out := make(map[string][]byte, len(req.Members))
	owners := map[decode.Unit]string{}
	for i, a := range decision.Assignments {
		member := req.Members[i]
		out[member.ID] = decode.AppendAssignment(nil, a)
		for _, u := range decode.Units(assign.Java17.Report(member.Reported, a)) {
			owners[u] = member.URL
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.owners = owners
	return out
}

// owner is the URL of the worker that a leader has given the unit to; "" when it is nobody's, or nobody leads just now.
func (m *member) owner(u decode.Unit) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.owners[u]
}
