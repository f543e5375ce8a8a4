package parts

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/scene"
	"regroup/tui/ui"
)

// CostText is a cost in unit-seconds: 5.6, 1,234, 30.6k; known within a range 56-71; at least
// that >20.9; still growing 56-71+; estimated ~60.
func CostText(c group.Cost) string {
	out := UnitSeconds(c.Low)
	switch {
	case c.Open:
		out = ">" + out
	case !c.Exact():
		out = strings.TrimSuffix(Whole(c.Low)+"-"+Whole(c.High), "-")
		if Whole(c.Low) == Whole(c.High) {
			out = Whole(c.Low)
		}
	}
	if c.Estimated {
		out = "~" + out
	}
	if c.Growing {
		out += "+"
	}
	return out
}

// UnitSeconds is a duration summed over units: one decimal below 1,000.
func UnitSeconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 0.05:
		return "0"
	case s < 999.95:
		return fmt.Sprintf("%.1f", s)
	}
	return Whole(d)
}

// Whole is a number of seconds without a fraction, in thousands from 10,000 on.
func Whole(d time.Duration) string {
	n := int(d.Seconds() + 0.5)
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return words.Thousands(n)
}

// GapText is how long a unit stood still: 0.16 s, 3.04 s, 15 s; a range 29-32 s.
func GapText(low, high time.Duration) string {
	one := func(d time.Duration) string {
		if d < 10*time.Second {
			return fmt.Sprintf("%.2f", d.Seconds())
		}
		return strconv.Itoa(int(d.Seconds() + 0.5))
	}
	if a, b := one(low), one(high); a != b && high-low >= 50*time.Millisecond {
		return Whole(low) + "-" + Whole(high) + " s"
	}
	return one(high) + " s"
}

// EagerCost is what eager would have cost in a round, told by how long this group's units take to stop and to start; "" where
// that is not known, or not asked for with e.
func EagerCost(s *scene.Scene, r *group.Round) string {
	if !s.Eager {
		return ""
	}
	low, high := s.Pace.Of(s.Live).EagerCost(r.EagerWouldStop)
	if low <= 0 {
		return ""
	}
	return CostText(group.Cost{Low: low, High: high, Estimated: true})
}

// CostPieces are the line of the round pane that says what the round cost, and what eager would have stopped.
func CostPieces(s *scene.Scene, r *group.Round, narrow bool) []ui.Piece {
	var out []ui.Piece
	if c, ok := s.Live.Cost(r); ok {
		down := " down"
		if c.Growing && !narrow {
			down = " down so far"
		}
		sum := strings.TrimSuffix(CostText(c), "+")
		if c.Open {
			sum = "at least " + strings.TrimPrefix(sum, ">")
		}
		out = append(out, ui.Piece{ui.Text, sum + " unit-s"}, ui.Piece{ui.Muted, down})
	}
	if r.EagerWouldStop > 0 && r.Mode == group.ModeCooperative {
		between := "eager would stop "
		if narrow {
			between = "eager stops "
		}
		if out != nil {
			between = "; " + between
		}
		out = append(out, ui.Piece{ui.Muted, between}, ui.Piece{ui.Text, words.Thousands(r.EagerWouldStop)})
	}
	return out
}

// RoundCost is what a round cost in unit-seconds, "0" where units were touched and none stood still, "" where it touched none.
func RoundCost(s *group.State, r *group.Round) string {
	c, ok := s.CostSaid(r)
	if !ok {
		return ""
	}
	return CostText(c)
}
