package group

import (
	"slices"
	"time"

	"regroup/decode"
)

// laneState is how one unit does at one moment: who holds it by the rounds, and what workers say of it.
type laneState struct {
	holders []int32
	nobody  UnitStateKind // delayed, unassigned or released; UnitRunning: none of them
	exists  bool
	said    []saying // newest of each worker, oldest first
	spoke   bool     // a worker has said something of it
	given   bool     // to its holder, which has said nothing since
	freed   int32    // the worker that was told to stop it before that, -1 when none was
	last    int32    // the last one that held it or claimed to run it
	clean   bool     // its last worker said that it stopped it
	blink   bool     // it was stopped and started in one round that no status record tells of
}

// saying is what a worker said last.
type saying struct {
	worker int32
	state  string
}

func (l *laneState) holder() int32 {
	if len(l.holders) > 0 {
		return l.holders[0]
	}
	return l.last
}

// say takes note of a worker's status record.
func (l *laneState) say(worker int32, state string) {
	l.unsay(worker)
	if worker == l.freed {
		l.freed = -1
	}
	l.said = append(l.said, saying{worker, state})
	l.spoke, l.exists = true, true
	if slices.Contains(l.holders, worker) {
		l.given = false
	}
	if state == decode.Unassigned {
		l.clean = true
		return
	}
	l.last = worker
}

// unsay forgets what a worker said: it is dead.
func (l *laneState) unsay(worker int32) {
	l.said = slices.DeleteFunc(l.said, func(s saying) bool { return s.worker == worker })
}

func (l *laneState) die(worker int32) {
	l.unsay(worker)
	l.clean = false
}

func (l *laneState) remove() {
	l.said, l.spoke, l.given = nil, true, false
	if len(l.holders) == 0 && l.nobody == UnitRunning {
		l.exists = false
	}
}

// stretch decides what the unit's lane shows.
func (l *laneState) stretch(at time.Time) Stretch {
	s := Stretch{From: at, Worker: l.last}
	if !l.exists {
		return Stretch{From: at, Worker: -1}
	}
	running, newest := 0, int32(-1)
	var own string
	for _, k := range l.said {
		if k.state == decode.Running {
			running, newest = running+1, k.worker
		}
		if slices.Contains(l.holders, k.worker) || len(l.holders) == 0 {
			own = k.state
		}
	}
	held := len(l.holders) > 0
	switch {
	case l.nobody == UnitDelayed:
		s.Kind = LaneDelayed
	case l.nobody == UnitUnassigned:
		s.Kind = LaneUnassigned
	case own == decode.Failed:
		s.Kind, s.Worker = LaneFailed, l.holder()
	case running > 1 || len(l.holders) > 1:
		s.Kind, s.Worker = LaneTwice, max(newest, -1)
		if newest < 0 {
			s.Worker = l.holders[0]
		}
	case running == 1 && held && l.given && newest == l.freed: // an old claim of one that has let go of it
		s.Kind, s.Worker = LaneStarts, l.holders[0]
	case running == 1:
		s.Kind, s.Worker = LaneRuns, newest
	case own == decode.Paused || own == decode.Stopped:
		s.Kind, s.Worker = LanePaused, l.holder()
	case held && !l.spoke: // the rounds alone tell
		s.Kind, s.Worker = LaneRuns, l.holders[0]
	case held && l.given:
		s.Kind, s.Worker = LaneStarts, l.holders[0]
	default:
		s.Kind, s.Said = LaneDown, l.clean || l.nobody == UnitReleased
	}
	return s
}
