package cli

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/label"
)

// event is one thing that happened between two States: as JSON, and as a line for people.
type event struct {
	at   time.Time
	kind string // "round", "state", "unit", "source", "finding", "action"
	body any    // an object; its fields follow "event" and, but for a round, which has its own, "at"
	line string
}

// MarshalJSON writes {"event":"…","at":"…", …}.
func (e event) MarshalJSON() ([]byte, error) {
	var body bytes.Buffer
	enc := jsonLines(&body)
	if err := enc.Encode(e.body); err != nil {
		return nil, err
	}
	head := fmt.Sprintf(`{"event":%q,"at":%q,`, e.kind, group.FormatTime(e.at))
	if e.kind == "round" {
		head = `{"event":"round",`
	}
	return append([]byte(head), bytes.TrimSpace(body.Bytes())[1:]...), nil
}

// follower turns the States of one group into events. The first State with a settled idea of the past is where it begins:
// what the log held before is history, of which only the newest round is told, so that a reader knows where it stands.
type follower struct {
	all    bool // tell the history too (--since)
	passed bool // nothing more will come, and grace times count as passed: a file
	begun  bool

	seq     int          // of the newest round told
	open    map[int]bool // rounds told as provisional: they come again
	state   stateObject  // last told
	units   map[group.Unit]unitMark
	said    int // status records told of
	sources map[sourceKey]sourceObject
	leads   string    // the coordinator told last
	placed  time.Time // when it was last told how far reading is

	findings      []doctor.Finding // as they were last
	examined      time.Time        // when that was
	examinedRound *group.Round     // and the newest round then
	acted         int              // actions told
}

// placeEvery is how often it is told how far reading is.
const placeEvery = 5 * time.Second

// sourceKey tells sources apart: REST is one for each worker, and others change their name when a topic is found.
type sourceKey struct{ source, worker string }

func keyOf(src group.SourceState) sourceKey {
	if src.Source == group.SourceREST {
		return sourceKey{string(src.Source), src.Name}
	}
	return sourceKey{source: string(src.Source)}
}

func newFollower(all bool) *follower {
	return &follower{all: all, seq: -1, open: map[int]bool{}, sources: map[sourceKey]sourceObject{}}
}

type stateObject struct {
	Group      string  `json:"group"`
	State      *string `json:"state"`
	Generation *int32  `json:"generation"`
	Workers    int     `json:"workers"`
	Verdict    string  `json:"verdict"`
	Likely     bool    `json:"likely"`
	Sentence   string  `json:"sentence"`
}

// next are the events between the last State and this one, oldest first.
func (f *follower) next(s *group.State) []event {
	out := f.sourceEvents(s)
	switch {
	case f.begun || f.passed:
	case s.SourceOf(group.SourceLog) == nil:
		return out
	case s.Reading() != nil: // READING is all that can be said of the group
		return append(out, f.stateEvent(s)...)
	}
	past := f.roundEvents(s)
	if f.all && !f.begun {
		past = append(past, restartEvents(s)...)
		slices.SortStableFunc(past, func(a, b event) int { return a.at.Compare(b.at) })
	}
	out = append(out, past...)
	out = append(out, f.stateEvent(s)...)
	if s.Reading() == nil {
		out = append(out, f.unitEvents(s)...)
	}
	out = append(out, f.actionEvents(s)...)
	out = append(out, f.findingEvents(s)...)
	f.begun = true
	return out
}

func (f *follower) roundEvents(s *group.State) []event {
	low := f.seq + 1 // the first round that may be news
	for seq := range f.open {
		low = min(low, seq)
	}
	if !f.begun && !f.all && len(s.Rounds) > 0 {
		low = s.Rounds[len(s.Rounds)-1].Seq
	}
	from := sort.Search(len(s.Rounds), func(i int) bool { return s.Rounds[i].Seq >= low })
	var out []event
	for i := from; i < len(s.Rounds); i++ {
		r := s.Rounds[i]
		if r.Seq <= f.seq && (!f.open[r.Seq] || r.Provisional) {
			continue
		}
		if delete(f.open, r.Seq); r.Provisional {
			f.open[r.Seq] = true
		}
		f.seq = max(f.seq, r.Seq)
		out = append(out, event{r.At, "round", s.Detail(i), roundLine(s, i)})
	}
	return out
}

func roundLine(s *group.State, i int) string {
	r := s.Rounds[i]
	var prev *group.Round
	if i > 0 {
		prev = s.Rounds[i-1]
	}
	line := fmt.Sprintf("round %s  %s: %d kept, %d started, %d stopped", generation(r), label.LongWhy(r, prev), r.Kept, r.Started, r.Stopped)
	if r.Restarted > 0 {
		line += fmt.Sprintf(", %d restarted", r.Restarted)
	}
	if r.Delayed > 0 {
		line += fmt.Sprintf(", %d delayed", r.Delayed)
	}
	if more := beside(r); more != "" {
		line += ", " + more
	}
	return line
}

func (f *follower) stateEvent(s *group.State) []event {
	now := stateObject{Group: s.Group, State: orNull(s.Phase), Verdict: string(s.Verdict.Word), Likely: s.Verdict.Likely, Sentence: s.Verdict.Sentence}
	if r := s.Round(); r != nil && s.Reading() == nil { // the newest so far is not the newest
		now.Workers = r.Workers
		if !r.Polled {
			now.Generation = &r.Generation
		}
	}
	if f.state.Group != "" && now.same(f.state) {
		return nil
	}
	f.state = now
	line := "state  " + s.Phase
	if v := verdictLine(s); v != "" {
		line += "  " + v
	}
	return []event{{s.Now, "state", now, line}}
}

// same leaves the sentence out: it tells ages, and changes by the second.
func (o stateObject) same(p stateObject) bool {
	return deref(o.State) == deref(p.State) && deref(o.Generation) == deref(p.Generation) && o.Workers == p.Workers &&
		o.Verdict == p.Verdict && o.Likely == p.Likely
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func (f *follower) sourceEvents(s *group.State) []event {
	var out []event
	for _, src := range s.Sources {
		o := sourceOf(src)
		was, ok := f.sources[keyOf(src)]
		// Catching up tells how far it is, many times a second.
		often := src.Health == group.HealthCatchingUp && s.Now.Sub(f.placed) < placeEvery
		if ok && was.State == o.State && (was.Detail == o.Detail || often) {
			continue
		}
		f.sources[keyOf(src)] = o
		if src.Health == group.HealthCatchingUp {
			f.placed = s.Now
		}
		at := src.Since
		if at.IsZero() || ok && was.State == o.State { // its detail alone is new
			at = s.Now
		}
		out = append(out, event{at, "source", o, "source " + sourceLine(src)})
	}
	return append(out, f.moveEvent(s)...)
}

// moveEvent tells that another broker coordinates the group than before.
func (f *follower) moveEvent(s *group.State) []event {
	was := f.leads
	if f.leads = s.Coordinator; was == "" || was == s.Coordinator {
		return nil
	}
	src := s.SourceOf(group.SourceDescribe)
	if src == nil {
		return nil
	}
	o := sourceOf(*src)
	o.Detail = fmt.Sprintf("the coordinator moved from %s to %s", was, s.Coordinator)
	return []event{{s.Now, "source", o, "source describe: " + o.Detail}}
}

// text is the event as a line for people.
func (e event) text() string {
	return decode.Printable(e.at.Local().Format("15:04:05.000") + "  " + e.line)
}

// examineEvery bounds how often a watch looks the group over while rounds stay the same: no grace time is finer, and a large group
// takes milliseconds.
const examineEvery = 500 * time.Millisecond

// findingObject is a finding as `doctor -o json` prints it, and whether it is over.
type findingObject struct {
	doctor.Finding
	over bool
}

// MarshalJSON writes {"over":…,"id":…, …}.
func (o findingObject) MarshalJSON() ([]byte, error) {
	raw, err := o.Finding.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return append(fmt.Appendf(nil, `{"over":%v,`, o.over), raw[1:]...), nil
}

// findingEvents tell what the doctor finds that it did not find before, and what it finds no more. One that goes on with other
// numbers in it is told once. While a source is read in, a State is of some moment of the past, and nothing is told of it.
func (f *follower) findingEvents(s *group.State) []event {
	since, round := s.Now.Sub(f.examined), s.Round()
	if since >= 0 && since < examineEvery && round == f.examinedRound || s.Reading() != nil {
		return nil
	}
	f.examined, f.examinedRound = s.Now, round
	now := doctor.Examine(s, doctor.Options{Passed: f.passed}).Findings
	var out []event
	tell := func(found doctor.Finding, over bool) {
		line := fmt.Sprintf("doctor %s, %s, %s: %s", found.ID, found.Severity, found.Certainty, found.Title)
		if over {
			line = fmt.Sprintf("doctor %s is over: %s", found.ID, found.Title)
		}
		out = append(out, event{s.Now, "finding", findingObject{found, over}, line})
	}
	for _, was := range f.findings {
		if !slices.ContainsFunc(now, was.Same) {
			tell(was, true)
		}
	}
	for _, found := range now {
		if !slices.ContainsFunc(f.findings, found.Same) {
			tell(found, false)
		}
	}
	f.findings = now
	return out
}

// actionObject is something that was done to the group with this program.
type actionObject struct {
	ID     string  `json:"id"`
	Who    string  `json:"who"`
	Verb   string  `json:"verb"`
	Target string  `json:"target"`
	Answer *string `json:"answer"` // null while it runs
}

// actionEvents tell of each action its beginning and its end.
func (f *follower) actionEvents(s *group.State) []event {
	all := s.Actions()
	var out []event
	for _, a := range all[min(f.acted, len(all)):] {
		line := fmt.Sprintf("action %s %s by %s", a.Verb, a.Target, a.Who)
		if a.Answer != "" {
			line += ": " + a.Answer
		}
		out = append(out, event{a.At, "action", actionObject{a.ID, a.Who, a.Verb, a.Target, orNull(a.Answer)}, line})
	}
	f.acted = len(all)
	return out
}

// unitMark is how a unit was in the last State.
type unitMark struct {
	state  group.UnitStateKind
	holder string // member id
	name   string // the holder's short name
}

// unseen is the state of a unit before the first State that had it.
const unseen = group.UnitStateKind(-1)

// word is the state as JSON has it.
func (m unitMark) word() *string {
	if m.state == unseen {
		return nil
	}
	return orNull(m.state.String())
}

func (m unitMark) same(o unitMark) bool { return m.state == o.state && m.holder == o.holder }

type unitEvent struct {
	unitObject
	Was *string `json:"was"`
}

// unitEvents are how units changed since the last State. A unit may stop and start again between two States: what its holders said
// meanwhile is told first, record by record.
func (f *follower) unitEvents(s *group.State) []event {
	said := f.saidSince(s)
	now := make(map[group.Unit]unitMark, len(s.Units))
	var out []event
	var last map[int32]string
	for i := range s.Units {
		u := &s.Units[i]
		m := unitMark{state: u.State, name: "nobody"}
		if u.Worker >= 0 {
			m.holder, m.name = s.Workers[u.Worker].ID, s.Workers[u.Worker].Name
		}
		now[u.Unit] = m
		was, known := f.units[u.Unit]
		if known && was.same(m) && said[i] == nil || !f.begun { // where it begins is describe's to tell
			continue
		}
		if last == nil {
			last = lastMembers(s)
		}
		if !known {
			was.state = unseen
		}
		steps, was := stepEvents(s, i, said[i], was, m, last)
		if out = append(out, steps...); was.same(m) {
			continue
		}
		e := unitEvent{unitObject: unitOf(s, i, last), Was: was.word()}
		at := u.Since
		if at.IsZero() || known && was.state == m.state {
			at = s.Now
		}
		out = append(out, event{at, "unit", e, fmt.Sprintf("unit   %s %s on %s", u.Unit, u.State, m.name)})
	}
	f.units = now
	return out
}

// saidSince are the status records since the last State, by unit. While the status topic is read in they are history.
func (f *follower) saidSince(s *group.State) map[int][]group.StatusAt {
	records, n := s.StatusesSince(f.said)
	f.said = n
	src := s.SourceOf(group.SourceStatus)
	if !f.begun || src != nil && src.Health == group.HealthCatchingUp {
		return nil
	}
	out := map[int][]group.StatusAt{}
	for _, r := range records {
		out[r.Unit] = append(out[r.Unit], r)
	}
	return out
}

// stepEvents are what the holders of a unit said between two States, and how the unit was after that.
func stepEvents(s *group.State, i int, said []group.StatusAt, was, now unitMark, last map[int32]string) ([]event, unitMark) {
	var out []event
	for n, k := range said {
		id := ""
		if k.Worker >= 0 {
			id = s.Workers[k.Worker].ID
		}
		if id != now.holder && id != was.holder && k.Name != was.name {
			continue
		}
		m := unitMark{state: k.Kind, holder: id, name: k.Name}
		if k.Kind == group.UnitStopping && restarts(k, said[n+1:], now, id) {
			m.state = group.UnitRestarting
		}
		if m.state == was.state && (id == was.holder || id == "") {
			continue
		}
		out = append(out, stepEvent(s, i, last, k.At, m, was, fmt.Sprintf("%s says %s, generation %d", k.Name, decode.Printable(k.State), k.Generation)))
		was = m
	}
	return out, was
}

// restarts reports whether a worker that stopped a unit starts it again without a round.
func restarts(k group.StatusAt, later []group.StatusAt, now unitMark, id string) bool {
	for _, o := range later {
		if o.Name == k.Name && o.Kind != group.UnitStopping {
			return o.Generation == k.Generation
		}
	}
	return now.state == group.UnitRestarting && now.holder == id
}

func stepEvent(s *group.State, i int, last map[int32]string, at time.Time, m, was unitMark, evidence string) event {
	e := unitEvent{unitObject: unitOf(s, i, last), Was: was.word()}
	e.State, e.Worker, e.Since, e.Orphaned, e.Stale = m.state.String(), orNull(m.holder), timeOrNull(at), false, false
	e.Evidence = []evidenceObject{{timeOrNull(at), string(group.SourceStatus), evidence}}
	return event{at, "unit", e, fmt.Sprintf("unit   %s %s on %s", s.Units[i].Unit, m.state, m.name)}
}

// restartEvents are the restarts of the history that no round tells of: a stop and a start each.
func restartEvents(s *group.State) []event {
	var out []event
	var last map[int32]string
	for _, r := range s.Restarts(s.HistoryFrom) {
		i, ok := s.Find(r.Unit)
		if !ok {
			continue
		}
		if last == nil {
			last = lastMembers(s)
		}
		stop := unitMark{group.UnitRestarting, r.Member, r.Worker}
		if r.Failed {
			stop.state = group.UnitFailed
		}
		start := unitMark{group.UnitRunning, r.Member, r.Worker}
		out = append(out,
			stepEvent(s, i, last, r.Stop, stop, start, r.Worker+" stopped it"),
			stepEvent(s, i, last, r.Start, start, stop, r.Worker+" says RUNNING again"))
	}
	return out
}
