package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

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
