package doctor

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// configTopicMismatch: a member whose config offset stays apart from the assignment's while the others' agree: it reads
// another config topic (or one made anew). The group looks stable meanwhile: a rejoin with unchanged metadata gives the
// same generation, so what shows is that it never catches up.
var configTopicMismatch = rule{"config-topic-mismatch", Critical, 5 * time.Second, ofRounds, func(v *view) []Finding {
	r := v.round
	if v.lone() || len(v.members) < 2 {
		return nil
	}
	var out []Finding
	for _, w := range v.members {
		if w.ConfigOffset == r.ConfigOffset || !othersAgree(v.members, w, r.ConfigOffset) {
			continue
		}
		rounds, first := v.apart(w)
		// Behind once is ordinary: it reads on, and starts what it was given. An empty topic stays behind in every round.
		stays := rounds >= 3 || w.ConfigOffset < 0 && (rounds == 2 || len(v.unstarted(w)) > 0)
		if !stays || v.Now.Sub(first) < patience {
			continue
		}
		f := Finding{
			Certainty: Likely, Since: first, Workers: []string{w.ID},
			Title: fmt.Sprintf("%s reads another config topic: its config offset is %d, the assignment's is %d", name(w), w.ConfigOffset, r.ConfigOffset),
			Why:   "It belongs to this group by its group.id, but its config topic is not the others'. It rejoins again and again, runs nothing that it is given, and everything given to it stands still.",
			Sure:  "That worker's config.storage.topic; its log repeats \"Current config state offset … does not match group assignment\".",
			Next: []string{
				fmt.Sprintf("Look at config.storage.topic of the worker at %s.", decode.Printable(w.URL)),
				"Give it the group's own config topic, or a group.id of its own, and restart it.",
			},
		}
		f.Evidence = append(f.Evidence,
			Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s joined round %d at config offset %d", name(w), r.Generation, w.ConfigOffset)},
			Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("the assignment of round %d is made at config offset %d", r.Generation, r.ConfigOffset)},
			Evidence{first, group.SourceLog, fmt.Sprintf("apart in %s, since then", words.Count(rounds, "round"))})
		if w.ConfigOffset < 0 {
			f.Evidence = append(f.Evidence, Evidence{Source: group.SourceLog, Text: "-1 means that its config topic is empty"})
		}
		if w.Held > 0 {
			f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s given to it: %s", words.Count(w.Held, "unit"), some(v.unitsOf(w.Holds)))})
			f.Units = v.unitsOf(w.Holds)
		}
		out = append(out, f)
	}
	return out
}}

// patience is how long a worker may take to read its config topic up to what the leader assigns at.
const patience = 5 * time.Second

// othersAgree says whether every other member read the config topic as far as the assignment, or further.
func othersAgree(members []*group.Worker, but *group.Worker, offset int64) bool {
	for _, w := range members {
		if w.ID != but.ID && w.ConfigOffset < offset {
			return false
		}
	}
	return true
}

// apart counts the newest rounds without a break in which a worker's config offset was below the assignment's and did not
// move, and says when that began.
func (v *view) apart(w *group.Worker) (rounds int, first time.Time) {
	const most = 20
	for i := v.At; i >= 0 && i > v.At-most; i-- {
		d := v.Detail(i)
		found := false
		for _, m := range d.Members {
			if m.Worker == w.Worker && m.ConfigOffset != d.ConfigOffset && m.ConfigOffset == w.ConfigOffset {
				found = true
			}
		}
		if !found {
			break
		}
		rounds, first = rounds+1, v.Rounds[i].RecordedAt
	}
	return rounds, first
}
