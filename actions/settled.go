package actions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"regroup/actions/foresight"
	"regroup/group"
)

// Unsettled says what keeps a group from being settled; "" when nothing does: its last round was its last, and every unit
// runs, or does not on purpose, or has failed.
func Unsettled(s *group.State) string {
	if why := s.Unsettled(); len(why) > 0 {
		return why[0]
	}
	r := s.Round()
	if at := s.Moving(); len(at) > 0 && !r.Empty() {
		first := &s.Units[at[0]]
		return fmt.Sprintf("%s on the way, %s %s among them", foresight.Several(len(at), "unit"), first.Unit, first.State)
	}
	return ""
}

// Since are the rounds after the one with that Seq, with their lists.
func Since(s *group.State, seq int) []*group.Detail {
	var out []*group.Detail
	for i, r := range s.Rounds {
		if r.Seq > seq && i <= s.At {
			out = append(out, s.Detail(i))
		}
	}
	return out
}

// Newest is the Seq of the group's newest round, -1 before any.
func Newest(s *group.State) int {
	if r := s.Round(); r != nil {
		return r.Seq
	}
	return -1
}

// quiet is for how long a group has to stay settled: what follows a change comes within a heartbeat.
const quiet = foresight.Heartbeat

// late words a wait that ran into its limit; another end keeps its own words.
func late(ctx context.Context, err error, limit time.Duration, s *group.State) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	now := ""
	if s != nil {
		now = Unsettled(s)
	}
	return &WaitTimeoutError{"the group to settle", limit, now}
}
