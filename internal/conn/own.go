package conn

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// Own is what a person set for the screen in the file of contexts:
//
//	keys:
//	  follow: F
//	  round before: [b, left]
//	  theme: []
//	themes:
//	  sea:
//	    running: "#00AFAF"
//	    select: {light: 254, dark: "#123456"}
//
// What a key can do, and what can have a colour, the screen knows alone: Where says where a name stands, for whoever checks it.
type Own struct {
	Keys   map[string][]string             // what a key does → its keys; none: no key does it
	Themes map[string]map[string][2]string // a theme → what has a colour → that on a light and on a dark background

	path  string
	lines map[string]int
}

// Where is the place of a name, as file:line; "" for one that is not there. A theme's colour has two: the theme's, and its own.
func (o Own) Where(names ...string) string {
	if line, ok := o.lines[fmt.Sprint(names)]; ok {
		return fmt.Sprintf("%s:%d", o.path, line)
	}
	return ""
}

// LoadOwn reads them; none where there is no file. What else stands in it is no matter here.
func LoadOwn(path string) (Own, error) {
	out := Own{path: path, lines: map[string]int{}}
	raw, err := readConfig(path)
	if err != nil {
		return out, err
	}
	var f struct {
		Keys   yaml.Node `yaml:"keys"`
		Themes yaml.Node `yaml:"themes"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(raw)).Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return out, fmt.Errorf("keys and themes in %s: %s", path, yamlFault(err))
	}
	out.Keys = map[string][]string{}
	err = out.pairs(&f.Keys, "keys: write what a key does and its key, as follow: F", func(value *yaml.Node, name string) string {
		keys, ok := listed(value)
		if !ok {
			return fmt.Sprintf("keys: %q: give a key, or a list of them, as [b, left]", name)
		}
		out.Keys[name] = keys
		return ""
	})
	if err != nil {
		return out, err
	}
	out.Themes = map[string]map[string][2]string{}
	const colours = "themes: write a name, and below it colours, as running: \"#00AFAF\""
	var below error
	err = out.pairs(&f.Themes, colours, func(value *yaml.Node, theme string) string {
		out.Themes[theme] = map[string][2]string{}
		below = errors.Join(below, out.pairs(value, colours, func(value *yaml.Node, name string) string {
			c, ok := colourOf(value)
			if !ok {
				return fmt.Sprintf("themes: %s: %q: give a colour, or {light: …, dark: …}", theme, name)
			}
			out.Themes[theme][name] = c
			return ""
		}, theme))
		return ""
	})
	return out, errors.Join(err, below)
}

// pairs takes the pairs of a mapping, and notes their lines; take says what is wrong with one.
func (o *Own) pairs(n *yaml.Node, want string, take func(value *yaml.Node, name string) string, under ...string) error {
	if n.Kind == 0 || n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: %s", o.path, n.Line, want)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		at := fmt.Sprint(append(append([]string{}, under...), name.Value))
		if _, twice := o.lines[at]; twice {
			return fmt.Errorf("%s:%d: %q is there twice", o.path, name.Line, name.Value)
		}
		o.lines[at] = name.Line
		if wrong := take(value, name.Value); wrong != "" {
			return fmt.Errorf("%s:%d: %s", o.path, name.Line, wrong)
		}
	}
	return nil
}

// listed reads one word, or a list of them. A key that YAML takes for something else, as 1 or y, is what is written.
func listed(n *yaml.Node) ([]string, bool) {
	switch {
	case n.Tag == "!!null":
		return []string{}, true
	case n.Kind == yaml.ScalarNode:
		return []string{n.Value}, true
	case n.Kind != yaml.SequenceNode:
		return nil, false
	}
	out := []string{}
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode || c.Tag == "!!null" {
			return nil, false
		}
		out = append(out, c.Value)
	}
	return out, true
}

// colourOf reads one colour for both backgrounds, or one for each.
func colourOf(n *yaml.Node) ([2]string, bool) {
	if n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
		return [2]string{n.Value, n.Value}, true
	}
	var each struct {
		Light string `yaml:"light"`
		Dark  string `yaml:"dark"`
	}
	if n.Kind != yaml.MappingNode || len(n.Content) != 4 || n.Decode(&each) != nil || each.Light == "" || each.Dark == "" {
		return [2]string{}, false
	}
	return [2]string{each.Light, each.Dark}, true
}
