package coordinator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/lab/coordinator"
)

// Stories, one a file. A script talks as clients do, and prints what each of them hears and what is recorded:
//
//	join w1             an id first where w1 has none, then the join itself; options say=… protocols=… session=… rebalance=…
//	hello w1            only the first half
//	sync w1             with (w1=… w2=…) as the leader
//	heartbeat w1, leave w1 …, wait 10s, describe, list, delete, restart
//	hold, release [error=…]   records wait for the log
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := newStory()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			run, ok := commands[d.Cmd]
			if !ok {
				t.Fatalf("%s: no command %q", d.Pos, d.Cmd)
			}
			s.said.Reset()
			run(t, s, d)
			if s.said.Len() == 0 {
				return "-"
			}
			return s.said.String()
		})
	})
}

var start = time.Date(2026, 11, 29, 17, 0, 0, 0, time.UTC)

// story is a coordinator with the clients that talk to it.
type story struct {
	c       *coordinator.Coordinator
	now     time.Time
	said    strings.Builder
	clients map[string]*client
	asks    []asked
	held    []coordinator.Write
	holding bool
}

type asked struct{ client, what string }

type client struct {
	id         string
	generation int32
}

func newStory() *story {
	s := &story{now: start, clients: map[string]*client{}}
	s.begin(0)
	return s
}

func (s *story) begin(delay time.Duration) {
	ids := map[string]int{}
	s.c = coordinator.New(coordinator.Options{InitialDelay: delay, NewMember: func(client string) string {
		ids[client]++
		return fmt.Sprintf("%s-%d", client, ids[client])
	}})
}

func (s *story) client(name string) *client {
	if s.clients[name] == nil {
		s.clients[name] = &client{}
	}
	return s.clients[name]
}

func (s *story) ask(who, what string, req kmsg.Request) {
	s.asks = append(s.asks, asked{who, what})
	s.take(s.c.Handle(s.now, coordinator.Ask(len(s.asks)-1), coordinator.Client{ID: who, Host: "/127.0.0.1"}, req))
}

func (s *story) take(out coordinator.Out) {
	for _, w := range out.Writes {
		s.print("record: %s", recorded(w))
	}
	for _, r := range out.Replies {
		a := s.asks[r.Ask]
		s.print("%s %s: %s", a.client, a.what, s.hear(a.client, r.Response))
	}
	s.held = append(s.held, out.Writes...)
	if !s.holding {
		s.release(0)
	}
}

func (s *story) release(code int16) {
	held := s.held
	s.held = nil
	for _, w := range held {
		s.take(s.c.Written(s.now, w.ID, code))
	}
}

func (s *story) print(format string, args ...any) { fmt.Fprintf(&s.said, format+"\n", args...) }

func (s *story) wait(d time.Duration) {
	until := s.now.Add(d)
	for {
		at, ok := s.c.Next()
		if !ok || at.After(until) {
			s.now = until
			return
		}
		s.now = at
		before := s.said.Len()
		s.take(s.c.Tick(s.now))
		if news := s.said.String()[before:]; news != "" {
			all := s.said.String()[:before]
			s.said.Reset()
			s.print("%s+%s\n%s", all, s.now.Sub(start), strings.TrimSuffix(news, "\n"))
		}
	}
}

func recorded(w coordinator.Write) string {
	if w.Value == nil {
		return "tombstone"
	}
	r, err := decode.ParseGroupRecord(w.Value)
	if err != nil {
		return err.Error()
	}
	out := fmt.Sprintf("generation %d, since +%s", r.Generation, r.StateAt.Sub(start))
	if len(r.Members) == 0 {
		return out + ", nobody"
	}
	out += fmt.Sprintf(", %s, leader %s:", r.Protocol, r.Leader)
	for _, m := range r.Members {
		out += fmt.Sprintf(" %s(%s→%s)", m.ID, m.Subscription, m.Assignment)
	}
	return out
}

// hear says what a client was told, and has it remember what a client does.
func (s *story) hear(who string, resp kmsg.Response) string {
	c := s.client(who)
	switch r := resp.(type) {
	case *kmsg.JoinGroupResponse:
		if r.ErrorCode == kerr.MemberIDRequired.Code {
			c.id = r.MemberID
		}
		if r.ErrorCode != 0 {
			return name(r.ErrorCode) + " " + r.MemberID
		}
		c.id, c.generation = r.MemberID, r.Generation
		out := fmt.Sprintf("generation %d as %s, %s, leader %s", r.Generation, r.MemberID, *r.Protocol, r.LeaderID)
		for _, m := range r.Members {
			out += fmt.Sprintf(" %s(%s)", m.MemberID, m.ProtocolMetadata)
		}
		return out
	case *kmsg.SyncGroupResponse:
		if r.ErrorCode != 0 {
			return name(r.ErrorCode)
		}
		return fmt.Sprintf("%q", r.MemberAssignment)
	case *kmsg.HeartbeatResponse:
		return name(r.ErrorCode)
	case *kmsg.LeaveGroupResponse:
		out := name(r.ErrorCode)
		for _, m := range r.Members {
			out += " " + m.MemberID + "=" + name(m.ErrorCode)
		}
		return out
	}
	return fmt.Sprintf("%T", resp)
}

func name(code int16) string {
	if code == 0 {
		return "ok"
	}
	return kerr.TypedErrorForCode(code).Message
}

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
