package connect

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// Files of connectors, in all their forms: parse FILENAME, the text below.
func TestParseSpecs(t *testing.T) {
	datadriven.Walk(t, "testdata/specs", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			specs, err := ParseSpecs(d.CmdArgs[0].Key, []byte(d.Input))
			if err != nil {
				return "error: " + err.Error() + "\n"
			}
			var out strings.Builder
			for _, s := range specs {
				fmt.Fprintf(&out, "%s %s\n", s.Name, s.Initial)
				for _, k := range slices.Sorted(maps.Keys(s.Config)) {
					if v := s.Config[k]; v != nil {
						fmt.Fprintf(&out, "  %s = %q\n", k, *v)
					} else {
						fmt.Fprintf(&out, "  %s = null\n", k)
					}
				}
			}
			return out.String()
		})
	})
}
