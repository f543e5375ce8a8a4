package test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// Moment is a point in time that lies between two lines of a log: the worker begins something, and it is done.
type Moment struct{ Low, High time.Time }

// Run is a stretch of time in which a worker's process ran a unit, as the worker's own log has it.
type Run struct {
	Unit        Unit
	Worker      string // client id
	Process     int    // 1 is the first that wrote to the log
	Start, Stop Moment // Stop is zero while it runs
	End         RunEnd
}

// RunEnd is how a run ended.
type RunEnd string

// A suspended process runs nothing, and goes on with the same units afterwards: that is a run of its own.
const (
	StillRuns RunEnd = ""
	Stopped   RunEnd = "stopped"
	Cancelled RunEnd = "cancelled" // it did not stop within task.shutdown.graceful.timeout.ms, and was abandoned
	Killed    RunEnd = "killed"
	Suspended RunEnd = "suspended"
	Crashed   RunEnd = "failed"
	LastCopy  RunEnd = "stopped, as another copy did shortly before," // of a gap alone
)

// Halt is what a worker's log cannot tell, because the process had no time to write it.
type Halt struct {
	At    Moment
	Until Moment // when a suspended process went on; zero for one that was killed
}

func (h Halt) killed() bool { return h.Until == Moment{} }

// What Connect logs of a unit's life; the same from 2.2 to 4.3.
var (
	logTime     = regexp.MustCompile(`^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3})\] \w+ `)
	processLine = regexp.MustCompile(`\] INFO (?:Kafka Connect worker initializing|WorkerInfo values:)`) // before 3.5 the second alone
	unitLines   = []struct {
		what    lineKind
		pattern *regexp.Regexp
	}{
		{creatingUnit, regexp.MustCompile(`\] INFO Creating (task|connector) (\S+) (?:of type|\()`)},
		{createdUnit, regexp.MustCompile(`\] INFO Finished creating (connector) (\S+) \(`)},
		{createdUnit, regexp.MustCompile(`\] INFO Worker\w+(Task)\{id=(\S+)\} \w+ task finished initialization and start`)},
		{stoppingUnit, regexp.MustCompile(`\] INFO Stopping (task|connector) (\S+) \(`)},
		{stoppedUnit, regexp.MustCompile(`\] INFO Completed shutdown for Worker(Connector)\{id=(\S+)\}`)},
		{stoppedUnit, regexp.MustCompile(`\] INFO App info kafka\.(consumer|producer) for connector-(?:consumer|producer)-(\S+) unregistered`)},
		{cancelledUnit, regexp.MustCompile(`\] ERROR Graceful stop of (task|connector) (\S+) failed`)},
		{cancelledUnit, regexp.MustCompile(`\] ERROR (Connector|Task) ['‘](\S+)['’] failed to properly shut down`)},
		{failedUnit, regexp.MustCompile(`\] ERROR Worker\w+(Task)\{id=(\S+)\} Task threw an uncaught and unrecoverable exception`)},
		{failedUnit, regexp.MustCompile(`\] ERROR Failed to start (task|connector) (\S+)`)},
		// All that a worker was told to stop has stopped by then, or was cancelled.
		{stoppedAll, regexp.MustCompile(`\] INFO .*(Finished stopping) (tasks) in preparation for rebalance`)},
		{stoppedAll, regexp.MustCompile(`\] INFO .*(Herder) (stopped)`)},
	}
)

// tells reports whether a line of a worker's log tells when a unit ran.
func tells(line []byte) bool {
	if processLine.Match(line) {
		return true
	}
	for _, l := range unitLines {
		if l.pattern.Match(line) {
			return true
		}
	}
	return false
}

type lineKind int

const (
	creatingUnit lineKind = iota
	createdUnit
	stoppingUnit
	stoppedUnit
	cancelledUnit
	failedUnit
	stoppedAll
)

// ReadRuns reads the runs of units from a worker's log, which was written in UTC, in the order of their starts. halts are the moments at
// which its processes were killed or suspended.
func ReadRuns(worker string, log io.Reader, halts []Halt) ([]Run, error) {
	r := runReader{worker: worker, open: map[Unit]int{}, creating: map[Unit]time.Time{}, abandoned: map[Unit]bool{}}
	in := bufio.NewReader(log)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = r.line(line, halts)
		}
		if err != nil {
			return nil, fmt.Errorf("log of %s, line %d: %w", worker, n, err)
		}
	}
	if h, ok := killAfter(halts, r.last); ok {
		r.endProcess(h.At)
	}
	return suspend(r.runs, halts), nil
}

type runReader struct {
	worker   string
	process  int
	starting bool      // no unit yet
	last     time.Time // of the newest line
	runs     []Run
	open     map[Unit]int       // the newest run of each unit that runs or stops in this process
	creating map[Unit]time.Time // begun, not there yet
	// abandoned are units of which a cancelled copy may still be closing its clients in this process: lines do not say whose they are.
	abandoned map[Unit]bool
}

func (r *runReader) line(line []byte, halts []Halt) error {
	m := logTime.FindSubmatch(line)
	if m == nil {
		return nil // a setting, a trace, or what a connector printed
	}
	at, err := time.Parse("2006-01-02 15:04:05,000", string(m[1]))
	if err != nil {
		return err
	}
	if processLine.Match(line) && !r.starting {
		r.starting = true
		if h, ok := killAfter(halts, r.last); ok && !h.At.Low.After(at) {
			r.endProcess(h.At)
		}
		for unit := range r.open {
			return fmt.Errorf("a new process, and %v still ran in the one before, which was not killed", unit)
		}
		r.process++
		clear(r.creating)
		clear(r.abandoned)
	}
	r.last = at
	for _, l := range unitLines {
		m := l.pattern.FindSubmatch(line)
		if m == nil {
			continue
		}
		if l.what == stoppedAll {
			r.settleStops(at)
			return nil
		}
		unit := Unit{Connector: string(m[2]), Task: Instance}
		if kind := string(m[1]); kind != "connector" && kind != "Connector" {
			if unit, err = taskOf(string(m[2])); err != nil {
				return err
			}
		}
		r.starting = false
		r.unitLine(l.what, unit, at)
		return nil
	}
	return nil
}

func (r *runReader) unitLine(what lineKind, unit Unit, at time.Time) {
	i, open := r.open[unit]
	switch what {
	case creatingUnit:
		if open && r.runs[i].Stop.Low.IsZero() {
			return // refused: the unit runs in this process already (KAFKA-13816)
		}
		r.creating[unit] = at
	case createdUnit:
		begun, ok := r.creating[unit]
		if !ok {
			return
		}
		delete(r.creating, unit)
		r.open[unit] = len(r.runs)
		r.runs = append(r.runs, Run{Unit: unit, Worker: r.worker, Process: r.process, Start: Moment{begun, at}})
	case stoppingUnit:
		delete(r.creating, unit)
		if open && r.runs[i].Stop.Low.IsZero() {
			r.runs[i].Stop, r.runs[i].End = Moment{at, at}, Stopped
		}
	case stoppedUnit:
		if open && !r.abandoned[unit] && !r.runs[i].Stop.Low.IsZero() {
			r.runs[i].Stop.High = at
			delete(r.open, unit)
		}
	case cancelledUnit:
		r.abandoned[unit] = true
		if open && !r.runs[i].Stop.Low.IsZero() {
			r.runs[i].Stop.High, r.runs[i].End = at, Cancelled
			delete(r.open, unit)
		}
	case failedUnit:
		delete(r.creating, unit)
		if open {
			r.runs[i].Stop, r.runs[i].End = Moment{at, at}, Crashed
			delete(r.open, unit)
		}
	}
}

// settleStops ends the runs that were told to stop: a worker waits for all of them.
func (r *runReader) settleStops(at time.Time) {
	for unit, i := range r.open {
		if !r.runs[i].Stop.Low.IsZero() {
			r.runs[i].Stop.High = at
			delete(r.open, unit)
		}
	}
}

// endProcess ends what a process ran when it was killed.
func (r *runReader) endProcess(at Moment) {
	for unit, i := range r.open {
		if r.runs[i].Stop.Low.IsZero() {
			r.runs[i].Stop, r.runs[i].End = at, Killed
		}
		delete(r.open, unit)
	}
}

// killAfter is the first kill that came after a process had written its last line.
func killAfter(halts []Halt, last time.Time) (Halt, bool) {
	for _, h := range halts {
		if h.killed() && !h.At.High.Before(last) {
			return h, true
		}
	}
	return Halt{}, false
}

// suspend takes out of runs the times in which their process was suspended.
func suspend(runs []Run, halts []Halt) []Run {
	for _, h := range halts {
		if h.killed() {
			continue
		}
		for i := range runs {
			if r := &runs[i]; r.Start.High.Before(h.At.Low) && (r.Stop.Low.IsZero() || r.Stop.Low.After(h.At.High)) {
				after := *r
				after.Start = h.Until
				r.Stop, r.End = h.At, Suspended
				runs = append(runs, after)
			}
		}
	}
	slices.SortStableFunc(runs, func(a, b Run) int { return a.Start.Low.Compare(b.Start.Low) })
	return runs
}

// taskOf reads a task's id as Connect prints it, name-number.
func taskOf(id string) (Unit, error) {
	var out []Unit
	if err := appendTasks(&out, id); err != nil {
		return Unit{}, err
	}
	return out[0], nil
}

// LogGap is a stretch of time in which a unit that had run ran nowhere.
type LogGap struct {
	Unit     Unit
	From, To Moment // To is zero while it lasts
	End      RunEnd // of the run before
	Worker   string // of the run before
}

// Length is how long it lasted, at least and at most.
func (g LogGap) Length(now time.Time) (low, high time.Duration) {
	to := g.To
	if to == (Moment{}) {
		to = Moment{now, now}
	}
	return max(0, to.Low.Sub(g.From.High)), max(0, to.High.Sub(g.From.Low))
}

func (g LogGap) String() string {
	to := "now"
	if g.To != (Moment{}) {
		to = g.To.String()
	}
	return fmt.Sprintf("%s on %s at %v, runs again at %s", g.End, g.Worker, g.From, to)
}

func (m Moment) String() string {
	const clock = "15:04:05.000"
	if m.Low.Equal(m.High) {
		return m.Low.Format(clock)
	}
	return m.Low.Format(clock) + ".." + m.High.Format(clock)
}

// copiesApart is how far apart two copies of a unit stop when one round tells both workers.
const copiesApart = 8 * time.Second

// Gaps lists when units ran on no worker, from the runs of all workers, by unit and time. What runs twice runs.
func Gaps(runs []Run) []LogGap {
	byUnit := map[Unit][]Run{}
	for _, r := range runs {
		byUnit[r.Unit] = append(byUnit[r.Unit], r)
	}
	var out []LogGap
	for unit, runs := range byUnit {
		slices.SortStableFunc(runs, func(a, b Run) int { return a.Start.Low.Compare(b.Start.Low) })
		last := runs[0]
		var other Moment // the stop of another copy that ran beside it
		end := func() RunEnd {
			if last.End == Stopped && last.Stop.Low.Sub(other.High) < copiesApart {
				return LastCopy
			}
			return last.End
		}
		for _, r := range runs[1:] {
			if last.Stop == (Moment{}) {
				break
			}
			if r.Start.High.After(last.Stop.Low) {
				out = append(out, LogGap{unit, last.Stop, r.Start, end(), last.Worker})
			}
			if r.Stop == (Moment{}) || r.Stop.High.After(last.Stop.High) {
				last, r = r, last
			}
			if r.Stop.High.After(other.High) {
				other = r.Stop
			}
		}
		if last.Stop != (Moment{}) {
			out = append(out, LogGap{unit, last.Stop, Moment{}, end(), last.Worker})
		}
	}
	slices.SortFunc(out, func(a, b LogGap) int {
		if n := a.Unit.Compare(b.Unit); n != 0 {
			return n
		}
		return a.From.Low.Compare(b.From.Low)
	})
	return out
}

// String is the unit as regroup prints it.
func (u Unit) String() string {
	if u.Task == Instance {
		return u.Connector
	}
	return u.Connector + " " + strconv.Itoa(int(u.Task))
}
