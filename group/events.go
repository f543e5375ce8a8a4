package group

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"regroup/decode"
	"regroup/internal/words"
)

// maxEventUnits bounds how many units one event names.
const maxEventUnits = 64

// maxEvents bounds what a State lists; older ones are in the rounds and the recording.
const maxEvents = 2000

// events is what happened, oldest first, up to this moment.
func (x *moment) events(t *told) []Event {
	var out []Event
	for i := max(0, x.i+1-maxEvents); i <= x.i; i++ {
		out = append(out, roundEvent(x.h.rounds[i]))
	}
	out = append(out, x.configEvents()...)
	out = append(out, x.statusEvents()...)
	for _, n := range t.notes {
		if n.At.After(x.now) {
			continue
		}
		if n.about != "" {
			n.Text = x.nameOfURL(n.about) + " " + n.Text
		}
		out = append(out, n)
	}
	for _, a := range t.actions {
		if a.At.After(x.now) {
			continue
		}
		text := a.Who + " " + a.Verb + " " + decode.Printable(a.Target)
		if a.Answer != "" {
			text += ": " + decode.Printable(a.Answer)
		}
		out = append(out, Event{At: a.At, Source: "action", Text: text, Kind: UnitUnknown, Worker: -1, Seq: -1})
	}
	slices.SortStableFunc(out, func(a, b Event) int { return a.At.Compare(b.At) })
	if len(out) > maxEvents {
		out = out[len(out)-maxEvents:]
	}
	return out
}

func roundEvent(r *Round) Event {
	return Event{At: r.RecordedAt, Source: SourceLog, Kind: UnitUnknown, Worker: -1, Seq: r.Seq, Text: r.news}
}

// headline is a round in a line. It is written once, when the round is made.
func (r *Round) headline() string {
	why := ""
	if len(r.Causes) > 0 {
		why = r.Causes[0].Detail
	}
	name := fmt.Sprintf("round %d", r.Generation)
	if r.Polled {
		name = "round"
	}
	return fmt.Sprintf("%s: %s; %d kept, %d started, %d stopped", name, why, r.Kept, r.Started, r.Stopped)
}

func (x *moment) configEvents() []Event {
	var out []Event
	live := map[int32]bool{}
	for _, e := range x.h.config {
		var text, name string
		if e.connector >= 0 {
			name = decode.Printable(x.h.tables.connectors[e.connector])
		}
		switch e.kind {
		case decode.ConfigConnector:
			text = name + " created"
			switch {
			case e.deleted:
				text = name + " deleted"
			case live[e.connector]:
				text = name + " changed"
			}
			live[e.connector] = !e.deleted
		case decode.ConfigCommit:
			text = name + ": " + words.Count(int(e.tasks), "task")
			if e.deleted {
				continue
			}
		case decode.ConfigTargetState:
			if e.deleted {
				continue
			}
			text = name + " to be " + decode.Printable(e.state)
		case decode.ConfigRestart:
			text = name + " to restart"
		case decode.ConfigSessionKey:
			text = "new session key"
		default:
			continue
		}
		if e.at.After(x.now) {
			continue
		}
		out = append(out, Event{At: e.at, Source: SourceConfig, Text: text, Kind: UnitUnknown, Worker: -1, Seq: -1})
	}
	return out
}

// statusEvents groups what one worker says of many units within a moment into one line.
func (x *moment) statusEvents() []Event {
	const together = 300 * time.Millisecond
	var out []Event
	type open struct {
		at    int
		units int
		last  time.Time
	}
	groups := map[[2]string]*open{}
	claims := slices.Clone(x.h.claims[max(0, len(x.h.claims)-maxEvents*8):])
	slices.SortStableFunc(claims, claim.compare)
	for _, k := range claims {
		if k.at.After(x.now) || k.deleted {
			continue
		}
		unit := x.h.tables.unitOf(k.unit)
		key := [2]string{k.worker, k.state}
		g := groups[key]
		if g != nil && k.at.Sub(g.last).Abs() < together && k.state != decode.Failed {
			g.units++
			g.last = k.at
			if e := &out[g.at]; g.units == 2 {
				e.Units = append(e.Units, *e.Unit, unit)
			} else if g.units <= maxEventUnits {
				e.Units = append(e.Units, unit)
			}
			out[g.at].Text = fmt.Sprintf("%s %s on %s", words.Count(g.units, "unit"), decode.Printable(k.state), x.nameOf(&k))
			out[g.at].Unit = nil
			continue
		}
		groups[key] = &open{at: len(out), units: 1, last: k.at}
		out = append(out, Event{
			At: k.at, Source: SourceStatus, Kind: kindOf(k.state), Unit: &unit, Worker: -1, Seq: -1,
			Text: fmt.Sprintf("%s %s on %s", decode.Printable(unit.String()), decode.Printable(k.state), x.nameOf(&k)),
		})
	}
	for i := range out {
		decode.SortUnits(out[i].Units)
	}
	return out
}

func kindOf(state string) UnitStateKind {
	switch state {
	case decode.Failed:
		return UnitFailed
	case decode.Running:
		return UnitRunning
	case decode.Unassigned:
		return UnitStopping
	case decode.Paused:
		return UnitPaused
	case decode.Stopped:
		return UnitStopped
	case decode.Restarting:
		return UnitRestarting
	}
	return UnitUnknown
}

// nameOf is the short name of the worker that wrote a status record, else that record's own words.
func (x *moment) nameOf(k *claim) string {
	if w := x.byID[k.worker]; len(w) == 1 {
		return x.members[x.byWorker[w[0]]].Name
	}
	for _, m := range slices.Backward(x.h.tables.members) {
		if m.client != "" && author(m.url, m.worker) == k.worker {
			if g, left := x.h.lastSeen(x.i, m.worker); left && k.unaddressed {
				return g.Name
			}
			return decode.Printable(m.client)
		}
	}
	return decode.Printable(k.id)
}

// writer is how a status record's worker is named beside others: as that record does, or by the name that it has here where the
// record gives no address.
func (x *moment) writer(k *claim) string {
	if k.unaddressed {
		return x.nameOf(k)
	}
	return decode.Printable(k.id)
}

// nameOfURL is the short name of the worker that advertises a URL, else what stands in the URL.
func (x *moment) nameOfURL(url string) string {
	var has []string
	for i := range x.members {
		if x.members[i].URL == url {
			has = append(has, x.members[i].Name)
		}
	}
	if len(has) == 1 {
		return has[0]
	}
	for _, m := range slices.Backward(x.h.tables.members) {
		if m.url == url && m.client != "" {
			return decode.Printable(m.client)
		}
	}
	return decode.Printable(cmp.Or(hostPort(url), url))
}
