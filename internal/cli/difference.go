package cli

import (
	"strings"

	"regroup/actions"
	"regroup/decode"
	"regroup/internal/rest"
)

// propertyObject is a property that changes, as JSON; null is one that is not there, or is null.
type propertyObject struct {
	Key    string  `json:"key"`
	Was    *string `json:"was"`
	Now    *string `json:"now"`
	Secret bool    `json:"secret,omitempty"`
}

func propertyObjects(changes []actions.Property) []propertyObject {
	var out []propertyObject
	for _, c := range changes {
		out = append(out, propertyObject{c.Key, maskedValue(c.Was, c.Secret), maskedValue(c.Now, c.Secret), c.Secret})
	}
	return out
}

func maskedValue(v *string, secret bool) *string {
	if v != nil && secret {
		mask := actions.Mask
		return &mask
	}
	return v
}

// propertyText is one property on one line.
func propertyText(key string, value *string) string {
	if value == nil {
		return decode.Printable(key) + " = null"
	}
	return strings.TrimRight(decode.Printable(key)+" = "+decode.Printable(*value), " ")
}

// faultText is what a worker finds wrong, a line each.
func faultText(faults []actions.Fault) []string {
	var out []string
	for _, f := range faults {
		out = append(out, decode.Printable(f.Key+": "+f.Text))
	}
	return out
}

// configObject is a configuration as JSON, with its secrets masked.
func configObject(c rest.Config, secrets actions.Secrets) rest.Config {
	if c == nil {
		return rest.Config{}
	}
	return secrets.Masked(c)
}
