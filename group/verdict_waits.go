package group

import (
	"fmt"
	"strings"
	"time"

	"regroup/internal/words"
)

func delayed(s *State, r *Round) (Verdict, bool) {
	if s.Delay == nil || s.Delay.Backoff || r.Empty() {
		return Verdict{}, false
	}
	who, its := "", "The"
	var gone []string
	for _, w := range s.Workers {
		if w.Gone && w.Wait > 0 {
			gone = append(gone, w.Name)
		}
	}
	switch len(gone) {
	case 0:
	case 1:
		who, its = gone[0]+" left. ", "Its"
	default:
		who, its = names(gone)+" left. ", "Their"
	}
	if s.Past {
		return waited(s, r, who+its), true
	}
	waits := fmt.Sprintf("%s%s %s", who, its, waitUnits(s.Delay.Units))
	v := Verdict{Word: "DELAYED", Sentence: waits + " for the delay.", Short: waits + ".", Ends: s.Delay.Ends, Total: s.Delay.Total}
	if len(gone) == 1 {
		v.Fewer = []string{fmt.Sprintf("%s left; %d wait.", gone[0], s.Delay.Units)}
	}
	if then, short := s.then(); then != "" {
		v.Sentence, v.Second = waits+", then "+then+".", "then "+then
		v.Fewer = append([]string{fmt.Sprintf("%s%s; %s.", who, waitUnits(s.Delay.Units), short)}, v.Fewer...)
	}
	if w := s.stopsAlone(); w != nil && len(gone) > 0 {
		also := w.Name
		if w.Leader {
			also += ", the leader,"
		}
		v.Sentence = fmt.Sprintf("%s left: %s. %s stopped its own %d too.", names(gone), waitUnits(s.Delay.Units), also, w.Held)
		v.Fewer, v.Second = v.Fewer[min(len(v.Fewer), 1):], fmt.Sprintf("%s stopped its own %d too", also, w.Held)
	}
	return v, true
}

// waited tells of a delay in the past: how long the units waited of it, and which round ended it.
func waited(s *State, r *Round, whose string) Verdict {
	total := s.Delay.Total
	short := fmt.Sprintf("%s %s waited.", whose, words.Count(s.Delay.Units, "unit"))
	v := Verdict{Word: "DELAYED", Sentence: fmt.Sprintf("%s %s waited for the delay of %s.", whose, words.Count(s.Delay.Units, "unit"), seconds(total)), Short: short}
	if s.At+1 >= len(s.Rounds) {
		return v
	}
	next := s.Rounds[s.At+1]
	of := next.RecordedAt.Sub(r.RecordedAt)
	waited := fmt.Sprintf("%s %s waited %s of %s", whose, words.Count(s.Delay.Units, "unit"), strings.TrimSuffix(roughly(of), " s"), seconds(total))
	switch {
	case next.Polled:
		v.Sentence = waited + "."
	case next.Delayed > 0:
		v.Fewer = []string{waited + "."}
		v.Sentence = fmt.Sprintf("%s until round %d, and went on waiting.", waited, next.Generation)
	case of >= total-time.Second:
		v.Sentence = fmt.Sprintf("%s %s waited the whole %s: round %d gave %s out.", whose, words.Count(s.Delay.Units, "unit"), seconds(total), next.Generation, them(s.Delay.Units))
	default:
		v.Fewer = []string{waited + "."}
		v.Sentence = fmt.Sprintf("%s: round %d ended the delay.", waited, next.Generation)
	}
	return v
}

// stopsAlone is a worker that says it stopped all it holds, though nobody told it to: it shuts down, or is cut off.
func (s *State) stopsAlone() *Worker {
	if s.count(UnitStopping) == 0 {
		return nil
	}
	for w := range s.Workers {
		worker := &s.Workers[w]
		if worker.Gone || worker.Held == 0 || worker.Revoked > 0 || len(worker.Holds) != worker.Held {
			continue
		}
		all := true
		for _, i := range worker.Holds {
			all = all && s.Units[i].State == UnitStopping
		}
		if all {
			return worker
		}
	}
	return nil
}

func released(s *State, r *Round) (Verdict, bool) {
	if r == nil || r.Released == 0 {
		return Verdict{}, false
	}
	who, on := "", s.revokedOn()
	for _, c := range r.Causes {
		if c.Kind == CauseWorkerJoined || c.Kind == CauseWorkerReturned {
			who = c.Name + map[CauseKind]string{CauseWorkerJoined: " joined. ", CauseWorkerReturned: " is back. "}[c.Kind]
			break
		}
	}
	if s.Past {
		next := "the next round gave " + them(r.Released) + " out again"
		if s.At+1 < len(s.Rounds) {
			n := s.Rounds[s.At+1]
			next = fmt.Sprintf("round %d gave %s%s %s later", n.Generation, them(r.Released), s.toWhom(), roughly(n.RecordedAt.Sub(r.RecordedAt)))
		}
		return Verdict{
			Word: "RELEASED", Sentence: fmt.Sprintf("%s%s stopped%s; %s.", who, words.Count(r.Released, "unit"), on, next),
			Short: fmt.Sprintf("%s%s stopped.", who, words.Count(r.Released, "unit")), Fewer: []string{fmt.Sprintf("%s%s stopped; %s.", who, words.Count(r.Released, "unit"), next)},
		}, true
	}
	stop := who + verb(r.Released, "stops", "stop")
	v := Verdict{Word: "RELEASED", Short: stop + "."}
	v.Sentence = fmt.Sprintf("%s%s; the next round gives %s out again.", stop, on, them(r.Released))
	v.Fewer = []string{fmt.Sprintf("%s; the next round gives %s out again.", stop, them(r.Released))}
	if then, _ := s.then(); then != "" {
		v.Sentence, v.Second = stop+on+", then "+then+".", "then "+then
		v.Fewer = []string{stop + ", then " + then + "."}
	}
	return v, true
}

// revokedOn names the workers that were told to stop something: " on worker-1 and worker-3".
func (s *State) revokedOn() string {
	var on []string
	for i := range s.Workers {
		if w := &s.Workers[i]; !w.Gone && w.Revoked > 0 {
			on = append(on, w.Name)
		}
	}
	if len(on) == 0 {
		return ""
	}
	return " on " + names(on)
}

// toWhom names the workers that the round after a past one gave something to: " to worker-2".
func (s *State) toWhom() string {
	if s.past == nil || s.At+1 >= len(s.past.rounds) || s.past.rounds[s.At+1].Mode != ModeCooperative {
		return ""
	}
	next := s.past.rounds[s.At+1]
	given := byWorker(next.store.assigned)
	var to []string
	for j, id := range next.members.ids {
		if len(given[s.past.tables.members[id].worker]) > 0 {
			to = append(to, next.members.names[j])
		}
	}
	if len(to) == 0 {
		return ""
	}
	return " to " + names(to)
}

// roughly is a length of time without a fraction that says nothing: 3 s, 0.4 s.
func roughly(d time.Duration) string {
	if d >= time.Second {
		return fmt.Sprintf("%d s", int(d.Round(time.Second)/time.Second))
	}
	return seconds(d)
}
