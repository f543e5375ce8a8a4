package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"
	"time"

	"regroup/decode"
	"regroup/group"
)

// Recorder writes facts as a recording, without their secrets. Raw and Apply are made for Run; what they bring waits until
// Flush, so that a configuration is known before the traces that may repeat it are written. Until every source has been
// read to its end, or has said why not, all of it waits: then the past is written in the order in which it happened, though
// the sources were read beside each other.
type Recorder struct {
	mu     sync.Mutex
	out    io.Writer
	header Header
	scrub  *Scrubber

	last    Raw  // the record whose fact comes next
	asFiled bool // the order of what comes is that of a file, and stays
	queue   []entry
	waiting map[group.Source]bool // sources whose past is still being read
	told    map[string]told       // facts that are told again and again
	unsaid  *entry                // the newest fact, where it was no news: it says until when nothing was
	begun   bool
	lines   int
}

// entry is a record, or another fact, that is yet to be written.
type entry struct {
	source group.Source // of a record
	raw    Raw
	fact   group.Fact // nil: a record
	at     time.Time  // when it was seen
	order  time.Time  // where it stands among those of other sources
}

// told is what a source said last, and when.
type told struct {
	fact group.Fact
	at   time.Time
}

// NewRecorder makes a Recorder of a live group.
func NewRecorder(out io.Writer, header Header) *Recorder {
	header.Recording = recordingVersion
	return &Recorder{out: out, header: header, scrub: NewScrubber(), told: map[string]told{}, waiting: map[group.Source]bool{
		group.SourceLog: true, group.SourceDescribe: true, group.SourceConfig: true, group.SourceStatus: true,
	}}
}

// Raw takes the record that the next fact is made of: it is Options.Raw.
func (w *Recorder) Raw(r Raw) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = r
}

// Apply takes a fact.
func (w *Recorder) Apply(f group.Fact, seen time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch f := f.(type) {
	case group.LogRecord:
		w.queue = append(w.queue, entry{source: group.SourceLog, raw: w.last, at: w.last.At})
		return
	case group.ConfigRecord:
		w.header.ConfigTopic = f.Topic
		w.queue = append(w.queue, entry{source: group.SourceConfig, raw: w.last, at: w.last.At})
		return
	case group.StatusRecord:
		w.header.StatusTopic = f.Topic
		w.queue = append(w.queue, entry{source: group.SourceStatus, raw: w.last, at: w.last.At})
		return
	case group.SourceReport:
		if f.Health == group.HealthCatchingUp {
			return // how far it is: many times a second
		}
		delete(w.waiting, f.Source)
	}
	if factName(f) == "" {
		return
	}
	e := entry{fact: f, at: seen}
	if w.unsaid = &e; w.news(f, seen) {
		w.unsaid = nil
		w.queue = append(w.queue, e)
	}
}

// again is how long a fact that says nothing new is left out.
const again = time.Minute

// news says whether a fact differs from what its source said last, but for when it was said.
func (w *Recorder) news(f group.Fact, seen time.Time) bool {
	var name string
	var bare group.Fact
	switch f := f.(type) {
	case group.Description:
		f.At = time.Time{}
		name, bare = "describe", f
	case group.RESTReport:
		name, f.At, f.Latency = "rest "+f.URL, time.Time{}, 0
		bare = f
	case group.TopicSettings:
		name, f.At = "topic "+f.Role, time.Time{}
		bare = f
	default:
		return true
	}
	last := w.told[name]
	if reflect.DeepEqual(last.fact, bare) && seen.Sub(last.at) < again {
		return false
	}
	w.told[name] = told{bare, seen}
	return true
}

// Flush writes what waits, if it need not wait longer.
func (w *Recorder) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) > 0 {
		return nil
	}
	return w.write()
}

// Close writes all that waits, and how long there was nothing new. The writer below stays open.
func (w *Recorder) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.unsaid != nil {
		w.queue = append(w.queue, *w.unsaid)
		w.unsaid = nil
	}
	return w.write()
}

// Lines is how many lines were written, after the header.
func (w *Recorder) Lines() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lines
}

// write hands whole lines on, in one piece: a recording that is cut off ends with a whole line.
func (w *Recorder) write() error {
	var text bytes.Buffer
	if !w.begun {
		w.begun = true
		head, err := json.Marshal(w.header)
		if err != nil {
			return err
		}
		text.Write(append(head, '\n'))
		if !w.asFiled {
			inTime(w.queue)
		}
	}
	for _, e := range w.queue {
		if e.source == group.SourceConfig {
			w.scrub.Learn(e.raw)
		}
	}
	for _, e := range w.queue {
		line, err := w.line(e)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	n := len(w.queue)
	w.queue = w.queue[:0]
	if text.Len() == 0 {
		return nil
	}
	if _, err := w.out.Write(text.Bytes()); err != nil {
		return err
	}
	w.lines += n
	return nil
}

func (w *Recorder) line(e entry) ([]byte, error) {
	if e.fact == nil {
		return RecordLine(w.scrub.Record(e.source, e.raw))
	}
	return FactLine(w.scrub.Fact(e.fact), e.at)
}

// inTime puts what was read of several sources beside each other into the order of its times. Within a partition its own
// order stands, whatever the clocks said.
func inTime(queue []entry) {
	type stream struct {
		topic     string
		partition int32
	}
	latest := map[stream]time.Time{}
	for i := range queue {
		e := &queue[i]
		of := stream{e.raw.Topic, e.raw.Partition}
		e.order = later(latest[of], e.at)
		latest[of] = e.order
	}
	slices.SortStableFunc(queue, func(a, b entry) int { return a.order.Compare(b.order) })
}

// Rerecord makes a recording of a file: of raw records as captures hold them, or of another recording. Group may be "" where
// the file holds one alone. What belongs to another group, or to nothing that is known, is left behind. It returns the header
// and how many lines came after it.
func Rerecord(out io.Writer, in io.Reader, name string) (Header, int, error) {
	header, lines, torn, err := readLines(in)
	if err != nil {
		return header, 0, err
	}
	if torn > 0 {
		return header, 0, fmt.Errorf("line %d: the file breaks off in the middle of it: take that line out to record the others anew", torn)
	}
	if header.Group, err = groupOf(header, lines, name); err != nil {
		return header, 0, err
	}
	roles, several := rolesOf(header, lines)
	for topic, source := range roles {
		switch source {
		case group.SourceConfig:
			header.ConfigTopic = topic
		case group.SourceStatus:
			header.StatusTopic = topic
		}
	}
	for source, topics := range several { // none is guessed: who reads the recording is told of all of them
		for _, topic := range topics {
			roles[topic] = source
		}
	}
	w := NewRecorder(out, header)
	w.asFiled = true
	for _, l := range lines {
		e := entry{at: time.UnixMilli(l.TS).UTC()}
		if l.Topic == nil {
			e.fact, err = decodeFact(l.Fact, l.Value)
		} else {
			e.source = roles[*l.Topic]
			e.raw, err = l.raw()
		}
		switch {
		case err != nil:
			return header, 0, err
		case e.fact == nil && e.source == "": // of a newer program, or a topic of something else
		case e.source == group.SourceLog && !decode.IsGroupKey(e.raw.Key, header.Group):
		default:
			w.queue = append(w.queue, e)
		}
	}
	err = w.Close()
	return w.header, w.Lines(), err
}

// Facts that are no records have a line of their own kind in a recording. What a recording must not hold is taken out by
// whoever makes one, before it comes here.

// factName is a fact's word in a recording; "" for records, and for what a reader works out itself.
func factName(f group.Fact) string {
	switch f := f.(type) {
	case group.Description:
		return "describe"
	case group.SourceReport:
		return "source"
	case group.TopicSettings:
		return "topic"
	case group.OtherGroup:
		if f.Group != "" {
			return "group"
		}
	case group.RESTReport:
		return "rest"
	case group.Action:
		return "action"
	}
	return ""
}

// FactLine writes a fact as a line of a recording, without its newline; nil for a fact that has none.
func FactLine(f group.Fact, seen time.Time) ([]byte, error) {
	name := factName(f)
	if name == "" {
		return nil, nil
	}
	return json.Marshal(struct {
		Fact  string     `json:"fact"`
		TS    int64      `json:"ts"`
		Value group.Fact `json:"value"`
	}{name, seen.UnixMilli(), f})
}

// RecordLine writes a record as a line of a recording, without its newline.
func RecordLine(r Raw) ([]byte, error) {
	return json.Marshal(struct {
		Topic     string `json:"topic"`
		Partition int32  `json:"partition"`
		Offset    int64  `json:"offset"`
		TS        int64  `json:"ts"`
		Key       []byte `json:"key"`
		Value     []byte `json:"value"` // null for a tombstone
	}{r.Topic, r.Partition, r.Offset, r.At.UnixMilli(), r.Key, r.Value})
}

// decodeFact reads the value of a fact's line. A kind that is not known is of a newer program: nil, no error.
func decodeFact(name string, value []byte) (group.Fact, error) {
	switch name {
	case "describe":
		return valueOf[group.Description](name, value)
	case "source":
		return valueOf[group.SourceReport](name, value)
	case "topic":
		return valueOf[group.TopicSettings](name, value)
	case "group":
		return valueOf[group.OtherGroup](name, value)
	case "rest":
		return valueOf[group.RESTReport](name, value)
	case "action":
		return valueOf[group.Action](name, value)
	}
	return nil, nil
}

func valueOf[F group.Fact](name string, value []byte) (group.Fact, error) {
	var f F
	if err := json.Unmarshal(value, &f); err != nil {
		return nil, fmt.Errorf("fact %q: %w", name, err)
	}
	return f, nil
}
