package decode

import (
	"encoding/binary"
	"strconv"
)

// flexReader reads the coordinator's own schema, whose version 4 is Kafka's flexible form: lengths as unsigned varints
// plus one, and tagged fields at the end of each structure.
type flexReader struct {
	reader
	flexible bool
}

func unknownVersion(v int16) string { return "version " + strconv.Itoa(int(v)) + " is not known" }

func (r *flexReader) uvarint(field string) uint64 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 {
		r.fail(field, r.at, "no whole number is left")
		return 0
	}
	r.at += n
	return v
}

// compact reads a flexible length: null is 0 on the wire.
func (r *flexReader) compact(field string, size int) (n int, null bool) {
	at := r.at
	v := r.uvarint(field)
	if r.err != nil || v == 0 {
		return 0, true
	}
	if v-1 > uint64(r.left()/size) {
		r.fail(field, at, "length %d, %d bytes are left", v-1, r.left())
		return 0, false
	}
	return int(v - 1), false
}

func (r *flexReader) nullableText(field string) string {
	if !r.flexible {
		b, _ := r.bytes16(field)
		return string(b)
	}
	n, _ := r.compact(field, 1)
	return string(r.take(field, n))
}

func (r *flexReader) text(field string) string {
	if !r.flexible {
		return r.string(field)
	}
	at := r.at
	n, null := r.compact(field, 1)
	if null {
		r.fail(field, at, "null where a string must be")
	}
	return string(r.take(field, n))
}

func (r *flexReader) blob(field string) []byte {
	if !r.flexible {
		return r.bytes32(field)
	}
	n, _ := r.compact(field, 1)
	return r.take(field, n)
}

func (r *flexReader) length(field string, size int) int {
	if !r.flexible {
		return r.count(field, size)
	}
	n, _ := r.compact(field, size)
	return n
}

func (r *flexReader) tags() {
	if !r.flexible {
		return
	}
	for n := r.uvarint("tagged fields"); n > 0 && r.err == nil; n-- {
		r.uvarint("tag")
		r.take("tagged field", int(min(r.uvarint("tag size"), 1<<30)))
	}
}
