package act

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"regroup/group"
)

// IsCount says what is wrong with a number of things; "": nothing is.
func IsCount(v string) string {
	if n, err := strconv.Atoi(v); err != nil || n < 1 {
		return "not a number: 1 or more"
	}
	return ""
}

// IsTime says what is wrong with a length of time.
func IsTime(v string) string {
	if d, err := time.ParseDuration(v); err != nil || d <= 0 {
		return "no time; write it as 5s or 1m30s"
	}
	return ""
}

// AreProperties says what is wrong with a list of properties.
func AreProperties(v string) string {
	if _, err := PropertyList(v); err != nil {
		return err.Error()
	}
	return ""
}

// Field is a parameter of an Offer.
type Field struct {
	Key   string // by which Ready gets it
	Label string
	Value string // the default
	Help  string // in some words
	Need  bool   // it may not stay empty
	// Choices are what is usual: up and down go through them. Others may be typed.
	Choices []string
	// Check says what is wrong with a value; nil or "": nothing.
	Check func(value string) string

	From func(s *group.State) (choices []string, value string) // what Choices and Value are in a group
}

// In fills in what depends on the group.
func (f Field) In(s *group.State) Field {
	if f.From != nil {
		f.Choices, f.Value = f.From(s)
	}
	return f
}

// PropertyList reads key=value, key=value.
func PropertyList(text string) (map[string]string, error) {
	out := map[string]string{}
	for _, p := range strings.Split(text, ",") {
		k, v, ok := strings.Cut(p, "=")
		if k = strings.TrimSpace(k); !ok || k == "" {
			return nil, fmt.Errorf("%s: not key=value", strings.TrimSpace(p))
		}
		out[k] = strings.TrimSpace(v)
	}
	return out, nil
}
