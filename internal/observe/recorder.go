package observe

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"sync"
	"time"

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
