package doctor

import (
	"fmt"

	"regroup/decode"
	"regroup/group"
)

// accessDenied: a right of this program's user is missing, and with it a part of what can be told. It says nothing about the
// workers' own rights.
var accessDenied = rule{"access-denied", Warning, 0, ofNothing, func(v *view) []Finding {
	if v.Past {
		return nil
	}
	var out []Finding
	for _, src := range v.Sources {
		if src.Health != group.HealthDenied {
			continue
		}
		what, next := sourceWords[src.Source], "Give this program's user that right; reading is all that it needs."
		if what == "" {
			what = "REST interface " + decode.Printable(src.Name)
			next = "Set in the context what its workers want: regroup context set --help lists logins and certificates."
		}
		out = append(out, Finding{
			Title: fmt.Sprintf("the %s may not be read", what), Why: withoutIt[src.Source], Since: src.Since,
			Evidence: []Evidence{{src.Since, src.Source, decode.Printable(src.Detail)}},
			Next:     []string{next}, about: what,
		})
	}
	return out
}}

// withoutIt says what cannot be told without a source.
var withoutIt = map[group.Source]string{
	group.SourceLog:      "Rounds are seen by polling only: short ones are missed, and there is no history.",
	group.SourceDescribe: "Whether a join runs now, and what lies between two records, cannot be told.",
	group.SourceConfig:   "Which units exist is known from assignments only, and why units restarted is not known.",
	group.SourceStatus:   "Whether a unit runs, failed or runs twice cannot be told.",
}
