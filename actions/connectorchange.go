package actions

import (
	"fmt"
	"strconv"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/rest"
)

// Reconfigure is another configuration of a connector. Whether its tasks' configurations come out as they were is for the
// connector to say: then there is no round.
type Reconfigure struct {
	Connector string
	Tasks     int
}

func (c Reconfigure) ways(b *before) ([]way, error) {
	anew, err := Configure{Connector: c.Connector, Tasks: c.Tasks}.ways(b)
	if err != nil || b.config.Connectors[c.Connector] != c.Tasks {
		return anew, err
	}
	as, err := Configure{Connector: c.Connector, Tasks: c.Tasks, Same: true}.ways(b)
	if err != nil {
		return nil, err
	}
	return []way{
		{name: "its tasks' configurations come out different", play: anew[0].play},
		{name: "its tasks' configurations come out as they were", play: as[0].play},
	}, nil
}

// Rest is a configuration of a connector that does not run: its tasks are made when it is resumed.
type Rest struct{ Connector string }

func (c Rest) ways(*before) ([]way, error) {
	return only(func(s *stage) error {
		if _, err := s.connector(c.Connector); err != nil {
			return err
		}
		s.configure(c.Connector)
		return nil
	})
}

// CreateIdle is a new connector that does not run: its instance is given out, and it makes no tasks before it is resumed.
type CreateIdle struct{ Connector string }

func (c CreateIdle) ways(*before) ([]way, error) {
	return only(func(s *stage) error {
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

// creating is what a new connector means for the group.
func creating(s Spec) Change {
	if s.Initial == rest.InitialPaused || s.Initial == rest.InitialStopped {
		return CreateIdle{s.Name}
	}
	return Create{s.Name, tasksMax(s.Config)}
}

// reconfiguring is what another configuration means for the group, by what its config topic says of the connector.
func reconfiguring(s *group.State, name string, was, now rest.Config) Change {
	if s == nil {
		return nil
	}
	c := liveConfig(s, name)
	if c == nil {
		return Reconfigure{name, tasksMax(now)}
	}
	if c.Target != decode.TargetStarted {
		return Rest{name}
	}
	return Reconfigure{name, tasksAfter(c.Tasks, tasksMax(was), tasksMax(now))}
}

// tasksAfter guesses how many tasks a connector will make: it made as many as it may, or else as many as it has work for.
func tasksAfter(made, most, mostNow int) int {
	if most == mostNow {
		return made
	}
	if made >= most {
		return mostNow
	}
	return min(made, mostNow)
}

// tasksMax is how many tasks a connector may make.
func tasksMax(c rest.Config) int {
	if v := c[keyTasks]; v != nil {
		if n, err := strconv.Atoi(*v); err == nil && n > 0 {
			return n
		}
	}
	return 1
}

// liveConfig is what the config topic says of a living connector; nil for nothing.
func liveConfig(s *group.State, name string) *group.ConnectorConfig {
	if s == nil {
		return nil
	}
	if c := configOf(s, name); c != nil && c.Live {
		return c
	}
	return nil
}
