package observe

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/redact"
)

// Scrubber takes out of facts what a recording must not hold: the session key, the values of properties, and what looks
// like a credential in traces and errors. Values become digests under a salt that nobody keeps: a change still shows, and
// nothing can be guessed from them, nor compared between recordings.
type Scrubber struct {
	salt  [32]byte
	known redact.Known
}

// NewScrubber makes a Scrubber with a salt of its own.
func NewScrubber() *Scrubber {
	s := &Scrubber{known: redact.Known{}}
	_, _ = rand.Read(s.salt[:]) // never fails: it ends the program instead
	return s
}

// leftOut stands for a value that cannot be read: nobody knows what is in it. It cannot be read either.
const leftOut = "left out"

// Learn remembers the private values of a config record: workers repeat them in traces.
func (s *Scrubber) Learn(r Raw) {
	record, err := decode.ParseConfig(r.Key, r.Value)
	if err != nil {
		return
	}
	for name, value := range record.Properties {
		if !public(name, value) {
			s.known.Learn(name, value)
		}
	}
}

// Record is a record of a source without its secrets. Keys stay: they are names.
func (s *Scrubber) Record(source group.Source, r Raw) Raw {
	if r.Value == nil {
		return r
	}
	switch source {
	case group.SourceLog: // members and assignments: names and addresses alone
	case group.SourceConfig:
		r.Value = s.config(r)
	case group.SourceStatus:
		r.Value = s.status(r)
	default:
		r.Value = []byte(leftOut)
	}
	return r
}

// configFields are all that is kept of a config record; the session key's "key" is none of them.
type configFields struct {
	Properties map[string]*string `json:"properties,omitempty"`
	Tasks      *int32             `json:"tasks,omitempty"`
	Count      *int32             `json:"task-count,omitempty"`
	State      *string            `json:"state,omitempty"`
	StateV2    *string            `json:"state.v2,omitempty"`
	Algorithm  *string            `json:"algorithm,omitempty"`
	Created    *int64             `json:"creation-timestamp,omitempty"`
	WithTasks  *bool              `json:"include-tasks,omitempty"`
	OnlyFailed *bool              `json:"only-failed,omitempty"`
	Level      *string            `json:"level,omitempty"`
}

func (s *Scrubber) config(r Raw) []byte {
	record, err := decode.ParseConfig(r.Key, r.Value)
	var v configFields
	if err != nil || record.Kind == decode.ConfigUnknown || json.Unmarshal(r.Value, &v) != nil {
		return []byte(leftOut)
	}
	for name, value := range v.Properties {
		if value != nil {
			kept := s.property(record.Connector, name, *value)
			v.Properties[name] = &kept
		}
	}
	if len(v.Properties) == 0 && record.Properties != nil {
		return []byte(`{"properties":{}}`) // omitempty would leave it out, and then it is no configuration
	}
	return encoded(v)
}

// property is a value as it may be kept. The same value has the same digest in all records of one connector's property, and
// another one elsewhere: that two logins are the same is nobody's business.
func (s *Scrubber) property(connector, name, value string) string {
	if public(name, value) {
		return value
	}
	mac := hmac.New(sha256.New, s.salt[:])
	for _, part := range []string{connector, name, value} {
		_, _ = mac.Write([]byte(part + "\x00")) // never fails
	}
	return "digest:" + hex.EncodeToString(mac.Sum(nil)[:8])
}

func public(name, value string) bool { return redact.Public(name) && redact.Text(value) == value }

// statusFields are all that is kept of a status record.
type statusFields struct {
	State      *string      `json:"state,omitempty"`
	Trace      *string      `json:"trace,omitempty"`
	WorkerID   *string      `json:"worker_id,omitempty"`
	Generation *int32       `json:"generation,omitempty"`
	Version    *string      `json:"version,omitempty"`
	Topic      *topicFields `json:"topic,omitempty"`
}

type topicFields struct {
	Name       *string `json:"name,omitempty"`
	Connector  *string `json:"connector,omitempty"`
	Task       *int32  `json:"task,omitempty"`
	Discovered *int64  `json:"discoverTimestamp,omitempty"`
}

func (s *Scrubber) status(r Raw) []byte {
	record, err := decode.ParseStatus(r.Key, r.Value)
	var v statusFields
	if err != nil || record.Kind == decode.StatusUnknown || json.Unmarshal(r.Value, &v) != nil {
		return []byte(leftOut)
	}
	if v.Trace != nil {
		kept := s.Text(*v.Trace)
		v.Trace = &kept
	}
	return encoded(v)
}

func encoded(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		return []byte(leftOut)
	}
	return out
}

// Text is what a worker said, or a broker, without what looks like a credential and without the values that were learnt.
func (s *Scrubber) Text(text string) string {
	if text == "" {
		return text
	}
	return redact.Text(s.known.Hide(text))
}

// Fact is a fact that is no record, without its secrets. Those of records are of their raw form.
func (s *Scrubber) Fact(f group.Fact) group.Fact {
	switch f := f.(type) {
	case group.SourceReport:
		f.Detail = s.Text(f.Detail)
		return f
	case group.RESTReport:
		f.Root, f.Herder = s.Text(f.Root), s.Text(f.Herder)
		f.Statuses = slices.Clone(f.Statuses)
		for i := range f.Statuses {
			f.Statuses[i].Trace = s.Text(f.Statuses[i].Trace)
		}
		return f
	case group.Action:
		f.Target, f.Answer = s.Text(f.Target), s.Text(f.Answer)
		return f
	}
	return f
}
