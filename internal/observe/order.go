package observe

import (
	"cmp"
	"slices"
)

// inOffsetOrder puts the records of each partition in its own order, in the places which that partition has in the file. A
// file is written in the order of time stamps, and two workers' clocks, or two records of one millisecond, may disagree
// with the partition.
func inOffsetOrder(lines []line) {
	type partition struct {
		topic  string
		number int32
	}
	places := map[partition][]int{}
	for i := range lines {
		if l := &lines[i]; l.Topic != nil {
			p := partition{*l.Topic, l.Partition}
			places[p] = append(places[p], i)
		}
	}
	for _, at := range places {
		sorted := make([]line, len(at))
		for i, place := range at {
			sorted[i] = lines[place]
		}
		slices.SortStableFunc(sorted, func(a, b line) int { return cmp.Compare(a.Offset, b.Offset) })
		for i, place := range at {
			lines[place] = sorted[i]
		}
	}
}
