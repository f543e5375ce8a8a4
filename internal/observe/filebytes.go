package observe

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"regroup/decode"
)

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
