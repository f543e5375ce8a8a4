package doctor_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"regroup/group/doctor"
	"regroup/internal/observe"
)

// TestClaimsCases examines the cases in which what workers said of their units was read wrongly: "evening-4.3.1 at=55 only=unit-duplicated"
// prints that finding at that moment; several rules are separated by slashes.
func TestClaimsCases(t *testing.T) {
	datadriven.RunTest(t, "testdata/claims_cases.txt", func(t *testing.T, d *datadriven.TestData) string {
		moment, only := "", ""
		d.MaybeScanArgs(t, "at", &moment)
		d.ScanArgs(t, "only", &only)
		stop, err := observe.ParseStop(moment)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		s, err := observe.File(filepath.Join("..", "..", "testdata", "cases", d.Cmd+".jsonl"), "", stop)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		var b strings.Builder
		for _, f := range doctor.Examine(s, doctor.Options{Passed: true}).Findings {
			for id := range strings.SplitSeq(only, "/") {
				if f.ID == id {
					b.WriteString(told(f))
				}
			}
		}
		if b.Len() == 0 {
			return "nothing\n"
		}
		return b.String()
	})
}
