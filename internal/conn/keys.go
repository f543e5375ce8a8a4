package conn

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// Keys are a person's own keys of the screen, from the file of contexts:
//
//	keys:
//	  follow: F
//	  round before: [b, left]
//	  theme: []
//
// What a key can do, and what keys are called, the screen knows alone: Where says where a name stands, for whoever checks it.
type Keys struct {
	Of map[string][]string // what a key does → its keys; none: no key does it

	path  string
	lines map[string]int
}

// Where is the place of a name, as file:line; "" for one that is not there.
func (k Keys) Where(name string) string {
	if line, ok := k.lines[name]; ok {
		return fmt.Sprintf("%s:%d", k.path, line)
	}
	return ""
}

// LoadKeys reads the keys of a file of contexts; none where there is no file. What else stands in it is no matter here.
func LoadKeys(path string) (Keys, error) {
	out := Keys{path: path}
	raw, err := readConfig(path)
	if err != nil {
		return out, err
	}
	var f struct {
		Keys yaml.Node `yaml:"keys"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(raw)).Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return out, fmt.Errorf("keys in %s: %s", path, yamlFault(err))
	}
	n := &f.Keys
	if n.Kind == 0 || n.Tag == "!!null" {
		return out, nil
	}
	if n.Kind != yaml.MappingNode {
		return out, fmt.Errorf("%s:%d: keys: write what a key does and its key, as follow: F", path, n.Line)
	}
	out.Of, out.lines = map[string][]string{}, map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if _, twice := out.lines[name.Value]; twice {
			return out, fmt.Errorf("%s:%d: keys: %q is there twice", path, name.Line, name.Value)
		}
		keys, ok := listed(value)
		if !ok {
			return out, fmt.Errorf("%s:%d: keys: %q: give a key, or a list of them, as [b, left]", path, name.Line, name.Value)
		}
		out.Of[name.Value], out.lines[name.Value] = keys, name.Line
	}
	return out, nil
}

// listed reads one word, or a list of them. A key that YAML takes for something else, as 1 or y, is what is written.
func listed(n *yaml.Node) ([]string, bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
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
