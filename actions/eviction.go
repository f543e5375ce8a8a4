package actions

import (
	"slices"
	"strings"

	"regroup/group"
)

// Evict puts a worker out of the group by its member id. It notices at its next heartbeat and comes back with its work in
// hand: before the others have joined, after they have had a round without it, or between that round's decision and its delivery.
// Times: so often, each time once it is back.
type Evict struct {
	Worker string
	Times  int // 0 is 1
}

func (c Evict) ways(b *before) ([]way, error) {
	name := b.name(c.Worker)
	again := func(once func(*stage) error) func(*stage) error {
		return func(s *stage) error {
			for range or(c.Times, 1) {
				if err := once(s); err != nil {
					return err
				}
				s.settle()
			}
			if c.Times > 1 {
				s.doubt("each of the %d evictions may go either way", c.Times)
			}
			return nil
		}
	}
	if len(b.members()) == 1 { // there are no others
		return only(again(func(s *stage) error {
			return s.goes(c.Worker, name+" was put out", heartbeat, true, group.StartTimes{})
		}))
	}
	ways := []way{
		{name: name + " is back before the others have joined", play: again(func(s *stage) error {
			return s.putOut(c.Worker, name+" was put out and is back", func() {})
		})},
		{name: "the others have a round without " + name + " first", play: again(func(s *stage) error {
			return s.goes(c.Worker, name+" was put out", heartbeat, true, group.StartTimes{})
		})},
		{name: name + " is back before the others hear of their round without it", play: again(func(s *stage) error {
			return s.putOut(c.Worker, name+" is back", func() { s.overtaken(name + " was put out") })
		})},
	}
	for _, deaf := range b.mayMissSync(c.Worker) {
		var names []string
		for _, id := range deaf {
			names = append(names, b.name(id))
		}
		ways = append(ways, way{
			name: name + " is back before " + strings.Join(names, ", ") + " hears of the round without it", rare: true, play: again(func(s *stage) error {
				return s.putOut(c.Worker, name+" is back", func() {
					s.round(s.now, name+" was put out")
					for _, id := range deaf {
						s.missedSync(id)
					}
				})
			}),
		})
	}
	return ways, nil
}

// putOut takes a member out, and lets it come back with its work in hand after what happens meanwhile.
func (s *stage) putOut(id, why string, meanwhile func()) error {
	was, err := s.leave(id)
	if err != nil {
		return err
	}
	meanwhile()
	s.back(was, true)
	s.round(s.now, why)
	return nil
}

// mayMissSync lists who may not hear of a round without that worker, while others do: one follower, or all of them. Its leader hears
// of it as soon as it is on record.
func (b *before) mayMissSync(gone string) [][]string {
	var stay []string
	for _, m := range b.members() {
		if m.ID != gone {
			stay = append(stay, m.ID)
		}
	}
	if len(stay) < 2 {
		return nil
	}
	lead := stay[0]
	if b.round.Leader != gone {
		lead = b.round.Leader
	}
	followers := slices.DeleteFunc(stay, func(id string) bool { return id == lead })
	var out [][]string
	for _, id := range followers {
		out = append(out, []string{id})
	}
	if len(followers) > 1 {
		out = append(out, followers)
	}
	return out
}
