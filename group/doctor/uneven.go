package doctor

import (
	"fmt"
	"time"

	"regroup/group"
	"regroup/internal/words"
)

// uneven: the group is settled, and loads of one kind differ by more than one. Newer leaders even out until they do not.
var uneven = rule{"uneven", Info, time.Minute, ofRounds, func(v *view) []Finding {
	if v.lone() || !v.RoundSettled() || len(v.members) < 2 {
		return nil
	}
	var out []Finding
	for _, kind := range []struct {
		word  string
		loads func(*group.Worker) int
	}{{"connector", func(w *group.Worker) int { return w.HeldConns }}, {"task", func(w *group.Worker) int { return w.Held - w.HeldConns }}} {
		least, most := v.members[0], v.members[0]
		for _, w := range v.members {
			if kind.loads(w) < kind.loads(least) {
				least = w
			}
			if kind.loads(w) > kind.loads(most) {
				most = w
			}
		}
		if kind.loads(most)-kind.loads(least) <= 1 {
			continue
		}
		f := Finding{
			Title: fmt.Sprintf("%s has %s, %s has %d, and nothing more will move", name(most), words.Count(kind.loads(most), kind.word), name(least), kind.loads(least)),
			Why:   "The group is settled: the leader sees no reason to take units away again. Leaders before 3.4 even out only towards a worker that is empty, and in few steps.",
			Since: v.round.RecordedAt,
			Next: []string{
				"If it matters, make another round: evict the fullest worker, and look at the preview first.",
				"With leaders before 3.4: upgrade.",
			},
		}
		for _, w := range v.members[:min(8, len(v.members))] {
			f.Evidence = append(f.Evidence, Evidence{v.round.RecordedAt, group.SourceLog, fmt.Sprintf("%s holds %s", name(w), words.Count(kind.loads(w), kind.word))})
		}
		out = append(out, f)
	}
	return out
}}
