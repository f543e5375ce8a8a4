package actions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"regroup/group"
)

// Unsettled says what keeps a group from being settled; "" when nothing does: its last round was its last, and every unit
// runs, or does not on purpose.
func Unsettled(s *group.State) string {
	r := s.Round()
	switch {
	case r == nil:
		return "no round of it was seen"
	case r.Provisional:
		return "its config topic is still being read"
	case s.Phase != "" && s.Phase != "Stable" && s.Phase != "Empty":
		return "the group is " + s.Phase
	case r.Empty():
		return ""
	case r.Error != 0:
		return fmt.Sprintf("round %d decided nothing", r.Generation)
	case s.Delay != nil:
		return fmt.Sprintf("%d units wait for a delay, %s more", s.Delay.Units, group.WholeSeconds(s.Delay.Remaining))
	case !r.Settled:
		return fmt.Sprintf("round %d is not the last", r.Generation)
	}
	if n, first := moving(s); n > 0 {
		return fmt.Sprintf("%d units are not where they belong yet, %s %s among them", n, first.Unit, first.State)
	}
	return ""
}

// moving counts the units that are on their way: others may have failed, which no waiting mends.
func moving(s *group.State) (n int, first group.UnitState) {
	for _, u := range s.Units {
		switch u.State {
		case group.UnitStopping, group.UnitReleased, group.UnitDelayed, group.UnitRestarting, group.UnitStarting:
			if n++; n == 1 {
				first = u
			}
		}
	}
	return n, first
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
const quiet = heartbeat

// late words a wait that ran into its limit; another end keeps its own words.
func late(ctx context.Context, err error, limit time.Duration, s *group.State) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	now := ""
	if s != nil {
		now = Unsettled(s)
	}
	return &Late{"the group to settle", limit, now}
}
