package cli

import (
	"bytes"
	"encoding/json"
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
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
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
	now := stateObject{Group: s.Group, State: orNull(s.Phase), Verdict: s.Verdict.Word, Likely: s.Verdict.Likely, Sentence: s.Verdict.Sentence}
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
