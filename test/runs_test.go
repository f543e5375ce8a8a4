package test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func moment(low, high string) Moment {
	clock := func(s string) time.Time {
		at, err := time.Parse("15:04:05.000", s)
		if err != nil {
			panic(err)
		}
		return time.Date(2026, 12, 1, at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
	}
	return Moment{clock(low), clock(high)}
}

// Excerpts of real logs: what each process ran, from when to when, and how that ended.
func TestReadRuns(t *testing.T) {
	for _, of := range []struct {
		log   string
		halts []Halt
		want  string
	}{
		{
			// A polite stop; a kill; a freeze of 25 s, after which the worker is told to stop what the group gave away meanwhile. One of the two
			// tasks does not stop in time.
			log: "stopped-killed-frozen-4.3.1",
			halts: []Halt{
				{At: moment("02:51:08.707", "02:51:08.710")},
				{At: moment("02:51:44.608", "02:51:44.609"), Until: moment("02:52:09.628", "02:52:09.629")},
			},
			want: `
1 beta 2: 02:50:54.182..02:50:54.224, stopped 02:50:54.781..02:50:54.797
1 alpha 1: 02:50:54.490..02:50:54.497, stopped 02:50:54.782..02:50:54.796
1 alpha 3: 02:50:54.490..02:50:54.533, stopped 02:50:54.782..02:50:54.801
2 beta 0: 02:51:08.553..02:51:08.602, killed 02:51:08.707..02:51:08.710
2 alpha 0: 02:51:08.553..02:51:08.605, killed 02:51:08.707..02:51:08.710
3 beta 3: 02:51:37.721..02:51:37.770, suspended 02:51:44.608..02:51:44.609
3 alpha 2: 02:51:37.721..02:51:37.770, suspended 02:51:44.608..02:51:44.609
3 beta 3: 02:52:09.628..02:52:09.629, cancelled 02:52:10.757..02:52:15.764
3 alpha 2: 02:52:09.628..02:52:09.629, stopped 02:52:10.758..02:52:10.779
3 beta 3: 02:52:15.838..02:52:15.880
3 alpha 2: 02:52:15.840..02:52:15.917
`,
		},
		{
			// Tasks that do not stop in time, twice; their consumers close long after, beside those of the copies that came next.
			log: "cancelled-3.9.1",
			want: `
1 alpha 2: 02:51:33.441..02:51:33.497, cancelled 02:52:05.469..02:52:10.469
1 beta 3: 02:51:33.443..02:51:33.496, cancelled 02:52:05.465..02:52:10.467
1 alpha 1: 02:52:10.482..02:52:10.514, cancelled 02:52:10.614..02:52:15.616
1 beta 3: 02:52:10.485..02:52:10.497, stopped 02:52:15.744..02:52:18.392
1 alpha 2: 02:52:10.489..02:52:10.500, cancelled 02:52:10.614..02:52:15.614
1 alpha 1: 02:52:15.649..02:52:15.729, stopped 02:52:15.746..02:52:18.392
1 alpha 2: 02:52:15.651..02:52:15.734, stopped 02:52:15.746..02:52:18.392
`,
		},
		{
			// Back from eager, a worker is given a task that it never stopped: it refuses to start it, and the old copy runs on.
			log: "refused-3.9.1",
			want: `
1 alpha 0: 02:52:34.912..02:52:35.028
1 slow: 02:52:34.913..02:52:34.925, stopped 02:53:04.966..02:53:04.972
1 slow 0: 02:52:34.913..02:52:35.026
1 beta 0: 02:52:34.913..02:52:35.027
1 alpha 3: 02:53:01.955..02:53:01.967, stopped 02:53:04.977..02:53:05.021
1 beta 3: 02:53:01.957..02:53:01.981, stopped 02:53:04.972..02:53:05.020
1 slow: 02:53:05.050..02:53:05.051
1 alpha 3: 02:53:05.051..02:53:05.065
1 beta 3: 02:53:05.051..02:53:05.078
`,
		},
		{
			// Workers of 2.2 do not log that a single task has stopped.
			log: "eager-2.2.2",
			want: `
1 beta 0: 02:53:02.250..02:53:02.289, stopped 02:53:02.375..02:53:03.160
1 slow 0: 02:53:02.250..02:53:02.291, stopped 02:53:02.376..02:53:03.160
1 alpha 0: 02:53:02.250..02:53:02.293, stopped 02:53:02.375..02:53:03.160
`,
		},
	} {
		t.Run(of.log, func(t *testing.T) {
			f, err := os.Open(filepath.Join("testdata", "logs", of.log+".log"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			runs, err := ReadRuns("w", f, of.halts)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			got.WriteString("\n")
			for _, r := range runs {
				stop := ""
				if r.End != StillRuns {
					stop = fmt.Sprintf(", %s %v", r.End, r.Stop)
				}
				fmt.Fprintf(&got, "%d %v: %v%s\n", r.Process, r.Unit, r.Start, stop)
			}
			if diff := cmp.Diff(of.want, got.String()); diff != "" {
				t.Errorf("%s\n%s", got.String(), diff)
			}
		})
	}
}

// A process that is gone with work in hand must have been killed: a log that does not fit what the test did is no truth.
func TestReadRunsWantsToKnowOfKills(t *testing.T) {
	log := strings.Join([]string{
		"[2026-12-01 02:51:00,000] INFO WorkerInfo values: ",
		"[2026-12-01 02:51:01,000] INFO Creating task a-0 (org.apache.kafka.connect.runtime.Worker)",
		"[2026-12-01 02:51:02,000] INFO WorkerSinkTask{id=a-0} Sink task finished initialization and start (x)",
		"[2026-12-01 02:51:30,000] INFO WorkerInfo values: ",
		"",
	}, "\n")
	if runs, err := ReadRuns("w", strings.NewReader(log), nil); err == nil {
		t.Errorf("%v, want an error", runs)
	}
	if _, err := ReadRuns("w", strings.NewReader(log), []Halt{{At: moment("02:51:20.000", "02:51:20.001")}}); err != nil {
		t.Error(err)
	}
}
