package doctor

import (
	"cmp"
	"slices"
	"time"

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

// Report is an examination's outcome: findings worst first, consequences after their cause.
type Report struct {
	Group    string
	Verdict  Verdict
	Findings []Finding
}

// rules are all that is looked for, in the order of DESIGN.md, section 10.
func rules() []rule {
	return []rule{
		unassignedStuck, unitDuplicated, unitFailed, configTopicMismatch, configMismatch, joinNeverSyncs, rebalanceStorm,
		coordinatorLost, groupRecordSize, noCoordinator, accessDenied, unitOrphaned, leaderUnreachable, workerBlocked,
		workerExpelled, urlClash, urlUnusable, eagerForced, internalTopicSettings, tasksNotGenerated, commitBeforeConnector,
		configOffsetBehind, memberChurn, mixedVersions, pluginMissing, uneven, unevenPerConnector, delayRunning, backoffDelay,
		delayIllFitting, statusStale, ghostStatus, shadowDiffers, knownBug,
	}
}

// Examine looks a State over. A finding appears once it has been so for its grace.
func Examine(s *group.State, opt Options) Report {
	out := Report{Group: s.Group, Verdict: Healthy}
	for _, r := range rules() {
		for _, f := range r.look(s) {
			f.ID = r.id
			if f.Severity == "" {
				f.Severity = r.severity
			}
			if f.Certainty == "" {
				f.Certainty = Seen
			}
			if !opt.Passed && !f.Since.IsZero() && s.Now.Sub(f.Since) < r.grace {
				continue
			}
			out.Findings = append(out.Findings, f)
		}
	}
	fold(out.Findings)
	slices.SortStableFunc(out.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(folded(a), folded(b)), cmp.Compare(rank(a.Severity), rank(b.Severity)))
	})
	for _, f := range out.Findings {
		if f.Severity != Info {
			out.Verdict = HasFindings
		}
	}
	if out.Verdict == Healthy && blind(s) {
		out.Verdict = CannotTell
	}
	return out
}

// Count is how many criticals and warnings stand on their own: what a header shows.
func (r Report) Count() int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity != Info && f.Cause == "" {
			n++
		}
	}
	return n
}

func folded(f Finding) int {
	if f.Cause != "" {
		return 1
	}
	return 0
}

func rank(s Severity) int { return slices.Index([]Severity{Critical, Warning, Info}, s) }

// blind says whether nothing tells who is in the group.
func blind(s *group.State) bool {
	if s.Round() == nil {
		return true
	}
	log, describe := s.SourceOf(group.SourceLog), s.SourceOf(group.SourceDescribe)
	lost := func(src *group.SourceState) bool {
		return src == nil || src.Health != group.HealthOK && src.Health != group.HealthEnded && src.Health != group.HealthCatchingUp
	}
	return lost(log) && lost(describe)
}

// consequences tells which finding follows from which when both stand.
var consequences = map[string][]string{ // cause → what follows
	"no-coordinator":        {"access-denied", "join-never-syncs"},
	"config-topic-mismatch": {"config-offset-behind", "rebalance-storm", "member-churn"},
	"config-mismatch":       {"rebalance-storm", "config-offset-behind"},
	"eager-forced":          {"unit-duplicated"},
	"url-clash":             {"leader-unreachable", "worker-expelled"},
	"url-unusable":          {"leader-unreachable"},
	"unit-duplicated":       {"unit-orphaned"},
	"join-never-syncs":      {"rebalance-storm"},
}

// fold notes under which cause a finding belongs, where one stands.
func fold(findings []Finding) {
	stands := map[string]bool{}
	for _, f := range findings {
		stands[f.ID] = true
	}
	for cause, follow := range consequences {
		if !stands[cause] {
			continue
		}
		for i := range findings {
			if slices.Contains(follow, findings[i].ID) {
				findings[i].Cause = cause
			}
		}
	}
}

// since is the earliest of some times that are known.
func since(times ...time.Time) time.Time {
	var out time.Time
	for _, t := range times {
		if !t.IsZero() && (out.IsZero() || t.Before(out)) {
			out = t
		}
	}
	return out
}
