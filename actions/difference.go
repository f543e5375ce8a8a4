package actions

import (
	"strings"

	"regroup/decode"
)

// Lines are what changes of a property, as diff writes it; secrets are masked.
func (c Property) Lines() []string {
	var out []string
	if c.Had {
		out = append(out, "- "+propertyLine(c.Key, c.Was, c.Secret))
	}
	if c.Has {
		line := "+ " + propertyLine(c.Key, c.Now, c.Secret)
		if c.Secret && c.Had {
			line += " (another one)"
		}
		out = append(out, line)
	}
	return out
}

func propertyLine(key string, v *string, secret bool) string {
	value := "null"
	switch {
	case v == nil:
	case secret:
		value = Mask
	default:
		value = decode.Printable(*v)
	}
	return strings.TrimRight(decode.Printable(key)+" = "+value, " ")
}

// DifferenceLines are what changes of a configuration, as diff writes it.
func DifferenceLines(changes []Property) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Lines()...)
	}
	return out
}
