package coordinator_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/internal/lab/coordinator"
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
