package assign

import (
	"regroup/decode"
)

// ledger is a set of units in the numbers of some round's index.
type ledger struct {
	ix  *index
	has [kinds][]bool
}

func newLedger(ix *index) *ledger {
	return &ledger{ix: ix, has: [kinds][]bool{make([]bool, ix.size(connectors)), make([]bool, ix.size(tasks))}}
}

// each calls f with every unit of l, in the numbers of ix.
func (l *ledger) each(ix *index, f func(kind int, id int32)) {
	if l == nil {
		return
	}
	to := make([]int32, len(l.ix.names))
	for c := range to {
		to[c] = -1
	}
	here := func(c int32) int32 {
		if to[c] < 0 {
			to[c] = ix.connector(l.ix.names[c])
		}
		return to[c]
	}
	for c, has := range l.has[connectors] {
		if has {
			f(connectors, here(int32(c)))
		}
	}
	for t, has := range l.has[tasks] {
		if has {
			f(tasks, ix.task(here(l.ix.owner[t]), l.ix.number(int32(t))))
		}
	}
}

// units lists what l holds, sorted.
func (l *ledger) units() []decode.Unit {
	var out []decode.Unit
	if l == nil {
		return nil
	}
	l.each(l.ix, func(kind int, id int32) {
		if kind == connectors {
			out = append(out, decode.Unit{Connector: l.ix.names[id], Task: decode.Instance})
		} else {
			out = append(out, decode.Unit{Connector: l.ix.names[l.ix.owner[id]], Task: l.ix.number(id)})
		}
	})
	return decode.SortUnits(out)
}

// Joining is what a worker says when it joins: its subscription, as the leader sees it.
func Joining(id string, s decode.Subscription) Member {
	m := Member{ID: id, URL: s.URL, Offset: s.ConfigOffset}
	if s.Allocation != nil {
		m.Reported = s.Allocation.Assigned
	}
	return m
}

// Report is what a cooperative worker that reported that, and was told this, reports when it joins again: what it was told
// to start before what it keeps, in the order in which it writes them.
func (j Java) Report(reported []decode.Share, told decode.Assignment) []decode.Share {
	if told.Version > 0 && len(told.Assigned) == 0 && len(told.Revoked) == 0 && told.Error == decode.NoError {
		return reported
	}
	stop := make(map[decode.Unit]bool, decode.Count(told.Revoked)+decode.Count(told.Assigned))
	for _, u := range decode.Units(told.Revoked) {
		stop[u] = true
	}
	var names []string
	var units []decode.Unit
	add := func(shares []decode.Share) {
		for _, u := range decode.Units(shares) {
			switch {
			case stop[u]:
			case u.IsInstance():
				names = append(names, u.Connector)
			default:
				units = append(units, u)
			}
			stop[u] = true // once is enough
		}
	}
	add(told.Assigned)
	add(reported)
	return j.Shares(names, units)
}

// Shares writes connectors' instances and tasks in the order of the wire: instances as Java's HashSet of the names iterates,
// tasks in the order given, with their connector's entry where it has one.
func (j Java) Shares(names []string, tasks []decode.Unit) []decode.Share {
	at := make(map[string]int, len(names))
	var out []decode.Share
	add := func(u decode.Unit) {
		i, ok := at[u.Connector]
		if !ok {
			i = len(out)
			at[u.Connector] = i
			out = append(out, decode.Share{Connector: u.Connector})
		}
		out[i].Tasks = append(out[i].Tasks, u.Task)
	}
	for _, n := range j.orderNames(names) {
		add(decode.Unit{Connector: n, Task: decode.Instance})
	}
	for _, u := range tasks {
		add(u)
	}
	return out
}
