package observe

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// mask stands where a credential stood.
const mask = "***"

// secretWord finds names that secrets have. "key" is one only at the end of a name of that sort: key.converter is none.
const secretWord = `passw(?:or)?d|passphrase|passcode|pwd|secret|token|credential|jaas|user\.info|signature|` +
	`(?:api|access|account|private|shared|signing|encryption)[._-]?key`

var secretName = regexp.MustCompile(`(?i)` + secretWord + `|(?:^|[._-])(?:sig|keys?)$`)

// credentials are the forms in which secrets stand in a text. $1 and $2 are what is kept around the mask.
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

// Credentials is a text without what looks like a credential. It would rather take too much.
func Credentials(text string) string {
	for _, c := range credentials {
		text = c.ReplaceAllString(text, "${1}"+mask+"${2}")
	}
	text = replaceGroups(badConfig, text, func(g []string) string {
		if g[2] == "null" || publicProperties[g[4]] {
			return g[0]
		}
		return g[1] + mask + g[3] + g[4]
	})
	text = replaceGroups(namedValue, text, func(g []string) string {
		if frameName.MatchString(g[1]) { // TokenSource.java:12, InvalidTokenException: …
			return g[0]
		}
		if q := g[2][:1]; q == `"` || q == `'` {
			return g[1] + q + mask + q
		}
		return g[1] + mask
	})
	text = replaceGroups(scheme, text, func(g []string) string {
		if looksLikeWords(g[3]) { // "Basic authentication is off"
			return g[0]
		}
		return g[1] + g[2] + mask
	})
	return longRun.ReplaceAllStringFunc(text, func(run string) string {
		if looksRandom(run) {
			return mask
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

// knownValues are the private values that a text may repeat.
type knownValues map[string]bool

var (
	className = regexp.MustCompile(`^[a-z]\w*(?:\.\w+)*\.[A-Z]\w*$`)
	word      = regexp.MustCompile(`^[A-Za-z]+$`)
	quoted    = regexp.MustCompile(`=\s*(?:"((?:[^"\\]|\\.)+)"|'([^']+)'|([^\s"';,&]+))`) // within a JAAS line, a URL
	userInfo  = regexp.MustCompile(`://([^\s/@"'<>]*:[^\s"'<>]*)@`)
)

// learn takes a value in, and the parts of one that holds a login. Short ones, and what is a word of everyday use, would tear
// every text apart, and tell who reads it little.
func (k knownValues) learn(name, value string) {
	secret := secretName.MatchString(name) || Credentials(value) != value
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

func (k knownValues) add(value string, least int) {
	if value = strings.TrimSpace(value); len(value) < least || value == "true" || value == "false" {
		return
	}
	k[value] = true
	k[url.QueryEscape(value)] = true
	k[url.PathEscape(value)] = true
}

// hide takes all of them out of a text, longer ones first: one may be within another.
func (k knownValues) hide(text string) string {
	var found []string
	for value := range k {
		if strings.Contains(text, value) {
			found = append(found, value)
		}
	}
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for _, value := range found {
		text = strings.ReplaceAll(text, value, mask)
	}
	return text
}
