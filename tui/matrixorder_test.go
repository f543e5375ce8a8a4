package tui

import (
	"slices"
	"testing"

	"regroup/group"
	"regroup/tui/matrix"
	"regroup/tui/scene"
)

func TestWorkersThatLeftWithUnitsComeFirst(t *testing.T) {
	workers := make([]group.Worker, 4)
	workers[1].Gone, workers[3].Gone = true, true
	table := &matrix.MatrixTable{S: &scene.Scene{State: &group.State{Workers: workers}}, M: &matrix.MatrixMemo{Each: []int{5, 0, 5, 5}}}
	for _, tc := range []struct {
		what string
		room int
		want []int
	}{
		{"all fit", 40, []int{0, 1, 2, 3}},
		{"not all fit", 39, []int{3, 0, 1, 2}},
	} {
		if got := table.Ordered([]int{10, 10, 10, 10}, tc.room); !slices.Equal(got, tc.want) {
			t.Errorf("%s: columns are %v, want %v", tc.what, got, tc.want)
		}
	}
}
