package foresight

import (
	"fmt"
	"strconv"

	"regroup/decode"
	"regroup/internal/words"
)

// Create is a new connector: first its instance is given out, then the tasks that it makes.
type Create struct {
	Connector string
	Tasks     int
}

func (c Create) branches(*before) ([]branch, error) {
	return only(func(s *simulation) error {
		if _, there := s.req.Config.Connectors[c.Connector]; there {
			return fmt.Errorf("connector %q: it is there already", decode.Printable(c.Connector))
		}
		s.configure(c.Connector)
		s.tasks(c.Connector, 0)
		s.round(s.now, c.Connector+" is created")
		s.wait(0)
		s.commit(c.Connector, c.Tasks)
		s.round(s.now, c.Connector+" has made "+tasksText(c.Tasks))
		s.caveat("how many tasks %s makes is its own affair: tasks.max is %d", decode.Printable(c.Connector), c.Tasks)
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

func (c Configure) branches(*before) ([]branch, error) {
	return only(func(s *simulation) error {
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
		s.round(s.now, fmt.Sprintf("%s has %s, was %d", c.Connector, words.Count(c.Tasks, "task"), was))
		s.caveat("how many tasks %s makes is its own affair: tasks.max is %d", decode.Printable(c.Connector), c.Tasks)
		return nil
	})
}

// Delete takes a connector away.
type Delete struct{ Connector string }

func (c Delete) branches(*before) ([]branch, error) {
	return only(func(s *simulation) error {
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

func (c Halt) branches(*before) ([]branch, error) {
	return only(func(s *simulation) error {
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

func (c Resume) branches(*before) ([]branch, error) {
	return only(func(s *simulation) error {
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

// Reconfigure is another configuration of a connector. Whether its tasks' configurations come out as they were is for the
// connector to say: then there is no round.
type Reconfigure struct {
	Connector string
	Tasks     int
}

func (c Reconfigure) branches(b *before) ([]branch, error) {
	anew, err := Configure{Connector: c.Connector, Tasks: c.Tasks}.branches(b)
	if err != nil || b.config.Connectors[c.Connector] != c.Tasks {
		return anew, err
	}
	as, err := Configure{Connector: c.Connector, Tasks: c.Tasks, Same: true}.branches(b)
	if err != nil {
		return nil, err
	}
	return []branch{
		{name: "its tasks' configurations come out different", play: anew[0].play},
		{name: "its tasks' configurations come out as they were", play: as[0].play},
	}, nil
}

// Rest is a configuration of a connector that does not run: its tasks are made when it is resumed.
type Rest struct{ Connector string }

func (c Rest) branches(*before) ([]branch, error) {
	return only(func(s *simulation) error {
		if _, err := s.connector(c.Connector); err != nil {
			return err
		}
		s.configure(c.Connector)
		return nil
	})
}

// CreateIdle is a new connector that does not run: its instance is given out, and it makes no tasks before it is resumed.
type CreateIdle struct{ Connector string }

func (c CreateIdle) branches(*before) ([]branch, error) {
	return only(func(s *simulation) error {
		if _, err := s.connector(c.Connector); err == nil {
			return fmt.Errorf("connector %q: it is there already", decode.Printable(c.Connector))
		}
		s.skip(1) // the target state comes first
		s.configure(c.Connector)
		s.tasks(c.Connector, 0)
		s.round(s.now, c.Connector+" is created, and does not run")
		return nil
	})
}
