package doctor

import (
	"fmt"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// eagerForced: the group runs eager though members of it have run a cooperative protocol in the same life. The group takes
// the best protocol that every member knows, so one old worker is enough; what members know is on no wire.
var eagerForced = rule{"eager-forced", Warning, 0, ofRounds, func(v *view) []Finding {
	if v.lone() || v.round.Mode != group.ModeEager {
		return nil
	}
	at := v.turnedEager()
	if at <= 0 {
		return nil
	}
	before, turned := v.Detail(at-1), v.Rounds[at]
	knew := 0
	for _, m := range before.Members {
		if v.member(m.ID) != nil {
			knew++
		}
	}
	if knew == 0 { // all were restarted since: eager may be what they are set to
		return nil
	}
	f := Finding{
		Title: "the whole group runs eager since a worker joined that knows nothing else", Certainty: Likely, Since: turned.RecordedAt,
		Why: "The group takes the best protocol that every member knows. Under eager every round stops every unit.",
		Evidence: []Evidence{
			{before.RecordedAt, group.SourceLog, fmt.Sprintf("%s ran %s, and %s of it are here still", called(before.Round), decode.Printable(before.Protocol), words.Count(knew, "member"))},
			{turned.RecordedAt, group.SourceLog, fmt.Sprintf("%s runs %s", called(turned), decode.Printable(turned.Protocol))},
		},
		Sure: "The version of that worker, or connect.protocol in its properties.",
	}
	for _, c := range turned.Causes {
		if c.Kind != group.CauseProtocolChanged {
			continue
		}
		f.Evidence = append(f.Evidence, Evidence{turned.RecordedAt, group.SourceLog, decode.Printable(c.Detail)})
		if c.Worker == "" {
			continue
		}
		who := decode.Printable(c.Name)
		f.Title = fmt.Sprintf("%s knows only eager, so the whole group runs eager", who)
		f.Workers = []string{c.Worker}
		f.Next = []string{fmt.Sprintf("Take %s out, or run 2.3 or later there with connect.protocol=sessioned. One round makes the group cooperative again.", who)}
		if w := v.member(c.Worker); w != nil && v.version(w) != "" {
			f.Evidence = append(f.Evidence, Evidence{v.rest[w.URL].At, group.SourceREST, who + " runs " + decode.Printable(v.version(w))})
		}
	}
	if f.Next == nil {
		f.Next = []string{"Find the worker that is older than 2.3, or set to connect.protocol=eager, and change that one."}
	}
	if turned.Twice > 0 {
		f.Evidence = append(f.Evidence, Evidence{turned.RecordedAt, group.SourceLog, fmt.Sprintf("%s moved in %s and nobody was told to stop them", words.Count(turned.Twice, "unit"), called(turned))})
	}
	copies := v.copies()
	f.Next = append(f.Next, copies.cure(v)...)
	return []Finding{f}
}}

// turnedEager is the index of the round in which the group went from cooperative to eager, -1 if it did not within the
// rounds worth looking at.
func (v *view) turnedEager() int {
	const most = 5000
	for i := v.At; i > 0 && i > v.At-most; i-- {
		switch v.Rounds[i-1].Mode {
		case group.ModeCooperative:
			return i
		case group.ModeNone:
			return -1
		}
	}
	return -1
}
