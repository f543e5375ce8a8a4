package doctor

import (
	"fmt"
	"strings"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// urlClash: two members advertise one URL. What is forwarded to one lands on the other; a 409 then never ends though the
// group is stable.
var urlClash = rule{"url-clash", Warning, 0, ofRounds, func(v *view) []Finding {
	byURL := make(map[string][]*group.Worker, len(v.members))
	for _, w := range v.members {
		if w.URL != "" && !group.WithoutREST(w.URL) {
			u := strings.ToLower(strings.TrimSuffix(w.URL, "/"))
			byURL[u] = append(byURL[u], w)
		}
	}
	if len(byURL) == len(v.members) {
		return nil
	}
	var out []Finding
	for _, u := range sortedKeys(byURL) {
		workers := byURL[u]
		if len(workers) < 2 {
			continue
		}
		f := Finding{
			Title: fmt.Sprintf("%s advertise one URL, %s", words.Count(len(workers), "worker"), decode.Printable(workers[0].URL)),
			Why:   "What is sent to one of them lands on whichever answers there. Statuses of them cannot be told apart, and changes that are forwarded may end in a 409 (\"conflicting operation\") that no waiting cures.",
			Since: v.round.RecordedAt, Workers: idsOf(workers),
			Next: []string{
				"Give each worker its own rest.advertised.host.name and rest.advertised.port.",
				"If you do not know one of them, it is of another cluster with the same group.id: give that one its own.",
			},
		}
		for _, w := range workers[:min(6, len(workers))] {
			f.Evidence = append(f.Evidence, Evidence{v.round.RecordedAt, group.SourceLog, fmt.Sprintf("%s connects from %s and advertises %s",
				decode.Printable(w.ID), decode.Printable(w.Host), decode.Printable(w.URL))})
		}
		out = append(out, f)
	}
	return out
}}
