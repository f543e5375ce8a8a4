package exercise_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/exercise"
)

// What scenario files mean, and what is said of those that mean nothing.
func TestFiles(t *testing.T) {
	datadriven.RunTest(t, "testdata/files", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "parse":
			e, err := exercise.Parse([]byte(d.Input))
			if err != nil {
				return err.Error() + "\n"
			}
			return told(e)
		case "named":
			e, err := exercise.Named(d.CmdArgs[0].Key, exercise.Params{Workers: []string{"worker-1", "worker-2"}, Down: 8 * time.Second})
			if err != nil {
				return err.Error() + "\n"
			}
			return told(e)
		}
		t.Fatalf("%s: no command %q", d.Pos, d.Cmd)
		return ""
	})
}

func told(e exercise.Exercise) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", e.Name, e.About)
	for _, n := range []struct {
		what string
		is   *int
	}{{"workers", e.Group.Workers}, {"connectors", e.Group.Connectors}, {"tasks", e.Group.Tasks}} {
		if n.is != nil {
			fmt.Fprintf(&b, "%s %d\n", n.what, *n.is)
		}
	}
	if e.Group.Delay != nil {
		fmt.Fprintf(&b, "delay %s\n", *e.Group.Delay)
	}
	for _, s := range e.Steps {
		b.WriteString("  " + s.String() + "\n")
	}
	return b.String()
}

func TestEveryNameHasSteps(t *testing.T) {
	for _, name := range exercise.Names() {
		e, err := exercise.Named(name, exercise.Params{Workers: []string{"worker-1"}})
		if err != nil || len(e.Steps) == 0 || e.About == "" || e.Steps[len(e.Steps)-1].Do != exercise.Settle {
			t.Errorf("%s: %+v, %v: it has to do something, say what, and wait for the end", name, e, err)
		}
	}
}

// Whatever stands in a file, reading it ends in steps or in an error.
func FuzzParse(f *testing.F) {
	f.Add([]byte("steps:\n- kill: follower\n- wait: 15s\n- settle"))
	f.Add([]byte("steps: [{scale: some, tasks: 3}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := exercise.Parse(text)
		if (err == nil) != (len(e.Steps) > 0) {
			t.Errorf("%d steps and error %v", len(e.Steps), err)
		}
	})
}
