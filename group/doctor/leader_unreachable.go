package doctor

import (
	"fmt"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
)

// leaderUnreachable: the leader's REST interface does not answer from here; an answer that is an error is one, see worker-blocked. Every other worker forwards changes to it.
var leaderUnreachable = rule{"leader-unreachable", Warning, 30 * time.Second, ofREST, func(v *view) []Finding {
	if v.lone() {
		return nil
	}
	r, asked := v.rest[v.round.LeaderURL]
	if !asked || r.Root == "" || r.Answers() {
		return nil
	}
	leader := "the leader"
	f := Finding{Since: v.RESTSince(r.URL)}
	if w := v.member(v.round.Leader); w != nil {
		leader = "the leader " + name(w)
		f.Workers = []string{w.ID}
	}
	f.Title = fmt.Sprintf("%s does not answer at %s, as seen from here", leader, decode.Printable(r.URL))
	f.Why = "Every worker forwards changes to the leader at the URL that it advertises, and connectors on other workers send their task configs there. Where it cannot be reached, changes end in a 500 and new tasks never appear."
	f.Evidence = []Evidence{
		{r.At, group.SourceREST, decode.Printable("GET " + r.URL + ": " + strings.TrimPrefix(r.Root, "GET "+r.URL+": "))},
		{v.round.RecordedAt, group.SourceLog, fmt.Sprintf("%s: leaderUrl %s", called(v.round), decode.Printable(v.round.LeaderURL))},
	}
	f.Certainty, f.Sure = Likely, "The same address asked from the other workers' hosts: what can be reached differs by place."
	f.Next = []string{
		fmt.Sprintf("Ask %s from another worker's host.", decode.Printable(r.URL)),
		"If it fails there too: look at the firewall, rest.advertised.host.name and rest.advertised.port of that worker.",
		"If it works there, tell this program the way: --rest-map HOST=URL.",
	}
	return []Finding{f}
}}
