// Package redact knows what a secret looks like: by a property's name, by what is in a value, and in a text that somebody wrote. Whatever
// leaves the program goes by it: screens, recordings, reports, errors.
//
// It must never know where a text comes from, or what is done with it.
package redact

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// public are the properties whose values say nothing private: what runs, how much of it, and on what.
var public = map[string]bool{
	"name": true, "connector.class": true, "task.class": true, "tasks.max": true,
	"topics": true, "topics.regex": true,
	"key.converter": true, "value.converter": true, "header.converter": true,
	"transforms": true, "predicates": true, "errors.tolerance": true,
}

// Public reports whether a property's value may stand as it is, unless something within it may not.
func Public(name string) bool { return public[name] }

// Mask stands where a credential stood.
const Mask = "***"

// secretWord finds names that secrets have. "key" is one only at the end of a name of that sort: key.converter is none.
const secretWord = `passw(?:or)?d|passphrase|passcode|pwd|secret|token|credential|jaas|user\.info|signature|` +
	`(?:api|access|account|private|shared|signing|encryption)[._-]?key`

var secretName = regexp.MustCompile(`(?i)` + secretWord + `|private|(?:^|[._-])(?:sig|keys?)$|connection\.(?:string|uri)$`)

// Name reports whether a property of that name holds a secret.
func Name(name string) bool { return secretName.MatchString(name) }

// reference is a value that a worker's config provider looks up: not the secret, only where it lies.
var reference = regexp.MustCompile(`^(\s*\$\{[^{}]+\}\s*)+$`)

// Reference reports whether a value only says where a secret lies.
func Reference(value string) bool { return reference.MatchString(value) }

// Within reports whether a value has a secret within that is named, or stands where a login stands: a URL's, a JAAS line's, a key.
func Within(value string) bool {
	return slices.ContainsFunc(credentials, func(c *regexp.Regexp) bool { return c.MatchString(value) }) || namedValue.MatchString(value)
}

// credentials are the forms in which secrets stand in a text. $1 and $2 are what is kept around the-Mask-word.
var credentials = []*regexp.Regexp{
	regexp.MustCompile(`(?is)()-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)()`),
	regexp.MustCompile(`(?i)(jaas\.config["']?\s*[=:]\s*)[^\r\n]+()`),
	regexp.MustCompile(`(?i)(\bauthorization["']?\s*[=:]\s*)[^\r\n]+()`),
	regexp.MustCompile(`(?i)([a-z]://)[^\s/@"'<>]+(@)`),
	regexp.MustCompile(`(?i)([a-z]://)[^\s/:@"'<>]*:[^\s"'<>]*(@)`), // a password with a slash in it
	regexp.MustCompile(`(?i)(jdbc:oracle:[a-z0-9]+:)[^\s@"'<>]+(@)`),
	regexp.MustCompile(`()\beyJ[\w-]{5,}\.[\w-]+\.?[\w-]*()`), // a JSON web token
	regexp.MustCompile(`()\b(?:A3T[A-Z0-9]|AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ABIA|ACCA)[A-Z0-9]{12,}\b()`),
	regexp.MustCompile(`()\b(?:gh[oprsu]_\w{20,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|AIza[\w-]{30,}|[rs]k_(?:live|test)_\w{16,})()`),
	regexp.MustCompile(`(?i)((?:` + secretWord + `)s?\s+(?:is\s+|of\s+|was\s+)?["'])[^"'\r\n]+(["'])`),
}

var (
	namedValue = regexp.MustCompile(`(?i)(["']?[\w.\-]*(?:` + secretWord + `|[?&;]sig)[\w.\-]*["']?\s*(?:=>|[=:])\s*)` +
		`("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s,;&)}\]<>"']+)`)
	badConfig = regexp.MustCompile(`(?s)(Invalid value )(.*?)( for configuration )([\w.\-]+)`) // Kafka's ConfigException
	scheme    = regexp.MustCompile(`(?i)\b(bearer|basic|digest|negotiate)(\s+)([A-Za-z0-9+/._~=-]{8,})`)
	longRun   = regexp.MustCompile(`[A-Za-z0-9+/_=-]{32,}`)
	frameName = regexp.MustCompile(`(?:\.(?:java|kt|scala)|Exception|Error)["']?\s*:\s*$`)
)

// Text is one without what looks like a credential. It would rather take too much.
func Text(text string) string {
	for _, c := range credentials {
		text = c.ReplaceAllString(text, "${1}"+Mask+"${2}")
	}
	text = replaceGroups(badConfig, text, func(g []string) string {
		if g[2] == "null" || Public(g[4]) {
			return g[0]
		}
		return g[1] + Mask + g[3] + g[4]
	})
	text = replaceGroups(namedValue, text, func(g []string) string {
		if frameName.MatchString(g[1]) { // TokenSource.java:12, InvalidTokenException: …
			return g[0]
		}
		if q := g[2][:1]; q == `"` || q == `'` {
			return g[1] + q + Mask + q
		}
		return g[1] + Mask
	})
	text = replaceGroups(scheme, text, func(g []string) string {
		if looksLikeWords(g[3]) { // "Basic authentication is off"
			return g[0]
		}
		return g[1] + g[2] + Mask
	})
	return longRun.ReplaceAllStringFunc(text, func(run string) string {
		if looksRandom(run) {
			return Mask
		}
		return run
	})
}

func replaceGroups(re *regexp.Regexp, text string, with func(groups []string) string) string {
	return re.ReplaceAllStringFunc(text, func(match string) string { return with(re.FindStringSubmatch(match)) })
}

func looksLikeWords(s string) bool {
	return !strings.ContainsAny(s, "0123456789+/_~=") && (strings.ToLower(s) == s || strings.ToLower(s[1:]) == s[1:])
}

// looksRandom tells keys from long names and paths, where capitals and digits are few. AWS's secret keys are 40 long.
func looksRandom(run string) bool {
	var upper, lower, digits int
	for _, c := range run {
		switch {
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		case c >= '0' && c <= '9':
			digits++
		}
	}
	return upper >= 3 && lower >= 3 && digits >= 3 || len(run) == 40 && upper >= 8 && lower >= 8 && digits >= 1
}

// Known are the private values that a text may repeat.
type Known map[string]bool

var (
	className = regexp.MustCompile(`^[a-z]\w*(?:\.\w+)*\.[A-Z]\w*$`)
	word      = regexp.MustCompile(`^[A-Za-z]+$`)
	quoted    = regexp.MustCompile(`=\s*(?:"((?:[^"\\]|\\.)+)"|'([^']+)'|([^\s"';,&]+))`) // within a JAAS line, a URL
	userInfo  = regexp.MustCompile(`://([^\s/@"'<>]*:[^\s"'<>]*)@`)
)

// Learn takes a value in, and the parts of one that holds a login. Short ones, and what is a word of everyday use, would tear
// every text apart, and tell who reads it little.
func (k Known) Learn(name, value string) {
	secret := secretName.MatchString(name) || Text(value) != value
	if secret {
		for _, m := range quoted.FindAllStringSubmatch(value, -1) {
			k.add(cmp.Or(m[1], m[2], m[3]), 6)
		}
		for _, m := range userInfo.FindAllStringSubmatch(value, -1) {
			_, password, _ := strings.Cut(m[1], ":")
			k.add(password, 4)
		}
		k.add(value, 4)
	} else if !className.MatchString(value) && !word.MatchString(value) {
		k.add(value, 8)
	}
}

func (k Known) add(value string, least int) {
	if value = strings.TrimSpace(value); len(value) < least || value == "true" || value == "false" {
		return
	}
	k[value] = true
	k[url.QueryEscape(value)] = true
	k[url.PathEscape(value)] = true
}

// Hide takes all of them out of a text, longer ones first: one may be within another.
func (k Known) Hide(text string) string {
	var found []string
	for value := range k {
		if strings.Contains(text, value) {
			found = append(found, value)
		}
	}
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for _, value := range found {
		text = strings.ReplaceAll(text, value, Mask)
	}
	return text
}
