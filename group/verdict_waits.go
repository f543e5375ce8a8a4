package group

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
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
	v := Verdict{Word: VerdictDelayed, Sentence: waits + " for the delay.", Short: waits + ".", Ends: s.Delay.Ends, Total: s.Delay.Total}
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
	v := Verdict{Word: VerdictDelayed, Sentence: fmt.Sprintf("%s %s waited for the delay of %s.", whose, words.Count(s.Delay.Units, "unit"), seconds(total)), Short: short}
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
			Word: VerdictReleased, Sentence: fmt.Sprintf("%s%s stopped%s; %s.", who, words.Count(r.Released, "unit"), on, next),
			Short: fmt.Sprintf("%s%s stopped.", who, words.Count(r.Released, "unit")), Fewer: []string{fmt.Sprintf("%s%s stopped; %s.", who, words.Count(r.Released, "unit"), next)},
		}, true
	}
	stop := who + verb(r.Released, "stops", "stop")
	v := Verdict{Word: VerdictReleased, Short: stop + "."}
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

// idleAfter is how long work may lie in a worker's hands and not run before that is more than a slow start.
const idleAfter = time.Minute

// Idle lists the units that a living worker has held for longer than a slow start takes, and does not run: it never said that it
// started them, or it said that it stopped them and nothing more.
func (s *State) Idle() []int {
	if s.count(UnitStarting)+s.count(UnitStopping) == 0 {
		return nil
	}
	var out []int
	for i := range s.Units {
		u := &s.Units[i]
		if u.State != UnitStarting && u.State != UnitStopping || s.Now.Sub(s.heldSince(u)) < idleAfter {
			continue
		}
		if u.Worker >= 0 && !s.Workers[u.Worker].Gone {
			out = append(out, i)
		}
	}
	return out
}

// heldSince is since when a unit is as it is, at the latest: what was given out before history begins was so then.
func (s *State) heldSince(u *UnitState) time.Time {
	if u.Since.IsZero() && len(s.Rounds) > 0 {
		return s.Rounds[0].RecordedAt
	}
	return u.Since
}

func idle(s *State, r *Round) (Verdict, bool) {
	if r == nil || r.Empty() || r.Error != 0 || r.Delayed > 0 {
		return Verdict{}, false
	}
	at := s.Idle()
	if len(at) == 0 {
		return Verdict{}, false
	}
	first := &s.Units[at[0]]
	since := s.Now
	for _, i := range at {
		since = earlier(since, s.heldSince(&s.Units[i]))
	}
	what, who, does := first.Unit.String(), s.workerName(first.Worker)+" holds", "does"
	if len(at) > 1 {
		what = words.Count(len(at), "unit")
	}
	if slices.ContainsFunc(at, func(i int) bool { return s.Units[i].Worker != first.Worker }) {
		who, does = "Workers hold", "do"
	}
	return Verdict{
		Word: VerdictStuck, Sentence: fmt.Sprintf("%s %s, and nothing has started %s for %s.", who, what, them(len(at)), clock(s.Now.Sub(since))),
		Short: fmt.Sprintf("%s %s and %s not run %s.", who, what, does, them(len(at))),
	}, true
}

// halted is between two rounds: workers have stopped what they held, because they join again, and the round is not there yet.
func halted(s *State, r *Round) (Verdict, bool) {
	n := s.count(UnitStopping)
	if r == nil || r.Empty() || n == 0 {
		return Verdict{}, false
	}
	return Verdict{
		Word: VerdictRebalancing, Sentence: fmt.Sprintf("%s stopped by the workers that hold %s; a round that gives %s out has not come yet.", verb(n, "was", "were"), them(n), them(n)),
		Short: fmt.Sprintf("%s stopped; the next round has not come yet.", verb(n, "was", "were")),
	}, true
}

// BlindAfter is how long all may be silent before what is shown is called old.
const BlindAfter = 10 * time.Second

// kafka are the sources that a broker answers.
var kafka = []Source{SourceLog, SourceDescribe, SourceConfig, SourceStatus}

// Silent is since when no broker has answered any source, and for how long that has been so; 0 where one never did, and in a
// recording.
func (s *State) Silent() (since time.Time, silent time.Duration) {
	ended := func(src SourceState) bool { return src.Health == HealthEnded }
	if s.Past || s.told == nil || s.told.answered.IsZero() || slices.ContainsFunc(s.Sources, ended) {
		return time.Time{}, 0
	}
	return s.told.answered, s.Now.Sub(s.told.answered)
}

func blind(s *State, r *Round) (Verdict, bool) {
	log := s.SourceOf(SourceLog)
	if log == nil || s.Past || log.Health == HealthEnded || log.Health == HealthOff {
		return Verdict{}, false
	}
	if since, silent := s.Silent(); silent >= BlindAfter {
		return cutOff(s, log, since), true
	}
	if log.Health == HealthOK || log.Health == HealthCatchingUp {
		return Verdict{}, false
	}
	describe := s.SourceOf(SourceDescribe)
	if r != nil && r.Polled && describe != nil && describe.Health == HealthOK {
		return Verdict{}, false // the log may not be read, and the description is read in its place
	}
	nothing := r == nil && describe != nil && describe.Health == HealthUnreachable && log.Health == HealthUnreachable
	if s.Now.Sub(log.Since) < BlindAfter && !nothing {
		return Verdict{}, false
	}
	if r == nil || describe != nil && describe.Health == HealthUnreachable {
		return cutOff(s, log, log.Since), true
	}
	age := clock(s.Now.Sub(log.Since))
	return Verdict{
		Word:  VerdictBlind,
		Short: fmt.Sprintf("The coordinator log is silent for %s.", age), Second: fmt.Sprintf("What you see is %s old.", age),
		Sentence: fmt.Sprintf("The coordinator log is silent since %s. What you see is %s old.", log.Since.Local().Format("15:04:05"), age),
	}, true
}

// cutOff is the verdict while no broker answers. Workers that no broker answers either stop their work by themselves.
func cutOff(s *State, log *SourceState, since time.Time) Verdict {
	age := clock(s.Now.Sub(since))
	if s.Round() == nil {
		v := Verdict{Word: VerdictBlind, Short: fmt.Sprintf("Nothing was heard of this group in %s.", age), Second: decode.Printable(log.Detail)}
		v.Sentence = v.Short
		if v.Second != "" {
			v.Sentence += " " + v.Second
		}
		return v
	}
	first := fmt.Sprintf("No broker answers since %s.", since.Local().Format("15:04:05"))
	return Verdict{
		Word: VerdictBlind, Sentence: fmt.Sprintf("%s What you see is %s old. Workers that stay cut off stop their work.", first, age),
		Short: fmt.Sprintf("No broker answers for %s.", age), Second: "Workers that stay cut off stop their work.",
		Fewer: []string{fmt.Sprintf("%s What you see is %s old.", first, age)},
	}
}

// sourceTitles name the sources in sentences.
var sourceTitles = map[Source]string{
	SourceLog: "coordinator log", SourceDescribe: "description of the group", SourceConfig: "config topic", SourceStatus: "status topic",
}

// Reading is the first source that has not been read to its end yet, so that the State may be of a moment long past; nil when
// there is none.
func (s *State) Reading() *SourceState {
	if s.Past {
		return nil
	}
	for _, source := range kafka {
		if src := s.SourceOf(source); src != nil && src.Health == HealthCatchingUp {
			return src
		}
	}
	return nil
}

// ReadingText says which source is still being read, and how far it has been; "" when none is.
func (s *State) ReadingText() string {
	src := s.Reading()
	if src == nil {
		return ""
	}
	text := "the " + sourceTitles[src.Source] + " is still being read"
	if src.Detail != "" {
		text += ": " + decode.Printable(src.Detail)
	}
	return text
}

func reading(s *State, _ *Round) (Verdict, bool) {
	src := s.Reading()
	if src == nil {
		return Verdict{}, false
	}
	v := Verdict{Word: VerdictReading, Sentence: "T" + s.ReadingText()[1:] + ".", Short: "The " + sourceTitles[src.Source] + " is still being read."}
	if src.Detail != "" {
		v.Second = decode.Printable(src.Detail)
	}
	return v, true
}
