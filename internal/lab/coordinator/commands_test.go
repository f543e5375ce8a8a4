package coordinator_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/internal/lab/coordinator"
)

func arg(d *datadriven.TestData, key, otherwise string) string {
	for _, a := range d.CmdArgs {
		if a.Key == key && len(a.Vals) > 0 {
			return strings.Join(a.Vals, ",")
		}
	}
	return otherwise
}

// names are the arguments without a value.
func names(d *datadriven.TestData) []string {
	var out []string
	for _, a := range d.CmdArgs {
		if len(a.Vals) == 0 {
			out = append(out, a.Key)
		}
	}
	return out
}

func millis(t *testing.T, s string) int32 {
	t.Helper()
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return int32(d.Milliseconds())
}

var protocolsOf = map[string][]string{
	"sessioned":  {"sessioned", "compatible", "default"},
	"compatible": {"compatible", "default"},
	"eager":      {"default"},
}

func joinRequest(t *testing.T, s *story, who string, d *datadriven.TestData) *kmsg.JoinGroupRequest {
	t.Helper()
	req := kmsg.NewPtrJoinGroupRequest()
	req.Version = 9
	req.Group, req.ProtocolType = "connect", arg(d, "type", "connect")
	req.MemberID = s.client(who).id
	req.SessionTimeoutMillis = millis(t, arg(d, "session", "10s"))
	req.RebalanceTimeoutMillis = millis(t, arg(d, "rebalance", "60s"))
	for _, p := range protocolsOf[arg(d, "protocol", "sessioned")] {
		rp := kmsg.NewJoinGroupRequestProtocol()
		rp.Name, rp.Metadata = p, []byte(arg(d, "say", who)+"/"+p[:1])
		req.Protocols = append(req.Protocols, rp)
	}
	return req
}

var commands = map[string]func(*testing.T, *story, *datadriven.TestData){
	"broker": func(t *testing.T, s *story, d *datadriven.TestData) {
		s.begin(time.Duration(millis(t, arg(d, "initial-delay", "0s"))) * time.Millisecond)
	},
	"hello": func(t *testing.T, s *story, d *datadriven.TestData) {
		for _, who := range names(d) {
			s.client(who).id = ""
			s.ask(who, "join", joinRequest(t, s, who, d))
		}
	},
	"join": func(t *testing.T, s *story, d *datadriven.TestData) {
		for _, who := range names(d) {
			if s.client(who).id == "" {
				s.ask(who, "join", joinRequest(t, s, who, d))
			}
			s.ask(who, "join", joinRequest(t, s, who, d))
		}
	},
	"sync": func(t *testing.T, s *story, d *datadriven.TestData) {
		who := names(d)[0]
		req := kmsg.NewPtrSyncGroupRequest()
		req.Version = 5
		req.Group, req.MemberID, req.Generation = "connect", s.client(who).id, s.client(who).generation
		for _, a := range d.CmdArgs[1:] {
			ra := kmsg.NewSyncGroupRequestGroupAssignment()
			ra.MemberID, ra.MemberAssignment = s.client(a.Key).id, []byte(a.Vals[0])
			req.GroupAssignment = append(req.GroupAssignment, ra)
		}
		s.ask(who, "sync", req)
	},
	"heartbeat": func(_ *testing.T, s *story, d *datadriven.TestData) {
		for _, who := range names(d) {
			req := kmsg.NewPtrHeartbeatRequest()
			req.Version = 4
			req.Group, req.MemberID, req.Generation = "connect", s.client(who).id, s.client(who).generation
			s.ask(who, "heartbeat", req)
		}
	},
	"leave": func(_ *testing.T, s *story, d *datadriven.TestData) {
		req := kmsg.NewPtrLeaveGroupRequest()
		req.Version = 5
		req.Group = "connect"
		for _, who := range names(d) {
			m := kmsg.NewLeaveGroupRequestMember()
			m.MemberID = s.client(who).id
			req.Members = append(req.Members, m)
		}
		s.ask("somebody", "leave", req)
	},
	"wait": func(t *testing.T, s *story, d *datadriven.TestData) {
		s.wait(time.Duration(millis(t, names(d)[0])) * time.Millisecond)
	},
	"describe": func(_ *testing.T, s *story, _ *datadriven.TestData) {
		req := kmsg.NewPtrDescribeGroupsRequest()
		req.Version = 6
		req.Groups = []string{"connect"}
		out := s.c.Handle(s.now, 0, coordinator.Client{}, req)
		g := out.Replies[0].Response.(*kmsg.DescribeGroupsResponse).Groups[0]
		s.print("%s %s, protocol %q", g.State, name(g.ErrorCode), g.Protocol)
		for _, m := range g.Members {
			s.print("  %s says %q, does %q", m.MemberID, m.ProtocolMetadata, m.MemberAssignment)
		}
	},
	"list": func(_ *testing.T, s *story, d *datadriven.TestData) {
		req := kmsg.NewPtrListGroupsRequest()
		req.Version = 5
		req.StatesFilter = names(d)
		out := s.c.Handle(s.now, 0, coordinator.Client{}, req)
		for _, g := range out.Replies[0].Response.(*kmsg.ListGroupsResponse).Groups {
			s.print("%s %s %s %s", g.Group, g.ProtocolType, g.GroupState, g.GroupType)
		}
	},
	"delete": func(_ *testing.T, s *story, _ *datadriven.TestData) {
		req := kmsg.NewPtrDeleteGroupsRequest()
		req.Groups = []string{"connect"}
		out := s.c.Handle(s.now, 0, coordinator.Client{}, req)
		s.print("%s", name(out.Replies[0].Response.(*kmsg.DeleteGroupsResponse).Groups[0].ErrorCode))
		out.Replies = nil
		s.take(out)
	},
	"hold": func(_ *testing.T, s *story, _ *datadriven.TestData) { s.holding = true },
	"release": func(_ *testing.T, s *story, d *datadriven.TestData) {
		s.holding = false
		var code int16
		if slices.Contains(names(d), "too-large") {
			code = kerr.UnknownServerError.Code
		}
		s.release(code)
	},
	"restart": func(_ *testing.T, s *story, _ *datadriven.TestData) { s.c.Restart(s.now) },
}
