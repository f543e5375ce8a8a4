package foresight

import (
	"time"

	"regroup/decode"
	"regroup/group/assign"
)

// Sequence is several changes one after the other, each going the likeliest way.
type Sequence []Then

// Then is one change of a Sequence.
type Then struct {
	Change Change
	After  time.Duration // passes before it
	Hasty  bool          // the next one does not wait until the group is settled
}

func (c Sequence) branches(b *before) ([]branch, error) {
	var plays []func(*simulation) error
	for _, then := range c {
		ways, err := then.Change.branches(b)
		if err != nil {
			return nil, err
		}
		plays = append(plays, ways[0].play)
	}
	return only(func(s *simulation) error {
		for i, play := range plays {
			if s.wait(c[i].After); i > 0 { // what comes meanwhile is counted with the change before
				s.marks[i-1] = len(s.played)
			}
			if err := play(s); err != nil {
				return err
			}
			if !c[i].Hasty {
				s.settle()
			}
			s.marks = append(s.marks, len(s.played))
		}
		return nil
	})
}

// Visit is a worker's coming, and its leaving once the group has settled.
type Visit struct {
	Client string
	Eager  bool
	For    time.Duration // it stays so long; 0: until it is told to leave
	Idle   bool          // what it holds it does not run
}

func (c Visit) branches(*before) ([]branch, error) {
	return only(func(s *simulation) error {
		was := s.req.Protocol
		id := s.join(identity{client: c.Client, session: DefaultSession}, assign.Member{Offset: s.req.Config.Offset})
		if c.Eager {
			s.req.Protocol = decode.ProtocolEager
		}
		begun := s.now
		s.round(s.now, c.Client+" joins")
		s.settle()
		if c.For > 0 {
			s.wait(c.For - time.Duration(s.now-begun)*time.Millisecond)
		} else {
			s.caveat("%s leaves when it is told to: what comes then counts from then", decode.Printable(c.Client))
		}
		if c.Idle {
			s.warn("what %s holds stands still until it has left: that is not in the cost", decode.Printable(c.Client))
			s.idle[id] = true
		}
		if _, err := s.leave(id); err != nil {
			return err
		}
		if !s.eager {
			s.req.Protocol = was
		}
		s.round(s.now, c.Client+" leaves")
		return nil
	})
}
