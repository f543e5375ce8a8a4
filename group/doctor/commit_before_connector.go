package doctor

import (
	"fmt"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// commitBeforeConnector: all that is left of a connector's own records came after the commit of its tasks. Compaction keeps
// the newest record of each key, so a commit that never changed is overtaken. Running workers know the tasks; one that
// starts reads the commit before the connector and drops it (KAFKA-16838).
var commitBeforeConnector = rule{"commit-before-connector", Warning, 0, ofConfigs, func(v *view) []Finding {
	var out []Finding
	for _, c := range v.Configs() {
		if !overtaken(&c) || c.Tasks == 0 {
			continue
		}
		who := decode.Printable(c.Name)
		f := Finding{
			Title: fmt.Sprintf("the tasks of %s may be lost at the next restart of a worker", who),
			Why:   "A worker that starts reads the config topic from its beginning. It meets the commit of the tasks while it knows no such connector yet, and drops it (KAFKA-16838).",
			Since: c.RecordAt, Certainty: Likely, Units: []group.Unit{{Connector: c.Name, Task: decode.Instance}},
			Sure: "The version of the workers: what a commit that comes first is worth differs.",
			Evidence: []Evidence{
				{c.CommitAt, group.SourceConfig, fmt.Sprintf("the commit of %s stands at offset %d", words.Count(c.Tasks, "task"), c.CommitOffset)},
				{c.RecordAt, group.SourceConfig, fmt.Sprintf("the oldest record of %s that is left stands at offset %d", who, c.FirstRecord)},
			},
			Next: []string{
				fmt.Sprintf("Change something in the configuration of %s that reaches its tasks: that writes a new commit behind it.", who),
				"Do so before any worker restarts.",
			},
		}
		out = append(out, f)
	}
	return out
}}
