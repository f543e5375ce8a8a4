package observe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
)

// A recording is a file of JSON lines, oldest first. A capture is a recording without a header and with records alone:
//
//	{"recording":1,"group":"connect-a","configTopic":"…","statusTopic":"…","at":MS}
//	{"topic":"…","partition":N,"offset":N,"ts":MS,"key":"base64","value":"base64"|null}
//	{"fact":"describe","ts":MS,"value":{…}}

// Header is a recording's first line.
type Header struct {
	Recording   int    `json:"recording"`
	Group       string `json:"group"`
	ConfigTopic string `json:"configTopic,omitempty"`
	StatusTopic string `json:"statusTopic,omitempty"`
	At          int64  `json:"at,omitempty"` // milliseconds
}

// recordingVersion is the newest form of recordings that is understood here.
const recordingVersion = 1

// line is any line of a recording.
type line struct {
	Header
	Topic     *string         `json:"topic"`
	Partition int32           `json:"partition"`
	Offset    int64           `json:"offset"`
	TS        int64           `json:"ts"`
	Key       []byte          `json:"key"`
	Value     json.RawMessage `json:"value"`
	Fact      string          `json:"fact"`
}

// Seen is a fact, and when it was seen: a record's own time.
type Seen struct {
	Fact group.Fact
	At   time.Time
}

// Facts are the facts of one group in a file, in the file's order.
type Facts struct {
	Group   string
	All     []Seen
	topics  map[string]group.Source
	several map[group.Source][]string // topics of one kind of which none is taken
	torn    int                       // the line in whose middle the file breaks off; 0: none
}

// ReadFacts reads a recording or a capture. Group may be "" when the file holds one group alone.
func ReadFacts(r io.Reader, name string) (*Facts, error) {
	header, lines, torn, err := readLines(r)
	if err != nil {
		return nil, err
	}
	inOffsetOrder(lines)
	f := &Facts{torn: torn}
	f.topics, f.several = rolesOf(header, lines)
	if f.Group, err = groupOf(header, lines, name); err != nil {
		return nil, err
	}
	var kind error // of a group that is none of Connect workers: its records are not read
	for _, l := range lines {
		seen, ok, err := f.fact(l)
		if err != nil {
			return nil, err
		}
		if r, is := seen.Fact.(group.LogRecord); ok && is {
			kind = foreign(f.Group, r)
			ok = kind == nil
		}
		if ok {
			f.All = append(f.All, seen)
		}
	}
	return f, kind
}

// readLines reads all lines of a file but its header, in the file's order. A last line that was not written to its end, by a
// recorder that was killed or had no room left, is told by its number and takes nothing from the lines before it.
func readLines(r io.Reader) (header Header, lines []line, torn int, err error) {
	last := &lastByte{of: r}
	scan := bufio.NewScanner(last)
	scan.Buffer(make([]byte, 1<<16), maxLine)
	n := 1
	for ; scan.Scan(); n++ {
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		var l line
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			var syntax *json.SyntaxError
			half := errors.As(err, &syntax) && syntax.Offset >= int64(len(scan.Bytes()))
			if half && n > 1 && !scan.Scan() && scan.Err() == nil && last.byte != '\n' {
				return header, lines, n, nil
			}
			return header, nil, 0, fmt.Errorf("line %d: not a line of a recording: %w", n, err)
		}
		switch {
		case l.Recording > recordingVersion:
			return header, nil, 0, fmt.Errorf("line %d: a recording of form %d: this program knows up to %d: use a newer one", n, l.Recording, recordingVersion)
		case l.Recording > 0:
			header = l.Header
		case l.Topic != nil || l.Fact != "":
			lines = append(lines, l)
		default:
			return header, nil, 0, fmt.Errorf("line %d: neither a record (\"topic\", …) nor another fact (\"fact\", …)", n)
		}
	}
	return header, lines, 0, lineFault(n, scan.Err())
}

// lastByte knows the last byte that was read.
type lastByte struct {
	of   io.Reader
	byte byte
}

func (l *lastByte) Read(p []byte) (int, error) {
	n, err := l.of.Read(p)
	if n > 0 {
		l.byte = p[n-1]
	}
	return n, err
}

// maxLine bounds one line of a recording, in bytes: a broker takes records of a few megabytes.
const maxLine = 64 << 20

// lineFault says of a line that is too long what is wrong with it.
func lineFault(n int, err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d: not a line of a recording: longer than %d MB", n, maxLine>>20)
	}
	return err
}

// groupOf says which group is meant.
func groupOf(header Header, lines []line, name string) (string, error) {
	if name == "" && header.Group != "" {
		return header.Group, nil
	}
	have := map[string]bool{}
	if header.Group != "" {
		have[header.Group] = true
	}
	for _, l := range lines {
		if l.Topic != nil && *l.Topic == LogTopic {
			if g, ours, _ := decode.ParseGroupKey(l.Key); ours {
				have[g] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(have))
	switch {
	case name != "" && !have[name] && len(names) > 0:
		return "", fmt.Errorf("group %s is not in the file, which holds %s", name, strings.Join(names, ", "))
	case name == "" && len(names) == 0:
		return "", fmt.Errorf("the file holds no record of %s: nothing says which group it is about", LogTopic)
	case name == "" && len(names) > 1:
		return "", fmt.Errorf("the file holds several groups: name one of %s", strings.Join(names, ", "))
	case name == "":
		return names[0], nil
	}
	return name, nil
}

// rolesOf tells the config topic and the status topic by their keys, where the header does not. Of two none is guessed.
func rolesOf(header Header, lines []line) (roles map[string]group.Source, several map[group.Source][]string) {
	type votes struct{ config, status int }
	by := map[string]*votes{}
	for _, l := range lines {
		if l.Topic == nil || *l.Topic == LogTopic {
			continue
		}
		v := by[*l.Topic]
		if v == nil {
			v = &votes{}
			by[*l.Topic] = v
		}
		if _, fits := statusKind.connector(l.Key); fits {
			v.status++
		} else if _, fits := configKind.connector(l.Key); fits {
			v.config++
		}
	}
	found := map[group.Source][]string{}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		switch v := by[name]; {
		case v.config > v.status && (header.ConfigTopic == "" || header.ConfigTopic == name):
			found[group.SourceConfig] = append(found[group.SourceConfig], name)
		case v.status > v.config && (header.StatusTopic == "" || header.StatusTopic == name):
			found[group.SourceStatus] = append(found[group.SourceStatus], name)
		}
	}
	roles, several = map[string]group.Source{LogTopic: group.SourceLog}, map[group.Source][]string{}
	for source, names := range found {
		if len(names) == 1 {
			roles[names[0]] = source
		} else {
			several[source] = names
		}
	}
	return roles, several
}

// fact reads one line; ok is false for lines about something else.
func (f *Facts) fact(l line) (s Seen, ok bool, err error) {
	s.At = time.UnixMilli(l.TS).UTC()
	if l.Topic == nil {
		s.Fact, err = decodeFact(l.Fact, l.Value)
		return s, s.Fact != nil, err
	}
	raw, err := l.raw()
	if err != nil {
		return s, false, err
	}
	switch f.topics[raw.Topic] {
	case group.SourceLog:
		if !decode.IsGroupKey(raw.Key, f.Group) {
			return s, false, nil
		}
		s.Fact = raw.LogFact()
	case group.SourceConfig:
		s.Fact = raw.ConfigFact()
	case group.SourceStatus:
		s.Fact = raw.StatusFact()
	}
	return s, s.Fact != nil, nil
}

func (l *line) raw() (Raw, error) {
	r := Raw{Topic: *l.Topic, Partition: l.Partition, Offset: l.Offset, At: time.UnixMilli(l.TS).UTC(), Key: l.Key}
	if l.Value == nil || string(l.Value) == "null" {
		return r, nil
	}
	if err := json.Unmarshal(l.Value, &r.Value); err != nil {
		return r, fmt.Errorf("%s, offset %d: value: %w", partitionName(r.Topic, r.Partition), r.Offset, err)
	}
	return r, nil
}

// File gives the State that a recording or capture ends with, or that it has where stop says.
func File(path, name string, stop Stop) (*group.State, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s, err := Read(in, name, stop)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Read is File of what is open already.
func Read(r io.Reader, name string, stop Stop) (*group.State, error) {
	f, err := ReadFacts(r, name)
	if err != nil {
		return nil, err
	}
	m := group.New(group.Options{Group: f.Group})
	now, err := f.Play(stop, m.Apply)
	if err != nil {
		return nil, err
	}
	return m.State(now), nil
}

// BytesIn finds one group record of a recording again: rounds keep its place, not its bytes.
func BytesIn(r io.Reader, name string, partition int32, offset int64) (Raw, error) {
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 1<<16), maxLine)
	n := 1
	for ; scan.Scan(); n++ {
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		var l line
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			return Raw{}, fmt.Errorf("line %d: not a line of a recording: %w", n, err)
		}
		if l.Topic == nil || *l.Topic != LogTopic || l.Partition != partition || l.Offset != offset || !decode.IsGroupKey(l.Key, name) {
			continue
		}
		return l.raw()
	}
	if err := scan.Err(); err != nil {
		return Raw{}, lineFault(n, err)
	}
	return Raw{}, fmt.Errorf("record at offset %d: the file does not hold it", offset)
}

// actionsDone passes on what this program does, into the one order of all facts.
func actionsDone(ctx context.Context, done <-chan group.Action, out *stream) {
	for {
		select {
		case f, open := <-done:
			if !open {
				return
			}
			out.put(f)
		case <-ctx.Done():
			return
		}
	}
}
