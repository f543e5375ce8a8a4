package foresight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/assign"
)

// before is the group as it stands, from which a change is tried out.
type before struct {
	s       *group.State
	round   *group.Round
	detail  *group.Detail // nil without a round
	config  assign.Config
	known   bool // the config topic is
	caveats []string
	// delay is the workers' own, ms. delaySeen: it is known; noDelay tries it as 0.
	delay              int32
	delaySeen, noDelay bool
	workers            map[string]*group.Worker // by member id
	// pace is how long units take to stop and to start; see Preview.
	pace        group.Pace
	paceAssumed bool
}

// DefaultSession is Connect's session.timeout.ms, for a worker that nobody has seen.
const DefaultSession = 10 * time.Second

func startingPoint(s *group.State) (*before, error) {
	if s.Past {
		return nil, fmt.Errorf("group %s: the past cannot be changed: go to the present first", decode.Printable(s.Group))
	}
	r := s.Round()
	if r == nil {
		return nil, fmt.Errorf("group %s: no round of it was seen, so nothing can be foreseen", decode.Printable(s.Group))
	}
	b := &before{s: s, round: r, detail: s.Detail(s.At), workers: map[string]*group.Worker{}}
	for i := range s.Workers {
		b.workers[s.Workers[i].ID] = &s.Workers[i]
	}
	if b.pace = s.Pace(); !b.pace.Known() {
		b.pace, b.paceAssumed = assumedPace, true
	} else if b.pace.Stops == 0 {
		b.pace.Stop, b.pace.Stopping = assumedPace.Stop, assumedPace.Stopping
	}
	b.readConfig()
	b.look()
	b.delay = s.Leader().MaxDelay()
	b.delaySeen = b.delay != AssumedDelay || slices.ContainsFunc(s.Rounds, func(r *group.Round) bool { return r.DelayMs > 0 })
	return b, nil
}

// readConfig takes what is configured from the config topic, or from what was seen held.
func (b *before) readConfig() {
	b.config = assign.Config{Offset: max(0, b.round.ConfigOffset, b.s.ConfigEnd()), Connectors: map[string]int{}}
	b.known = b.s.ConfigEnd() > 0
	for _, c := range b.s.Configs() {
		if c.Live {
			b.config.Connectors[c.Name] = c.Tasks
		}
	}
	if b.known {
		return
	}
	for _, u := range b.s.Units {
		n := b.config.Connectors[u.Unit.Connector]
		b.config.Connectors[u.Unit.Connector] = max(n, int(u.Unit.Task)+1)
	}
}

// look notes why what is foreseen from here may not come true.
func (b *before) look() {
	doubt := func(format string, args ...any) { b.caveats = append(b.caveats, fmt.Sprintf(format, args...)) }
	r := b.round
	switch {
	case r.Polled:
		doubt("rounds are seen by polling alone: the order in which workers hold their units is not known")
	case r.Error != 0:
		doubt("the last round decided nothing: another one is on its way")
	case r.Provisional:
		doubt("the config topic is not read up to the last round yet")
	}
	if r.Mode == group.ModeCooperative {
		switch r.Shadow {
		case assign.ShadowSame:
		case assign.ShadowDiffers:
			doubt("the leader's last round went otherwise than foreseen: %s", r.ShadowWhy)
		default:
			doubt("what the leader remembers is not known: %s", cmp.Or(r.ShadowWhy, "its rounds were not all seen"))
		}
	}
	if !b.known && !r.Empty() {
		doubt("the config topic is not known: units that nobody was seen to hold are left out")
	}
	switch p := b.s.Phase; p {
	case "", "Stable", "Empty":
	case "Dead":
		doubt("the coordinator knows no such group any more: nobody is in it")
	default:
		doubt("the group is %s: a round is under way", p)
	}
	if b.known && r.Error == 0 && !r.Empty() && b.changed() {
		doubt("the configuration has changed since the last round: another one is on its way")
	}
}

// changed says whether units are configured, or not any more, of which the last round knew otherwise.
func (b *before) changed() bool {
	configured := 0
	for _, n := range b.config.Connectors {
		configured += 1 + n
	}
	return configured != b.round.Units
}

func (b *before) name(member string) string {
	if w := b.workers[member]; w != nil {
		return w.Name
	}
	return member
}

func (b *before) session(member string) time.Duration {
	if d := b.s.SessionTimeout(member); d > 0 {
		return d
	}
	return DefaultSession
}

// simulation sets up what a change is tried out on. Under eager nobody reports anything, and no leader remembers.
func (b *before) simulation(eager bool, variant int) *simulation {
	shadow := b.s.Leader()
	s := &simulation{
		identities: map[string]identity{}, leaders: map[string]assign.LeaderState{}, guessed: map[string]bool{}, since: map[string]string{}, delay: b.delay,
		silent: map[string]silence{}, idle: map[string]bool{}, begun: b.s.Now.UnixMilli(), now: b.s.Now.UnixMilli(), variant: variant, eager: eager, caveats: slices.Clone(b.caveats),
	}
	if b.noDelay {
		s.delay = 0
	}
	req, ok := shadow.Rejoin(s.now)
	if !ok {
		req = b.request()
	}
	req.Config = b.config
	for i := range req.Members {
		req.Members[i].Offset = max(req.Members[i].Offset, b.config.Offset)
	}
	lead, _ := shadow.LeaderState(req.Leader)
	s.rules = lead.Assignor()
	for _, m := range b.members() {
		s.identities[m.ID] = identity{m.Client, m.Host, m.URL, b.session(m.ID)}
		state, known := shadow.LeaderState(m.ID)
		s.guessed[m.ID] = !known
		if state.Generation() < 0 {
			state = state.WithAssignor(s.rules)
		}
		s.leaders[m.ID] = state.WithMaxDelay(s.delay)
	}
	s.req, s.forced = req, b.forced()
	if eager {
		s.req.Protocol = decode.ProtocolEager
		return s
	}
	if steps, _ := shadow.Forecast(1); len(steps) > 0 && b.round.Error == 0 {
		s.next, s.due = steps[0].Why, max(steps[0].At, s.now)
	}
	return s
}

// forced names the member that took the group to eager when it joined, if one did, with the protocol that was before.
func (b *before) forced() map[string]string {
	for i := b.s.At; i >= 0 && b.s.Rounds[i].Mode == group.ModeEager; i-- {
		for _, c := range b.s.Rounds[i].Causes {
			if c.Kind == group.CauseProtocolChanged && c.Worker != "" {
				return map[string]string{c.Worker: c.From}
			}
		}
	}
	return nil
}

// members are those of the last round in its record's order.
func (b *before) members() []group.WorkerDetail {
	out := slices.Clone(b.detail.Members)
	slices.SortFunc(out, func(x, y group.WorkerDetail) int { return x.Wire - y.Wire })
	return out
}

// request is the next round where the shadow leader cannot say it: in the order of names, not of the wire.
func (b *before) request() assign.Request {
	r := b.round
	req := assign.Request{
		Now: b.s.Now.UnixMilli(), Generation: r.Generation + 1, LastCompleted: r.Generation, Leader: r.Leader,
		Protocol: r.Protocol,
	}
	for i := len(b.s.Rounds) - 1; i >= 0 && req.Protocol == ""; i-- {
		req.Protocol = b.s.Rounds[i].Protocol
	}
	if req.Protocol = strings.ToLower(req.Protocol); req.Protocol == "" {
		req.Protocol = decode.ProtocolSessioned
	}
	for _, m := range b.members() {
		req.Members = append(req.Members, assign.Member{ID: m.ID, URL: m.URL, Offset: m.ConfigOffset, Reported: shares(m.Held)})
	}
	return req
}

// shares writes units, sorted, as a worker would report them.
func shares(units []group.Unit) []decode.Share {
	var names []string
	var tasks []decode.Unit
	for _, u := range units {
		if u.IsInstance() {
			names = append(names, u.Connector)
		} else {
			tasks = append(tasks, u)
		}
	}
	return assign.Java17.Shares(names, tasks)
}
