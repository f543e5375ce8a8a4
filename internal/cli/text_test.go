package cli

import (
	"strings"
	"testing"
	"time"

	"regroup/group"
)

func TestCompactUnits(t *testing.T) {
	u := func(s string) (out []group.Unit) {
		for _, f := range strings.Fields(s) {
			c, n := f[:1], group.Unit{Connector: f[:1], Task: -1}
			if f != c+"c" {
				n.Task = int32(f[1] - '0')
			}
			out = append(out, n)
		}
		return out
	}
	for in, want := range map[string]string{
		"":                     "",
		"ac":                   "a c",
		"ac a0":                "a c 0",
		"a0 a1":                "a 0 1",
		"a0 a1 a2":             "a 0-2",
		"ac a0 a1 a2 a4 bc b7": "a c 0-2 4, b c 7",
		"a2 b0 b1 b2 b3 b5":    "a 2, b 0-3 5",
	} {
		if got := compact(u(in), nil); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	// A unit with a mark stands alone, so that it is seen.
	mark := func(i int) string { return map[int]string{2: "!"}[i] }
	if got, want := compact(u("a0 a1 a2 a3 a4 a5"), mark), "a 0 1 2! 3-5"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Columns stand under each other whatever is in them: wide letters, escapes from outside, nothing.
func TestTable(t *testing.T) {
	tab := newTable("name", ">n", "text")
	tab.row("界界", "1", "plain")
	tab.row("a\x1b[31mred\nline", "1000")
	tab.row("", "", "tab\there")
	var b strings.Builder
	must(t, tab.write(&b))
	want := `name               n  text
界界               1  plain
a�[31mred line  1000
                      tab here
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// On a terminal that is narrower a table is wrapped at words, and lines stay below their rows.
func TestTableOnANarrowTerminal(t *testing.T) {
	tab := newTable("finding", "what to do about it")
	tab.row("delay-running", "wait until it is over, or add a worker")
	tab.line("  since 12:00")
	tab.row("uneven", "restart it")
	var b strings.Builder
	must(t, tab.writeIn(&b, 36))
	want := `finding        what to do about it
delay-running  wait until it is
               over, or add a worker
  since 12:00
uneven         restart it
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// Help is broken at words on a terminal, and what is said of a flag stays in its column.
func TestHelpFits(t *testing.T) {
	text := "One line of prose that goes\non here, and further than that.\n\n  code stays\n"
	flags := "  -b, --brokers host:port   Kafka brokers, as many as there are"
	want := `One line of prose that goes on here, and
further than that.

  code stays

  -b, --brokers host:port   Kafka brokers, as
                            many as there are`
	if got := fit(reflowed(text, 45)+"\n"+flags, 45); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := fit(reflowed(text, 0)+flags, 0); got != text+flags {
		t.Errorf("in a pipe: %q", got)
	}
}

func TestSince(t *testing.T) {
	zone := time.FixedZone("here", 2*3600)
	now := time.Date(2026, 11, 29, 0, 10, 0, 0, zone)
	for in, want := range map[string]string{
		"":                     "0001-01-01T00:00:00Z",
		"90s":                  "2026-11-29T00:08:30+02:00",
		"2h":                   "2026-11-28T22:10:00+02:00",
		"3d":                   "2026-11-26T00:10:00+02:00",
		"23:50":                "2026-11-28T23:50:00+02:00",
		"00:05:30":             "2026-11-29T00:05:30+02:00",
		"2026-11-28":           "2026-11-28T00:00:00+02:00",
		"2026-11-28 17:40":     "2026-11-28T17:40:00+02:00",
		"2026-11-28T17:40:00Z": "2026-11-28T17:40:00Z",
	} {
		got, err := view{since: in}.sinceTime(now)
		if err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%q: got %s, %v; want %s", in, got.Format(time.RFC3339), err, want)
		}
	}
	for _, in := range []string{"yesterday", "-2h", "2", "d", "1e9d", "25:00"} {
		if _, err := (view{since: in}).sinceTime(now); err == nil {
			t.Errorf("%q was taken for a time", in)
		}
	}
}
