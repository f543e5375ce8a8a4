//go:build kafka && unix

package test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	truthVersions = flag.String("truth", WorkerVersion, "`versions` of the workers whose logs TestTruth reads, separated by commas")
	keepLives     = flag.String("keep", "", "`folder` that TestTruth writes its lives to, one folder a version")
	keptLives     = flag.String("lives", source("..", "testdata", "lives"), "`folder` of the lives that TestKeptLives reads")
)

// The workers' logs are the truth about what a rebalance costs: each range that regroup tells holds what they say, unit by unit, and is no
// wider than the sources leave open.
func TestTruth(t *testing.T) {
	t.Parallel()
	for version := range strings.SplitSeq(*truthVersions, ",") {
		t.Run(version, func(t *testing.T) {
			rig := StartBroker(t)
			// A sink's task does not stop while its consumer waits in a join for one that died: that is made short.
			opt := WorkerOptions{Version: version, Delay: delay, Plugins: true, Extra: map[string]string{
				"consumer.session.timeout.ms": "6000", "consumer.heartbeat.interval.ms": "1000",
			}}
			away := StartLife(t, rig, "away", opt)
			told := StartLife(t, rig, "told", opt)
			t.Run("lives", func(t *testing.T) {
				t.Run("away", func(t *testing.T) {
					t.Parallel()
					away.Play(t, Scene{Name: "a worker stops politely and returns"}, (*Life).politeStop)
					away.Play(t, Scene{Name: "a worker is killed and returns late"}, (*Life).killedAndLate)
					away.Play(t, Scene{Name: "a worker is killed and returns at once"}, (*Life).killedAndBack)
					away.Play(t, Scene{Name: "a worker is frozen past its session"}, (*Life).frozenPastSession)
				})
				t.Run("told", func(t *testing.T) {
					t.Parallel()
					told.Play(t, Scene{Name: "a connector is configured anew"}, (*Life).restartedInPlace)
					told.Play(t, Scene{Name: "tasks do not stop in time"}, (*Life).slowStop)
					told.Play(t, Scene{Name: "an eager worker joins and leaves"}, (*Life).downgrade)
					told.Play(t, Scene{Name: "workers are restarted one by one"}, (*Life).cure)
				})
			})
			out := Scene{Name: "the broker is away", Outage: true}
			out.From = time.Now().UTC()
			brokerAway(t, rig, away, told)
			out.Until = time.Now().UTC()
			for _, life := range []*Life{away, told} {
				life.Scenes = append(life.Scenes, out)
				life.Keep(t)
			}
			for _, life := range []*Life{away, told} {
				life.judge(t, version)
			}
		})
	}
}

// worker-3 is told to end. It stops its units, says so, and leaves; they wait for the delay, and start elsewhere. Then it returns, and
// the others stop what it gets.
func (l *Life) politeStop(t testing.TB) {
	t.Helper()
	gone := l.all[2]
	l.stop(t, gone)
	l.settled(t)
	l.back(t, gone)
	l.settled(t)
}

// worker-3 dies. The group learns of it when its session is over; then the delay runs, and the units start elsewhere before it returns.
func (l *Life) killedAndLate(t testing.TB) {
	t.Helper()
	gone := l.all[2]
	l.kill(t, gone)
	l.settled(t)
	l.back(t, gone)
	l.settled(t)
}

// worker-2 dies and starts again at once, as a container does. It joins as a stranger, its old self is still a member for the rest of its
// session, and its units wait for it.
func (l *Life) killedAndBack(t testing.TB) {
	t.Helper()
	gone := l.all[1]
	l.kill(t, gone)
	l.back(t, gone)
	l.settled(t)
}

// worker-3 stands still, as in a long garbage collection. Its units stand still with it, until the group has given them away.
func (l *Life) frozenPastSession(t testing.TB) {
	t.Helper()
	l.freeze(t, l.all[2], session+heartbeat+delay+2*heartbeat)
	l.settled(t)
}

// A connector gets another configuration: its tasks stop and start where they are.
func (l *Life) restartedInPlace(t testing.TB) {
	t.Helper()
	name := "alpha-of-" + l.Group
	l.put(t, name, 4, with(FileSink(name, 4), "file", "/dev/zero"))
	l.settled(t)
}

// Two tasks hang in their stop, for longer than their worker waits for them. It gives them up and says nothing, and the next one starts them.
func (l *Life) slowStop(t testing.TB) {
	t.Helper()
	gone := l.all[2]
	l.stop(t, gone)
	l.settled(t)
	stops := hang(t)
	slow := "slow-of-" + l.Group
	l.put(t, slow, 2, stops.connector("taskStop"))
	l.settled(t)
	l.back(t, gone)
	l.settled(t)
	stops.goOn(t)
}

// A worker of 2.2 joins, which knows eager alone. The others get less to do and stop none of what they ran (KAFKA-13816). It goes again.
func (l *Life) downgrade(t testing.TB) {
	t.Helper()
	old := l.rig.Worker(t, 4, WorkerOptions{Version: "2.2.2", Group: l.Group, Plugins: true})
	l.workers, l.all = append(l.workers, old), append(l.all, old)
	l.held(t)
	time.Sleep(2 * heartbeat)
	l.stop(t, old)
	l.held(t)
}

// Restarting every worker ends the copies that the downgrade left behind.
func (l *Life) cure(t testing.TB) {
	t.Helper()
	for _, w := range l.all[:3] {
		l.stop(t, w)
		l.back(t, w)
		l.held(t) // not by statuses: a copy that ends says UNASSIGNED of a unit that runs elsewhere
	}
}

// The broker is away for longer than a heartbeat. Every worker stops everything, and can tell nobody.
func brokerAway(t *testing.T, rig *Rig, lives ...*Life) {
	t.Helper()
	time.Sleep(heartbeat) // what has just started says so before that
	rig.BrokerStop(t)
	time.Sleep(17 * time.Second)
	rig.BrokerStart(t)
	for _, l := range lives {
		l.settled(t)
	}
}

// judge compares each scene with what regroup says, from the broker's records alone and from its recording.
func (l *Life) judge(t *testing.T, version string) {
	t.Helper()
	records := Rounds(t, l.rig, l.Group)
	CheckRounds(t, records, l.all) // who holds what, by the logs
	gaps := Gaps(Owned(l.runs(t, l.rig.dir), records))
	l.record.Stop(t)
	if *keepLives != "" {
		l.CopyTo(t, filepath.Join(*keepLives, version))
	}
	l.Compare(t, gaps, records, RoundsFrom(t, l.recording()))
}

// The same holds of lives that were kept, without a broker.
func TestKeptLives(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(*keptLives, "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no lives in %s: %v", *keptLives, err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			l := LoadLife(t, file)
			recording := filepath.Join(dir, l.Group+".jsonl")
			records := RoundsFrom(t, recordsAlone(t, recording))
			l.Compare(t, Gaps(Owned(l.runs(t, dir), records)), records, RoundsFrom(t, recording))
		})
	}
}
