package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/group"
	"regroup/group/assign"
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
	{"everything stops before each round", (*Run).tellEager},
	{"release before reassignment", (*Run).tellRelease},
	{"work that two report stops on both", (*Run).tellTwice},
	{"the delay is a maximum", (*Run).tellDelay},
	{"a leader without memory", (*Run).tellLeader},
	{"a delay that outlives its leader", (*Run).tellHonoured},
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
	after := "nothing was on another worker afterwards"
	if moved > 0 {
		after = was(moved) + " on another worker afterwards"
	}
	return fmt.Sprintf("Every worker stops all that it runs before it joins, so %s stopped %s in all; %s.", plural(rounds, "round"), plural(stopped, "unit"), after)
}

func (r *Run) tellRelease() string {
	most := 0
	stopped, rounds := r.sum(func(round, prev *group.Round) int {
		if round.Mode != group.ModeCooperative || wasEager(prev) || round.Duplicated > 0 {
			return 0
		}
		most = max(most, round.Stopped)
		return round.Stopped
	})
	if rounds == 0 {
		return ""
	}
	start, _ := r.sum(func(round, _ *group.Round) int {
		if has(round, group.CauseRelease) {
			return round.Started
		}
		return 0
	})
	if start == 0 {
		return fmt.Sprintf("%s stopped in %s and wanted by nobody else; the others ran on.", was(stopped), plural(rounds, "round"))
	}
	return fmt.Sprintf("%s to move. A round has a worker stop them, and only the one after it gives them out, once nobody runs them: "+
		"two rounds each time, but no more than %s stopped by one; the others ran on.", had(stopped), plural(most, "unit"))
}

func was(n int) string {
	if n == 1 {
		return "1 unit was"
	}
	return plural(n, "unit") + " were"
}

func had(n int) string {
	if n == 1 {
		return "1 unit had"
	}
	return plural(n, "unit") + " had"
}

func has(r *group.Round, kind group.CauseKind) bool {
	for _, c := range r.Causes {
		if c.Kind == kind {
			return true
		}
	}
	return false
}

// delay is a stretch of rounds in which units wait.
type delay struct {
	first, end int // rounds; end is the one that gives them out, -1 when none does
	units      int
	who        []string // whose they were
	back       time.Duration
	returned   string // who came back meanwhile; "" for nobody
	more       bool   // others left meanwhile
	newLeader  string // who took over meanwhile
	again      bool   // who came back was gone once more when it ended
	forgotten  bool   // that one knew of no delay
	scheduled  time.Duration
	waited     time.Duration
}

func (r *Run) delays() []delay {
	var out []delay
	open := false
	for i, round := range r.Rounds() {
		if round.Delayed > 0 && !open {
			open = true
			out = append(out, delay{first: i, end: -1, scheduled: time.Duration(round.DelayMs) * time.Millisecond})
		}
		if !open {
			continue
		}
		d := &out[len(out)-1]
		d.follow(r, i, round)
		if round.Delayed == 0 {
			open = false
			d.end = i
			d.waited = r.At(i) - r.At(d.first)
			d.again = d.returned != "" && !r.member(i, d.returned)
		}
	}
	return out
}

// member says whether a worker of that name is in one of the exercise's rounds.
func (r *Run) member(i int, name string) bool {
	return slices.ContainsFunc(r.State.Detail(r.First+i).Members, func(m group.WorkerDetail) bool { return m.Name == name })
}

func (d *delay) follow(r *Run, i int, round *group.Round) {
	d.units = max(d.units, round.Delayed)
	for _, g := range round.Left {
		if g.Held > 0 && round.Delayed > 0 {
			d.who = append(d.who, g.Name)
		}
		d.more = d.more || i > d.first && g.Held > 0
	}
	for _, c := range round.Causes {
		switch c.Kind {
		case group.CauseWorkerReturned:
			if d.returned == "" {
				d.returned, d.back = c.Name, r.At(i)-r.At(d.first)
			}
		case group.CauseLeaderChanged:
			if i > d.first {
				d.newLeader, d.forgotten = c.Name, round.Delayed == 0
			}
		}
	}
}

func (r *Run) tellDelay() string {
	var back, away []delay
	for _, d := range r.delays() {
		switch {
		case d.forgotten: // the leader's rule tells that
		case d.returned != "":
			back = append(back, d)
		default:
			away = append(away, d)
		}
	}
	var out []string
	if len(back) > 0 {
		d, n := back[0], units(back)
		end := ": nothing that happens ends the delay early, and whoever has nothing when it ends gets what waited."
		if d.again {
			end = ". Nothing that happens ends the delay early; it was gone again when the delay ended, so others got them."
		}
		text := fmt.Sprintf("%s of %s for %s, although %s was back after %s", plural(n, "unit")+" waited", names(back), Short(d.waited), d.returned, Short(d.back))
		if len(back) > 1 {
			text = fmt.Sprintf("%s of %s for up to %s, although each of these was back sooner", plural(n, "unit")+" waited", names(back), Short(longest(back)))
		}
		out = append(out, text+end)
	}
	if len(away) > 0 {
		n := units(away)
		out = append(out, fmt.Sprintf("%s of %s for %s, in case who left came back, and then went to others.", plural(n, "unit")+" waited", names(away), Short(longest(away))))
	}
	for _, d := range append(back, away...) {
		if d.more {
			out = append(out, fmt.Sprintf("Who left while it ran did not start it anew: it is at most %s from the first departure on.", Short(d.scheduled)))
			break
		}
	}
	return strings.Join(out, " ")
}

func units(of []delay) int {
	n := 0
	for _, d := range of {
		n += d.units
	}
	return n
}

func longest(of []delay) time.Duration {
	var out time.Duration
	for _, d := range of {
		out = max(out, d.waited)
	}
	return out
}

func names(of []delay) string {
	var out []string
	for _, d := range of {
		out = append(out, d.who...)
	}
	return list(out)
}

// list names a few and counts the rest.
func list(names []string) string {
	const most = 4
	var once []string
	seen := map[string]bool{}
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			once = append(once, n)
		}
	}
	switch {
	case len(once) == 0:
		return "a worker"
	case len(once) > most:
		return fmt.Sprintf("%s and %d other workers", strings.Join(once[:most-1], ", "), len(once)-most+1)
	case len(once) == 1:
		return once[0]
	}
	return strings.Join(once[:len(once)-1], ", ") + " and " + once[len(once)-1]
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
		for _, g := range round.Left {
			if g.Member == prev.Leader {
				leaders = append(leaders, g.Name)
				gone[g.Name] = true
			}
		}
		given += round.Started
		if prev.Delayed > 0 {
			waiting += prev.Delayed
			sooner = time.Duration(prev.DelayMs)*time.Millisecond - round.RecordedAt.Sub(prev.RecordedAt)
		}
	}
	if given == 0 {
		return ""
	}
	out = append(out, fmt.Sprintf("%s led when it was gone. The leader after it remembers nothing of what others held: it took %s that nobody reported for new work and gave them out at once, without any delay.", list(leaders), plural(given, "unit")))
	if waiting > 0 {
		out = append(out, fmt.Sprintf("So it did with %s for which a delay ran, %s before its end.", plural(waiting, "unit"), Short(max(sooner, 0))))
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
		out = append(out, fmt.Sprintf("Once it was back, %s for it: workers that had stayed stopped them.", was(taken)+" taken back"))
	}
	if r.Mode.rules == assign.Proposed && waiting == 0 {
		out = append(out, "The proposal would have it honour a delay that runs; none ran.")
	}
	return strings.Join(out, " ")
}

// tellTwice: a worker that comes back with work in hand that others were given meanwhile.
func (r *Run) tellTwice() string {
	for i, round := range r.Rounds() {
		if round.Duplicated == 0 || round.Mode != group.ModeCooperative {
			continue
		}
		text := fmt.Sprintf("%s reported by two workers in round %d, one of which had come back with them in hand: both stopped them", was(round.Duplicated), round.Generation)
		if i+1 < len(r.Rounds()) {
			text += fmt.Sprintf(", and round %d gave them out anew", r.Rounds()[i+1].Generation)
		}
		return text + "."
	}
	return ""
}

func (r *Run) tellHonoured() string {
	for _, d := range r.delays() {
		if d.newLeader == "" || d.forgotten {
			continue
		}
		return fmt.Sprintf("The leader left while the delay ran. %s leads after it and lets the delay run on, for its predecessor's units too: %s waited, and nobody that stayed stopped any.", d.newLeader, plural(d.units, "unit"))
	}
	return ""
}

func (r *Run) tellBackoff() string {
	var pauses []string
	for _, round := range r.Rounds() {
		if r.Mode.rules != assign.Released23 && round.DelayMs > 0 && round.Delayed == 0 && round.Error == 0 && round.Mode == group.ModeCooperative {
			pauses = append(pauses, Short(time.Duration(round.DelayMs)*time.Millisecond))
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
			text += fmt.Sprintf(" That round stopped nothing on the others, so %s started elsewhere while the old copy still ran.", plural(round.Twice, "unit"))
		}
		for j := i + 1; j < len(r.Rounds()); j++ {
			if next := r.Rounds()[j]; next.Mode == group.ModeCooperative {
				return text + fmt.Sprintf(" When it had left, round %d stopped %s on the others once more to become cooperative again.", next.Generation, plural(next.Stopped, "unit"))
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
		out = append(out, plural(r.Sum.Twins, "unit")+" still run on two workers")
	}
	if r.Sum.Failed > 0 {
		out = append(out, plural(r.Sum.Failed, "unit")+" failed to start where an old copy was running")
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
		return fmt.Sprintf("After %s the leader still orders a delay of %s although nothing waits, and everybody joins again at its end, again and again.", plural(len(rounds), "round"), Short(time.Duration(last.DelayMs)*time.Millisecond))
	}
	return fmt.Sprintf("It had not settled after %s.", Short(r.Sum.Settled))
}

// tellQuiet: a round that stopped nothing on those who stayed.
func (r *Run) tellQuiet() string {
	if r.Mode.eager || r.Sum.Rounds == 0 {
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
	return fmt.Sprintf("None of the %s stopped anything on a worker that stayed.", plural(r.Sum.Rounds, "round"))
}

// Headline is the difference in a sentence or two.
func (c *Comparison) Headline() string {
	if len(c.Runs) < 2 {
		return c.Runs[0].alone()
	}
	a, b := c.Runs[0], c.Runs[1]
	if b.Sum.MostDown > a.Sum.MostDown {
		a, b = b, a
	}
	most := c.Most()
	switch {
	case a.Sum.Stopped == 0 && b.Sum.Stopped == 0:
		return "Neither stops anything."
	case a.Sum.MostDown == b.Sum.MostDown && a.Sum.Stopped == b.Sum.Stopped:
		text := fmt.Sprintf("%s and %s stop the same here: %s", title(c.Runs[0].Mode.Name), c.Runs[1].Mode.Name, plural(a.Sum.Stopped, "unit"))
		if a.Sum.Lost != b.Sum.Lost {
			text += fmt.Sprintf(", for %s and %s unit-seconds", UnitSeconds(c.Runs[0].Sum.Lost), UnitSeconds(c.Runs[1].Sum.Lost))
		}
		return text + "."
	}
	if a.Sum.MostDown == b.Sum.MostDown {
		return fmt.Sprintf("Both have %s of %s units down at once; %s stops %s in all, %s %s.", Count(a.Sum.MostDown), Count(most),
			c.Runs[0].Mode.Name, Count(c.Runs[0].Sum.Stopped), c.Runs[1].Mode.Name, Count(c.Runs[1].Sum.Stopped))
	}
	text := fmt.Sprintf("%s never has more than %s of %s units down, %s has %s down.", title(b.Mode.Name), Count(b.Sum.MostDown), Count(most), a.Mode.Name, all(a.Sum.MostDown, most))
	if b.Sum.MostDown == 0 {
		text = fmt.Sprintf("%s stops nothing, %s has %s down.", title(b.Mode.Name), a.Mode.Name, all(a.Sum.MostDown, most))
	}
	if b.Sum.Lost > a.Sum.Lost && len(b.delays()) > 0 {
		text += " Its price is the delay."
	}
	return text
}

func (r *Run) alone() string {
	return fmt.Sprintf("%s stops %s, no more than %d at once.", title(r.Mode.Name), plural(r.Sum.Stopped, "unit"), r.Sum.MostDown)
}

func all(n, of int) string {
	if n == of {
		return "all " + Count(n)
	}
	return Count(n)
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
