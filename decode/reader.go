package decode

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Error says what could not be read: which message, which field of it, and where in the bytes.
type Error struct {
	What   string // "subscription", "assignment", "group record" …
	Field  string
	Offset int // of the field's first byte, its length included; in JSON, of the byte where reading stopped
	Why    string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s at byte %d: %s", e.What, e.Field, e.Offset, e.Why)
}

// Field is one named piece of a message, for showing bytes to a person. The fields of a message lie end to end: each
// begins where the one before it ended.
type Field struct {
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	Depth  int    `json:"depth"` // 0 for the message's own fields, one more within each array or embedded message
	Name   string `json:"name"`
	Value  string `json:"value"` // names as they are on the wire: Printable is for whoever shows them
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

// nullable says whether the schema lets a length of -1 stand for "nothing".
type nullable bool

func (r *reader) left() int { return len(r.b) - r.at }

// done says that nothing is left to read, by an end or by an error: an optional field is not there.
func (r *reader) done() bool { return r.err != nil || r.at == len(r.b) }

func (r *reader) fail(field string, at int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{r.what, field, r.base + at, fmt.Sprintf(format, args...)}
	}
}

// take gives the next n bytes of a field that began at from. They are the caller's input, not a copy.
func (r *reader) take(field string, from, n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > r.left() {
		r.fail(field, from, "needs %d bytes, %d are left", n, r.left())
		return nil
	}
	b := r.b[r.at : r.at+n : r.at+n]
	r.at += n
	return b
}

// note names what was read since from. Formatting costs more than reading: hot callers look at trace first.
func (r *reader) note(from int, name, format string, args ...any) {
	if r.trace != nil && r.err == nil {
		r.trace(Field{r.base + from, r.at - from, r.depth, name, fmt.Sprintf(format, args...)})
	}
}

func (r *reader) int16(field string) int16 {
	if b := r.take(field, r.at, 2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (r *reader) int32(field string) int32 {
	if b := r.take(field, r.at, 4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (r *reader) int64(field string) int64 {
	if b := r.take(field, r.at, 8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// length checks a length or count n that stands at from, of things of at least size bytes each. Null gives -1.
func (r *reader) length(field string, from, n, size int, null nullable) int {
	switch {
	case r.err != nil:
		return 0
	case n == -1 && bool(null):
		return -1
	case n == -1:
		r.fail(field, from, "null where the schema allows none")
		return 0
	case n < 0:
		r.fail(field, from, "length %d", n)
		return 0
	case n > r.left()/size && size == 1:
		r.fail(field, from, "needs %d bytes, %d are left", n, r.left())
		return 0
	case n > r.left()/size:
		r.fail(field, from, "%d elements need at least %d bytes, %d are left", n, int64(n)*int64(size), r.left())
		return 0
	}
	return n
}

// text reads a STRING: an INT16 length and that many bytes. Null gives nil, an empty string does not.
func (r *reader) text(field string, null nullable) []byte {
	from := r.at
	n := r.length(field, from, int(r.int16(field)), 1, null)
	if n < 0 {
		return nil
	}
	return r.take(field, from, n)
}

// blob reads BYTES: an INT32 length and that many bytes. Null gives nil, no bytes does not.
func (r *reader) blob(field string, null nullable) []byte {
	from := r.at
	n := r.length(field, from, int(r.int32(field)), 1, null)
	if n < 0 {
		return nil
	}
	return r.take(field, from, n)
}

// count reads an ARRAY's INT32 count of things that take at least size bytes each; null gives -1.
func (r *reader) count(field string, size int, null nullable) int {
	from := r.at
	return r.length(field, from, int(r.int32(field)), size, null)
}

// rest counts the bytes behind the last known field, and leaves none.
func (r *reader) rest() int {
	from, n := r.at, r.left()
	if r.err != nil || n == 0 {
		return 0
	}
	r.at = len(r.b)
	r.note(from, "unknown", "%d %s of a newer version", n, plural(n, "byte"))
	return n
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

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

// parseJSON reads a record's value, which has to be one JSON object. What and key name the record in errors.
func parseJSON(what, key string, value []byte, into any) error {
	if v := bytes.TrimLeft(value, " \t\r\n"); len(v) > 0 && v[0] != '{' {
		return &Error{named(what, key), "value", len(value) - len(v), "no JSON object"}
	}
	err := json.Unmarshal(value, into)
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &mismatch):
		return &Error{named(what, key), mismatch.Field, int(mismatch.Offset), "a JSON " + mismatch.Value + " where " + wanted(mismatch) + " must be"}
	case errors.As(err, &syntax):
		return &Error{named(what, key), "value", int(syntax.Offset), syntax.Error()}
	}
	return &Error{named(what, key), "value", 0, err.Error()}
}

// badValue is the error of a value that is JSON, but lacks a field or has a wrong one.
func badValue(what, key string, value []byte, field, why string) error {
	return &Error{named(what, key), field, len(value), why}
}

func named(what, key string) string { return fmt.Sprintf("%s %q", what, key) }

// wanted says in JSON's words, not Go's, what a field has to be.
func wanted(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind().String() {
	case "int32", "int64":
		return "a whole number in range"
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	}
	return "an object"
}
