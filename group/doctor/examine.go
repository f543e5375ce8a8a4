package doctor

import (
	"regroup/group"
)

// Verdict is what an examination comes to.
type Verdict string

// The verdicts. Info findings leave a group healthy.
const (
	Healthy     Verdict = "healthy"
	HasFindings Verdict = "findings"
	CannotTell  Verdict = "unknown"
)

// Report is an examination's outcome: findings worst first, each followed by its consequences.
type Report struct {
	Group    string
	Verdict  Verdict
	Findings []Finding
	Blanks   []Blank // rules that could not look
	Rules    int     // how many there are
}

// rules are all that is looked for, in the order of DESIGN.md, section 10.
func rules() []rule {
	return []rule{
		noWorkers, unassignedStuck, unitDuplicated, unitFailed, configTopicMismatch, configMismatch, joinNeverSyncs, configRecordsGone, topicsShared,
		rebalanceStorm, slowStop, unitRestartedOften,
		coordinatorLost, groupRecordSize, noCoordinator, accessDenied, unitOrphaned, leaderUnreachable, workerBlocked,
		workerExpelled, urlClash, urlUnusable, eagerForced, internalTopicSettings, tasksNotGenerated, unitNotStarted, commitBeforeConnector,
		configOffsetBehind, memberChurn, mixedVersions, pluginMissing, uneven, unevenPerConnector, delayRunning, backoffDelay,
		delayIllFitting, statusStale, ghostStatus, shadowDiffers, knownBug,
	}
}

// Examine looks a State over. A finding appears once it has been so for its grace.
func Examine(s *group.State, opt Options) Report {
	v, all := look(s), rules()
	out := Report{Group: s.Group, Verdict: Healthy, Rules: len(all)}
	for _, r := range all {
		if why := v.missing(r.needs); why != "" {
			out.Blanks = append(out.Blanks, Blank{r.id, why})
			continue
		}
		for _, f := range r.look(v) {
			if f.ID = r.id; f.Severity == "" {
				f.Severity = r.severity
			}
			if f.Certainty == "" {
				f.Certainty = Seen
			}
			grace := r.grace
			if f.grace > 0 {
				grace = f.grace
			}
			if opt.Passed || f.Since.IsZero() || s.Now.Sub(f.Since) >= grace {
				out.Findings = append(out.Findings, f)
			}
		}
	}
	out.Findings = arrange(out.Findings)
	for _, f := range out.Findings {
		if f.Severity != Info {
			out.Verdict = HasFindings
		}
	}
	if out.Verdict == Healthy && (blind(v) || s.Reading() != nil) {
		out.Verdict = CannotTell
	}
	return out
}

// Count is how many findings a header counts: criticals, and warnings that stand on their own.
func (r Report) Count() int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == Critical || f.Severity == Warning && f.Cause == "" {
			n++
		}
	}
	return n
}

// blind says whether nothing tells who is in the group.
func blind(v *view) bool {
	if v.round == nil {
		return true
	}
	lost := func(s group.Source) bool {
		src := v.SourceOf(s)
		return src == nil || !readable(src.Health)
	}
	return lost(group.SourceLog) && lost(group.SourceDescribe)
}
