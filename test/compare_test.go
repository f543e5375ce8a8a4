package test

import (
	"strings"
	"testing"
	"time"
)

// A unit that did not run for 10 s, by the logs, and what regroup may say of it.
func TestCompare(t *testing.T) {
	unit := Unit{"sink", 0}
	clock := func(s string) time.Time { return moment(s, s).Low }
	generation := int32(7)
	round := func(at string, gaps ...RoundGap) Round {
		r := Round{Generation: &generation, At: clock(at).Format(time.RFC3339Nano), Gaps: gaps}
		if len(gaps) > 0 {
			r.Cost = &RoundCost{Units: len(gaps)}
			for _, g := range gaps {
				r.Cost.UnitSeconds[0] += g.Runs.Sub(*g.Stopped[1]).Seconds()
				r.Cost.UnitSeconds[1] += g.Runs.Sub(*g.Stopped[0]).Seconds()
			}
		}
		return r
	}
	told := func(from, latest, runs string) Round {
		a, b, to := clock(from), clock(latest), clock(runs)
		return round("12:00:05.000", RoundGap{unit, [2]*time.Time{&a, &b}, &to, nil})
	}
	began := func(earliest string, r Round) Round {
		e := clock(earliest)
		r.Gaps[0].Began = &e
		r.Cost.UnitSeconds[0] = e.Sub(*r.Gaps[0].Stopped[1]).Seconds()
		return r
	}
	away := Leeways{Stopped: {Below: Anything, Above: 9 * time.Second}}
	for _, of := range []struct {
		name, earliest, want string
	}{
		{"a range to its next start", "12:00:09.000", ""},
		{"a range that begins past its next start", "12:00:12.000", "for 12.0-17.0 s, and was for 10.1"},
	} {
		t.Run(of.name, func(t *testing.T) {
			down := []LogGap{{unit, moment("12:00:00.000", "12:00:00.010"), moment("12:00:10.000", "12:00:10.050"), Stopped, "worker-1"}}
			r := began(of.earliest, told("12:00:00.000", "12:00:00.000", "12:00:17.000"))
			c := Compare(down, []Round{r}, Window{clock("11:59:00.000"), clock("12:01:00.000")}, away)
			got := strings.Join(c.Differences, "\n")
			if of.want == "" && got != "" || !strings.Contains(got, of.want) {
				t.Errorf("%s\nwant: %s", got, of.want)
			}
		})
	}
	wrongSum := told("12:00:00.000", "12:00:00.000", "12:00:10.000")
	wrongSum.Cost.UnitSeconds[1]++
	down := []LogGap{{unit, moment("12:00:00.000", "12:00:00.010"), moment("12:00:10.000", "12:00:10.050"), Stopped, "worker-1"}}
	killed := []LogGap{{unit, moment("12:00:00.000", "12:00:00.010"), moment("12:00:10.000", "12:00:10.050"), Killed, "worker-1"}}
	leeways := Leeways{Killed: {Below: 3 * time.Second, Above: 3 * time.Second}}
	for _, of := range []struct {
		name   string
		logs   []LogGap
		rounds []Round
		want   string // "" where there is nothing to say
	}{
		{"the same", down, []Round{told("12:00:00.020", "12:00:00.020", "12:00:10.060")}, ""},
		{"two seconds short", down, []Round{told("12:00:02.000", "12:00:02.000", "12:00:10.000")}, "for 8.0 s only, and was for 10.1"},
		{"two seconds long", down, []Round{told("12:00:00.000", "12:00:00.000", "12:00:12.000")}, "for 12.0 s, and was for 10.1"},
		{"a range where a status tells", down, []Round{told("11:59:58.000", "12:00:01.000", "12:00:10.000")}, "sources leave open 10.1"},
		{"a range after a kill", killed, []Round{told("11:59:58.000", "12:00:01.000", "12:00:10.000")}, ""},
		{"a range that misses the kill", killed, []Round{told("12:00:02.000", "12:00:03.000", "12:00:10.000")}, "for 7.0-8.0 s only"},
		{"a range that tells less than is known", killed, []Round{told("11:59:55.000", "12:00:00.000", "12:00:10.000")}, "leave open 7.0-13.1"},
		{"not told", down, []Round{round("12:00:05.000")}, "which no round tells"},
		{"restarted in place", down, []Round{round("12:00:20.000")}, ""},
		{"made up", nil, []Round{told("12:00:00.000", "12:00:01.000", "12:00:10.000")}, "for 9.0-10.0 s, and was for 0.0"},
		{"told by two rounds", down, []Round{told("12:00:00.000", "12:00:00.000", "12:00:10.000"), told("12:00:02.000", "12:00:02.000", "12:00:10.000")}, "for 18.0 s, and was for 10.1"},
		{"another sum", down, []Round{wrongSum}, "its cost is 1 units, [10 11] unit-s, and its gaps are 1, 10.0"},
	} {
		t.Run(of.name, func(t *testing.T) {
			c := Compare(of.logs, of.rounds, Window{clock("11:59:00.000"), clock("12:01:00.000")}, leeways)
			got := strings.Join(c.Differences, "\n")
			if of.want == "" && got != "" || !strings.Contains(got, of.want) {
				t.Errorf("%s\nwant: %s", got, of.want)
			}
		})
	}
}

// What runs twice runs: a copy that goes on covers the stop of another.
func TestGapsOfTwoCopies(t *testing.T) {
	unit := Unit{"sink", 0}
	runs := []Run{
		{Unit: unit, Worker: "a", Start: moment("12:00:00.000", "12:00:00.100"), Stop: moment("12:01:00.000", "12:01:00.100"), End: Stopped},
		{Unit: unit, Worker: "b", Start: moment("12:00:30.000", "12:00:30.100"), Stop: moment("12:00:40.000", "12:00:40.100"), End: Killed},
		{Unit: unit, Worker: "b", Start: moment("12:01:05.000", "12:01:05.100")},
	}
	gaps := Gaps(runs)
	if len(gaps) != 1 || gaps[0].Worker != "a" || gaps[0].From != runs[0].Stop || gaps[0].To != runs[2].Start {
		t.Errorf("%v", gaps)
	}
}
