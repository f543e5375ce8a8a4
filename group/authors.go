package group

import (
	"maps"
	"slices"
	"sort"
	"strconv"
	"time"

	"regroup/decode"
)

// Statuses name the worker that wrote them by the address that it advertises. Some name none: MirrorMaker's without internal REST, and
// those of a worker whose advertised host Java cannot read ("null:-1"). What such a status says is matched to the worker that had the
// unit in the status' generation; what fits nobody proves nothing.

// author is the name under which a worker's claims are kept: its address as its statuses write it, else its number.
func author(url string, worker int32) string {
	if address := decode.AdvertisedAddress(url); address != "" {
		return address
	}
	return "#" + strconv.Itoa(int(worker))
}

// named notes who wrote a claim, as far as its worker id alone tells, and says whether more has to be found out.
func (k *claim) named() (open bool) {
	w := decode.ParseWorkerID(k.id)
	k.worker, k.unaddressed = w.Address, w.Address == ""
	if k.unaddressed {
		k.worker = k.id
	}
	return k.unaddressed || w.Flow != ""
}

// unplaced says whether it is not known who wrote a claim.
func (k *claim) unplaced() bool { return k.foreign || k.unaddressed && k.worker == k.id }

// placeClaims finds the authors of claims that name no address, as far as the rounds tell by now.
func (m *Model) placeClaims() {
	if len(m.unplaced) == 0 || len(m.rounds) == 0 {
		return
	}
	p := &placer{h: &history{tables: m.tables.view(), rounds: m.rounds}, polledAt: m.polledAt, owners: map[int]owners{}}
	later := m.unplaced[:0]
	changed := map[int32]bool{}
	for _, seq := range m.unplaced {
		if seq < m.claimBase {
			continue
		}
		at := seq - m.claimBase
		k := m.claims[at]
		if known := p.place(&k); !known {
			later = append(later, seq)
			continue
		}
		if k.foreign && !m.claims[at].foreign {
			m.foreign++
		}
		if k == m.claims[at] {
			continue
		}
		if at < m.shown { // States have the old one
			m.claims, m.shown = slices.Clone(m.claims), 0
		}
		m.claims[at] = k
		changed[k.unit] = true
	}
	m.unplaced = later
	if len(changed) > 0 {
		m.placed++
	}
	for unit := range changed {
		m.claimsNow.replace(unit, m.claimsOf(unit))
		m.doubts.refresh(unit)
	}
}

// elsewhere is the pair of clusters that all statuses are of, where it is not the one that this group mirrors between: its topic was
// taken for the group's. It is "" where statuses are the group's own.
func (m *Model) elsewhere() string {
	if m.foreign == 0 || m.foreign < m.written {
		return ""
	}
	for _, k := range slices.Backward(m.claims) {
		if k.foreign {
			return decode.Printable(decode.ParseWorkerID(k.id).Flow)
		}
	}
	return ""
}

// replaceAfter looks anew for the authors of claims after a time: a new history of the group has begun, with generations that were
// there before.
func (m *Model) replaceAfter(t time.Time) {
	m.unplaced = m.unplaced[:0]
	for i := range m.claims {
		if k := &m.claims[i]; k.unaddressed && (k.at.After(t) || k.unplaced()) {
			m.unplaced = append(m.unplaced, m.claimBase+i)
		}
	}
}

// claimsOf are the claims about a unit, oldest first.
func (m *Model) claimsOf(unit int32) []claim {
	var out []claim
	for at := m.claimsNow.of(unit).newest.seq; at >= m.claimBase; {
		k := m.claims[at-m.claimBase]
		out = append(out, k)
		at = k.prev
	}
	slices.Reverse(out)
	return out
}

// placer finds out who had a unit when a claim about it was made.
type placer struct {
	h        *history
	polledAt time.Time
	owners   map[int]owners // by index of the round
	walk     heldWalk
	urls     map[int32]string
	flows    []string // of members
}

// owners are the workers that held each unit after a round, and those that it told to stop one.
type owners struct{ held, revoked map[int32]int32 }

const (
	// pollRest is how late a round may be seen that is known by polling alone.
	pollRest = 6 * time.Second
	// clockSkew is how far the clock of a worker may lie behind that of the coordinator.
	clockSkew = 5 * time.Second
)

// place finds the author of a claim; false where the round that tells may be yet to come.
func (p *placer) place(k *claim) (known bool) {
	if id := decode.ParseWorkerID(k.id); id.Flow != "" && p.foreign(id) {
		k.worker, k.foreign = k.id, true
		return true
	}
	if !k.unaddressed {
		return true
	}
	i, known := p.roundOf(k)
	if !known {
		return false
	}
	k.worker = k.id
	if worker := p.who(i, k); worker >= 0 {
		k.worker = author(p.urlOf(worker), worker)
	}
	return true
}

// foreign says whether a worker id names a pair of clusters that is not the one between which this group mirrors.
func (p *placer) foreign(id decode.WorkerID) bool {
	if p.flows == nil {
		p.flows = []string{}
		for _, m := range p.h.tables.members {
			if flow := decode.FlowOf(m.client, m.url); flow != "" && !slices.Contains(p.flows, flow) {
				p.flows = append(p.flows, flow)
			}
		}
	}
	return len(p.flows) > 0 && !slices.ContainsFunc(p.flows, id.Mirrors)
}

// roundOf is the round that the author of a claim had last heard of, by index; -1: one before history begins. It is false where that
// round may be yet to come.
func (p *placer) roundOf(k *claim) (i int, known bool) {
	rounds := p.h.rounds
	n := sort.Search(len(rounds), func(i int) bool { return rounds[i].RecordedAt.After(k.at.Add(clockSkew)) })
	start := max(0, n-1)
	for start > 0 && !rounds[start].First {
		start--
	}
	end := start + 1
	for end < len(rounds) && !rounds[end].First {
		end++
	}
	if rounds[end-1].Polled {
		if p.polledAt.Before(k.at) {
			return 0, false
		}
		reach := k.at
		if k.state != decode.Unassigned {
			reach = k.at.Add(pollRest)
		}
		return sort.Search(end, func(i int) bool { return i >= start && rounds[i].RecordedAt.After(reach) }) - 1, true
	}
	i = start + sort.Search(end-start, func(i int) bool { return rounds[start+i].Generation > k.generation }) - 1
	switch {
	case i < start && start > 0:
		return start, true // of a history that had ended
	case i < start:
		return -1, true
	case i == len(rounds)-1 && rounds[i].Generation < k.generation:
		return 0, false
	}
	return i, true
}

// who is the worker that had the unit of a claim in a round; -1 where that fits nobody.
func (p *placer) who(i int, k *claim) int32 {
	o := p.ownersOf(i)
	first, second := o.held, o.revoked
	if k.state == decode.Unassigned { // it does what it was told, or is shutting down
		first, second = second, first
	}
	if w, ok := first[k.unit]; ok {
		return w
	}
	if w, ok := second[k.unit]; ok {
		return w
	}
	return -1
}

func (p *placer) ownersOf(i int) owners {
	if o, ok := p.owners[i]; ok {
		return o
	}
	o := owners{map[int32]int32{}, map[int32]int32{}}
	held := holding{}
	if i < 0 { // what the first round began with
		before := p.h.heldBefore(0)
		reported, _ := p.h.rounds[0].replay(before)
		maps.Copy(held, before)
		maps.Copy(held, reported)
	} else {
		held = p.walk.after(p.h, i)
		for _, r := range p.h.rounds[i].store.revoked {
			for _, u := range r.units {
				o.revoked[u] = r.worker
			}
		}
	}
	twice := map[int32]bool{}
	for w, units := range held {
		for _, u := range units {
			if had, ok := o.held[u]; ok && had != w {
				twice[u] = true // it could be either's
			}
			o.held[u] = w
		}
	}
	for u := range twice {
		delete(o.held, u)
	}
	p.owners[i] = o
	return o
}

func (p *placer) urlOf(worker int32) string {
	if p.urls == nil {
		p.urls = make(map[int32]string, len(p.h.tables.members))
		for _, m := range p.h.tables.members {
			p.urls[m.worker] = m.url
		}
	}
	return p.urls[worker]
}
