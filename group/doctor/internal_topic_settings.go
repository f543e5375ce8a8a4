package doctor

import (
	"fmt"
	"strings"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// internalTopicSettings: a config topic with several partitions, or an internal topic from which records are deleted. Workers
// keep a copy in memory, so nothing shows until they restart.
var internalTopicSettings = rule{"internal-topic-settings", Warning, 0, ofSettings, func(v *view) []Finding {
	var out []Finding
	for _, role := range []string{"config", "status", "offsets"} {
		t, ok := v.setting(role)
		if !ok {
			continue
		}
		topic := decode.Printable(t.Topic)
		tell := func(setting, title, why string, next ...string) {
			out = append(out, Finding{
				Title: title, Why: why, Next: next, about: role + " " + setting,
				Evidence: []Evidence{{t.At, sourceOf(role), fmt.Sprintf("%s: %s, replication %d, cleanup.policy %s", topic,
					words.Count(t.Partitions, "partition"), t.Replication, orUnknown(decode.Printable(t.CleanupPolicy)))}},
			})
		}
		if role == "config" && t.Partitions != 1 && t.Partitions != 0 {
			tell("partitions", fmt.Sprintf("the config topic %s has %d partitions", topic, t.Partitions),
				"Workers compare how far they have read by offset. With several partitions these offsets mean nothing to each other, and the leader and the others may never agree.",
				"Make a new topic with one partition, cleanup.policy=compact, and copy the records into it in their order.",
				"Point config.storage.topic of every worker to it, and restart them all at once.")
		}
		if p := strings.TrimSpace(t.CleanupPolicy); p != "" && p != "compact" {
			tell("cleanup.policy", fmt.Sprintf("%s has cleanup.policy=%s: records will be deleted", topic, decode.Printable(p)), lostWith[role],
				fmt.Sprintf("Set cleanup.policy=compact on %s, and nothing else.", topic),
				afterwards[role])
		}
	}
	return out
}}

var afterwards = map[string]string{
	"config":  "Then compare the connectors with those that you expect, and write again those whose records are gone, before a worker restarts.",
	"status":  "Then restart the units whose status is missing: each writes its own anew.",
	"offsets": "Then read the offsets of the source connectors (GET /connectors/NAME/offsets) and set what is missing, before a worker restarts.",
}

var lostWith = map[string]string{
	"config":  "Connectors are remembered by their records alone. Workers have a copy in memory, so all looks well until the next restart; then those whose records are gone are gone.",
	"status":  "Statuses that are not written again are deleted: units then seem to have none.",
	"offsets": "Source connectors find their place by these records. When they are gone, a restart begins from the start, or skips.",
}

func sourceOf(role string) group.Source {
	if role == "status" {
		return group.SourceStatus
	}
	return group.SourceConfig
}

func orUnknown(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}
