package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func digestOf(t *testing.T, lines string) (string, bool) {
	t.Helper()
	var out strings.Builder
	d := newDigest(&out)
	for l := range strings.Lines(lines) {
		d.line(0, []byte(strings.TrimSpace(l)))
	}
	ok := d.end()
	return out.String(), ok
}

// A long log stands between what failed and the end: the reason comes again, last, without it.
func TestTheReasonComesLast(t *testing.T) {
	got, ok := digestOf(t, `{"Action":"run","Package":"regroup/test","Test":"TestNames"}
		{"Action":"output","Package":"regroup/test","Test":"TestNames/slash","Output":"=== RUN TestNames/slash\n"}
		{"Action":"output","Package":"regroup/test","Test":"TestNames/slash","Output":"    names_test.go:7: exit code 1\n"}
		{"Action":"output","Package":"regroup/test","Test":"TestNames/slash","Output":"        not settled\n"}
		{"Action":"output","Package":"regroup/test","Test":"TestNames/slash","Output":"    worker.go:9: the log of worker-1 ends with\n"}
		{"Action":"output","Package":"regroup/test","Test":"TestNames/slash","Output":"        three hundred lines\n"}
		{"Action":"fail","Package":"regroup/test","Test":"TestNames/slash","Elapsed":60}
		{"Action":"pass","Package":"regroup/test","Test":"TestNames/plain","Elapsed":20}
		{"Action":"pass","Package":"regroup/test","Test":"TestNames/short","Elapsed":1}
		{"Action":"fail","Package":"regroup/test","Test":"TestNames","Elapsed":80}
		{"Action":"output","Package":"regroup/test","Output":"FAIL\n"}
		{"Action":"fail","Package":"regroup/test","Elapsed":81}`)
	want := `fail   60.0s  regroup/test TestNames/slash
        names_test.go:7: exit code 1
            not settled
        worker.go:9: the log of worker-1 ends with
            three hundred lines
pass   20.0s  regroup/test TestNames/plain
fail   80.0s  regroup/test TestNames
fail   81.0s  regroup/test
    FAIL

what took longest:
    20.0s  regroup/test TestNames/plain

what failed, and for what:

  regroup/test TestNames/slash
        names_test.go:7: exit code 1
            not settled
`
	if diff := cmp.Diff(want, got); diff != "" || ok {
		t.Errorf("ok %v\n%s", ok, diff)
	}
}

// What cannot be built, what panics and what never came are failures, too.
func TestFailuresWithoutAnAssertion(t *testing.T) {
	for name, of := range map[string]struct{ in, says string }{
		"build": {`{"ImportPath":"regroup/internal/rest","Action":"build-output","Output":"rest/read.go:1:1: undefined: x\n"}
			{"Action":"fail","Package":"regroup/internal/rest","Elapsed":0,"FailedBuild":"regroup/internal/rest"}`, "    rest/read.go:1:1: undefined: x"},
		"panic": {`{"Action":"output","Package":"p","Test":"TestA","Output":"panic: boom\n"}
			{"Action":"fail","Package":"p","Elapsed":1}`, "  p TestA\n    panic: boom"},
		"time": {`{"Action":"output","Package":"p","Output":"panic: test timed out after 20m0s\n"}
			{"Action":"fail","Package":"p","Elapsed":1200}`, "  p\n    panic: test timed out after 20m0s"},
		"nothing": {"go: cannot find main module", "go: cannot find main module"},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := digestOf(t, of.in)
			if ok || !strings.Contains(got, of.says) {
				t.Errorf("ok %v\n%s", ok, got)
			}
		})
	}
}

// A package that one command has done with may be in the middle of another's.
func TestOnePackageOfTwoCommands(t *testing.T) {
	var out strings.Builder
	d := newDigest(&out)
	d.line(1, []byte(`{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:1: half of it\n"}`))
	d.line(0, []byte(`{"Action":"pass","Package":"p","Elapsed":1}`))
	d.line(1, []byte(`{"Action":"pass","Package":"p","Test":"TestA","Elapsed":2}`))
	d.line(1, []byte(`{"Action":"pass","Package":"p","Elapsed":3}`))
	if !d.end() || strings.Contains(out.String(), "did not end") {
		t.Errorf("%s", &out)
	}
}

// Commands run side by side, and the exit code of each counts.
func TestCommandsSideBySide(t *testing.T) {
	pass := `printf '{"Action":"pass","Package":"p","Elapsed":1}\n'`
	for _, of := range []struct {
		commands []string
		ok       bool
		says     string
	}{
		{[]string{pass, "echo of another >&2"}, true, "of another"},
		{[]string{pass, "exit 3"}, false, "exit 3: exit status 3"},
		{[]string{"true"}, false, ""},
	} {
		var out strings.Builder
		if ok := run(of.commands, &out); ok != of.ok || !strings.Contains(out.String(), of.says) {
			t.Errorf("%q: ok %v, %s", of.commands, ok, &out)
		}
	}
}
