package actions

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
