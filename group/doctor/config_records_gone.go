package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// configRecordsGone: units run whose connectors have no record in the config topic. Running workers have a copy in memory; one that
// starts reads the topic and finds nothing.
var configRecordsGone = rule{"config-records-gone", Critical, 0, ofConfigs, func(v *view) []Finding {
	gone := v.Unrecorded()
	if len(gone) == 0 {
		return nil
	}
	topic := "the config topic"
	if src := v.SourceOf(group.SourceConfig); src != nil && src.Name != "" {
		topic += " " + decode.Printable(src.Name)
	}
	var f Finding
	var names []string
	for _, c := range gone {
		who := decode.Printable(c.Connector)
		names = append(names, who)
		f.Units = append(f.Units, c.Units...)
		var on []string
		for _, w := range c.Workers {
			on = append(on, v.worker(w))
		}
		slices.Sort(on)
		if len(f.Evidence) < 6 {
			f.Evidence = append(f.Evidence, Evidence{
				time.Time{},
				group.SourceConfig,
				fmt.Sprintf("%s: no record, and %s on %s", who, words.Count(len(c.Units), "unit"), words.Few(on)),
			})
		}
	}
	f.Title = fmt.Sprintf("%s %s, and %s of %s not in the config topic: a restart loses %s", words.Count(len(f.Units), "unit"), is(len(f.Units), "runs", "run"),
		is(len(gone), "the configuration", "the configurations"), words.Few(names)+is(len(gone), " is", " are"), is(len(f.Units), "it", "them"))
	f.Why = fmt.Sprintf("The records of %s were deleted from %s. Running workers have them in memory, so nothing shows. A worker that starts reads the topic from its beginning and does not know %s: it cannot start their units, and when all have restarted the %s gone, task configurations and all.",
		words.Few(names), topic, is(len(gone), "this connector", "these connectors"), is(len(gone), "connector is", "connectors are"))
	if at := v.ConfigBegin(); at > 0 {
		f.Evidence = append(f.Evidence, Evidence{time.Time{}, group.SourceConfig, fmt.Sprintf("the oldest record that is left is at offset %d; %s knows the topic up to offset %d", at, called(v.round), v.round.ConfigOffset)})
	}
	f.Next = []string{
		fmt.Sprintf("Restart and evict no worker before %s back in the topic.", is(len(gone), "the record is", "the records are")),
		fmt.Sprintf("Get each configuration from a running worker and keep it: GET /connectors/%s/config.", names[0]),
		fmt.Sprintf("Write %s again before any restart: PUT /connectors/%s/config with the same configuration writes the record anew.", strings.Join(names[:min(4, len(names))], ", "), names[0]),
	}
	if set, ok := v.setting("config"); ok && set.CleanupPolicy != "" && strings.TrimSpace(set.CleanupPolicy) != "compact" {
		f.Next = append([]string{fmt.Sprintf("Set cleanup.policy=compact on %s first: it is %s, which deletes records.", decode.Printable(set.Topic), decode.Printable(set.CleanupPolicy))}, f.Next...)
	} else {
		f.Next = append(f.Next, "Then find out who deleted the records: kafka-delete-records, a retention time set for a while, or the topic made anew.")
	}
	return []Finding{f}
}}
