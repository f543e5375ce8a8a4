package herder

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group/assign"
)

// script drives a herder by hand: time passes in its sleeps, and where a test says so.
type script struct {
	t   *testing.T
	h   *Herder
	now time.Time
	e   Effect
	configs
}

type configs struct {
	at      assign.Config
	changes Changes
}

func (c *configs) Config() assign.Config { return c.at }
func (*configs) KeyCreated() time.Time   { return time.Unix(0, 0) }
func (c *configs) Pending() bool         { return c.changes.Any() }
func (c *configs) Take() Changes         { out := c.changes; c.changes = Changes{}; return out }

func begin(t *testing.T, speaks string) *script {
	t.Helper()
	s := &script{t: t, now: time.Unix(1000, 0), configs: configs{at: assign.Config{Offset: 7, Connectors: map[string]int{"a": 2}}}}
	s.h = New(Options{
		Group: "g", URL: "http://w1:8083/", Speaks: speaks, Heartbeat: 3 * time.Second, Session: 10 * time.Second,
		MaxDelay: 5 * time.Minute, KeyTTL: time.Hour, UnsyncBackoff: 5 * time.Minute,
	}, &s.configs)
	s.answer(Answer{})
	return s
}

func (s *script) answer(a Answer) { s.e = s.h.Next(s.now, a) }

// does checks the effects from the present one on, each of which is done at once.
func (s *script) does(want ...string) {
	s.t.Helper()
	for _, w := range want {
		if got := told(s.e); got != w {
			s.t.Fatalf("the herder does %q, not %q", got, w)
		}
		switch e := s.e.(type) {
		case Ask, ReadConfigs, Wait:
			return // its answer matters
		case Sleep:
			s.now = s.now.Add(e.For)
		default: // done at once
		}
		s.answer(Answer{})
	}
}

func told(e Effect) string {
	if ask, ok := e.(Ask); ok {
		return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", ask.Request), "*kmsg."), "Request")
	}
	return strings.TrimPrefix(fmt.Sprintf("%T%v", e, e), "herder.")
}

// joins answers a join and a sync: w1 follows and is told an assignment.
func (s *script) joins(generation int32, told decode.Assignment) {
	s.t.Helper()
	s.does("JoinGroup")
	join := kmsg.NewPtrJoinGroupResponse()
	join.MemberID, join.LeaderID, join.Generation = "w1", "w2", generation
	join.Protocol = kmsg.StringPtr(decode.Offers(s.h.opt.Speaks)[0])
	s.answer(Answer{Response: join})
	s.does("SyncGroup")
	told.Leader, told.LeaderURL = "w2", "http://w2:8083/"
	sync := kmsg.NewPtrSyncGroupResponse()
	sync.MemberAssignment = decode.AppendAssignment(nil, told)
	s.answer(Answer{Response: sync})
}

func given(offset int64, assigned, revoked []int32) decode.Assignment {
	share := func(tasks []int32) []decode.Share {
		if tasks == nil {
			return nil
		}
		return []decode.Share{{Connector: "a", Tasks: tasks}}
	}
	return decode.Assignment{Version: 2, ConfigOffset: offset, Assigned: share(assigned), Revoked: share(revoked)}
}

// A worker joins, starts what it is assigned and waits; the next round takes a task, which it stops and rejoins for at once.
func TestHerderRevokesAndRejoins(t *testing.T) {
	s := begin(t, "sessioned")
	s.does("Sleep{1ms}", "JoinGroup")
	first := kmsg.NewPtrJoinGroupResponse()
	first.ErrorCode, first.MemberID = kerr.MemberIDRequired.Code, "w1"
	s.answer(Answer{Response: first})
	s.joins(1, given(7, []int32{0, 1}, nil))
	s.does("Start{[a 0 a 1]}", "Wait{0001-01-01 00:00:00 +0000 UTC}")

	beat := s.h.Heartbeat()
	resp := kmsg.NewPtrHeartbeatResponse()
	resp.ErrorCode = kerr.RebalanceInProgress.Code
	if !s.h.OnHeartbeat(s.now, beat, Answer{Response: resp}) {
		t.Error("a rebalance does not end the wait")
	}
	s.answer(Answer{})
	s.does("Sleep{1ms}", "JoinGroup")
	s.joins(2, given(7, nil, []int32{1}))
	s.does("Stop{[a 1] false true}", "Sleep{1ms}", "JoinGroup")
	if got := s.h.Units(); cmp.Diff([]decode.Unit{a0}, got) != "" {
		t.Errorf("it holds %v", got)
	}
}

// A delay has the worker wait until it is over, and join again then.
func TestHerderRejoinsAfterADelay(t *testing.T) {
	s := begin(t, "compatible")
	s.does("Sleep{1ms}", "JoinGroup")
	a := given(7, []int32{0}, nil)
	a.DelayMs = 20_000
	s.joins(1, a)
	s.does("Start{[a 0]}")
	w, ok := s.e.(Wait)
	if !ok || !w.Until.Equal(s.now.Add(20*time.Second)) {
		t.Fatalf("the herder does %s", told(s.e))
	}
	s.now = w.Until
	s.answer(Answer{})
	s.does("Sleep{1ms}", "JoinGroup")
}

// A worker that cannot read the config topic leaves, backs off longer and longer, and lets go in the end.
func TestHerderCannotReadConfigs(t *testing.T) {
	s := begin(t, "sessioned")
	s.does("Sleep{1ms}", "JoinGroup")
	s.joins(1, given(7, []int32{0}, nil))
	s.does("Start{[a 0]}")
	s.changes = Changes{Rebalance: true}
	s.answer(Answer{})
	s.does("Sleep{1ms}", "JoinGroup")
	s.joins(2, given(9, []int32{1}, nil))
	for i, wait := range []string{"6s", "7.5s", "10s", "15s", "30s"} {
		s.does("ReadConfigs{}")
		s.answer(Answer{Err: errors.New("too slow")})
		if i == 0 {
			s.does("LeaveGroup")
			s.answer(Answer{})
		}
		s.does("Sleep{" + wait + "}")
	}
	s.does("ReadConfigs{}")
	s.answer(Answer{Err: errors.New("too slow")})
	s.does("Stop{[a 0] false true}", "ReadConfigs{}")
}

// While the coordinator is away a worker keeps its work for one heartbeat interval.
func TestHerderLetsGoWhenTheCoordinatorIsAway(t *testing.T) {
	s := begin(t, "sessioned")
	s.does("Sleep{1ms}", "JoinGroup")
	s.joins(1, given(7, []int32{0}, nil))
	s.does("Start{[a 0]}")
	gone := Answer{Err: errors.New("connection refused")}
	s.h.OnHeartbeat(s.now, s.h.Heartbeat(), gone)
	s.answer(Answer{})
	s.does("Wait{0001-01-01 00:00:00 +0000 UTC}")
	s.now = s.now.Add(3 * time.Second)
	s.answer(Answer{})
	s.does("Stop{[a 0] false true}", "Sleep{1ms}", "JoinGroup")
	s.answer(gone)
	s.does("Sleep{100ms}", "Sleep{1ms}", "JoinGroup")
}
