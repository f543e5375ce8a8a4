package broker

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// maxFrame is what brokers accept by default (socket.request.max.bytes).
const maxFrame = 100 << 20

// readFrame reads one message with its length before it.
func readFrame(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n < 8 && n != 4 || n > maxFrame {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	frame := make([]byte, 4+n)
	copy(frame, size[:])
	_, err := io.ReadFull(r, frame[4:])
	return frame, err
}

// request is a frame that is for the coordinator.
type request struct {
	correlation int32
	client      string
	body        kmsg.Request
}

// key is the request's API key; the frame is at least that long.
func key(frame []byte) int16 { return int16(binary.BigEndian.Uint16(frame[4:])) }

func parseRequest(frame []byte) (request, error) {
	r := kbin.Reader{Src: frame[4:]}
	body := kmsg.RequestForKey(r.Int16())
	version := r.Int16()
	out := request{correlation: r.Int32(), body: body}
	if client := r.NullableString(); client != nil {
		out.client = *client
	}
	if err := r.Complete(); err != nil {
		return out, fmt.Errorf("request header: %w", err)
	}
	if version < 0 || version > body.MaxVersion() {
		return out, fmt.Errorf("%s: version %d is not known", kmsg.NameForKey(body.Key()), version)
	}
	body.SetVersion(version)
	if body.IsFlexible() {
		kmsg.SkipTags(&r)
	}
	if err := body.ReadFrom(r.Src); err != nil {
		return out, fmt.Errorf("%s: %w", kmsg.NameForKey(body.Key()), err)
	}
	return out, nil
}

// appendResponse writes a response with its length and header.
func appendResponse(correlation int32, resp kmsg.Response) []byte {
	b := make([]byte, 4, 256)
	b = binary.BigEndian.AppendUint32(b, uint32(correlation))
	if resp.IsFlexible() {
		b = append(b, 0) // no tags
	}
	b = resp.AppendTo(b)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

const produceKey = 0

// silent says whether a request gets no answer: a Produce with acks=0.
func silent(frame []byte) bool {
	if key(frame) != produceKey {
		return false
	}
	r := kbin.Reader{Src: frame[6:]}
	version := r.Int16()
	r.Int32()          // correlation
	r.NullableString() // client id
	produce := kmsg.ProduceRequest{Version: version}
	switch {
	case produce.IsFlexible():
		kmsg.SkipTags(&r)
		r.CompactNullableString() // transactional id
	case version >= 3:
		r.NullableString()
	}
	acks := r.Int16()
	return r.Ok() && acks == 0
}
