package doctor

import (
	"fmt"

	"regroup/group"
	"regroup/internal/words"
)

// groupRecordSize: a round is one record of __consumer_offsets, and that topic takes records up to its max.message.bytes.
// Past it no round can be recorded: SyncGroup fails and the thread that runs each worker dies of it.
var groupRecordSize = rule{"group-record-size", Warning, 0, ofRounds, func(v *view) []Finding {
	const byDefault = 1 << 20
	r := v.round
	if r.Bytes == 0 {
		return nil
	}
	limit, certainty, told := byDefault, Likely, "the default; the topic's own is not known"
	t, ok := v.setting("log")
	if ok && t.MaxMessageBytes > 0 {
		limit, certainty, told = t.MaxMessageBytes, Seen, "as the broker says"
	}
	share := float64(r.Bytes) / float64(limit)
	if share <= 0.5 {
		return nil
	}
	f := Finding{
		Title:     fmt.Sprintf("the group's record fills %.0f %% of what __consumer_offsets takes", share*100),
		Why:       "Every round is one record with what each worker reported and was given. Past max.message.bytes no round can be recorded: every worker's herder thread ends, and the group is empty.",
		Certainty: certainty, Since: r.RecordedAt,
		Evidence: []Evidence{
			{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s: %s for %s and %s", called(r), size(r.Bytes), words.Count(len(v.members), "worker"), words.Count(len(v.Units), "unit"))},
			{t.At, group.SourceLog, fmt.Sprintf("max.message.bytes of __consumer_offsets: %s, %s", size(limit), told)},
		},
		Next: []string{
			fmt.Sprintf("Raise max.message.bytes of __consumer_offsets well above %s, and replica.fetch.max.bytes of the brokers with it.", size(2*r.Bytes)),
			"Or split the group: shorter names of connectors and fewer tasks make the record smaller too.",
		},
	}
	if certainty == Likely {
		f.Sure = "max.message.bytes of __consumer_offsets: needs DescribeConfigs on Topic __consumer_offsets."
	}
	if share > 0.8 {
		f.Severity = Critical
	}
	return []Finding{f}
}}

func size(bytes int) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return words.Count(bytes, "byte")
}
