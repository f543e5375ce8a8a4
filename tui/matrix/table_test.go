package matrix

import (
	"slices"
	"testing"

	"regroup/group"
	"regroup/tui/scene"
)

func TestWorkersThatLeftWithUnitsComeFirst(t *testing.T) {
	workers := make([]group.Worker, 4)
	workers[1].Gone, workers[3].Gone = true, true
	table := &matrixTable{s: &scene.Scene{State: &group.State{Workers: workers}}, m: &matrixMemo{each: []int{5, 0, 5, 5}}}
	for _, tc := range []struct {
		what string
		room int
		want []int
	}{
		{"all fit", 40, []int{0, 1, 2, 3}},
		{"not all fit", 39, []int{3, 0, 1, 2}},
	} {
		if got := table.ordered([]int{10, 10, 10, 10}, tc.room); !slices.Equal(got, tc.want) {
			t.Errorf("%s: columns are %v, want %v", tc.what, got, tc.want)
		}
	}
}
