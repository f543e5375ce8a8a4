package doctor

import (
	"fmt"

	"regroup/decode"
	"regroup/group"
)

// urlUnusable: a URL that no other worker can use. Members forward to each other by URL, and statuses name workers by it. A node of
// MirrorMaker that is alone needs none.
var urlUnusable = rule{"url-unusable", Warning, 0, ofRounds, func(v *view) []Finding {
	hosts := map[string]bool{}
	for _, w := range v.members {
		hosts[w.Host] = true
	}
	var workers []*group.Worker
	var lines []Evidence
	has := map[urlFault]bool{}
	for _, w := range v.members {
		why, fault := unusable(w.URL, len(hosts) > 1)
		if why == "" || fault == faultMirror && len(v.members) == 1 {
			continue
		}
		has[fault] = true
		workers = append(workers, w)
		if len(lines) < 6 {
			lines = append(lines, Evidence{v.round.RecordedAt, group.SourceLog, fmt.Sprintf("%s at %s advertises %q: %s",
				name(w), decode.Printable(w.Host), decode.Printable(w.URL), why)})
		}
	}
	if len(workers) == 0 {
		return nil
	}
	f := Finding{
		Title: fmt.Sprintf("no other worker can reach %s by what %s", namesOf(workers), is(len(workers), "it advertises", "they advertise")),
		Why:   "Workers send changes to the leader, and task configs of connectors that live elsewhere, to advertised URLs. Statuses name workers by them too.",
		Since: v.round.RecordedAt, Workers: idsOf(workers), Evidence: lines,
	}
	if has[faultMirror] && len(has) == 1 {
		f.Why = "A connector on a follower sends its task configs to the leader over REST (KAFKA-9981). Without it the connector gets no tasks, or keeps old ones, and nothing in the group says so."
	}
	if has[faultOther] {
		f.Next = append(f.Next, "Set rest.advertised.host.name and rest.advertised.port to what the other workers can reach, and listeners to more than localhost.")
	}
	if has[faultJava] {
		f.Next = append(f.Next, "Set rest.advertised.host.name to a name of letters, digits and hyphens whose last part begins with a letter, and restart the worker. Its units run meanwhile.")
	}
	if has[faultMirror] {
		f.Next = append(f.Next,
			"Set dedicated.mode.enable.internal.rest=true on every node, and listeners to an address that the other nodes reach (MirrorMaker 3.5 and later; an older one has to be upgraded first).",
			"Restart the nodes one after the other.")
	}
	return []Finding{f}
}}
