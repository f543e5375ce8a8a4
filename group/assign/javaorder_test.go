package assign

import (
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"regroup/decode"
)

func TestJavaOrders(t *testing.T) {
	datadriven.RunTest(t, "testdata/java/orders", func(t *testing.T, d *datadriven.TestData) string {
		names := strings.Fields(d.Input)
		hashes := make([]int32, len(names))
		for i, n := range names {
			hashes[i] = decode.JavaHash(n)
		}
		java := Java17
		if d.HasArg("java") {
			java = Java21
		}
		var order []int32
		switch d.Cmd {
		case "map":
			order = mapOrder(hashes)
		case "set":
			order = java.setOrder(hashes)
			if got := java.orderNames(names); !slices.Equal(got, pick(names, order)) {
				t.Errorf("orderNames differs: %v", got)
			}
		case "sort":
			slices.SortFunc(names, compareJava)
			return strings.Join(names, " ") + "\n"
		default:
			t.Fatalf("no command %q", d.Cmd)
		}
		return strings.Join(pick(names, order), " ") + "\n"
	})
}

func pick(names []string, order []int32) []string {
	out := make([]string, len(order))
	for i, at := range order {
		out[i] = names[at]
	}
	return out
}
