package actions

import (
	"regexp"
	"strings"

	"regroup/internal/rest"
)

// Mask stands for a secret wherever a configuration is shown. Where it comes back it means: as it is.
const Mask = "********"

// Secrets says which values of a configuration are secret: what its plugin declares as a password, and what looks like one
// by its name or by what is in it, for converters, transformations and client overrides are declared nowhere.
type Secrets struct {
	types map[string]string // property → type, of the plugin's own definitions; nil: not known
}

// secretName finds names that secrets have. "key" alone would hide key.converter and the like: it counts as the last word.
var secretName = regexp.MustCompile(`(?i)passw|passphrase|passcode|pwd|secret|token|credential|jaas|private|api[._-]?key|access[._-]?key|(^|[._-])keys?$|basic\.auth\.user\.info|connection\.(string|uri)$`)

// secretText finds values with a secret within: a URL with a login in it, a JAAS line, a key.
var secretText = regexp.MustCompile(`(?i)(passw(or)?d|pwd|secret|token|sharedaccesskey|accountkey)\s*[=:]|://[^/\s:@]*:[^/\s@]+@|-----BEGIN [A-Z ]*PRIVATE KEY`)

// reference is a value that a worker's config provider looks up: not the secret, only where it lies.
var reference = regexp.MustCompile(`^(\s*\$\{[^{}]+\}\s*)+$`)

// plainTypes are those that no secret has, whatever its name.
var plainTypes = map[string]bool{"BOOLEAN": true, "CLASS": true, "INT": true, "SHORT": true, "LONG": true, "DOUBLE": true}

// Secret says whether a property's value must not be shown.
func (s Secrets) Secret(key, value string) bool {
	kind := s.types[key]
	switch {
	case value == "" || reference.MatchString(value):
		return false
	case kind == rest.Password:
		return true
	case secretText.MatchString(value):
		return true
	}
	return secretName.MatchString(key) && !plainTypes[kind]
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
