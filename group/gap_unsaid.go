package group

import (
	"slices"
	"sort"
)

// unsaid are the gaps of units that a round took from a worker which let go of them without a word: its newest status still says
// RUNNING, and in the next round it reports them no more. When they stopped is told by the round alone.
func (f *gapFinder) unsaid() []gap {
	var out []gap
	for i := 0; i+1 < len(f.rounds); i++ {
		r := f.rounds[i]
		if r.Mode != ModeCooperative || r.Error != 0 {
			continue
		}
		var reported holding // in the next round; made when it is asked for
		for _, p := range r.store.revoked {
			host := f.authorIn(r, p.worker)
			if host == "" {
				continue
			}
			for _, unit := range p.units {
				g := gap{unit: unit, from: at(r.RecordedAt), seq: r.Seq}
				if !f.silent(&g, host) || !f.exists(i, unit) || !g.ended && !f.exists(len(f.rounds)-1, unit) {
					continue
				}
				if reported == nil {
					reported = f.reported(i + 1)
				}
				if f.authorIn(f.rounds[i+1], p.worker) != "" && !slices.Contains(reported[p.worker], unit) {
					out = append(out, g)
				}
			}
		}
	}
	return out
}

// silent says whether a worker claimed to run a unit before a gap and has said nothing of it since, and finds the gap's end: what
// the next one says that has it.
func (f *gapFinder) silent(g *gap, host string) bool {
	claims := f.claims(g.unit)
	after := sort.Search(len(claims), func(i int) bool { return claims[i].at.After(g.from.low) })
	ran := false
	for i := after - 1; i >= 0 && !ran; i-- {
		if claims[i].worker == host {
			if ran = claims[i].running(); !ran {
				return false
			}
		}
	}
	if !ran {
		return false
	}
	if after < len(claims) {
		if claims[after].worker == host {
			return false
		}
		g.to, g.ended = claims[after].at, true
	}
	return true
}

// authorIn is the name under which the claims of a member of a round are kept; "" when it is none.
func (f *gapFinder) authorIn(r *Round, worker int32) string {
	for _, id := range r.members.ids {
		if m := &f.h.tables.members[id]; m.worker == worker {
			return author(m.url, worker)
		}
	}
	return ""
}
