package doctor

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
)

// mixedVersions: workers of several versions, longer than a rolling upgrade's next step takes. The leader's version decides
// how work is dealt out, and any of them may lead next.
var mixedVersions = rule{"mixed-versions", Warning, time.Minute, ofWorkers, func(v *view) []Finding {
	byVersion := map[string][]*group.Worker{}
	for _, w := range v.members {
		if version := v.version(w); version != "" {
			byVersion[version] = append(byVersion[version], w)
		}
	}
	if len(byVersion) < 2 {
		return nil
	}
	f := Finding{
		Title: fmt.Sprintf("workers run %d versions", len(byVersion)),
		Why:   "The leader decides for all by the rules of its own version, and the best protocol that every member knows is used: what a round does depends on who leads.",
		Since: v.round.RecordedAt, // the upgrade's last step, if it is one
		Next:  []string{"If this is a rolling upgrade, finish it.", "Else bring the workers to one version."},
	}
	for _, version := range sortedKeys(byVersion) {
		at := v.rest[byVersion[version][0].URL].At
		f.Evidence = append(f.Evidence, Evidence{at, group.SourceREST, fmt.Sprintf("%s: %s", decode.Printable(version), namesOf(byVersion[version]))})
	}
	return []Finding{f}
}}
