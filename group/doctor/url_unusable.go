package doctor

import (
	"fmt"

	"regroup/decode"
	"regroup/group"
)

// urlUnusable: a URL that no other worker can use. Members forward to each other by URL, and statuses name workers by it.
var urlUnusable = rule{"url-unusable", Warning, 0, ofRounds, func(v *view) []Finding {
	hosts := map[string]bool{}
	for _, w := range v.members {
		hosts[w.Host] = true
	}
	var workers []*group.Worker
	var lines []Evidence
	for _, w := range v.members {
		why := unusable(w.URL, len(hosts) > 1)
		if why == "" {
			continue
		}
		workers = append(workers, w)
		if len(lines) < 6 {
			lines = append(lines, Evidence{v.round.RecordedAt, group.SourceLog, fmt.Sprintf("%s at %s advertises %q: %s",
				name(w), decode.Printable(w.Host), decode.Printable(w.URL), why)})
		}
	}
	if len(workers) == 0 {
		return nil
	}
	return []Finding{{
		Title: fmt.Sprintf("no other worker can reach %s by what %s", namesOf(workers), is(len(workers), "it advertises", "they advertise")),
		Why:   "Workers send changes to the leader, and task configs of connectors that live elsewhere, to advertised URLs. Statuses name workers by them too.",
		Since: v.round.RecordedAt, Workers: idsOf(workers), Evidence: lines,
		Next: []string{
			"Set rest.advertised.host.name and rest.advertised.port to what the other workers can reach, and listeners to more than localhost.",
			"For MirrorMaker in its own process: dedicated.mode.enable.internal.rest=true, from 3.5 on.",
		},
	}}
}}
