package herder

import "regroup/decode"

// work is what a herder remembers of the units that it started.
type work struct {
	// resolved: the last assignment has been acted on.
	resolved bool

	running map[decode.Unit]bool // started for the present assignment; empty under eager
	restart map[decode.Unit]bool // stopped here because their configs changed
}

// newWork is that of a new process.
func newWork() work {
	return work{resolved: true, running: map[decode.Unit]bool{}, restart: map[decode.Unit]bool{}}
}

// start is what a worker starts of what it is assigned: what does not run, and what was stopped for its new configuration.
func (w *work) start(assigned []decode.Unit, protocol string) []decode.Unit {
	for u := range w.restart {
		delete(w.running, u)
	}
	clear(w.restart)
	var out []decode.Unit
	for _, u := range assigned {
		if !w.running[u] {
			out = append(out, u)
		}
	}
	clear(w.running)
	if protocol == decode.ProtocolEager {
		return out
	}
	for _, u := range assigned {
		w.running[u] = true
	}
	return out
}

// stop is what a worker stops of what is taken from it. Nothing was started for an eager assignment that was never acted on.
func (w *work) stop(units []decode.Unit, protocol string) []decode.Unit {
	if !w.resolved && protocol == decode.ProtocolEager {
		return nil
	}
	return units
}

// stopped notes that units have stopped.
func (w *work) stopped(units []decode.Unit) {
	for _, u := range units {
		delete(w.running, u)
	}
}

// recommitted is what a worker stops when tasks were committed: its tasks of those connectors. Those still assigned start after the
// rebalance that follows.
func (w *work) recommitted(mine []decode.Unit, connectors map[string]bool) []decode.Unit {
	var out []decode.Unit
	for _, u := range mine {
		if !u.IsInstance() && connectors[u.Connector] {
			out = append(out, u)
			w.restart[u] = true
		}
	}
	return out
}

// units lists what runs for the present assignment.
func (w *work) units() []decode.Unit {
	out := make([]decode.Unit, 0, len(w.running))
	for u := range w.running {
		out = append(out, u)
	}
	return decode.SortUnits(out)
}

// letGo forgets all of it.
func (w *work) letGo() { clear(w.running) }
