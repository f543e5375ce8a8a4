package doctor

import (
	"fmt"
	"time"

	"regroup/group"
	"regroup/internal/words"
)

// configMismatch: rounds with error 1, in which the leader decides nothing because its own config is behind a member's. One
// is ordinary: the leader reads on. A config topic with several partitions makes it endless, hundreds a second.
var configMismatch = rule{"config-mismatch", Critical, 0, ofRounds, func(v *view) []Finding {
	const least, most = 2, 2000
	n, first := 0, time.Time{}
	for i := v.At; i >= 0 && n < most && v.Rounds[i].Error != 0; i-- {
		n, first = n+1, v.Rounds[i].RecordedAt
	}
	if n < least {
		return nil
	}
	r := v.round
	f := Finding{
		Title: fmt.Sprintf("the leader decided nothing in the last %s: its config is behind a member's", words.Count(n, "round")),
		Why:   "Every assignment says error 1 (CONFIG_MISMATCH): the leader did not have the newest config that a member joined with. All keep what they had, nothing new starts, and all join again.",
		Since: first,
		Next: []string{
			"Look at the config topic: it must have one partition, and be the same topic for every worker (config.storage.topic).",
			"If it is sound, look at the leader's log: it cannot read that topic to its end.",
		},
	}
	f.Evidence = append(f.Evidence, Evidence{first, group.SourceLog, fmt.Sprintf("error %d in %s without a break, up to %s", r.Error, words.Count(n, "round"), called(r))})
	for _, w := range v.members { // where it shows, not who is to blame: the finding names no worker
		if w.Leader {
			f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("the leader %s joined at config offset %d", name(w), w.ConfigOffset)})
		}
	}
	for _, w := range v.members[:min(6, len(v.members))] {
		if !w.Leader {
			f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s joined at config offset %d", name(w), w.ConfigOffset)})
		}
	}
	if t, ok := v.setting("config"); ok && t.Partitions != 1 {
		f.Evidence = append(f.Evidence, Evidence{t.At, group.SourceConfig, fmt.Sprintf("%s has %d partitions: config offsets of different ones mean nothing to each other", t.Topic, t.Partitions)})
	} else {
		f.Sure = "The settings of the config topic: more than one partition explains it."
	}
	return []Finding{f}
}}
