package doctor

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// topicsShared: workers that never were in this group have statuses in its status topic: another group was given the same topics. Each runs
// all connectors, and each takes what the other writes for its own.
var topicsShared = rule{"topics-shared", Critical, 0, ofStatuses, func(v *view) []Finding {
	strangers := v.Strangers()
	if len(strangers) == 0 {
		return nil
	}
	var out []Finding
	left := strangers
	for _, o := range v.OtherGroups() {
		var its []group.Stranger
		left = slices.DeleteFunc(slices.Clone(left), func(w group.Stranger) bool {
			is := slices.Contains(o.Workers, w.WorkerID)
			if is {
				its = append(its, w)
			}
			return is
		})
		if len(its) > 0 {
			out = append(out, v.shared(its, &o))
		}
	}
	if len(left) > 0 && len(out) == 0 { // beside a group that is known they may be workers of it that left
		out = append(out, v.shared(left, nil))
	}
	return out
}}

// shared is the finding about the workers of one other group; nil where its name is not known.
func (v *view) shared(strangers []group.Stranger, other *group.OtherGroup) Finding {
	who, f := "another group", Finding{about: "topics"}
	if other == nil {
		f.grace = 10 * time.Second // a worker that just joined may be read of later than its statuses
	} else {
		who = "group " + decode.Printable(other.Group)
		f.about += " " + other.Group
		f.Evidence = append(f.Evidence, Evidence{other.At, group.SourceDescribe, fmt.Sprintf("%s is %s, with %s", who, decode.Printable(other.State), words.Count(len(other.Workers), "worker"))})
	}
	var ids []string
	units := map[group.Unit]bool{}
	for _, w := range strangers {
		ids = append(ids, decode.Printable(w.WorkerID))
		f.Since = earliest(f.Since, w.Since)
		for _, u := range w.Units {
			units[u] = true
		}
		if len(f.Evidence) < 6 {
			when := fmt.Sprintf("when this group was at generation %d", w.Ours)
			if w.Ours == 0 {
				when = "before this group's first round"
			}
			f.Evidence = append(f.Evidence, Evidence{w.At, group.SourceStatus, fmt.Sprintf("%s: %s on %s in generation %d, %s",
				decode.Printable(w.Unit.String()), decode.Printable(w.State), decode.Printable(w.WorkerID), w.Generation, when)})
		}
	}
	for u := range units {
		f.Units = append(f.Units, u)
	}
	decode.SortUnits(f.Units)
	topics := "the status topic"
	both := slices.ContainsFunc(f.Units, func(u group.Unit) bool { _, ok := v.find(u); return ok })
	if both {
		topics = "the config and status topics"
	}
	f.Title = fmt.Sprintf("%s are shared with %s, whose %s %s", topics, who, is(len(ids), "worker is", "workers are"), words.Few(ids))
	if !both {
		f.Title = fmt.Sprintf("%s is shared with %s, whose %s %s", topics, who, is(len(ids), "worker is", "workers are"), words.Few(ids))
	}
	f.Why = "Both groups read the same configurations, so every connector runs in both: sources write everything twice, and sinks of one share the partitions with those of the other. Each group's leader writes task configurations and statuses over the other's."
	f.Next = []string{
		"Decide which of the two groups is to run these connectors, and stop all workers of the other.",
		"Give the other group topics of its own (config.storage.topic, offset.storage.topic and status.storage.topic) before it starts again. If both were meant to be one group, give them the same group.id.",
		"Then restart the connectors: statuses and task configurations of both groups lie over each other.",
	}
	if other == nil {
		f.Next = append([]string{"Find the other group: regroup groups lists them, and regroup worker list -g GROUP its workers."}, f.Next...)
	}
	return f
}

// strange reports whether a worker id is one of another group's that shares the topics.
func (v *view) strange(id string) bool {
	return slices.ContainsFunc(v.Strangers(), func(w group.Stranger) bool { return w.WorkerID == id })
}
