package group

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/internal/words"
)

// VerdictWord is how a group stands, in a word.
type VerdictWord string

// The words of verdicts, the one to look at first first.
const (
	VerdictBlind       VerdictWord = "BLIND"
	VerdictStuck       VerdictWord = "STUCK"
	VerdictDelayed     VerdictWord = "DELAYED"
	VerdictReleased    VerdictWord = "RELEASED"
	VerdictRebalancing VerdictWord = "REBALANCING"
	VerdictUnreachable VerdictWord = "UNREACHABLE"
	VerdictBackOff     VerdictWord = "BACK-OFF"
	VerdictDuplicated  VerdictWord = "DUPLICATED"
	VerdictFailed      VerdictWord = "FAILED"
	VerdictEmpty       VerdictWord = "EMPTY"
	VerdictReading     VerdictWord = "READING"
	VerdictSettled     VerdictWord = "SETTLED"
)

var verdictOrder = []VerdictWord{
	VerdictBlind, VerdictStuck, VerdictDelayed, VerdictReleased, VerdictRebalancing, VerdictUnreachable, VerdictBackOff, VerdictDuplicated,
	VerdictFailed, VerdictEmpty, VerdictReading, VerdictSettled,
}

// Verdicts are the words of verdicts, the one to look at first first.
func Verdicts() []VerdictWord { return slices.Clone(verdictOrder) }

// Rank is where a verdict stands among those of other groups, the lowest first: a group that has units and no workers, then by word.
func (v Verdict) Rank() int {
	if v.Nowhere {
		return -1
	}
	if i := slices.Index(verdictOrder, v.Word); i >= 0 {
		return i
	}
	return len(verdictOrder)
}

// verdict is the one word and the one sentence that matter most: the first that fits.
func verdict(s *State) Verdict {
	for _, rule := range []func(*State, *Round) (Verdict, bool){
		blind, reading, deleted, stuck, delayed, released, rebalancing, halted, unanswered, backingOff, duplicated, failed, empty, unsettled,
	} {
		if v, ok := rule(s, s.Round()); ok {
			if v.Short == "" {
				v.Short = v.Sentence
			}
			return s.withUnanswered(v)
		}
	}
	return settled(s, s.Round())
}

func (s *State) count(k UnitStateKind) int { return s.counts[k] }

func deleted(s *State, r *Round) (Verdict, bool) {
	if r == nil || s.Past {
		return Verdict{}, false
	}
	if !r.Deleted && s.Phase == "Dead" {
		return Verdict{
			Word: VerdictEmpty, Sentence: "The coordinator knows no such group any more. What you see is its last round.",
			Short: "The coordinator knows no such group any more.", Nowhere: len(s.Units) > 0,
		}, true
	}
	if !r.Deleted {
		return Verdict{}, false
	}
	return Verdict{Word: VerdictEmpty, Sentence: "The group was deleted. What you see is its last round.", Nowhere: len(s.Units) > 0}, true
}

func stuck(s *State, r *Round) (Verdict, bool) {
	if r == nil || r.Empty() || r.Error != 0 {
		return Verdict{}, false
	}
	if n := s.count(UnitUnassigned); n > 0 && r.Delayed == 0 {
		return Verdict{
			Word: VerdictStuck, Sentence: fmt.Sprintf("%s in nobody's hands and no delay runs. Nothing will start %s by itself.", areUnits(n), them(n)),
			Short: fmt.Sprintf("%s in nobody's hands; no delay runs.", areUnits(n)),
		}, true
	}
	if v, ok := neverStarted(s, r); ok {
		return v, true
	}
	return idle(s, r)
}

// startsWithin is how long a worker may take to start what it was given, however large the connector.
const startsWithin = 15 * time.Second

// neverStarted is work in the hands of a worker whose configs are not the group's: it joins again and again, and starts nothing.
func neverStarted(s *State, r *Round) (Verdict, bool) {
	if s.count(UnitStarting) == 0 {
		return Verdict{}, false
	}
	for w := range s.Workers {
		worker := &s.Workers[w]
		if worker.Gone || worker.ConfigOffset == r.ConfigOffset {
			continue
		}
		var waits []int
		since := s.Now
		for _, i := range worker.Holds {
			if u := &s.Units[i]; u.State == UnitStarting && !u.Since.IsZero() && s.Now.Sub(u.Since) >= startsWithin {
				waits = append(waits, i)
				if u.Since.Before(since) {
					since = u.Since
				}
			}
		}
		if len(waits) == 0 {
			continue
		}
		what := s.Units[waits[0]].Unit.String()
		if len(waits) > 1 {
			what = words.Count(len(waits), "unit")
		}
		apart := fmt.Sprintf("%s is at config offset %d, the group at %d.", worker.Name, worker.ConfigOffset, r.ConfigOffset)
		return Verdict{
			Word: VerdictStuck, Sentence: fmt.Sprintf("%s It holds %s and has not started %s for %s.", apart, what, them(len(waits)), clock(s.Now.Sub(since))),
			Short: apart, Second: fmt.Sprintf("It has not started %s for %s.", what, clock(s.Now.Sub(since))),
		}, true
	}
	return Verdict{}, false
}

func rebalancing(s *State, _ *Round) (Verdict, bool) {
	if s.Past || !s.Joining() {
		return Verdict{}, false
	}
	if src := s.SourceOf(SourceDescribe); src != nil && src.Health == HealthUnreachable {
		return Verdict{Word: VerdictRebalancing, Likely: true, Sentence: fmt.Sprintf(
			"A join had begun when the coordinator last answered, %s ago.", clock(s.Now.Sub(src.Heard)))}, true
	}
	if s.PhaseSince.IsZero() {
		return Verdict{Word: VerdictRebalancing, Sentence: "A join runs; nobody knows yet who gets what."}, true
	}
	age := s.Now.Sub(s.PhaseSince)
	if age <= time.Second {
		return Verdict{}, false
	}
	return Verdict{Word: VerdictRebalancing, Sentence: fmt.Sprintf("A join runs for %d s; nobody knows yet who gets what.", int(age.Seconds()))}, true
}

func backingOff(s *State, r *Round) (Verdict, bool) {
	if s.Delay == nil || r.Empty() || s.Delay.Remaining == 0 {
		return Verdict{}, false
	}
	return Verdict{
		Word: VerdictBackOff, Sentence: fmt.Sprintf("Nothing waits; the leader pauses for %.1f s before it takes units away again.", s.Delay.Total.Seconds()),
		Ends: s.Delay.Ends, Total: s.Delay.Total,
	}, true
}

func duplicated(s *State, r *Round) (Verdict, bool) {
	n := s.count(UnitDuplicated)
	if r == nil || n == 0 {
		return Verdict{}, false
	}
	for _, c := range r.Causes {
		if c.Kind == CauseProtocolChanged && r.Mode == ModeEager && c.Name != "" {
			return Verdict{
				Word: VerdictDuplicated, Likely: true, Sentence: fmt.Sprintf(
					"%s knows only eager, so the whole group runs eager. %s moved unstopped: they may run twice.", c.Name, words.Count(n, "unit")),
				Short: fmt.Sprintf("%s forces eager. %s may run twice.", c.Name, words.Count(n, "unit")),
				Fewer: []string{fmt.Sprintf("%s may run twice.", words.Count(n, "unit"))},
			}, true
		}
	}
	if r.Duplicated > 0 {
		return Verdict{Word: VerdictDuplicated, Sentence: fmt.Sprintf("%s on two workers at once.", runUnits(n))}, true
	}
	return Verdict{Word: VerdictDuplicated, Likely: true, Sentence: fmt.Sprintf("%s may run on two workers at once.", words.Count(n, "unit"))}, true
}

func failed(s *State, _ *Round) (Verdict, bool) {
	n := s.count(UnitFailed)
	if n == 0 {
		return Verdict{}, false
	}
	var first *UnitState
	for i := range s.Units {
		if s.Units[i].State == UnitFailed {
			first = &s.Units[i]
			break
		}
	}
	text := fmt.Sprintf("%s failed on %s.", first.Unit, s.workerName(first.Worker))
	if n > 1 {
		text = fmt.Sprintf("%d units failed, %s first.", n, first.Unit)
	}
	return Verdict{Word: VerdictFailed, Sentence: text}, true
}

func empty(s *State, r *Round) (Verdict, bool) {
	if r != nil && !r.Empty() {
		return Verdict{}, false
	}
	if r == nil && s.Phase == "Dead" {
		return Verdict{Word: VerdictEmpty, Sentence: "There is no group of this name. Is it right? If so, no worker was started yet.", Short: "There is no group of this name."}, true
	}
	if r == nil {
		return Verdict{Word: VerdictEmpty, Sentence: "No round of this group was seen yet."}, true
	}
	if len(r.Causes) == 1 && r.Causes[0].Kind == CauseFirst { // who was in before it, if anybody, is not known
		return Verdict{Word: VerdictEmpty, Sentence: "No worker is in the group." + nowhere(s), Nowhere: len(s.Units) > 0}, true
	}
	left := fmt.Sprintf("The last worker left at %s.", r.RecordedAt.Local().Format("15:04:05"))
	return Verdict{Word: VerdictEmpty, Sentence: left + nowhere(s), Nowhere: len(s.Units) > 0}, true
}

func nowhere(s *State) string {
	if len(s.Units) == 0 {
		return ""
	}
	return " " + runUnits(len(s.Units)) + " nowhere" + s.UnlessStillRun(len(s.Units)) + "."
}

// UnlessStillRun hedges that n units run nowhere because the group has no workers: the coordinator drops workers that it does not hear,
// too, and these run on what they had. What they claimed may run still, as long as nothing tells that their process ended.
func (s *State) UnlessStillRun(n int) string {
	still := 0
	for i := range s.Units {
		if s.Units[i].Orphaned && s.mayLive(i) {
			still++
		}
	}
	switch {
	case still == 0:
		return ""
	case still == n && n == 1:
		return ", unless a worker that left still runs it"
	case still == n:
		return ", unless workers that left still run them"
	}
	return fmt.Sprintf(", unless workers that left still run %d of them", still)
}

// mayLive reports whether the worker whose claim is the newest of s.Units[i] may still run: its REST interface is not known to be gone.
func (s *State) mayLive(i int) bool {
	x := s.moment
	if x == nil || s.told == nil {
		return true
	}
	by := x.authorOf(&x.claims.of(s.numbers[i]).newest)
	for _, m := range slices.Backward(x.h.tables.members) {
		if m.worker != by {
			continue
		}
		for _, l := range slices.Backward(s.told.lives[m.url]) {
			if !l.at.After(s.Now) {
				return l.alive
			}
		}
		break
	}
	return true
}

// unsettled is what keeps a group from being settled and no other verdict tells.
func unsettled(s *State, r *Round) (Verdict, bool) {
	why := s.Unsettled()
	if len(why) == 0 {
		return Verdict{}, false
	}
	v := Verdict{Word: VerdictRebalancing}
	switch {
	case len(why) == 1 && why[0] == configUnreadableText: // all else is settled: the other sources tell that much
		v = settled(s, r)
		v.Likely = true
		v.Sentence += " The config topic cannot be read."
	case r.Provisional && !s.configUnreadable():
		v.Word = VerdictReading
		v.Sentence = "The config topic is still being read."
	case s.Past && s.At+1 < len(s.Rounds):
		next := s.Rounds[s.At+1]
		v.Short = fmt.Sprintf("%s was not the last.", strings.ToUpper(s.roundName(r)[:1])+s.roundName(r)[1:])
		v.Sentence = fmt.Sprintf("%s The next one came %s later.", v.Short, roughly(next.RecordedAt.Sub(r.RecordedAt)))
	default:
		v.Sentence = strings.ToUpper(why[0][:1]) + why[0][1:] + "."
		if names := s.AwaitedTasks(); len(names) > 0 {
			v.Short = strings.ToUpper(tasksToCome(names)[:1]) + tasksToCome(names)[1:] + "."
		}
	}
	return v, true
}

func settled(s *State, r *Round) Verdict {
	low, high, n := -1, 0, 0
	for i := range s.Workers {
		if w := &s.Workers[i]; !w.Gone {
			n++
			if low < 0 || w.Held < low {
				low = w.Held
			}
			high = max(high, w.Held)
		}
	}
	share := fmt.Sprintf("%d to %d units each", low, high)
	if low == high {
		share = words.Count(low, "unit") + " each"
	}
	verb := "hold"
	if n == 1 {
		verb, share = "holds", words.Count(low, "unit")
	}
	return Verdict{Word: VerdictSettled, Sentence: fmt.Sprintf("for %s. %s %s %s.", age(s.Now.Sub(r.RecordedAt)), words.Count(n, "worker"), verb, share)}
}

func (s *State) workerName(i int) string {
	if i < 0 || i >= len(s.Workers) {
		return "nobody"
	}
	return s.Workers[i].Name
}

func names(list []string) string {
	if len(list) > 2 {
		return fmt.Sprintf("%d workers", len(list))
	}
	return strings.Join(list, " and ")
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func verb(n int, one, more string) string {
	if n == 1 {
		return words.Count(n, "unit") + " " + one
	}
	return words.Count(n, "unit") + " " + more
}

func areUnits(n int) string  { return verb(n, "is", "are") }
func waitUnits(n int) string { return verb(n, "waits", "wait") }
func runUnits(n int) string  { return verb(n, "runs", "run") }

// clock prints 0:24; age prints 2 s, 46 m, 2 d.
func clock(d time.Duration) string {
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d m", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours())/24)
}
