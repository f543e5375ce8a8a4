package assign

import "regroup/decode"

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
