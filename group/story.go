package group

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/internal/words"
)

// Story tells the episode of round i of s.Rounds in a few sentences made of facts, as far as it had come at this moment.
func (s *State) Story(i int) string {
	if s.past == nil || i < 0 || i >= len(s.Rounds) || i > s.At {
		return ""
	}
	e := s.episode(i)
	var out []string
	out = append(out, e.trigger(), e.waited(), e.moved(), e.dropped(), e.down(), e.failedToStart())
	return strings.Join(slices.DeleteFunc(out, func(t string) bool { return t == "" }), " ")
}

// StoryAtEnd is the story of the episode that round i ends, "" where it ends none.
func (s *State) StoryAtEnd(i int) string {
	if i < 0 || i > s.At || !s.endsEpisode(i) {
		return ""
	}
	return s.Story(i)
}

// endsEpisode says whether round i is the last of its episode that is known.
func (s *State) endsEpisode(i int) bool {
	if i+1 < len(s.Rounds) {
		return s.Rounds[i+1].EpisodeSeq != s.Rounds[i].EpisodeSeq
	}
	return s.Rounds[i].Settled
}

// episode is the rounds of one episode up to the moment, and the gaps that belong to them. It is whole also where its beginning is not shown.
type episode struct {
	s      *State
	h      *history // of every round that is known
	first  int      // index in h.rounds
	rounds []*Round
	gaps   []gap
}

func (s *State) episode(i int) *episode {
	h, hidden := s.past.whole()
	i += hidden
	first, last := i, i
	for first > 0 && h.rounds[first-1].EpisodeSeq == h.rounds[i].EpisodeSeq {
		first--
	}
	for last < hidden+s.At && h.rounds[last+1].EpisodeSeq == h.rounds[i].EpisodeSeq {
		last++
	}
	e := &episode{s: s, h: h, first: first, rounds: h.rounds[first : last+1]}
	for _, g := range s.allGaps() {
		if g.seq >= h.rounds[first].Seq && g.seq <= h.rounds[last].Seq {
			e.gaps = append(e.gaps, g)
		}
	}
	return e
}

// episodeOf is the episode of a round; it has no gaps where the round is not known.
func (s *State) episodeOf(r *Round) *episode {
	i, found := FindRound(s.Rounds, r.Seq)
	if s.past == nil || !found || i > s.At {
		return &episode{s: s}
	}
	return s.episode(i)
}

// trigger says what began it: who left, joined or came back, or what was changed.
func (e *episode) trigger() string {
	r := e.rounds[0]
	var parts []string
	for _, c := range r.Causes {
		switch c.Kind {
		case CauseFirst:
			parts = append(parts, "History begins here.")
		case CauseWorkerLeft:
			parts = append(parts, e.leaving(r, c))
		case CauseWorkerJoined:
			parts = append(parts, c.Name+" joined.")
		case CauseWorkerRestarted:
			parts = append(parts, c.Name+" died and came back before its session was over (inferred).")
		case CauseCoordinatorLost:
			parts = append(parts, letGo(c.Units))
		case CauseWorkerReturned:
			if !diedWithin(r, c.Worker) {
				parts = append(parts, e.returning(r, c))
			}
		case CauseConnectorCreated:
			parts = append(parts, decode.Printable(c.Connector)+" was created.")
		case CauseConnectorDeleted:
			parts = append(parts, decode.Printable(c.Connector)+" was deleted.")
		case CauseTasksChanged:
			parts = append(parts, tasksChanged(c))
		case CauseProtocolChanged:
			parts = append(parts, protocolStory(r, c))
		case CauseConfigMismatch:
			parts = append(parts, "The leader's config was behind a member's, so nothing was decided.")
		}
	}
	if len(parts) > 4 {
		parts = append(parts[:3], fmt.Sprintf("And %d more changes.", len(parts)-3))
	}
	if len(parts) == 0 && len(r.Causes) > 0 {
		parts = append(parts, sentenceOf(r.Causes))
	}
	return strings.Join(parts, " ")
}

// sentenceOf makes a sentence of the first cause's detail. A worker's name keeps its first letter.
func sentenceOf(causes []Cause) string {
	c := &causes[0]
	d := c.Detail
	n := 0
	for i := range causes {
		if causes[i].Kind == CauseOffsetCaughtUp {
			n++
		}
	}
	if n > 1 && n == len(causes) {
		return fmt.Sprintf("%d workers caught up with the config topic.", n)
	}
	if c.Name == "" || !strings.HasPrefix(d, c.Name) {
		d = strings.ToUpper(d[:1]) + d[1:]
	}
	return d + "."
}

func tasksChanged(c Cause) string {
	name := decode.Printable(c.Connector)
	switch {
	case c.Tasks == 0 && c.WasTasks > 0:
		return name + " was stopped."
	case c.Tasks == 0:
		return name + " has no tasks."
	case c.Tasks == c.WasTasks:
		return fmt.Sprintf("%s was changed; its %s restarted.", name, words.Count(c.Tasks, "task"))
	case c.WasTasks == 0:
		return fmt.Sprintf("%s got %s.", name, words.Count(c.Tasks, "task"))
	}
	return fmt.Sprintf("%s went from %d to %s.", name, c.WasTasks, words.Count(c.Tasks, "task"))
}

func protocolStory(r *Round, c Cause) string {
	if r.Mode != ModeEager {
		return "The group is " + string(r.Mode) + " again, after stopping everything once."
	}
	who := "A member"
	if c.Name != "" {
		who = c.Name
	}
	text := who + " knows only eager, so the whole group went eager."
	if r.Twice > 0 {
		text += fmt.Sprintf(" %s moved without being stopped and may run twice (KAFKA-13816).", words.Count(r.Twice, "unit"))
	}
	return text
}

// leaving says how a worker left: by a crash, politely, or put out while it went on running.
func (e *episode) leaving(r *Round, c Cause) string {
	held := setOf(e.heldBy(r, c.Worker))
	crash, polite, frozen, high := 0, 0, 0, time.Time{}
	for i := range e.gaps {
		switch g := &e.gaps[i]; {
		case g.seq != r.Seq || !held.has(g.unit):
		case g.crash:
			crash, high = crash+1, g.from.high
		case g.frozen:
			frozen++
		default:
			polite++
		}
	}
	switch {
	case crash > 0:
		return fmt.Sprintf("%s left (crash, dead by %s).", c.Name, high.Local().Format("15:04:05"))
	case frozen > 0:
		return c.Name + " left the group and kept its work in hand: it was paused, or could not be reached."
	case polite > 0:
		return c.Name + " left after stopping its work."
	case len(e.heldBy(r, c.Worker)) > 0 && len(e.s.past.claims) > 0:
		return c.Name + " left the group and did not stop its work."
	}
	return c.Name + " left."
}

// heldBy is what a worker held that is not in round r any more.
func (e *episode) heldBy(r *Round, member string) []int32 {
	for i, g := range r.Left {
		if g.Member == member {
			return r.leftHeld[i]
		}
	}
	return nil
}

func (e *episode) returning(r *Round, c Cause) string {
	d := e.h.detail(e.first + slices.Index(e.rounds, r))
	for _, m := range d.Members {
		if m.ID == c.Worker && m.Member.Reported > 0 {
			return fmt.Sprintf("%s came back with %s in hand, never stopped.", c.Name, words.Count(m.Member.Reported, "unit"))
		}
	}
	return c.Name + " came back."
}

// waited says what a delay did: how long units waited of it, and who got them, or why it was cut short.
func (e *episode) waited() string {
	at := slices.IndexFunc(e.rounds, func(r *Round) bool { return r.DelayMs > 0 && r.Delayed > 0 })
	if at < 0 {
		return ""
	}
	began := e.rounds[at]
	full := began.delay()
	for _, r := range e.rounds[at+1:] {
		if r.Delayed > 0 {
			continue
		}
		passed := r.RecordedAt.Sub(began.RecordedAt).Round(time.Second)
		text := fmt.Sprintf("%s waited %s", units(began.Delayed), words.Took(passed))
		switch {
		case has(r, CauseDelayExpired):
			text = fmt.Sprintf("%s waited the delay of %s", units(began.Delayed), words.Took(full))
		case has(r, CauseLeaderChanged):
			text += fmt.Sprintf(" of %s: the leader changed, and the new leader, which knew of no delay, gave %s out at once", words.Took(full), units(r.Started))
		case has(r, CauseWorkerReturned) && r.Started == 0:
			text += fmt.Sprintf(" of %s, until their worker was back with them", words.Took(full))
		default:
			text += " of " + words.Took(full)
		}
		return text + "."
	}
	return fmt.Sprintf("%s wait; the delay of %s ends at %s.", units(began.Delayed), words.Took(full), began.delayEnd().Local().Format("15:04:05"))
}

func (r *Round) delayEnd() time.Time { return r.RecordedAt.Add(r.delay()) }

func has(r *Round, kind CauseKind) bool {
	return slices.ContainsFunc(r.Causes, func(c Cause) bool { return c.Kind == kind })
}

// moved says what was released and given out again, and what started.
func (e *episode) moved() string {
	released, moved, started := 0, 0, 0
	for _, r := range e.rounds {
		released += r.Released
		moved += r.Moved
		started += r.Started
	}
	last := e.rounds[len(e.rounds)-1]
	switch {
	case released > 0 && last.Released > 0:
		return fmt.Sprintf("%s stopped for the next round to give out.", units(released))
	case released > 0 && started == 0 && moved == 1:
		return "1 unit was held twice: one worker stopped it, the other went on with it."
	case released > 0 && started == 0 && moved > 0:
		return fmt.Sprintf("%d units were held twice: one worker stopped each, the other went on with it.", moved)
	case released > 0 && started < released && moved == started:
		return fmt.Sprintf("%s stopped, and %d of them started elsewhere a round later.", units(released), started)
	case released > 0 && started < released:
		return fmt.Sprintf("%s stopped, and %d of them started a round later, %d elsewhere.", units(released), started, moved)
	case released > 0 && moved == 0:
		return fmt.Sprintf("%s stopped, and started again a round later.", units(released))
	case released > 0 && moved < started:
		return fmt.Sprintf("%s stopped, and started a round later, %d of them elsewhere.", units(released), moved)
	case released > 0:
		return fmt.Sprintf("%s stopped, and started elsewhere a round later.", units(released))
	case has(e.rounds[0], CauseProtocolChanged) || moved == 0 || started == 0:
		return ""
	case moved == started:
		return fmt.Sprintf("%s started elsewhere.", units(moved))
	}
	return fmt.Sprintf("%s started, %d of them elsewhere than before.", units(started), moved)
}

// dropped says what workers let go of in later rounds than the first, whose causes the trigger tells.
func (e *episode) dropped() string {
	n := 0
	for _, r := range e.rounds[1:] {
		for _, c := range r.Causes {
			if c.Kind == CauseCoordinatorLost {
				n += c.Units
			}
		}
	}
	if n == 0 {
		return ""
	}
	return letGo(n)
}

func letGo(n int) string {
	return fmt.Sprintf("%s stopped by their own workers, which could not reach the coordinator (inferred).", verb(n, "was", "were"))
}

// diedWithin reports whether a member's process died and was back before its session was over.
func diedWithin(r *Round, member string) bool {
	return slices.ContainsFunc(r.Causes, func(c Cause) bool { return c.Kind == CauseWorkerRestarted && c.Worker == member })
}

// down says how long units did not run, grouped by length: "Down: 5 for 15-18 s, 5 for about 3.0 s."
func (e *episode) down() string {
	type bunch struct {
		n         int
		low, high time.Duration
		kind      gapKind
	}
	gaps := slices.Clone(e.gaps)
	length := func(g *gap) time.Duration { _, high := g.length(e.s.Now); return high }
	slices.SortFunc(gaps, func(a, b gap) int { return cmp.Compare(length(&b), length(&a)) })
	var bunches []bunch
	for i := range gaps {
		low, high := gaps[i].length(e.s.Now)
		kind := gaps[i].kind()
		if at := slices.IndexFunc(bunches, func(b bunch) bool {
			return b.kind == kind && (b.low-low < b.low/3 || b.high < time.Second || b.low == low && b.high-high < b.high/3)
		}); at >= 0 && (at == len(bunches)-1 || kind.open) {
			b := &bunches[at]
			b.n++
			b.low = min(b.low, low)
			continue
		}
		bunches = append(bunches, bunch{1, low, high, kind})
	}
	if len(bunches) == 0 {
		return ""
	}
	var parts []string
	for _, b := range bunches {
		span := words.Took(b.high)
		switch {
		case b.kind.open:
			span = "at least " + words.Took(b.low)
		case b.kind.frozen && b.low < time.Second:
			span = "up to " + words.Took(b.high)
		case b.high < time.Second:
			span = "under " + words.Took(b.high+50*time.Millisecond)
		case b.high-b.low > b.high/20 && words.Took(b.low) != span:
			span = strings.TrimSuffix(words.Took(b.low), " s") + "-" + span
		}
		if b.kind.growing {
			span += " so far"
		}
		parts = append(parts, fmt.Sprintf("%d for %s", b.n, span))
	}
	estimated := ""
	if !gaps[0].measured {
		estimated = " (estimated from the rounds)"
	}
	return "Down: " + strings.Join(parts, ", ") + estimated + "."
}

// gapKind is what gaps that are told together have in common.
type gapKind struct{ growing, open, frozen bool }

func (g *gap) kind() gapKind { return gapKind{!g.ended, g.open, g.frozen} }

// failedToStart names the units whose start failed within the episode, and why where it is known.
func (e *episode) failedToStart() string {
	from, to := e.rounds[0].RecordedAt, e.s.Now
	if last := e.first + len(e.rounds); last < len(e.h.rounds) {
		to = earlier(to, e.h.rounds[last].RecordedAt)
	}
	var failed []Unit
	twice := false
	claims := e.s.past.claimsUpTo(to)
	for _, unit := range e.s.past.failed {
		here := false
		for _, k := range claims.claims(unit) {
			if k.state == decode.Failed && k.at.After(from) {
				here = true
				twice = twice || strings.Contains(k.trace, "already exists in this worker")
			}
		}
		if here {
			failed = append(failed, e.s.past.tables.unitOf(unit))
		}
	}
	if len(failed) == 0 {
		return ""
	}
	decode.SortUnits(failed)
	names := make([]string, 0, 3)
	for _, u := range failed[:min(3, len(failed))] {
		names = append(names, decode.Printable(u.String()))
	}
	text := strings.Join(names, ", ")
	if n := len(failed) - len(names); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	} else if len(names) > 1 {
		text = strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
	}
	text += " failed to start"
	if twice {
		text += ": old copies still ran on their worker, left over from the downgrade to eager"
	}
	return text + "."
}

func units(n int) string { return words.Count(n, "unit") }
