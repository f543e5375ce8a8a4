package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"regroup/group"
)

// costText is a cost in unit-seconds: 5.6, 1,234, 30.6k; known within a range 56-71; at least
// that >20.9; still growing 56-71+; estimated ~60.
func costText(c group.Cost) string {
	out := unitSeconds(c.Low)
	switch {
	case c.Open:
		out = ">" + out
	case !c.Exact():
		out = strings.TrimSuffix(whole(c.Low)+"-"+whole(c.High), "-")
		if whole(c.Low) == whole(c.High) {
			out = whole(c.Low)
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

func unitSeconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 0.05:
		return "0"
	case s < 999.95:
		return fmt.Sprintf("%.1f", s)
	}
	return whole(d)
}

// whole is a number of seconds without a fraction, in thousands from 10,000 on.
func whole(d time.Duration) string {
	n := int(d.Seconds() + 0.5)
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return count(n)
}

// gapText is how long a unit stood still: 0.16 s, 3.04 s, 15 s; a range 29-32 s.
func gapText(low, high time.Duration) string {
	one := func(d time.Duration) string {
		if d < 10*time.Second {
			return fmt.Sprintf("%.2f", d.Seconds())
		}
		return strconv.Itoa(int(d.Seconds() + 0.5))
	}
	if a, b := one(low), one(high); a != b && high-low >= 50*time.Millisecond {
		return whole(low) + "-" + whole(high) + " s"
	}
	return one(high) + " s"
}

// cost is what a round cost, in words, or nothing. It is told from now, also when standing on a past round: a cost is known
// when its last unit runs again.
func (s *scene) cost(r *group.Round) string {
	return RoundCost(s.live, r)
}

// eagerCost is what eager would have cost in a round, told by how long this group's units take to stop and to start; "" where
// that is not known, or not asked for with e.
func (s *scene) eagerCost(r *group.Round) string {
	if !s.eager {
		return ""
	}
	low, high := s.memo.pace.of(s.live).EagerCost(r.EagerWouldStop)
	if low <= 0 {
		return ""
	}
	return costText(group.Cost{Low: low, High: high, Estimated: true})
}

// paceMemo keeps how long units take to stop and to start: a median over many rounds, which a few more change little.
type paceMemo struct {
	group string
	at    time.Time
	pace  group.Pace
}

const paceFor = 10 * time.Second

func (m *paceMemo) of(s *group.State) group.Pace {
	if m.group != s.Group || s.Now.Sub(m.at).Abs() >= paceFor {
		m.group, m.at, m.pace = s.Group, s.Now, s.Pace()
	}
	return m.pace
}

// costPieces are the line of the round pane that says what the round cost, and what eager would have stopped.
func costPieces(s *scene, r *group.Round, narrow bool) []piece {
	var out []piece
	if c, ok := s.live.Cost(r); ok {
		down := " down"
		if c.Growing && !narrow {
			down = " down so far"
		}
		sum := strings.TrimSuffix(costText(c), "+")
		if c.Open {
			sum = "at least " + strings.TrimPrefix(sum, ">")
		}
		out = append(out, piece{text, sum + " unit-s"}, piece{muted, down})
	}
	if r.EagerWouldStop > 0 && r.Mode == group.ModeCooperative {
		between := "eager would stop "
		if narrow {
			between = "eager stops "
		}
		if out != nil {
			between = "; " + between
		}
		out = append(out, piece{muted, between}, piece{text, count(r.EagerWouldStop)})
	}
	return out
}
