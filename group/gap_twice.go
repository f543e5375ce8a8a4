package group

import "slices"

// ranOn says whether a unit that a round took from several workers went on running on one of them all the while: the others stopped it, and
// that one joined the next round before it had heard, and reports it still (seen on 4.3.1 when a frozen worker goes on).
func (f *gapFinder) ranOn(i int, unit int32) bool {
	if i+1 >= len(f.rounds) {
		return false
	}
	var told []int32
	for _, p := range f.rounds[i].store.revoked {
		if slices.Contains(p.units, unit) {
			told = append(told, p.worker)
		}
	}
	if len(told) < 2 {
		return false
	}
	reported := f.reported(i + 1)
	return slices.ContainsFunc(told, func(worker int32) bool { return slices.Contains(reported[worker], unit) })
}
