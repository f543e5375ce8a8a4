package virtual

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/internal/lab/herder"
)

// reconfigure asks a connector that runs here for its tasks, and has them written when they are not what was last committed: by
// itself when this worker leads, else by the leader.
func (w *worker) reconfigure(name string, attempt int, then func()) {
	c, ok := w.configs().connectors[name]
	if !ok || !c.due() {
		then()
		return
	}
	if w.Leads() {
		w.writeTasks(name, c, then)
		return
	}
	life := w.life
	w.s.sendTasks(w, name, c, func() {
		w.happen(life, func() {
			w.want(herder.ReconfigureBackoff(attempt), func(then func()) { w.reconfigure(name, attempt+1, then) })
		})
	})
	then()
}

// writeTasks writes a connector's tasks, and then that they are all of them.
func (w *worker) writeTasks(name string, c connector, then func()) {
	commit := func() {
		w.write([]decode.ConfigRecord{commitRecord(name, c.max)}, commitTasks(name, c.max, c.edits), then)
	}
	if c.max == 0 {
		commit()
		return
	}
	w.write(taskRecords(name, c.max), nothing, commit)
}

// sendTasks hands a connector's tasks to the leader that a worker knows of.
func (s *Sim) sendTasks(from *worker, name string, c connector, failed func()) {
	leader := s.leaderOf(from)
	if leader == nil || from.Protocol == decode.ProtocolSessioned && leader.KeyCreated().IsZero() {
		failed()
		return
	}
	leader.want(0, func(then func()) {
		if _, ok := leader.configs().connectors[name]; !ok || !leader.Leads() {
			s.at(0, failed)
			then()
			return
		}
		leader.writeTasks(name, c, then)
	})
}

// leaderOf is the process that a worker takes for the leader; nil when it knows none or that is gone.
func (s *Sim) leaderOf(w *worker) *worker {
	url := w.LeaderURL()
	for _, l := range s.fleet {
		if l.url() == url && l.alive {
			return l
		}
	}
	return nil
}

// callFor is how long a caller goes on trying.
const callFor = time.Minute

// call has the leader do something, as a call of the REST interface has: by way of a worker that is up, and again when it is
// refused.
func (s *Sim) call(what string, do func(leader *worker, then func())) error {
	served := false
	var try func(n int)
	try = func(n int) {
		again := func() { s.at(callAgain, func() { try(n + 1) }) }
		var up []*worker
		for _, w := range s.fleet {
			if w.alive && w.booted && !w.frozen {
				up = append(up, w)
			}
		}
		if len(up) == 0 {
			again()
			return
		}
		first := up[n%len(up)]
		first.want(0, func(then func()) {
			if first.Leads() {
				served = true
				do(first, then)
				return
			}
			then()
			leader := s.leaderOf(first)
			if leader == nil {
				again()
				return
			}
			leader.want(0, func(then func()) {
				if !leader.Leads() {
					again()
					then()
					return
				}
				served = true
				do(leader, then)
			})
		})
	}
	try(0)
	return s.until(func() bool { return served }, callFor, what)
}

// put creates a connector, or changes its config.
func (s *Sim) put(name string, change func(was connector, there bool) (connector, error)) error {
	var fault error
	err := s.call("connector "+name, func(leader *worker, then func()) {
		was, there := leader.configs().connectors[name]
		c, err := change(was, there)
		if fault = err; err != nil {
			then()
			return
		}
		leader.write([]decode.ConfigRecord{connectorRecord(name, c)}, putConnector(name, c), then)
	})
	if err == nil {
		err = fault
	}
	return err
}

func (s *Sim) remove(name string) error {
	found := true
	err := s.call("connector "+name, func(leader *worker, then func()) {
		if _, found = leader.configs().connectors[name]; !found {
			then()
			return
		}
		leader.write([]decode.ConfigRecord{
			{Kind: decode.ConfigConnector, Key: "connector-" + name, Connector: name, Deleted: true},
			{Kind: decode.ConfigTargetState, Key: "target-state-" + name, Connector: name, Deleted: true},
		}, deleteConnector(name), then)
	})
	if err == nil && !found {
		err = fmt.Errorf("there is no connector %s", name)
	}
	return err
}
