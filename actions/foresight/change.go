package foresight

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/assign"
	"regroup/internal/words"
)

// Change is something that happens to a group, whoever brings it about. What follows from it may depend on who is quicker:
// then it has several ways to go.
type Change interface {
	// ways lists how it may go, the likeliest first.
	branches(b *before) ([]branch, error)
}

// way is one course of events.
type branch struct {
	name string // "": it is the only one
	play func(*simulation) error
	// rare ways are not told beforehand; what came is held against them where no other way fits.
	rare bool
}

func only(play func(*simulation) error) ([]branch, error) { return []branch{{play: play}}, nil }

// Stop is a worker's polite end: it stops its work and leaves. Back: after that long a new process of the same name and URL
// comes; 0: none does.
type Stop struct {
	Worker string // member id
	Back   time.Duration
	Starts group.StartTimes // how long the new process takes until it joins; zero: it joins at once
}

func (c Stop) branches(b *before) ([]branch, error) {
	return only(func(s *simulation) error {
		return s.goes(c.Worker, b.name(c.Worker)+" leaves", c.Back, false, c.Starts)
	})
}

// Crash is a worker's end without a word: the group notices when its session is over. Back as in Stop, counted from the crash.
type Crash struct {
	Worker string
	Back   time.Duration
}

func (c Crash) branches(b *before) ([]branch, error) {
	session, name := b.session(c.Worker), b.name(c.Worker)
	if c.Back > 0 && c.Back < session {
		return only(func(s *simulation) error {
			s.silence(c.Worker, 0)
			// The new process joins while the old member counts still: the join waits until that one's session is over.
			s.outlast(session)
			was, err := s.leave(c.Worker)
			if err != nil {
				return err
			}
			s.back(was, false)
			s.round(s.now, name+"'s session is over, and a new process of it is there")
			return nil
		})
	}
	return only(func(s *simulation) error {
		s.silence(c.Worker, 0)
		s.outlast(session)
		return s.goes(c.Worker, name+"'s session is over", max(0, c.Back-session), false, group.StartTimes{})
	})
}

// Die is a Crash that nobody has noticed yet: what happens next begins before the group does.
type Die struct{ Worker string }

func (c Die) branches(b *before) ([]branch, error) {
	return only(func(s *simulation) error {
		s.silence(c.Worker, 0)
		s.dying = append(s.dying, death{s.newest(c.Worker), b.name(c.Worker), s.now + b.session(c.Worker).Milliseconds()})
		return nil
	})
}

// Heartbeat is Connect's default heartbeat.interval.ms: within it a worker notices that something has changed.
const Heartbeat = 3 * time.Second

// Freeze holds a worker's process up: it says nothing for that long, and then goes on as if nothing had been.
type Freeze struct {
	Worker string
	For    time.Duration
}

func (c Freeze) branches(b *before) ([]branch, error) {
	session, name := b.session(c.Worker), b.name(c.Worker)
	play := func(s *simulation) error {
		if c.For < session {
			s.warn("what %s holds stands still for %s, and nobody notices: its session lasts %s", name, c.For, session)
			return nil
		}
		s.silence(c.Worker, c.For)
		s.outlast(session)
		return s.goes(c.Worker, name+"'s session is over", max(time.Millisecond, c.For-session), true, group.StartTimes{})
	}
	return []branch{
		{play: play},
		{name: "the others join again before " + name + " hears that it is to give up its units", play: func(s *simulation) error {
			if err := play(s); err != nil {
				return err
			}
			s.missedSync(c.Worker)
			return nil
		}},
	}, nil
}

// outlast lets a silent member's session pass. It counts from its last heartbeat, which was up to one interval ago.
func (s *simulation) outlast(session time.Duration) {
	s.wait(session)
	s.early += Heartbeat
}

// goes lets a member leave, and come back after a while: kept, with its work in hand.
func (s *simulation) goes(id, why string, back time.Duration, kept bool, starts group.StartTimes) error {
	was, err := s.leave(id)
	if err != nil {
		return err
	}
	client := s.identities[was.ID].client
	if n := s.nowhere(); n > 0 {
		switch {
		case kept:
			s.warn("%s is the last worker: the group is empty until it is back", client)
		case back > 0:
			s.warn("%s is the last worker: %s nowhere until it is back", client, run(n))
		default:
			s.warn("%s is the last worker: %s nowhere until a worker joins", client, run(n))
		}
	}
	s.round(s.now, why)
	if back <= 0 {
		return nil
	}
	s.wait(back)
	if kept { // it wakes when it does, whenever its session was over
		s.early, s.late = 0, 0
	}
	s.start(client, starts, false)
	if s.next == assign.StepExpiry && s.due-s.now < Heartbeat.Milliseconds() {
		s.caveat("the delay ends within a heartbeat of %s's return: who waits may get its work in the same round", client)
	}
	s.back(was, kept)
	s.round(s.now, client+" is back")
	return nil
}

// nowhere counts the configured units where nobody is left to run them.
func (s *simulation) nowhere() int {
	if len(s.req.Members) > 0 {
		return 0
	}
	n := len(s.req.Config.Connectors)
	for _, tasks := range s.req.Config.Connectors {
		n += tasks
	}
	return n
}

func run(n int) string {
	if n == 1 {
		return "1 unit runs"
	}
	return words.Count(n, "unit") + " run"
}

// Join is a new worker's coming.
type Join struct {
	Client string // its client id; "": not known
	URL    string
	// Eager: it knows protocol default alone, and takes the whole group there.
	Eager bool
	// Starts is how long its process takes until it joins; zero: it joins at once.
	Starts group.StartTimes
}

func (c Join) branches(b *before) ([]branch, error) {
	in := func(after bool) func(*simulation) error {
		return func(s *simulation) error {
			s.start(cmp.Or(c.Client, "new-worker"), c.Starts, after)
			p := identity{client: c.Client, url: c.URL, session: DefaultSession}
			if p.client == "" {
				p.client = "new-worker"
			}
			s.join(p, assign.Member{URL: c.URL, Offset: s.req.Config.Offset})
			why := p.client + " joins"
			if c.Eager && s.req.Protocol != decode.ProtocolEager {
				s.req.Protocol = decode.ProtocolEager
				why += ", which knows eager alone"
			}
			s.round(s.now, why)
			return nil
		}
	}
	d := b.s.Delay
	if d == nil || d.Remaining <= c.Starts.Low || d.Remaining >= c.Starts.High {
		return only(in(false))
	}
	out := []branch{{name: "it is in the group before the delay is over", play: in(false)}, {name: "it is in the group only after the delay", play: in(true)}}
	if d.Remaining < (c.Starts.Low+c.Starts.High)/2 {
		slices.Reverse(out)
	}
	return out, nil
}

// start lets a worker's process start. A delay may end meanwhile: after says that it does.
func (s *simulation) start(name string, takes group.StartTimes, after bool) {
	low, high := takes.Low, takes.High
	if high > 0 && !takes.Known() {
		s.caveat("how long a worker takes to start here was not seen yet: %s to %s is assumed", low, high)
	}
	if s.next == assign.StepExpiry {
		switch due := time.Duration(s.due-s.now) * time.Millisecond; {
		case due <= low || due >= high:
		case after:
			low = due
		default:
			s.caveat("%s may take longer to start than the delay lasts: then its end gives out what waits first", decode.Printable(name))
			high = due
		}
	}
	s.wait(low)
	s.late += high - low
}

// Evict puts a worker out of the group by its member id. It notices at its next heartbeat and comes back with its work in
// hand: before the others have joined, after they have had a round without it, or between that round's decision and its delivery.
// Times: so often, each time once it is back.
type Evict struct {
	Worker string
	Times  int // 0 is 1
}

func (c Evict) branches(b *before) ([]branch, error) {
	name := b.name(c.Worker)
	again := func(once func(*simulation) error) func(*simulation) error {
		return func(s *simulation) error {
			for range cmp.Or(c.Times, 1) {
				if err := once(s); err != nil {
					return err
				}
				s.settle()
			}
			if c.Times > 1 {
				s.caveat("each of the %d evictions may go either way", c.Times)
			}
			return nil
		}
	}
	if len(b.members()) == 1 { // there are no others
		return only(again(func(s *simulation) error {
			return s.goes(c.Worker, name+" was put out", Heartbeat, true, group.StartTimes{})
		}))
	}
	ways := []branch{
		{name: name + " is back before the others have joined", play: again(func(s *simulation) error {
			return s.putOut(c.Worker, name+" was put out and is back", func() {})
		})},
		{name: "the others have a round without " + name + " first", play: again(func(s *simulation) error {
			return s.goes(c.Worker, name+" was put out", Heartbeat, true, group.StartTimes{})
		})},
		{name: name + " is back before the others hear of their round without it", play: again(func(s *simulation) error {
			return s.putOut(c.Worker, name+" is back", func() { s.overtaken(name + " was put out") })
		})},
	}
	for _, deaf := range b.mayMissSync(c.Worker) {
		var names []string
		for _, id := range deaf {
			names = append(names, b.name(id))
		}
		ways = append(ways, branch{
			name: name + " is back before " + strings.Join(names, ", ") + " hears of the round without it", rare: true, play: again(func(s *simulation) error {
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
func (s *simulation) putOut(id, why string, meanwhile func()) error {
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
