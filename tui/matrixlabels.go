package tui

import "regroup/group"

// labelRun is a task's number with its mark, or those of several in a row that are alike: 0■, 0-5■.
type labelRun struct {
	tasks string
	mark  unitMark
}

// labelRuns are the labels of a cell. Packed, three or more in a row that are alike are one.
func labelRuns(s *group.State, units []int, next *coming, ahead, packed bool) []labelRun {
	var out []labelRun
	for i := 0; i < len(units); {
		u := &s.Units[units[i]]
		run := labelRun{taskText(u.Unit), next.mark(u, ahead)}
		n := 1
		for packed && !u.Unit.IsInstance() && i+n < len(units) {
			v := &s.Units[units[i+n]]
			if v.Unit.Task != u.Unit.Task+int32(n) || next.mark(v, ahead) != run.mark {
				break
			}
			n++
		}
		if n < 3 {
			n = 1
		} else {
			run.tasks += "-" + taskText(s.Units[units[i+n-1]].Unit)
		}
		out, i = append(out, run), i+n
	}
	return out
}

func runsWidth(runs []labelRun) int {
	w := -1
	for _, r := range runs {
		w += len(r.tasks) + 2
	}
	return max(w, 0)
}
