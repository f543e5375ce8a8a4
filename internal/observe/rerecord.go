package observe

import (
	"fmt"
	"io"
	"time"

	"regroup/decode"
	"regroup/group"
)

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
