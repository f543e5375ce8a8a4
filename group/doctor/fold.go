package doctor

import (
	"cmp"
	"slices"

	"regroup/group"
)

// consequences tells which findings follow from which when both stand, strongest cause first.
var consequences = []struct {
	cause  string
	follow []string
}{
	{"no-coordinator", []string{"access-denied", "join-never-syncs"}},
	{"no-workers", []string{"unit-orphaned", "status-stale"}},
	{"internal-topic-settings", []string{"config-mismatch"}},
	{"config-topic-mismatch", []string{"unit-not-started", "config-offset-behind", "rebalance-storm", "member-churn", "join-never-syncs"}},
	{"config-mismatch", []string{"rebalance-storm", "config-offset-behind", "unit-not-started"}},
	{"join-never-syncs", []string{"rebalance-storm"}},
	{"member-churn", []string{"rebalance-storm"}},
	{"eager-forced", []string{"unit-duplicated"}},
	{"config-records-gone", []string{"unit-not-started", "tasks-not-generated", "config-offset-behind"}},
	{"topics-shared", []string{"unit-duplicated", "config-offset-behind"}},
	{"url-clash", []string{"leader-unreachable", "worker-expelled", "tasks-not-generated"}},
	{"url-unusable", []string{"leader-unreachable", "tasks-not-generated"}},
	{"unit-duplicated", []string{"unit-orphaned"}},
	{"worker-expelled", []string{"unit-orphaned"}},
	{"worker-blocked", []string{"tasks-not-generated", "unit-not-started", "config-offset-behind"}},
	{"tasks-not-generated", []string{"unit-not-started"}},
	{"config-offset-behind", []string{"unit-not-started"}},
	{"unit-failed", []string{"tasks-not-generated"}},
}

// arrange notes under which cause a finding belongs, and puts the worst first, each followed by its consequences.
func arrange(findings []Finding) []Finding {
	for i := range findings {
		f := &findings[i]
		if f.Cause != "" && !slices.ContainsFunc(findings, func(o Finding) bool { return o.ID == f.Cause }) {
			f.Cause = "" // named by its rule, but it does not stand
		}
		for _, c := range consequences {
			if f.Cause == "" && slices.Contains(c.follow, f.ID) && slices.ContainsFunc(findings, func(o Finding) bool { return o.ID == c.cause && related(&o, f) }) {
				f.Cause = c.cause
			}
		}
	}
	trees := treesOf(findings)
	slices.SortStableFunc(trees, func(a, b []Finding) int { return cmp.Compare(worst(a), worst(b)) })
	return slices.Concat(trees...)
}

// related says whether a finding can follow from another: what both name, a worker or a unit, must be the same one.
func related(cause, f *Finding) bool {
	if len(cause.Workers) > 0 && len(f.Workers) > 0 {
		return slices.ContainsFunc(f.Workers, func(w string) bool { return slices.Contains(cause.Workers, w) })
	}
	if len(cause.Units) > 0 && len(f.Units) > 0 {
		return meet(cause.Units, f.Units)
	}
	return true
}

// meet says whether two sorted lists of units have one in common.
func meet(a, b []group.Unit) bool {
	for len(a) > 0 && len(b) > 0 {
		switch c := a[0].Compare(b[0]); {
		case c == 0:
			return true
		case c < 0:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

// treesOf gathers each finding that has no cause with all that follows from it.
func treesOf(findings []Finding) [][]Finding {
	placed := make([]bool, len(findings))
	var gather func(i int) []Finding
	gather = func(i int) []Finding {
		placed[i] = true
		out := []Finding{findings[i]}
		for j := range findings {
			if !placed[j] && findings[j].Cause == findings[i].ID && related(&findings[i], &findings[j]) {
				out = append(out, gather(j)...)
			}
		}
		return out
	}
	var trees [][]Finding
	for _, withCause := range []bool{false, true} { // what nobody gathered stands by itself
		for i := range findings {
			if !placed[i] && (findings[i].Cause != "") == withCause {
				trees = append(trees, gather(i))
			}
		}
	}
	return trees
}

func worst(tree []Finding) int {
	out := rank(Info)
	for _, f := range tree {
		out = min(out, rank(f.Severity))
	}
	return out
}

func rank(s Severity) int { return slices.Index([]Severity{Critical, Warning, Info}, s) }
