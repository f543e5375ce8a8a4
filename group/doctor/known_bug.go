package doctor

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// knownBug: a defect of the version that workers run, where this group meets it, or can: the table is facts about released
// versions.
var knownBug = rule{"known-bug", Info, 0, ofRounds, func(v *view) []Finding {
	var out []Finding
	if v.lone() {
		return nil
	}
	for _, d := range defects {
		var at []*group.Worker
		for _, w := range v.members {
			if version, ok := parseVersion(v.version(w)); ok && d.in(version) {
				at = append(at, w)
			}
		}
		met := d.met(v)
		if met == nil || len(at) == 0 && !d.anyVersion {
			continue
		}
		f := Finding{
			Title: d.id + ": " + d.title, Why: d.why, Certainty: Likely, Cause: d.under, Since: met[0].At, Evidence: met,
			Next: []string{d.next}, Workers: idsOf(at), about: d.id,
		}
		if len(at) > 0 {
			w := at[0]
			f.Evidence = append(f.Evidence, Evidence{v.rest[w.URL].At, group.SourceREST, fmt.Sprintf("%s %s %s", namesOf(at), is(len(at), "runs", "run"), decode.Printable(v.version(w)))})
		}
		out = append(out, f)
	}
	return out
}}

// defect is one known bug: in which versions, and what of this group shows that it meets it.
type defect struct {
	id, title, why, next string
	in                   func(version) bool
	anyVersion           bool // no release is without it
	met                  func(*view) []Evidence
	under                string // the finding that it explains
}

var defects = []defect{
	{
		id: "KAFKA-15693", title: "with a delay of 0 lost work is never given out", under: "unassigned-stuck",
		why:  "A delay of 0 in an assignment means that no delay runs. These versions leave lost work for after the delay all the same, and that never ends.",
		next: "Upgrade to 3.5.2, 3.6.1 or later, or set scheduled.rebalance.max.delay.ms above 0.",
		in:   func(n version) bool { return n.between(version{3, 4, 0}, version{3, 5, 1}) || n == version{3, 6, 0} },
		met: func(v *view) []Evidence {
			return v.lastRound(func(r *group.Round) bool {
				return len(r.Left) > 0 && r.Unassigned > 0 && r.Mode == group.ModeCooperative
			},
				"a worker left in %s and its work was given to nobody, with a delay of 0")
		},
	},
	{
		id: "KAFKA-13816", title: "a downgrade to eager leaves copies running", under: "eager-forced", anyVersion: true,
		why:  "A worker behaves by the protocol of its last join, so nobody stops anything when the group turns eager, and what moved runs twice. No release is without it.",
		next: "Make the group cooperative again, then restart the workers in the order that eager-forced gives.",
		in:   func(n version) bool { return n.compare(version{2, 3, 0}) >= 0 },
		met: func(v *view) []Evidence {
			i := v.turnedEager()
			if v.round.Mode != group.ModeEager || i < 0 || v.Rounds[i].Twice == 0 {
				return nil
			}
			r := v.Rounds[i]
			return []Evidence{{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s turned the group eager: %s moved without being stopped", called(r), words.Count(r.Twice, "unit"))}}
		},
	},
	{
		id: "KAFKA-10413", title: "all work of a lost worker goes to one other", under: "uneven",
		why:  "When the delay is over these versions give everything lost to the first candidate, and do not even out after that.",
		next: "Upgrade to 2.6.2, 2.7.1 or later.",
		in:   func(n version) bool { return n.between(version{2, 3, 0}, version{2, 6, 1}) || n == version{2, 7, 0} },
		met: func(v *view) []Evidence {
			if len(v.members) < 3 {
				return nil
			}
			return v.lastRound(func(r *group.Round) bool { return hasCause(r, group.CauseDelayExpired) && r.Started > 1 },
				"a delay was over in %s, and lost work was given out")
		},
	},
	{
		id: "KAFKA-12495", title: "the next round after a revoking one evens out nothing", under: "uneven",
		why:  "Versions before 3.4 never take units away in two rounds that follow each other: a worker that joins just after such a round stays short of work.",
		next: "Upgrade to 3.5.2, 3.6.1 or later; until then any further round evens out.",
		in:   func(n version) bool { return n.between(version{2, 3, 0}, version{3, 3, 99}) },
		met: func(v *view) []Evidence {
			if len(uneven.look(v)) == 0 {
				return nil
			}
			return []Evidence{{v.round.RecordedAt, group.SourceLog, "the group is settled and uneven"}}
		},
	},
	{
		id: "KAFKA-9184", title: "a worker that cannot reach the coordinator keeps its work running",
		why:  "Others get the same work after a session timeout: it runs twice until that worker is back.",
		next: "Upgrade to 2.4 or later.",
		in:   func(n version) bool { return n.between(version{2, 3, 0}, version{2, 3, 99}) },
		met: func(v *view) []Evidence {
			if v.round.Mode != group.ModeCooperative {
				return nil
			}
			return []Evidence{{v.round.RecordedAt, group.SourceLog, "the group runs " + decode.Printable(v.round.Protocol)}}
		},
	},
}

// lastRound gives the newest round of those worth looking at that is so, as evidence.
func (v *view) lastRound(so func(*group.Round) bool, text string) []Evidence {
	const most, window = 1000, 24 * time.Hour
	for i := v.At; i >= 0 && i > v.At-most && v.Now.Sub(v.Rounds[i].RecordedAt) < window; i-- {
		if r := v.Rounds[i]; r.Error == 0 && so(r) {
			return []Evidence{{r.RecordedAt, group.SourceLog, fmt.Sprintf(text, called(r))}}
		}
	}
	return nil
}

func hasCause(r *group.Round, kind group.CauseKind) bool {
	for _, c := range r.Causes {
		if c.Kind == kind {
			return true
		}
	}
	return false
}
