package doctor

import (
	"fmt"
	"time"

	"regroup/group"
)

// configOffsetBehind: a member that joined behind what the leader assigns at, and has not joined again since. It reads the
// config topic up to there before it starts anything that it was given, then joins again.
var configOffsetBehind = rule{"config-offset-behind", Warning, 30 * time.Second, ofRounds, func(v *view) []Finding {
	if v.lone() {
		return nil
	}
	r := v.round
	var behind []*group.Worker
	for _, w := range v.members {
		if w.ConfigOffset < r.ConfigOffset {
			behind = append(behind, w)
		}
	}
	if len(behind) == 0 {
		return nil
	}
	f := Finding{
		Title: fmt.Sprintf("%s %s behind the group's configs", namesOf(behind), is(len(behind), "is", "are")),
		Why:   "Such a worker reads the config topic up to where the leader assigns before it starts what it was given; then it joins again. This one has not: it cannot read, or reads very slowly.",
		Since: r.RecordedAt, Workers: idsOf(behind),
		Next: []string{"Look at that worker's log: \"Current config state offset … is behind group assignment\".",
			"Look at its way to the brokers, and at its right to read the config topic."},
	}
	for _, w := range behind[:min(6, len(behind))] {
		f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s joined %s at config offset %d, the assignment is made at %d", name(w), called(r), w.ConfigOffset, r.ConfigOffset)})
	}
	if end := v.ConfigEnd(); end > 0 {
		f.Evidence = append(f.Evidence, Evidence{Source: group.SourceConfig, Text: fmt.Sprintf("the config topic ends at %d", end)})
	}
	return []Finding{f}
}}
