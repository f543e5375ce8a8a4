package decode

import (
	"encoding/binary"
	"fmt"
)

// Error says what could not be read: which message, which field of it, and where in the bytes.
type Error struct {
	What   string // "subscription", "assignment", "group record" …
	Field  string
	Offset int // of the field's first byte
	Why    string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s at byte %d: %s", e.What, e.Field, e.Offset, e.Why)
}

// Field is one named piece of a message, for showing bytes to a person.
type Field struct {
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	Depth  int    `json:"depth"` // 0 for the message's own fields, 1 within an array or an embedded message
	Name   string `json:"name"`
	Value  string `json:"value"`
}

// reader walks big-endian Kafka primitives. After the first error every read gives a zero and changes nothing, so that a
// parser may read straight on and look at err once; whoever looks at values before looking at err has a bug.
type reader struct {
	what  string
	b     []byte
	at    int
	base  int // offset of b[0] in the outermost message
	err   error
	depth int
	trace func(Field) // nil unless somebody wants the fields named
}

func (r *reader) left() int { return len(r.b) - r.at }

func (r *reader) fail(field string, at int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{r.what, field, r.base + at, fmt.Sprintf(format, args...)}
	}
}

func (r *reader) take(field string, n int) []byte {
	if r.err != nil {
		return nil
	}
	if n < 0 || n > r.left() {
		r.fail(field, r.at, "needs %d bytes, %d are left", n, r.left())
		return nil
	}
	b := r.b[r.at : r.at+n]
	r.at += n
	return b
}

func (r *reader) note(from int, name, format string, args ...any) {
	if r.trace != nil && r.err == nil {
		r.trace(Field{r.base + from, r.at - from, r.depth, name, fmt.Sprintf(format, args...)})
	}
}

func (r *reader) int16(field string) int16 {
	if b := r.take(field, 2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (r *reader) int32(field string) int32 {
	if b := r.take(field, 4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (r *reader) int64(field string) int64 {
	if b := r.take(field, 8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// bytes16 reads an INT16 length and that many bytes; null tells a length of -1.
func (r *reader) bytes16(field string) (b []byte, null bool) {
	at := r.at
	n := r.int16(field)
	if r.err != nil {
		return nil, false
	}
	if n == -1 {
		return nil, true
	}
	if n < 0 {
		r.fail(field, at, "length %d", n)
		return nil, false
	}
	return r.take(field, int(n)), false
}

func (r *reader) string(field string) string {
	at := r.at
	b, null := r.bytes16(field)
	if null {
		r.fail(field, at, "null where a string must be")
	}
	return string(b)
}

// count reads an INT32 array length of things that take at least size bytes each; -1 is null, read as none.
func (r *reader) count(field string, size int) int {
	at := r.at
	n := r.int32(field)
	switch {
	case r.err != nil || n == -1:
		return 0
	case n < 0:
		r.fail(field, at, "%d elements", n)
		return 0
	case int(n) > r.left()/size:
		r.fail(field, at, "%d elements of at least %d bytes, %d bytes are left", n, size, r.left())
		return 0
	}
	return int(n)
}

// bytes32 reads an INT32 length and that many bytes; a length of -1 gives nil.
func (r *reader) bytes32(field string) []byte {
	at := r.at
	n := r.int32(field)
	if r.err != nil || n == -1 {
		return nil
	}
	if n < 0 {
		r.fail(field, at, "length %d", n)
		return nil
	}
	return r.take(field, int(n))
}
