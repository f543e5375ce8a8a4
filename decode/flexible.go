package decode

import (
	"encoding/binary"
	"math"
)

// flexReader reads the coordinator's own schema, whose version 4 is Kafka's flexible form: lengths as unsigned varints
// plus one, and tagged fields at the end of each structure.
type flexReader struct {
	reader
	flexible bool
}

func (r *flexReader) string(field string, null nullable) string {
	if !r.flexible {
		return string(r.text(field, null))
	}
	from := r.at
	n := r.compact(field, 1, null)
	if n > math.MaxInt16 {
		r.fail(field, from, "length %d, strings have at most %d", n, math.MaxInt16)
	}
	if n < 0 {
		return ""
	}
	return string(r.take(field, from, n))
}

func (r *flexReader) bytes(field string) []byte {
	if !r.flexible {
		return r.blob(field, false)
	}
	from := r.at
	return r.take(field, from, r.compact(field, 1, false))
}

func (r *flexReader) array(field string, size int) int {
	if !r.flexible {
		return r.count(field, size, false)
	}
	return r.compact(field, size, false)
}

// compact reads a flexible length, which is one more than meant, so that 0 says null; null gives -1.
func (r *flexReader) compact(field string, size int, null nullable) int {
	from := r.at
	return r.length(field, from, int(r.uvarint(field))-1, size, null)
}

// uvarint reads at most 32 bits, as Kafka's own reader does.
func (r *flexReader) uvarint(field string) uint32 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 || v > math.MaxInt32 {
		r.fail(field, r.at, "no whole number is left")
		return 0
	}
	r.at += n
	return uint32(v)
}

// tags skips the tagged fields: none is known, and by their rules whoever does not know one may ignore it.
func (r *flexReader) tags() {
	if !r.flexible {
		return
	}
	for n := r.uvarint("tagged fields"); n > 0 && r.err == nil; n-- {
		from := r.at
		r.uvarint("tag")
		r.take("tagged field", from, int(r.uvarint("tag size")))
	}
}
