package doctor

import (
	"fmt"
	"time"

	"regroup/group"
)

// configTopicMismatch: a member whose config offset stays apart from the assignment's while the others' agree: it reads
// another config topic (or one made anew). The group looks stable meanwhile: a rejoin with unchanged metadata gives the
// same generation, so what shows is that it never catches up.
var configTopicMismatch = rule{"config-topic-mismatch", Critical, 5 * time.Second, func(s *group.State) []Finding {
	r := s.Round()
	members := present(s)
	if r == nil || r.Empty() || len(members) < 2 || r.Error != 0 {
		return nil
	}
	var out []Finding
	for _, w := range members {
		if w.ConfigOffset == r.ConfigOffset || !othersAgree(members, w, r.ConfigOffset) {
			continue
		}
		rounds, first := apart(s, w)
		if w.ConfigOffset >= 0 && rounds < 2 { // behind once is ordinary; -1 with an assignment above it is not
			continue
		}
		f := Finding{
			Certainty: Likely, Since: first, Workers: []string{w.ID},
			Title: fmt.Sprintf("%s reads another config topic: its config offset is %d, the assignment's is %d", w.Name, w.ConfigOffset, r.ConfigOffset),
			Why:   "It belongs to this group by its group.id, but its config topic is not the others'. It rejoins again and again, runs nothing that it is given, and everything given to it stands still.",
			Sure:  "That worker's config.storage.topic; its log repeats \"Current config state offset … does not match group assignment\".",
			Next: []string{fmt.Sprintf("Look at config.storage.topic of the worker at %s.", w.URL),
				"Give it the group's own config topic, or a group.id of its own, and restart it."},
		}
		f.Evidence = append(f.Evidence,
			Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s joined round %d at config offset %d", w.Name, r.Generation, w.ConfigOffset)},
			Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("the assignment of round %d is made at config offset %d", r.Generation, r.ConfigOffset)},
			Evidence{first, group.SourceLog, fmt.Sprintf("apart in %s, since then", count(rounds, "round"))})
		if w.ConfigOffset < 0 {
			f.Evidence = append(f.Evidence, Evidence{Source: group.SourceLog, Text: "-1 means that its config topic is empty"})
		}
		if w.Held > 0 {
			f.Evidence = append(f.Evidence, Evidence{r.RecordedAt, group.SourceLog, fmt.Sprintf("%s given to it: %s", count(w.Held, "unit"), some(unitsOf(s, w.Holds)))})
			f.Units = unitsOf(s, w.Holds)
		}
		out = append(out, f)
	}
	return out
}}

// othersAgree says whether every other member read the config topic as far as the assignment, or further.
func othersAgree(members []group.Worker, but group.Worker, offset int64) bool {
	for _, w := range members {
		if w.ID != but.ID && w.ConfigOffset < offset {
			return false
		}
	}
	return true
}

// apart counts the newest rounds without a break in which a worker's config offset was below the assignment's and did not
// move, and says when that began.
func apart(s *group.State, w group.Worker) (rounds int, first time.Time) {
	const most = 50
	for i := s.At; i >= 0 && i > s.At-most; i-- {
		d := s.Detail(i)
		found := false
		for _, m := range d.Members {
			if m.Worker == w.Worker && m.ConfigOffset != d.ConfigOffset && m.ConfigOffset == w.ConfigOffset {
				found = true
			}
		}
		if !found {
			break
		}
		rounds, first = rounds+1, s.Rounds[i].RecordedAt
	}
	return rounds, first
}
