package connect

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"regroup/decode"
	"regroup/internal/rest"
)

// Spec is a connector as somebody wants it.
type Spec struct {
	Name    string
	Config  rest.Config
	Initial rest.Initial // only where it is created
	From    string       // the file that it is written in; "" for none
}

// keyName, keyClass and keyTasks are properties that every connector has.
const (
	keyName  = "name"
	keyClass = "connector.class"
	keyTasks = "tasks.max"
)

// complete checks a Spec, and gives its configuration the connector's name, as a worker does.
func (s Spec) complete() (Spec, error) {
	if s.Name == "" {
		return s, errors.New("a connector without a name: give it one, or a property " + keyName)
	}
	if in := s.Config[keyName]; in != nil && *in != s.Name {
		return s, fmt.Errorf("connector %q: its property %s says %q; a connector cannot be renamed: create another one",
			decode.Printable(s.Name), keyName, decode.Printable(*in))
	}
	if s.Config[keyClass] == nil || *s.Config[keyClass] == "" {
		return s, fmt.Errorf("connector %q: it has no %s; see: regroup connector plugins", decode.Printable(s.Name), keyClass)
	}
	s.Config = maps.Clone(s.Config)
	s.Config[keyName] = &s.Name
	return s, nil
}

// unmask puts what a mask stands for back in its place. A mask that stands for nothing is refused: it must never be written.
func unmask(wanted, was rest.Config) (rest.Config, error) {
	out := make(rest.Config, len(wanted))
	for _, k := range slices.Sorted(maps.Keys(wanted)) {
		v := wanted[k]
		if v != nil && *v == Mask {
			old, there := was[k]
			if !there || old == nil {
				return nil, fmt.Errorf("%s: %s stands for a secret that is hidden, and there is none to keep; write the value itself, or where a config provider finds it: ${file:…}",
					decode.Printable(k), Mask)
			}
			v = old
		}
		out[k] = v
	}
	return out, nil
}

// Property is one property that a new configuration changes.
type Property struct {
	Key      string
	Was, Now *string // nil: not there, or null
	Had, Has bool    // it was there, it is there
	Secret   bool    // neither may be shown
}

// Changes lists what differs between two configurations, by name.
func Changes(was, now rest.Config, secrets Secrets) []Property {
	keys := map[string]bool{}
	for k := range was {
		keys[k] = true
	}
	for k := range now {
		keys[k] = true
	}
	var out []Property
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		p := Property{Key: k}
		p.Was, p.Had = was[k]
		p.Now, p.Has = now[k]
		if p.Had == p.Has && equal(p.Was, p.Now) {
			continue
		}
		for _, v := range []*string{p.Was, p.Now} {
			p.Secret = p.Secret || v != nil && secrets.Secret(k, *v)
		}
		out = append(out, p)
	}
	return out
}

func equal(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// same says whether two configurations are byte for byte the same.
func same(a, b rest.Config) bool {
	return maps.EqualFunc(a, b, equal)
}

// plainKey is a property's name that YAML takes as it is.
var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

var yamlWords = map[string]bool{"y": true, "n": true, "yes": true, "no": true, "true": true, "false": true, "on": true, "off": true, "null": true}

// EditText is a configuration as it is given to an editor: a property a line, sorted, every value in quotes, so that nothing
// turns into something else on its way. head goes before it as comments.
func EditText(c rest.Config, head ...string) string {
	var b strings.Builder
	for _, h := range head {
		for _, line := range decode.PrintableLines(h) {
			b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
	}
	for _, k := range slices.Sorted(maps.Keys(c)) {
		key, value := k, "null"
		if !plainKey.MatchString(k) || yamlWords[strings.ToLower(k)] {
			key = quote(k)
		}
		if v := c[k]; v != nil {
			value = quote(*v)
		}
		b.WriteString(key + ": " + value + "\n")
	}
	return b.String()
}

// quote writes a text in double quotes, with what cannot be seen escaped: Go's escapes are YAML's too.
func quote(s string) string { return strconv.Quote(s) }

// ParseEdit reads what came out of the editor. Values may stand without quotes: 6 and true are texts here, as for Connect.
func ParseEdit(text string) (rest.Config, error) {
	var doc yaml.Node
	dec := yaml.NewDecoder(strings.NewReader(text))
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, errors.New("it is empty")
	} else if err != nil {
		return nil, yamlFault(err)
	}
	return nodeConfig(doc.Content[0])
}

// nodeConfig reads a mapping of texts.
func nodeConfig(n *yaml.Node) (rest.Config, error) {
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: no list of properties: write them as name: value", n.Line)
	}
	out := rest.Config{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Kind != yaml.ScalarNode || v.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("line %d: %s: no text; a connector's properties are texts: write structures as JSON in quotes", v.Line, decode.Printable(k.Value))
		}
		if _, twice := out[k.Value]; twice {
			return nil, fmt.Errorf("line %d: %s stands there twice", k.Line, decode.Printable(k.Value))
		}
		out[k.Value] = scalar(v)
	}
	return out, nil
}

func scalar(v *yaml.Node) *string {
	if v.Tag == "!!null" {
		return nil
	}
	return &v.Value
}

// yamlFault is a YAML error in one line, without the text that it stands in: that may be a password.
func yamlFault(err error) error {
	text := strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " ")
	return errors.New(yamlValue.ReplaceAllString(text, ""))
}

var yamlValue = regexp.MustCompile("`[^`]*` ?")

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
