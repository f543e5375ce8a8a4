package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe"
	"regroup/tui/keys"
	"regroup/tui/ui"
)

// large is a group of 1,000 workers and 100,000 units folded from records, as a real one is: every unit has its status, and
// a hundred units move in each pair of rounds.
type large struct {
	model   *group.Model
	workers [][]decode.Unit
	gen     int32
	offset  int64
	now     time.Time
	beat    time.Duration // between two rounds
}

func newLarge(workers, units int) *large {
	l := &large{model: group.New(group.Options{Group: "connect-large"}), workers: make([][]decode.Unit, workers), now: noon.Add(-10 * time.Minute), beat: 3 * time.Second}
	for u := range units {
		l.workers[u%workers] = append(l.workers[u%workers], decode.Unit{Connector: fmt.Sprintf("connector-%04d", u/100), Task: int32(u%100) - 1})
	}
	l.round(nil, nil)
	for w := range l.workers {
		for _, u := range l.workers[w] {
			l.status(w, u, decode.Running)
		}
	}
	return l
}

func (l *large) url(w int) string { return fmt.Sprintf("worker-%04d.example:8083", w) }

func (l *large) status(w int, u decode.Unit, state string) {
	l.offset++
	l.model.Apply(group.StatusRecord{
		At: l.now, Topic: "status", Offset: l.offset,
		Record: decode.StatusRecord{Kind: decode.StatusOfUnit, Unit: u, State: state, WorkerID: l.url(w), Generation: l.gen},
	}, l.now)
}

// round is a record in which workers stop and start units.
func (l *large) round(stop, start map[int]decode.Unit) {
	l.gen++
	l.now = l.now.Add(l.beat)
	g := &decode.GroupRecord{ProtocolType: decode.ProtocolType, Generation: l.gen, Protocol: decode.ProtocolSessioned, Leader: "m-0", StateAt: l.now}
	for w, held := range l.workers {
		a := decode.Assignment{Version: 2, Leader: "m-0", LeaderURL: "http://" + l.url(0) + "/", ConfigOffset: 1}
		if u, ok := stop[w]; ok {
			a.Revoked = []decode.Share{{Connector: u.Connector, Tasks: []int32{u.Task}}}
		}
		if u, ok := start[w]; ok {
			a.Assigned = []decode.Share{{Connector: u.Connector, Tasks: []int32{u.Task}}}
		}
		var has []decode.Share
		for _, u := range held {
			if n := len(has); n > 0 && has[n-1].Connector == u.Connector {
				has[n-1].Tasks = append(has[n-1].Tasks, u.Task)
				continue
			}
			has = append(has, decode.Share{Connector: u.Connector, Tasks: []int32{u.Task}})
		}
		id := fmt.Sprintf("m-%d", w)
		g.Members = append(g.Members, decode.Member{
			ID: id, Client: fmt.Sprintf("worker-%04d", w), Host: "/10.0.0.1", SessionTimeout: 10 * time.Second,
			Subscription: decode.AppendSubscription(nil, decode.Subscription{
				Version: 2, URL: "http://" + l.url(w) + "/", ConfigOffset: 1,
				Allocation: &decode.Assignment{Version: 2, Leader: "m-0", ConfigOffset: 1, Assigned: has},
			}),
			Assignment: decode.AppendAssignment(nil, a),
		})
	}
	l.model.Apply(group.LogRecord{At: l.now, Offset: int64(l.gen), Record: g}, l.now)
}

// move gives one unit of each of n workers to the next one: two rounds, and what workers say of it.
func (l *large) move(n int) {
	stop, start := map[int]decode.Unit{}, map[int]decode.Unit{}
	next := func(w int) int { return (w + 1) % len(l.workers) }
	for w := range n {
		stop[w], start[next(w)] = l.workers[w][0], l.workers[w][0]
	}
	l.round(stop, nil)
	for w := range n {
		l.workers[w] = l.workers[w][1:]
		l.status(w, stop[w], decode.Unassigned)
	}
	l.round(nil, start)
	for w := range n {
		l.workers[next(w)] = append(l.workers[next(w)], start[next(w)])
		l.status(next(w), start[next(w)], decode.Running)
	}
}

// BenchmarkLarge is Update and View together at 200×60, each time with a State that is new: a status record came since the
// one before. The State, and what the doctor says of it, are made where they are made in the program: off the screen's
// goroutine.
func BenchmarkLarge(b *testing.B) {
	l := newLarge(1000, 100_000)
	for range 5 {
		l.move(100)
	}
	for _, v := range append(Views(), "timeline-units", "matrix-marks") {
		for _, news := range []string{"a record", "a second", "nothing"} {
			b.Run(v+"/"+news, func(b *testing.B) {
				m := modelOf(l.model.State(l.now), 200, 60, colorprofile.TrueColor)
				of, other, _ := strings.Cut(v, "-")
				m.show(keys.View(of))
				m.panes().Less = other != ""
				seen(m)
				for b.Loop() {
					b.StopTimer()
					switch news {
					case "a record":
						l.status(7, l.workers[7][0], decode.Running)
						l.now = l.now.Add(time.Millisecond)
					case "a second":
						l.now = l.now.Add(time.Second)
					}
					s := l.model.State(l.now)
					r := doctor.Examine(s, doctor.Options{})
					s.Prepare()
					fleet := &observe.Fleet{Now: s.Now, Groups: []observe.FleetGroup{observe.Watched(s, &r)}}
					b.StartTimer()
					switch {
					case news == "nothing":
						m.stale = true
					case v == string(keys.Fleet):
						m.Update(fleetMsg{fleet})
					default:
						m.Update(stateMsg{state: s, report: &r})
					}
					seen(m)
				}
			})
		}
	}
}

// BenchmarkStorm is a storm of 200 generations a second on the screen, after some thousands of them: what folding them takes, and
// a State and a frame, which are made no more often than pump and observe.Live allow. core-% is the part of a core of it all.
func BenchmarkStorm(b *testing.B) {
	for _, v := range []keys.View{keys.Live, keys.Timeline, keys.Events} {
		b.Run(string(v), func(b *testing.B) {
			l := newLarge(10, 200)
			l.beat = 5 * time.Millisecond
			for range 1500 {
				l.move(10) // two rounds
			}
			m := modelOf(l.model.State(l.now), 200, 60, colorprofile.TrueColor)
			m.show(v)
			look := examiner{}
			var fold, state, frame time.Duration
			n := 0
			for b.Loop() {
				t0 := time.Now()
				for range 10 {
					l.move(10)
				}
				t1 := time.Now()
				s := l.model.State(l.now)
				t2 := time.Now()
				s.Prepare()
				m.Update(stateMsg{state: s, report: look.look(s)})
				seen(m)
				fold, state, frame, n = fold+t1.Sub(t0), state+t2.Sub(t1), frame+time.Since(t2), n+1
			}
			fold, state, frame = fold/time.Duration(n*20), state/time.Duration(n), frame/time.Duration(n)
			share := func(cost time.Duration, times int) float64 {
				return float64(cost) / float64(cost+max(time.Second/ui.FramesPerSecond, time.Duration(times)*cost))
			}
			b.ReportMetric(float64(state.Microseconds())/1000, "state-ms")
			b.ReportMetric(float64(frame.Microseconds())/1000, "frame-ms")
			b.ReportMetric(100*(float64(200*fold)/float64(time.Second)+share(state, liveRest)+share(frame, restAfter)), "core-%")
		})
	}
}

// liveRest is what observe.Live rests after a State, in times of what making it took.
const liveRest = 12
