package connect

import (
	"strings"

	"regroup/internal/redact"
	"regroup/internal/rest"
)

// Mask stands for a secret wherever a configuration is shown. Where it comes back it means: as it is.
const Mask = "********"

// Secrets says which values of a configuration are secret: what its plugin declares as a password, and what looks like one
// by its name or by what is in it, for converters, transformations and client overrides are declared nowhere.
type Secrets struct {
	types map[string]string // property → type, of the plugin's own definitions; nil: not known
}

// plainTypes are those that no secret has, whatever its name.
var plainTypes = map[string]bool{"BOOLEAN": true, "CLASS": true, "INT": true, "SHORT": true, "LONG": true, "DOUBLE": true}

// Secret says whether a property's value must not be shown.
func (s Secrets) Secret(key, value string) bool {
	kind := s.types[key]
	switch {
	case value == "" || redact.Reference(value):
		return false
	case kind == rest.Password:
		return true
	case redact.Within(value):
		return true
	}
	return redact.Name(key) && !plainTypes[kind]
}

// Show is a value as it may be shown.
func (s Secrets) Show(key, value string) string {
	if s.Secret(key, value) {
		return Mask
	}
	return value
}

// Masked is a configuration as it may be shown.
func (s Secrets) Masked(c rest.Config) rest.Config {
	if c == nil {
		return nil
	}
	out := make(rest.Config, len(c))
	for k, v := range c {
		if v != nil {
			shown := s.Show(k, *v)
			v = &shown
		}
		out[k] = v
	}
	return out
}

// Hide takes the secrets of a configuration out of a text: workers repeat values in what they complain about.
func (s Secrets) Hide(text string, configs ...rest.Config) string {
	for _, c := range configs {
		for k, v := range c {
			// A short one is in every other word: it would tear the text apart and still be guessed.
			if v != nil && len(*v) >= 4 && s.Secret(k, *v) {
				text = strings.ReplaceAll(text, *v, Mask)
			}
		}
	}
	return text
}

// hidden is an error without the secrets of the configurations that it may repeat.
type hidden struct {
	error
	text string
}

func (h hidden) Error() string { return h.text }
func (h hidden) Unwrap() error { return h.error }

// HideIn takes secrets out of an error's text.
func (s Secrets) HideIn(err error, configs ...rest.Config) error {
	if err == nil {
		return nil
	}
	return hidden{err, s.Hide(err.Error(), configs...)}
}

// secretsOf are the secrets by a plugin's definitions.
func secretsOf(defs []rest.Definition) Secrets {
	s := Secrets{types: make(map[string]string, len(defs))}
	for _, d := range defs {
		s.types[d.Name] = strings.ToUpper(d.Type)
	}
	return s
}
