package observe

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"regroup/decode"
	"regroup/group"
)

// Scrubber takes out of facts what a recording must not hold: the session key, the values of properties, and what looks
// like a credential in traces and errors. Values become digests under a salt that nobody keeps: a change still shows, and
// nothing can be guessed from them, nor compared between recordings.
type Scrubber struct {
	salt  [32]byte
	known knownValues
}

// NewScrubber makes a Scrubber with a salt of its own.
func NewScrubber() *Scrubber {
	s := &Scrubber{known: knownValues{}}
	_, _ = rand.Read(s.salt[:]) // never fails: it ends the program instead
	return s
}

// publicProperties are those whose values say nothing private: what runs, how much of it, and on what.
var publicProperties = map[string]bool{
	"name": true, "connector.class": true, "task.class": true, "tasks.max": true,
	"topics": true, "topics.regex": true,
	"key.converter": true, "value.converter": true, "header.converter": true,
	"transforms": true, "predicates": true, "errors.tolerance": true,
}

// leftOut stands for a value that cannot be read: nobody knows what is in it. It cannot be read either.
const leftOut = "left out"

// Learn remembers the private values of a config record: workers repeat them in traces.
func (s *Scrubber) Learn(r Raw) {
	record, err := decode.ParseConfig(r.Key, r.Value)
	if err != nil {
		return
	}
	for name, value := range record.Properties {
		if !public(name, value) {
			s.known.learn(name, value)
		}
	}
}

// Record is a record of a source without its secrets. Keys stay: they are names.
func (s *Scrubber) Record(source group.Source, r Raw) Raw {
	if r.Value == nil {
		return r
	}
	switch source {
	case group.SourceLog: // members and assignments: names and addresses alone
	case group.SourceConfig:
		r.Value = s.config(r)
	case group.SourceStatus:
		r.Value = s.status(r)
	default:
		r.Value = []byte(leftOut)
	}
	return r
}

// configFields are all that is kept of a config record; the session key's "key" is none of them.
type configFields struct {
	Properties map[string]*string `json:"properties,omitempty"`
	Tasks      *int32             `json:"tasks,omitempty"`
	Count      *int32             `json:"task-count,omitempty"`
	State      *string            `json:"state,omitempty"`
	StateV2    *string            `json:"state.v2,omitempty"`
	Algorithm  *string            `json:"algorithm,omitempty"`
	Created    *int64             `json:"creation-timestamp,omitempty"`
	WithTasks  *bool              `json:"include-tasks,omitempty"`
	OnlyFailed *bool              `json:"only-failed,omitempty"`
	Level      *string            `json:"level,omitempty"`
}

func (s *Scrubber) config(r Raw) []byte {
	record, err := decode.ParseConfig(r.Key, r.Value)
	var v configFields
	if err != nil || record.Kind == decode.ConfigUnknown || json.Unmarshal(r.Value, &v) != nil {
		return []byte(leftOut)
	}
	for name, value := range v.Properties {
		if value != nil {
			kept := s.property(record.Connector, name, *value)
			v.Properties[name] = &kept
		}
	}
	if len(v.Properties) == 0 && record.Properties != nil {
		return []byte(`{"properties":{}}`) // omitempty would leave it out, and then it is no configuration
	}
	return encoded(v)
}

// property is a value as it may be kept. The same value has the same digest in all records of one connector's property, and
// another one elsewhere: that two logins are the same is nobody's business.
func (s *Scrubber) property(connector, name, value string) string {
	if public(name, value) {
		return value
	}
	mac := hmac.New(sha256.New, s.salt[:])
	for _, part := range []string{connector, name, value} {
		_, _ = mac.Write([]byte(part + "\x00")) // never fails
	}
	return "digest:" + hex.EncodeToString(mac.Sum(nil)[:8])
}

func public(name, value string) bool { return publicProperties[name] && Credentials(value) == value }

// statusFields are all that is kept of a status record.
type statusFields struct {
	State      *string      `json:"state,omitempty"`
	Trace      *string      `json:"trace,omitempty"`
	WorkerID   *string      `json:"worker_id,omitempty"`
	Generation *int32       `json:"generation,omitempty"`
	Version    *string      `json:"version,omitempty"`
	Topic      *topicFields `json:"topic,omitempty"`
}

type topicFields struct {
	Name       *string `json:"name,omitempty"`
	Connector  *string `json:"connector,omitempty"`
	Task       *int32  `json:"task,omitempty"`
	Discovered *int64  `json:"discoverTimestamp,omitempty"`
}

func (s *Scrubber) status(r Raw) []byte {
	record, err := decode.ParseStatus(r.Key, r.Value)
	var v statusFields
	if err != nil || record.Kind == decode.StatusUnknown || json.Unmarshal(r.Value, &v) != nil {
		return []byte(leftOut)
	}
	if v.Trace != nil {
		kept := s.Text(*v.Trace)
		v.Trace = &kept
	}
	return encoded(v)
}

func encoded(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		return []byte(leftOut)
	}
	return out
}

// Text is what a worker said, or a broker, without what looks like a credential and without the values that were learnt.
func (s *Scrubber) Text(text string) string {
	if text == "" {
		return text
	}
	return Credentials(s.known.hide(text))
}

// Fact is a fact that is no record, without its secrets. Those of records are of their raw form.
func (s *Scrubber) Fact(f group.Fact) group.Fact {
	switch f := f.(type) {
	case group.SourceReport:
		f.Detail = s.Text(f.Detail)
		return f
	case group.RESTReport:
		f.Root, f.Herder = s.Text(f.Root), s.Text(f.Herder)
		f.Statuses = slices.Clone(f.Statuses)
		for i := range f.Statuses {
			f.Statuses[i].Trace = s.Text(f.Statuses[i].Trace)
		}
		return f
	case group.Action:
		f.Target, f.Answer = s.Text(f.Target), s.Text(f.Answer)
		return f
	}
	return f
}

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
