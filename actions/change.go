package actions

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/assign"
)

// Change is something that happens to a group, whoever brings it about. What follows from it may depend on who is quicker:
// then it has several ways to go.
type Change interface {
	// ways lists how it may go, the likeliest first.
	ways(b *before) ([]way, error)
}

// way is one course of events.
type way struct {
	name string // "": it is the only one
	play func(*stage) error
	// rare ways are not told beforehand; what came is held against them where no other way fits.
	rare bool
}

func only(play func(*stage) error) ([]way, error) { return []way{{play: play}}, nil }

// Stop is a worker's polite end: it stops its work and leaves. Back: after that long a new process of the same name and URL
// comes; 0: none does.
type Stop struct {
	Worker string // member id
	Back   time.Duration
	Starts group.StartTimes // how long the new process takes until it joins; zero: it joins at once
}

func (c Stop) ways(b *before) ([]way, error) {
	return only(func(s *stage) error {
		return s.goes(c.Worker, b.name(c.Worker)+" leaves", c.Back, false, c.Starts)
	})
}

// Crash is a worker's end without a word: the group notices when its session is over. Back as in Stop, counted from the crash.
type Crash struct {
	Worker string
	Back   time.Duration
}

func (c Crash) ways(b *before) ([]way, error) {
	session, name := b.session(c.Worker), b.name(c.Worker)
	if c.Back > 0 && c.Back < session {
		return only(func(s *stage) error {
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
	return only(func(s *stage) error {
		s.silence(c.Worker, 0)
		s.outlast(session)
		return s.goes(c.Worker, name+"'s session is over", max(0, c.Back-session), false, group.StartTimes{})
	})
}

// Die is a Crash that nobody has noticed yet: what happens next begins before the group does.
type Die struct{ Worker string }

func (c Die) ways(b *before) ([]way, error) {
	return only(func(s *stage) error {
		s.silence(c.Worker, 0)
		s.dying = append(s.dying, death{s.newest(c.Worker), b.name(c.Worker), s.now + b.session(c.Worker).Milliseconds()})
		return nil
	})
}

// heartbeat is Connect's default heartbeat.interval.ms: within it a worker notices that something has changed.
const heartbeat = 3 * time.Second

// Freeze holds a worker's process up: it says nothing for that long, and then goes on as if nothing had been.
type Freeze struct {
	Worker string
	For    time.Duration
}

func (c Freeze) ways(b *before) ([]way, error) {
	session, name := b.session(c.Worker), b.name(c.Worker)
	play := func(s *stage) error {
		if c.For < session {
			s.warn("what %s holds stands still for %s, and nobody notices: its session lasts %s", name, c.For, session)
			return nil
		}
		s.silence(c.Worker, c.For)
		s.outlast(session)
		return s.goes(c.Worker, name+"'s session is over", max(time.Millisecond, c.For-session), true, group.StartTimes{})
	}
	return []way{
		{play: play},
		{name: "the others join again before " + name + " hears that it is to give up its units", play: func(s *stage) error {
			if err := play(s); err != nil {
				return err
			}
			s.missedSync(c.Worker)
			return nil
		}},
	}, nil
}

// outlast lets a silent member's session pass. It counts from its last heartbeat, which was up to one interval ago.
func (s *stage) outlast(session time.Duration) {
	s.wait(session)
	s.early += heartbeat
}

// goes lets a member leave, and come back after a while: kept, with its work in hand.
func (s *stage) goes(id, why string, back time.Duration, kept bool, starts group.StartTimes) error {
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
	if s.next == assign.StepExpiry && s.due-s.now < heartbeat.Milliseconds() {
		s.doubt("the delay ends within a heartbeat of %s's return: who waits may get its work in the same round", client)
	}
	s.back(was, kept)
	s.round(s.now, client+" is back")
	return nil
}

// nowhere counts the configured units where nobody is left to run them.
func (s *stage) nowhere() int {
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
	return units(n) + " run"
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

func (c Join) ways(b *before) ([]way, error) {
	in := func(after bool) func(*stage) error {
		return func(s *stage) error {
			s.start(or(c.Client, "new-worker"), c.Starts, after)
			p := identity{client: c.Client, url: c.URL, session: defaultSession}
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
	out := []way{{name: "it is in the group before the delay is over", play: in(false)}, {name: "it is in the group only after the delay", play: in(true)}}
	if d.Remaining < (c.Starts.Low+c.Starts.High)/2 {
		slices.Reverse(out)
	}
	return out, nil
}

// start lets a worker's process start. A delay may end meanwhile: after says that it does.
func (s *stage) start(name string, takes group.StartTimes, after bool) {
	low, high := takes.Low, takes.High
	if high > 0 && !takes.Known() {
		s.doubt("how long a worker takes to start here was not seen yet: %s to %s is assumed", low, high)
	}
	if s.next == assign.StepExpiry {
		switch due := time.Duration(s.due-s.now) * time.Millisecond; {
		case due <= low || due >= high:
		case after:
			low = due
		default:
			s.doubt("%s may take longer to start than the delay lasts: then its end gives out what waits first", decode.Printable(name))
			high = due
		}
	}
	s.wait(low)
	s.late += high - low
}

// Create is a new connector: first its instance is given out, then the tasks that it makes.
type Create struct {
	Connector string
	Tasks     int
}

func (c Create) ways(*before) ([]way, error) {
	return only(func(s *stage) error {
		if _, there := s.req.Config.Connectors[c.Connector]; there {
			return fmt.Errorf("connector %q: it is there already", decode.Printable(c.Connector))
		}
		s.configure(c.Connector)
		s.tasks(c.Connector, 0)
		s.round(s.now, c.Connector+" is created")
		s.wait(0)
		s.commit(c.Connector, c.Tasks)
		s.round(s.now, c.Connector+" has made "+tasksText(c.Tasks))
		s.doubt("how many tasks %s makes is its own affair: tasks.max is %d", decode.Printable(c.Connector), c.Tasks)
		return nil
	})
}

// Configure is a new configuration of a connector that is there, after which it has that many tasks.
type Configure struct {
	Connector string
	Tasks     int
	// Same: its tasks' configurations come out as they were. Then only the instance restarts, and there is no round.
	Same bool
}

func (c Configure) ways(*before) ([]way, error) {
	return only(func(s *stage) error {
		was, err := s.connector(c.Connector)
		if err != nil {
			return err
		}
		s.configure(c.Connector)
		if c.Same {
			return nil
		}
		s.commit(c.Connector, c.Tasks)
		if c.Tasks == was {
			s.round(s.now, c.Connector+"'s tasks are configured anew")
			return nil
		}
		s.round(s.now, fmt.Sprintf("%s has %s, was %d", c.Connector, several(c.Tasks, "task"), was))
		s.doubt("how many tasks %s makes is its own affair: tasks.max is %d", decode.Printable(c.Connector), c.Tasks)
		return nil
	})
}

// Delete takes a connector away.
type Delete struct{ Connector string }

func (c Delete) ways(*before) ([]way, error) {
	return only(func(s *stage) error {
		if _, err := s.connector(c.Connector); err != nil {
			return err
		}
		s.remove(c.Connector)
		s.round(s.now, c.Connector+" is deleted")
		return nil
	})
}

// Halt stops a connector: its instance stays and its tasks go. Resume gives it tasks again.
type Halt struct{ Connector string }

func (c Halt) ways(*before) ([]way, error) {
	return only(func(s *stage) error {
		if _, err := s.connector(c.Connector); err != nil {
			return err
		}
		s.skip(1) // the target state
		s.commit(c.Connector, 0)
		s.round(s.now, c.Connector+" is stopped")
		return nil
	})
}

// Resume lets a stopped connector have that many tasks again. A paused one is not given out anew: nothing to foresee.
type Resume struct {
	Connector string
	Tasks     int
}

func (c Resume) ways(*before) ([]way, error) {
	return only(func(s *stage) error {
		if _, err := s.connector(c.Connector); err != nil {
			return err
		}
		s.skip(1)
		s.commit(c.Connector, c.Tasks)
		s.round(s.now, c.Connector+" is resumed")
		return nil
	})
}

// tasksText counts tasks.
func tasksText(n int) string {
	if n == 1 {
		return "1 task"
	}
	return strconv.Itoa(n) + " tasks"
}
