package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/group/assign"
	"regroup/internal/words"
)

// Reason is one thing that made a mode's numbers what they are.
type Reason struct {
	Mode string
	Rule string // in a few words
	Text string // what it did here, in a sentence or two
}

// Alike finds an earlier mode under which all went just as under mode i: the same sums, for the same reasons. "" when there is none.
func (c *Comparison) Alike(i int) string {
	mine := c.Runs[i].reasons()
	for _, r := range c.Runs[:i] {
		if r.Sum == c.Runs[i].Sum && slices.Equal(r.reasons(), mine) {
			return r.Mode.Name
		}
	}
	return ""
}

// Explain says why the numbers differ. Each sentence is told by rounds that happened; a rule that did nothing here is not told.
func (c *Comparison) Explain() []Reason {
	var out []Reason
	for _, r := range c.Runs {
		for _, why := range r.reasons() {
			out = append(out, Reason{r.Mode.Name, why.Rule, why.Text})
		}
		if text := c.tellDelays(); text != "" && !r.Mode.eager && r.Mode.rules == assign.Released {
			out = append(out, Reason{r.Mode.Name, "another delay", text})
		}
	}
	return out
}

// reasons are those of one mode, which they do not name.
func (r *Run) reasons() []Reason {
	var out []Reason
	for _, rule := range rules {
		if text := rule.tell(r); text != "" {
			out = append(out, Reason{Rule: rule.name, Text: text})
		}
	}
	return out
}

type rule struct {
	name string
	tell func(*Run) string
}

var rules = []rule{
	{"nothing runs", (*Run).tellNothing},
	{"no round", (*Run).tellNoRound},
	{"everything stops before each round", (*Run).tellEager},
	{"nobody is left", (*Run).tellAlone},
	{"release before reassignment", (*Run).tellRelease},
	{"what is wanted no more stops alone", (*Run).tellUnwanted},
	{"work that two report stops on both", (*Run).tellTwice},
	{"the delay is a maximum", (*Run).tellDelay},
	{"without a delay", (*Run).tellNoDelay},
	{"a leader without memory", (*Run).tellLeader},
	{"a leader lost like any worker", (*Run).tellHonoured},
	{"the revocation back-off", (*Run).tellBackoff},
	{"one eager member forces all", (*Run).tellForced},
	{"what two workers run, nobody stops", (*Run).tellTwins},
	{"a delay that is never taken back", (*Run).tellNever},
	{"a changed configuration restarts what it is for", (*Run).tellRestarts},
	{"what is running stays", (*Run).tellQuiet},
}

// sum adds up a number of some rounds.
func (r *Run) sum(of func(round, prev *group.Round) int) (total, rounds int) {
	for i, round := range r.Rounds() {
		if n := of(round, r.Before(i)); n > 0 {
			total += n
			rounds++
		}
	}
	return total, rounds
}

func wasEager(prev *group.Round) bool { return prev != nil && prev.Mode == group.ModeEager }

func (r *Run) tellEager() string {
	stopped, rounds := r.sum(func(round, prev *group.Round) int {
		if !wasEager(prev) {
			return 0
		}
		n := round.Stopped
		for _, g := range round.Left {
			n += g.Held
		}
		return n
	})
	if rounds == 0 || !r.Mode.eager {
		return ""
	}
	moved, _ := r.sum(func(round, _ *group.Round) int { return round.Moved })
	after := "none started on another worker"
	if moved > 0 {
		after = words.Thousands(moved) + " of the starts were on another worker"
	}
	text := fmt.Sprintf("Every worker stops all that it runs before it joins: %s stopped %s; %s.", words.Plural(rounds, "round"), words.Plural(stopped, "unit"), after)
	if more := r.Sum.Stopped - stopped; more > 0 {
		text += fmt.Sprintf(" %s restarted beside that, where they ran.", was(more))
	}
	return text
}

func (r *Run) tellRelease() string {
	stopped, rounds := r.sum(func(round, prev *group.Round) int {
		if round.Mode != group.ModeCooperative || wasEager(prev) || round.Duplicated > 0 {
			return 0
		}
		return round.Stopped
	})
	if rounds == 0 {
		return ""
	}
	if r.givenAnew() == 0 {
		return ""
	}
	it := them(stopped)
	return fmt.Sprintf("%s to move. One round has %s stopped, the next gives %s out, once nobody runs %s; the others ran on.", had(stopped), it, it, it)
}

// givenAnew counts the units that started in the round after others had stopped them.
func (r *Run) givenAnew() int {
	n, _ := r.sum(func(round, _ *group.Round) int {
		if has(round, group.CauseRelease) {
			return round.Started
		}
		return 0
	})
	return n
}

func (r *Run) tellUnwanted() string {
	stopped, _ := r.sum(func(round, prev *group.Round) int {
		if round.Mode != group.ModeCooperative || wasEager(prev) || round.Duplicated > 0 {
			return 0
		}
		return round.Stopped
	})
	if stopped == 0 || r.givenAnew() > 0 {
		return ""
	}
	return fmt.Sprintf("%s stopped, since they are not configured any more; the others ran on.", was(stopped))
}

func was(n int) string { return words.Plural(n, "unit") + " " + wasWere(n) }

func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func had(n int) string {
	return words.Plural(n, "unit") + " had"
}

func has(r *group.Round, kind group.CauseKind) bool {
	for _, c := range r.Causes {
		if c.Kind == kind {
			return true
		}
	}
	return false
}

// tellTwice: a worker that comes back with work in hand that others were given meanwhile.
func (r *Run) tellTwice() string {
	for i, round := range r.Rounds() {
		if round.Duplicated == 0 || round.Stopped == 0 || round.Mode != group.ModeCooperative {
			continue
		}
		it := them(round.Duplicated)
		text := fmt.Sprintf("%s reported by two workers in round %d, one of which had come back with %s in hand: both stopped %s", was(round.Duplicated), round.Generation, it, it)
		if i+1 < len(r.Rounds()) {
			text += fmt.Sprintf(", and round %d gave %s out anew", r.Rounds()[i+1].Generation, it)
		}
		return text + "."
	}
	return ""
}

func (r *Run) tellBackoff() string {
	var pauses []string
	for _, round := range r.Rounds() {
		if r.Mode.rules != assign.Released23 && round.DelayMs > 0 && round.Delayed == 0 && round.Error == 0 && round.Mode == group.ModeCooperative {
			pauses = append(pauses, words.Short(time.Duration(round.DelayMs)*time.Millisecond))
		}
	}
	if len(pauses) == 0 {
		return ""
	}
	return fmt.Sprintf("The leader was about to revoke in two rounds running. It waits before it does so again, each time forty times as long: %s, with nothing waiting.", list(pauses))
}

func (r *Run) tellForced() string {
	for i, round := range r.Rounds() {
		prev := r.Before(i)
		if round.Mode != group.ModeEager || prev == nil || prev.Mode != group.ModeCooperative {
			continue
		}
		who := "one worker"
		for _, c := range round.Causes {
			if c.Kind == group.CauseProtocolChanged && c.Name != "" {
				who = c.Name
			}
		}
		text := fmt.Sprintf("%s speaks eager alone, and a group speaks what all of its members do: from round %d on everyone is eager.", who, round.Generation)
		if round.Twice > 0 {
			text += fmt.Sprintf(" That round stopped nothing on the others, so %s started elsewhere while the old copy still ran.", words.Plural(round.Twice, "unit"))
		}
		for j := i + 1; j < len(r.Rounds()); j++ {
			if next := r.Rounds()[j]; next.Mode == group.ModeCooperative && next.Stopped > 0 {
				return text + fmt.Sprintf(" When it had left, round %d stopped %s on the others once more to become cooperative again.", next.Generation, words.Plural(next.Stopped, "unit"))
			}
		}
		return text
	}
	return ""
}

func (r *Run) tellRestarts() string {
	n, rounds := r.sum(func(round, _ *group.Round) int { return round.Restarted })
	if rounds == 0 || r.Mode.eager {
		return ""
	}
	return fmt.Sprintf("%s restarted where they were, since their own configuration had changed; the round gave nothing to anyone else.", was(n))
}

// tellTwins: what is left of a downgrade, or of a release that takes no notice of work reported twice.
func (r *Run) tellTwins() string {
	if r.Sum.Twins+r.Sum.Failed == 0 {
		return ""
	}
	var out []string
	if r.Sum.Twins > 0 {
		out = append(out, words.Plural(r.Sum.Twins, "unit")+" still run on two workers")
	}
	if r.Sum.Failed > 0 {
		out = append(out, words.Plural(r.Sum.Failed, "unit")+" failed to start where an old copy was running")
	}
	return "In the end " + strings.Join(out, ", and ") + "; no round to come changes that."
}

func (r *Run) tellNever() string {
	if !r.Sum.Never {
		return ""
	}
	rounds := r.Rounds()
	last := rounds[len(rounds)-1]
	if last.DelayMs > 0 && last.Delayed == 0 {
		return fmt.Sprintf("After %s the leader still orders a delay of %s although nothing waits, and everybody joins again at its end, again and again.", words.Plural(len(rounds), "round"), words.Short(time.Duration(last.DelayMs)*time.Millisecond))
	}
	return fmt.Sprintf("It had not settled after %s.", words.Short(r.Sum.Settled))
}

// tellQuiet: a round that stopped nothing on those who stayed.
func (r *Run) tellQuiet() string {
	kept, _ := r.sum(func(round, _ *group.Round) int { return round.Kept })
	if r.Mode.eager || kept == 0 {
		return ""
	}
	stopped, _ := r.sum(func(round, _ *group.Round) int { return round.Stopped + round.Restarted + round.Dropped + round.Twice })
	stopped += r.Sum.Twins
	if stopped > 0 {
		return ""
	}
	if r.Sum.Rounds == 1 {
		return "The one round stopped nothing on a worker that stayed."
	}
	return fmt.Sprintf("None of the %s stopped anything on a worker that stayed.", words.Plural(r.Sum.Rounds, "round"))
}

// What there is to say of groups at the edges: without units, without a delay, with a single worker.

func (r *Run) tellNothing() string {
	for _, round := range r.State.Rounds {
		if round.Units > 0 {
			return ""
		}
	}
	return "There are no units, so no round moves any."
}

func (r *Run) tellNoRound() string {
	if r.Sum.Rounds > 0 {
		return ""
	}
	return "No worker and no connector came or went, and no tasks were written anew: the group did not rebalance."
}

// tellAlone: the only worker of a group leaves.
func (r *Run) tellAlone() string {
	for i, round := range r.Rounds() {
		if !round.Empty() || len(round.Left) == 0 || round.Left[0].Held == 0 {
			continue
		}
		who, n := round.Left[0].Name, round.Left[0].Held
		text := fmt.Sprintf("%s was alone. While it is gone nobody leads, lets a delay run or could be given its %s", who, words.Plural(n, "unit"))
		if i+1 == len(r.Rounds()) {
			return text + "."
		}
		if r.Rounds()[i+1].Started == 0 {
			return text + "; it came back with all of them in hand."
		}
		return text + "; back again, it is given all of them at once."
	}
	return ""
}

// tellNoDelay: with a delay of 0, work of a worker that left goes to the others in that very round. Of a leader without memory that
// is told elsewhere.
func (r *Run) tellNoDelay() string {
	if r.Mode.eager || r.maxDelay > 0 {
		return ""
	}
	var whose []string
	gone := map[string]bool{}
	given, taken := 0, 0
	for i, round := range r.Rounds() {
		prev := r.Before(i)
		if prev != nil && !round.Empty() && round.Mode == group.ModeCooperative && prev.Mode == group.ModeCooperative {
			led := leftLeading(round, prev)
			for _, g := range round.Left {
				if g.Held > 0 && (g.Name != led || r.honours()) {
					given += g.Held
					whose = append(whose, g.Name)
					gone[g.Name] = true
				}
			}
		}
		for _, c := range round.Causes {
			if c.Kind == group.CauseWorkerReturned && gone[c.Name] && round.Duplicated == 0 {
				taken += round.Stopped
			}
		}
	}
	if given == 0 {
		return ""
	}
	text := fmt.Sprintf("Nothing waits: %s of %s went to others as soon as the group had noticed.", words.Plural(given, "unit"), list(whose))
	if taken > 0 {
		text += fmt.Sprintf(" Once who had left was back, %s, by workers that had stayed.", was(taken)+" stopped for it")
	}
	return text
}

// tellLeader: a new leader takes what nobody reports for new work, also what its predecessor had, and what waited.
func (r *Run) tellLeader() string {
	var out []string
	gone := map[string]bool{}
	given, leaders, waiting := 0, []string{}, 0
	var sooner time.Duration
	for i, round := range r.Rounds() {
		prev := r.Before(i)
		if round.Mode != group.ModeCooperative || prev == nil || prev.Mode != group.ModeCooperative || !has(round, group.CauseLeaderChanged) || round.Delayed > 0 || round.Started == 0 {
			continue
		}
		if led := leftLeading(round, prev); led != "" {
			leaders = append(leaders, led)
			gone[led] = true
		}
		given += round.Started
		if prev.Delayed > 0 {
			waiting += prev.Delayed
			sooner = time.Duration(prev.DelayMs)*time.Millisecond - round.RecordedAt.Sub(prev.RecordedAt)
		}
	}
	if given == 0 || r.honours() && r.maxDelay == 0 {
		return "" // as proposed and without a delay, it is no other than any worker's loss
	}
	out = append(out, fmt.Sprintf("%s led when it was gone. The leader after it remembers nothing: %s that nobody reported %s new work to it, given out at once.",
		list(leaders), words.Plural(given, "unit"), wasWere(given)))
	if waiting > 0 {
		out = append(out, fmt.Sprintf("So it did with %s for which a delay ran, %s before its end.", words.Plural(waiting, "unit"), words.Short(max(sooner, 0))))
	}
	taken := 0
	for _, round := range r.Rounds() {
		for _, c := range round.Causes {
			if c.Kind == group.CauseWorkerReturned && gone[c.Name] {
				taken += round.Stopped
			}
		}
	}
	if taken > 0 {
		out = append(out, fmt.Sprintf("Once it was back, those that had stayed stopped %s for it.", words.Plural(taken, "unit")))
	}
	if r.honours() {
		out = append(out, "The proposal cannot help it: it was new to the group itself.")
	}
	return strings.Join(out, " ")
}

// honours says whether a new leader has its predecessor's work wait.
func (r *Run) honours() bool { return !r.Mode.eager && r.Mode.rules == assign.Proposed }

// leftLeading is who led the round before and left in this one.
func leftLeading(round, prev *group.Round) string {
	for _, g := range round.Left {
		if g.Member == prev.Leader {
			return g.Name
		}
	}
	return ""
}

// tellHonoured: what the proposal's new leader lets wait.
func (r *Run) tellHonoured() string {
	if !r.honours() {
		return ""
	}
	var out []string
	for _, d := range r.delays() {
		switch {
		case d.forgotten:
		case d.newLeader != "":
			out = append(out, fmt.Sprintf("The leader left while the delay ran. %s leads after it and lets the delay run on, for its predecessor's units too: %s waited.", d.newLeader, words.Plural(d.units, "unit")))
		case d.led != "":
			out = append(out, fmt.Sprintf("%s led when it was gone. The leader after it knows who that was and what was configured: %s that nobody reported %s lost to it, not new, and waited as any other worker's do.", d.led, words.Plural(d.units, "unit"), wasWere(d.units)))
		}
	}
	return strings.Join(out, " ")
}
