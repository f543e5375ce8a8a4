package group_test

import (
	"testing"
	"time"

	"regroup/decode"
	"regroup/group"
)

// A worker that dies is noticed when its session is over. Where the coordinator dies too, the new one begins a new session: the worker has
// been dead for longer. What last answered tells since when.
func TestDeathWithItsCoordinator(t *testing.T) {
	t.Parallel()
	const url = "http://worker-0001.example:8083/"
	at := func(s float64) time.Time { return noon.Add(time.Duration(s * float64(time.Second))) }
	alive := func(s float64) group.Fact { return group.RESTReport{At: at(s), URL: url, Root: "ok", Herder: "ok"} }
	refused := func(s float64) group.Fact {
		return group.RESTReport{At: at(s), URL: url, Root: "nothing listens there", Closed: true}
	}
	mute := func(s float64) group.Fact {
		return group.RESTReport{At: at(s), URL: url, Root: "no answer within 5s"}
	}
	log := func(s float64, h group.Health) group.Fact {
		return group.SourceReport{At: at(s), Source: group.SourceLog, Name: "log", Health: h}
	}
	describe := func(s float64, coordinator string) group.Fact {
		return group.Description{At: at(s), State: "Stable", Protocol: decode.ProtocolSessioned, Coordinator: coordinator}
	}
	const round = 102.6 // the first without the worker: its session was 10 s, the others had 3 s to rejoin
	for _, c := range []struct {
		name      string
		facts     []group.Fact
		low, high float64 // when it died
		open      bool
	}{
		{"the coordinator is well", []group.Fact{log(1, group.HealthOK)}, round - 13, round - 7, false},
		{"REST narrows it", []group.Fact{log(1, group.HealthOK), alive(90), refused(92)}, 90, 92, false},
		{"a dead REST without a dead coordinator", []group.Fact{log(1, group.HealthOK), alive(40), refused(60)}, 40, 60, false},
		{"both die, and REST tells", []group.Fact{
			log(1, group.HealthOK), alive(50), refused(60), log(60, group.HealthUnreachable), log(80, group.HealthOK),
		}, 50, 60, false},
		{"both die, and nothing else tells", []group.Fact{
			log(1, group.HealthOK), log(60, group.HealthUnreachable), log(88, group.HealthOK),
		}, 50, round - 7, false},
		{"both die with their host, REST falls silent", []group.Fact{
			log(1, group.HealthOK), alive(50), mute(62), log(60, group.HealthUnreachable), log(88, group.HealthOK),
		}, 50, 62, false},
		{"the group has moved to another broker", []group.Fact{describe(58, "a:9092"), describe(88, "b:9092")}, 48, round - 7, false},
		{"an outage that was over long before", []group.Fact{
			log(1, group.HealthOK), log(20, group.HealthUnreachable), log(40, group.HealthOK),
		}, round - 13, round - 7, false},
		{"it was started again before the round", []group.Fact{
			log(1, group.HealthOK), alive(89.8), refused(90.5), alive(95), alive(100),
		}, 89.8, 90.5, false},
		{"it had died before anybody looked", []group.Fact{log(1, group.HealthOK), refused(60)}, 1, 60, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			crowd := newCrowd(2, 4)
			m := crowd.model()
			unit := crowd.holds[1][0]
			m.Apply(group.StatusRecord{At: at(1), Topic: "status", Record: decode.StatusRecord{
				Kind: decode.StatusOfUnit, Unit: unit, State: decode.Running, WorkerID: "worker-0001.example:8083", Generation: crowd.gen,
			}}, at(1))
			for _, f := range c.facts {
				m.Apply(f, at(round))
			}
			crowd.members = crowd.members[:1]
			crowd.now = at(round - 1)
			crowd.feed(m, crowd.round(0))
			s := m.State(at(round + 1))
			var found []group.Gap
			for _, g := range s.Outages() {
				if g.Unit == unit {
					found = append(found, g)
				}
			}
			if len(found) != 1 || !found[0].Crash {
				t.Fatalf("gaps: %+v", found)
			}
			if g := found[0]; !g.From.Equal(at(c.low)) || !g.Latest.Equal(at(c.high)) || g.Open != c.open {
				t.Errorf("it died between %.1f and %.1f, open %v; want %.1f and %.1f, %v",
					g.From.Sub(noon).Seconds(), g.Latest.Sub(noon).Seconds(), g.Open, c.low, c.high, c.open)
			}
		})
	}
}
