package group

// duplicates is what two or more members report.
func (l *ledger) duplicates(rec *record) []int32 {
	l.tick++
	seen := l.tick
	l.tick++
	again := l.tick
	var dups []int32
	for i := range rec.members {
		for _, u := range rec.members[i].reported {
			switch l.stamp[u] {
			case seen:
				l.stamp[u] = again
				dups = append(dups, u)
			case again:
			default:
				l.stamp[u] = seen
			}
		}
	}
	return dups
}

// twice counts the units that start although the worker which ran them is here and was not told to stop (KAFKA-13816).
func (l *ledger) twice(rec *record, p *parts) int {
	n := 0
	present := map[int32]bool{}
	for i := range rec.members {
		present[rec.members[i].worker] = true
	}
	carrier := map[int32]int32{}
	for w, units := range l.held {
		if present[w] {
			for _, u := range units {
				carrier[u] = w
			}
		}
	}
	for i := range rec.members {
		for _, u := range p.each[i].held {
			if w, ok := carrier[u]; ok && w != rec.members[i].worker {
				n++
			}
		}
	}
	return n
}
