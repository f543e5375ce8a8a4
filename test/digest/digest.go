package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// long is from when on a test that passed is worth its line, in seconds.
const long = 5

// event is a line of `go test -json` (see `go doc test2json`); that of a build has an import path in place of a package.
type event struct {
	Action, Package, Test, ImportPath, Output string
	FailedBuild                               string
	Elapsed                                   float64 // seconds
}

// test is one of a command's: two may test the same package, each with other build tags. name "" is the package itself.
type test struct {
	command   int
	pkg, name string
}

func (t test) String() string { return strings.TrimSpace(t.pkg + " " + t.name) }

type digest struct {
	out    io.Writer
	said   map[test][]string // what each has printed, until it ends
	builds map[string][]string
	failed []failure
	took   map[test]float64
	ended  int // packages
}

type failure struct {
	test
	lines []string
}

func newDigest(out io.Writer) *digest {
	return &digest{out: out, said: map[test][]string{}, builds: map[string][]string{}, took: map[test]float64{}}
}

// line takes one that a command printed, by its number.
func (d *digest) line(command int, b []byte) {
	var e event
	if err := json.Unmarshal(b, &e); err != nil || e.Action == "" {
		fmt.Fprintf(d.out, "%s\n", b) // of the go command itself
		return
	}
	id := test{command, e.Package, e.Test}
	switch e.Action {
	case "build-output":
		d.builds[e.ImportPath] = append(d.builds[e.ImportPath], e.Output)
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") {
			d.said[id] = append(d.said[id], e.Output)
		}
	case "pass", "fail", "skip":
		d.ends(id, e)
	}
}

func (d *digest) ends(id test, e event) {
	lines := d.said[id]
	delete(d.said, id)
	switch {
	case id.name == "":
		d.ended++
		d.unfinished(id)
		lines = append(d.builds[e.FailedBuild], lines...)
	case e.Action == "pass":
		d.took[id] = e.Elapsed
	}
	if e.Action == "fail" {
		d.failed = append(d.failed, failure{id, lines})
	}
	if id.name != "" && e.Action == "pass" && e.Elapsed < long || id.name == "" && e.Action == "skip" { // a package without tests
		return
	}
	fmt.Fprintf(d.out, "%-4s %6.1fs  %s\n", e.Action, e.Elapsed, id)
	if e.Action != "pass" {
		d.print(lines)
	}
}

func (d *digest) print(lines []string) {
	for _, l := range lines {
		fmt.Fprint(d.out, "    ", l)
	}
}

// unfinished takes for failed what a package had begun when it ended: a panic, or time was up.
func (d *digest) unfinished(pkg test) {
	var open []test
	for id := range d.said {
		if id.command == pkg.command && id.pkg == pkg.pkg && id.name != "" {
			open = append(open, id)
		}
	}
	slices.SortFunc(open, func(a, b test) int { return cmp.Compare(a.name, b.name) })
	for _, id := range open {
		lines := d.said[id]
		delete(d.said, id)
		d.failed = append(d.failed, failure{id, lines})
		fmt.Fprintf(d.out, "did not end  %s\n", id)
		d.print(lines)
	}
}

// end tells where the time went and what failed, and says whether all is well.
func (d *digest) end() bool {
	d.slowest()
	if len(d.failed) == 0 {
		return d.ended > 0
	}
	fmt.Fprintf(d.out, "\nwhat failed, and for what:\n")
	for _, f := range d.failed {
		reasons := reasonsOf(f.lines)
		if len(reasons) == 0 && d.below(f.test) {
			continue // for what is below it
		}
		fmt.Fprintf(d.out, "\n  %s\n", f)
		d.print(reasons)
	}
	return false
}

// below says whether a part of a test failed, or a test of a package.
func (d *digest) below(id test) bool {
	return slices.ContainsFunc(d.failed, func(f failure) bool {
		return f.command == id.command && f.pkg == id.pkg && f.name != id.name && (id.name == "" || strings.HasPrefix(f.name, id.name+"/"))
	})
}

// slowest are the tests that took longest, where that is worth telling. What waits for its turn counts, too.
func (d *digest) slowest() {
	const most = 12
	var ids []test
	for id, s := range d.took {
		if s >= long {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b test) int {
		return cmp.Or(-cmp.Compare(d.took[a], d.took[b]), cmp.Compare(a.pkg+a.name, b.pkg+b.name), cmp.Compare(a.command, b.command))
	})
	if len(ids) > 0 {
		fmt.Fprintf(d.out, "\nwhat took longest:\n")
	}
	for _, id := range ids[:min(most, len(ids))] {
		fmt.Fprintf(d.out, "  %6.1fs  %s\n", d.took[id], id)
	}
}

// Logs are quoted behind these words, by the rig.
const quoted = "the log of "

var said = regexp.MustCompile(`^\s+\w+\.go:\d+: `)

// reasonsOf are the lines that a test said, without the logs that it quotes. All of it where it said none: a panic, a build.
func reasonsOf(lines []string) (out []string) {
	const most = 60
	in, some := false, false
	for _, l := range lines {
		if at := said.FindString(l); at != "" {
			in, some = !strings.HasPrefix(l[len(at):], quoted), true
		}
		if in && !strings.HasPrefix(strings.TrimSpace(l), "--- ") {
			out = append(out, l)
		}
	}
	if !some {
		out = slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
			return strings.HasPrefix(strings.TrimSpace(l), "--- ") || strings.HasPrefix(l, "FAIL")
		})
	}
	if len(out) > most {
		out = append(out[:most], "…\n")
	}
	return out
}
