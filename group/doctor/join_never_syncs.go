package doctor

import (
	"fmt"
	"time"

	"regroup/group"
	"regroup/internal/words"
)

// joinNeverSyncs: workers join and join, and no round comes of it. The broker counts such generations and records none, so
// whoever counts records or log lines sees a quiet group.
var joinNeverSyncs = rule{"join-never-syncs", Critical, joinsLong, ofNothing, func(v *view) []Finding {
	if f, ok := v.joinsUnrecorded(); ok {
		return []Finding{f}
	}
	return v.joinsForever()
}}

// joinsLong is how long a join may run without a word.
const joinsLong = 10 * time.Second

// joinsUnrecorded finds many generations of the last minute that left no record.
func (v *view) joinsUnrecorded() (Finding, bool) {
	const least, most = 5, 2000
	var lost int64
	var first time.Time
	rounds := 0
	for i := v.At; i >= 0 && i > v.At-most && v.Now.Sub(v.Rounds[i].RecordedAt) < time.Minute; i-- {
		if r := v.Rounds[i]; r.Gap > 0 {
			lost, rounds = lost+r.Gap, rounds+1
			if first = r.RecordedAt; i > 0 {
				first = v.Rounds[i-1].RecordedAt
			}
		}
	}
	if lost < least {
		return Finding{}, false
	}
	f := v.neverSynced(fmt.Sprintf("%s passed in the last minute without a round", words.Count(int(lost), "generation")))
	f.Since = first
	f.Evidence = append(f.Evidence, Evidence{first, group.SourceLog, fmt.Sprintf("the numbers of %s leave out %d", words.Count(rounds, "round"), lost)})
	return f, true
}

// joinsForever finds a join that runs and runs.
func (v *view) joinsForever() []Finding {
	since := v.JoiningSince()
	if since.IsZero() {
		return nil
	}
	if src := v.SourceOf(group.SourceDescribe); src != nil && src.Health == group.HealthUnreachable {
		return nil // whether it still runs is not known
	}
	evidence := []Evidence{{since, group.SourceDescribe, fmt.Sprintf("%s now, and no poll saw the group stable since", v.Phase)}}
	if r := v.round; r != nil {
		if r.RecordedAt.After(since) {
			since = r.RecordedAt
		}
		evidence = append(evidence, Evidence{r.RecordedAt, group.SourceLog, called(r) + " is the newest"})
	}
	if v.Now.Sub(since) < joinsLong {
		return nil // the end of a recording is not the end of a join
	}
	f := v.neverSynced("a join runs and no round comes of it")
	f.Since, f.Evidence = since, evidence
	return []Finding{f}
}

func (v *view) neverSynced(title string) Finding {
	return Finding{
		Title: title, Certainty: Likely,
		Why:  "A join ends when every worker joined and the leader gave out assignments. A worker that joins again before that, or does not come, keeps all waiting: for rebalance.timeout.ms at most, then it is left out.",
		Sure: "The workers' logs: \"SyncGroup failed\" over and over names who disturbs it; a worker whose log stands still is the one waited for.",
		Next: []string{
			"Look for a worker whose herder is busy (a connector that blocks in start or stop), and stop that one.",
			"Look for workers of another cluster with the same group.id, and give them one of their own.",
		},
	}
}
