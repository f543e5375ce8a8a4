package doctor

import (
	"fmt"

	"regroup/decode"
	"regroup/group"
	"regroup/group/assign"
)

// shadowDiffers: the leader decided otherwise than Connect's own rules would have. It runs another version, or something is
// wrong; previews are not to be trusted.
var shadowDiffers = rule{"shadow-differs", Info, 0, ofRounds, func(v *view) []Finding {
	const most = 100
	for i := v.At; i >= 0 && i > v.At-most && v.Rounds[i].EpisodeSeq == v.round.EpisodeSeq; i-- {
		r := v.Rounds[i]
		if r.Shadow != assign.ShadowDiffers {
			continue
		}
		f := Finding{
			Title: fmt.Sprintf("the leader decided otherwise in %s than was computed", called(r)),
			Why:   "What the leader gave out is not what the rules of any version known here give for what the members reported. Previews of what comes next may be wrong.",
			Since: r.RecordedAt, Certainty: Likely, Sure: "The leader's version, over REST.",
			Evidence: []Evidence{{r.RecordedAt, group.SourceLog, decode.Printable(r.ShadowWhy)}},
			Next:     []string{"Do not rely on previews while this leader leads.", "Record the group (regroup record) and report it: the recording shows why."},
		}
		if r.ShadowWhy == "" {
			f.Evidence[0].Text = "no more is known"
		}
		if w := v.member(r.Leader); w != nil {
			f.Workers = []string{w.ID}
			if version := v.version(w); version != "" {
				f.Evidence = append(f.Evidence, Evidence{v.rest[w.URL].At, group.SourceREST, name(w) + " runs " + decode.Printable(version)})
			}
		}
		return []Finding{f}
	}
	return nil
}}
