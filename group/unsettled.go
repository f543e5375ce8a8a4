package group

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/internal/words"
)

// Unsettled says why the group is not settled, but for units on their way, which Moving lists; nothing where it is. What is not
// read to its end comes first and alone: nothing can be said of now until then.
func (s *State) Unsettled() []string {
	r := s.Round()
	switch {
	case s.Reading() != nil:
		return []string{s.ReadingText()}
	case r == nil && s.Phase == "Dead":
		return []string{"not found; regroup groups lists the Connect groups of this cluster"}
	case r == nil:
		return []string{"no round of it was seen"}
	case r.Provisional && !s.configUnreadable():
		return []string{"its config topic is still being read"}
	case s.Phase != "" && s.Phase != "Stable" && s.Phase != "Empty":
		return []string{"the group is " + s.Phase}
	case s.behind(r):
		return []string{"the coordinator knows a newer round than " + s.roundName(r)}
	case r.Empty():
		return nil
	}
	var out []string
	switch {
	case r.Error != 0:
		out = append(out, s.roundName(r)+" decided nothing")
	case !s.RoundSettled():
		out = append(out, fmt.Sprintf("%s is not the last: %s", s.roundName(r), s.comes(r)))
	}
	if r.Provisional {
		out = append(out, configUnreadableText)
	}
	for _, u := range s.Unanswered() {
		if !u.Last.IsZero() {
			out = append(out, s.UnansweredText(u))
		}
	}
	return out
}

const configUnreadableText = "its config topic cannot be read"

// configUnreadable reports whether the config topic cannot be read at all, so that waiting for it tells nothing more.
func (s *State) configUnreadable() bool {
	src := s.SourceOf(SourceConfig)
	if src == nil {
		return false
	}
	switch src.Health {
	case HealthDenied, HealthMissing, HealthAmbiguous, HealthOff:
		return true
	}
	return false
}

// UnansweredText says that a worker may have died, and until when that is not known.
func (s *State) UnansweredText(u Unanswered) string {
	return fmt.Sprintf("%s does not answer; if it died, the group notices by %s", s.Workers[u.Worker].Name, u.Latest.Local().Format("15:04:05"))
}

// behind reports whether the coordinator has described the group, at rest, with other members than the newest round's since that came:
// a record of a newer round is on its way.
func (s *State) behind(r *Round) bool {
	if s.Past || r.Polled || s.told == nil || s.told.described == nil || s.told.described.State != "Stable" {
		return false
	}
	if !s.told.described.At.After(s.told.recordSeen) {
		return false
	}
	in := map[string]bool{}
	for _, id := range r.members.ids {
		in[s.past.tables.members[id].id] = true
	}
	for _, m := range s.told.described.Members {
		if !in[m.ID] {
			return true
		}
		delete(in, m.ID)
	}
	return len(in) > 0
}

func (s *State) roundName(r *Round) string {
	if r.Polled {
		return "this round"
	}
	return fmt.Sprintf("round %d", r.Generation)
}

// comes is what has to happen before the group is settled.
func (s *State) comes(r *Round) string {
	switch {
	case s.Delay != nil && s.Delay.Units > 0:
		return fmt.Sprintf("%s for a delay, %s more", waitUnits(s.Delay.Units), words.WholeSeconds(s.Delay.Remaining))
	case s.Delay != nil:
		return "the leader pauses before it goes on"
	case r.Released > 0:
		return words.Count(r.Released, "unit") + " released"
	}
	if names := s.AwaitedTasks(); len(names) > 0 && r.DelayMs == 0 && len(r.revoked) == 0 {
		return tasksToCome(names)
	}
	return "more work is to come"
}

// tasksToCome says whose first tasks have not been committed.
func tasksToCome(connectors []string) string {
	const most = 3
	text := "the tasks of " + decode.Printable(strings.Join(connectors[:min(most, len(connectors))], ", "))
	if more := len(connectors) - most; more > 0 {
		text += fmt.Sprintf(" and of %d more", more)
	}
	return text + " are still to come"
}

// Moving are the units that are on their way, as indices into Units. Others may have failed, which no waiting mends.
func (s *State) Moving() []int {
	var out []int
	for i := range s.Units {
		switch s.Units[i].State {
		case UnitStopping, UnitReleased, UnitDelayed, UnitRestarting, UnitStarting:
			out = append(out, i)
		}
	}
	return out
}

// Missing is a worker that left the group and is not back.
type Missing struct {
	Gone
	Left time.Time // when the round without it came
}

// MissingSince are the workers that left since then and are not in the group now, by when they left.
func (s *State) MissingSince(from time.Time) []Missing {
	r := s.Round()
	if r == nil {
		return nil
	}
	here := map[int32]bool{}
	for _, id := range r.members.ids {
		here[s.past.tables.members[id].worker] = true
	}
	first := s.At
	for first > 0 && !s.Rounds[first-1].RecordedAt.Before(from) {
		first--
	}
	var out []Missing
	for _, old := range s.Rounds[first : s.At+1] {
		if old.RecordedAt.Before(from) {
			continue
		}
		for _, g := range old.Left {
			if !here[g.Worker] {
				here[g.Worker] = true // told once
				out = append(out, Missing{g, old.RecordedAt})
			}
		}
	}
	return out
}

// Unanswered is a worker of the group whose REST interface does not answer any more. It may have died: then the coordinator notices
// between Earliest and Latest, a session timeout after the worker's last heartbeat, and the round without it comes within a
// heartbeat of that. A worker that is in the group still after that lives, and only its REST interface does not answer.
type Unanswered struct {
	Worker           int       // index in State.Workers
	Last             time.Time // when it last answered; zero when it never did
	Since            time.Time // when it first did not answer
	Earliest, Latest time.Time
}

// Unanswered are the members that may have died since the round, by name.
func (s *State) Unanswered() []Unanswered {
	r := s.Round()
	if s.Past || s.told == nil || r == nil || r.Empty() {
		return nil
	}
	var out []Unanswered
	for i := range s.Workers {
		w := &s.Workers[i]
		if w.Gone {
			continue
		}
		u := Unanswered{Worker: i}
		for _, l := range slices.Backward(s.told.lives[w.URL]) {
			if l.alive {
				u.Last = l.at
				break
			}
			if l.at.After(r.RecordedAt) { // every member joined that round, and lived
				u.Since = l.at
			}
		}
		if u.Since.IsZero() {
			continue
		}
		session := s.past.session(w.ID)
		u.Earliest, u.Latest = later(u.Last, r.RecordedAt).Add(session-heartbeat), u.Since.Add(session)
		if s.Now.Before(u.Latest.Add(heartbeat)) {
			out = append(out, u)
		}
	}
	return out
}

// withUnanswered adds to a verdict that outranks it that a worker may have died since: its units wait beside those that the verdict
// tells of, and the group does not know.
func (s *State) withUnanswered(v Verdict) Verdict {
	switch v.Word {
	case VerdictStuck, VerdictDelayed, VerdictReleased, VerdictRebalancing:
	default:
		return v
	}
	also, ok := unanswered(s, s.Round())
	if !ok {
		return v
	}
	words := []string{v.Sentence + " " + also.Short, v.Short + " " + also.Short}
	for _, fewer := range v.Fewer {
		words = append(words, fewer+" "+also.Short)
	}
	v.Sentence, v.Fewer, v.Second = words[0], words[1:], also.Short
	return v
}

// unanswered is from a worker's death to the round without it.
func unanswered(s *State, r *Round) (Verdict, bool) {
	if r == nil {
		return Verdict{}, false
	}
	all := slices.DeleteFunc(s.Unanswered(), func(u Unanswered) bool { return u.Last.IsZero() }) // it may be out of reach from here
	if len(all) == 0 {
		return Verdict{}, false
	}
	first, held := all[0], 0
	var who []string
	for _, u := range all {
		held += s.Workers[u.Worker].Held
		who = append(who, s.Workers[u.Worker].Name)
		if u.Latest.After(first.Latest) {
			first.Latest = u.Latest
		}
		first.Earliest = earlier(first.Earliest, u.Earliest)
	}
	does, its, it := " does not answer", "Its", "it"
	if len(all) > 1 {
		does, its, it = " do not answer", "Their", "they"
	}
	by := first.Latest.Local().Format("15:04:05")
	when := "by " + by
	if from := first.Earliest.Local().Format("15:04:05"); first.Earliest.After(s.Now) && from != by {
		when = "between " + from + " and " + by
	}
	v := Verdict{
		Word: VerdictUnreachable, Ends: first.Latest, Total: s.past.session(s.Workers[first.Worker].ID),
		Short: fmt.Sprintf("%s%s; the group notices by %s.", names(who), does, by),
	}
	v.Sentence = fmt.Sprintf("%s%s; the group notices %s.", names(who), does, when)
	if held > 0 {
		v.Second = fmt.Sprintf("%s %s not run if %s died.", its, verb(held, "does", "do"), it)
		v.Sentence += " " + v.Second
		v.Fewer = []string{fmt.Sprintf("%s%s; the group notices by %s. %s", names(who), does, by, v.Second)}
	}
	return v, true
}

// awaited is a connector that was created in an episode and whose tasks have not been committed yet, since the first round with it.
type awaited struct {
	connector int32
	since     time.Time
}

// awaitedFor is how long the first tasks of a connector are waited for. Later they may come all the same; doctor then says that
// they were not generated.
const awaitedFor = time.Minute

// awaits notes the connectors of r's episode whose first tasks are yet to come.
func (l *ledger) awaits(r *Round, rec *record, p *parts, change configChange) {
	var waiting []awaited
	if l.prev != nil && l.episode != r {
		waiting = slices.Clone(l.prev.awaited)
	}
	for _, k := range change.connectors {
		known := slices.ContainsFunc(waiting, func(a awaited) bool { return a.connector == k.connector })
		if k.created && !known {
			waiting = append(waiting, awaited{k.connector, r.RecordedAt})
		}
	}
	if r.Empty() {
		return
	}
	r.awaited = slices.DeleteFunc(waiting, func(a awaited) bool {
		now := l.config.at(a.connector, r.ConfigOffset)
		older := a.since.Before(r.RecordedAt)
		return !now.live || now.commit || older && now.newerCommit || // compaction may have taken the first
			r.RecordedAt.Sub(a.since) >= awaitedFor ||
			l.config.targetAt(a.connector, r.ConfigOffset) != decode.TargetStarted || l.stranded(rec, p, a.connector)
	})
}

// settledBy reports whether nothing more was to come of the round at that moment: it was settled, or all that kept it from that was
// tasks that did not come.
func (r *Round) settledBy(now time.Time) bool {
	if r.Settled {
		return true
	}
	only := r.Error == 0 && r.DelayMs == 0 && len(r.revoked) == 0 && len(r.awaited) > 0
	return only && !slices.ContainsFunc(r.awaited, func(a awaited) bool { return now.Sub(a.since) < awaitedFor })
}

// AwaitedTasks are the connectors whose first tasks are yet to come after the round stood on, by name. One whose instance has
// failed makes none.
func (s *State) AwaitedTasks() []string {
	r := s.Round()
	if r == nil || r.settledBy(s.Now) {
		return nil
	}
	var out []string
	for _, a := range r.awaited {
		name := s.past.tables.connectors[a.connector]
		at, ok := s.Find(Unit{Connector: name, Task: decode.Instance})
		if s.Now.Sub(a.since) >= awaitedFor || ok && s.Units[at].State == UnitFailed {
			continue
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// RoundSettled reports whether nothing more comes of the round stood on by itself.
func (s *State) RoundSettled() bool {
	r := s.Round()
	if r == nil || r.settledBy(s.Now) {
		return r != nil
	}
	return r.Error == 0 && r.DelayMs == 0 && len(r.revoked) == 0 && len(s.AwaitedTasks()) == 0
}
