package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/magiconair/properties"
	"go.yaml.in/yaml/v3"

	"regroup/decode"
	"regroup/internal/rest"
)

// specEndings are the files of a folder that hold connectors.
var specEndings = []string{".json", ".yaml", ".yml", ".properties"}

// ReadSpecs reads connectors from files and folders, in their order; in a folder by name, and not deeper. "-" is in.
func ReadSpecs(in io.Reader, paths ...string) ([]Spec, error) {
	var out []Spec
	from := map[string]string{}
	for _, path := range paths {
		specs, err := readPath(in, path)
		if err != nil {
			return nil, err
		}
		for _, s := range specs {
			if other, twice := from[s.Name]; twice {
				return nil, fmt.Errorf("connector %q: it stands in %s and in %s", decode.Printable(s.Name), other, s.From)
			}
			from[s.Name] = s.From
			out = append(out, s)
		}
	}
	return out, nil
}

func readPath(in io.Reader, path string) ([]Spec, error) {
	if path == "-" {
		raw, err := io.ReadAll(in)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return ParseSpecs("standard input", raw)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = specFiles(path); err != nil {
			return nil, err
		}
	}
	var out []Spec
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		specs, err := ParseSpecs(f, raw)
		if err != nil {
			return nil, err
		}
		out = append(out, specs...)
	}
	return out, nil
}

func specFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && slices.Contains(specEndings, strings.ToLower(filepath.Ext(e.Name()))) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no file in it ends with %s", dir, strings.Join(specEndings, ", "))
	}
	return out, nil
}

// ParseSpecs reads the connectors of one file. Its name's ending says how it is written; without one, what is in it.
func ParseSpecs(from string, raw []byte) ([]Spec, error) {
	parse := parseYAML
	switch kind := strings.ToLower(filepath.Ext(from)); {
	case kind == ".json" || !slices.Contains(specEndings, kind) && looksJSON(raw):
		parse = parseJSON
	case kind == ".properties" || !slices.Contains(specEndings, kind) && looksProperties(raw):
		parse = parseProperties
	}
	specs, err := parse(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	if len(specs) == 0 {
		return nil, fmt.Errorf("%s: no connector is in it", from)
	}
	for i := range specs {
		s := &specs[i]
		if s.From = from; s.Name == "" && s.Config[keyName] != nil {
			s.Name = *s.Config[keyName]
		}
		if s.Name == "" && len(specs) == 1 && slices.Contains(specEndings, strings.ToLower(filepath.Ext(from))) {
			s.Name = strings.TrimSuffix(filepath.Base(from), filepath.Ext(from))
		}
		if *s, err = s.complete(); err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
	}
	return specs, nil
}

func looksJSON(raw []byte) bool {
	b := bytes.TrimSpace(raw)
	return len(b) > 0 && (b[0] == '{' || b[0] == '[')
}

// looksProperties: the first line that says something has a = before any colon.
func looksProperties(raw []byte) bool {
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '!' || line == "---" {
			continue
		}
		eq, colon := strings.IndexByte(line, '='), strings.Index(line, ": ")
		return eq > 0 && (colon < 0 || eq < colon)
	}
	return false
}

// parseProperties reads a file as connect-standalone takes it: in Java's way, ISO-8859-1, and without expansion.
func parseProperties(raw []byte) ([]Spec, error) {
	load := properties.Loader{Encoding: properties.ISO_8859_1, DisableExpansion: true}
	p, err := load.LoadBytes(raw)
	if err != nil {
		return nil, err
	}
	c := rest.Config{}
	for _, k := range p.Keys() {
		v, _ := p.Get(k)
		c[k] = &v
	}
	return []Spec{{Config: c}}, nil
}

// parseYAML reads one connector a document, or a list of them.
func parseYAML(raw []byte) ([]Spec, error) {
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	var out []Spec
	for {
		var doc yaml.Node
		if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, yamlFault(err)
		}
		nodes := []*yaml.Node{doc.Content[0]}
		if nodes[0].Kind == yaml.SequenceNode {
			nodes = nodes[0].Content
		}
		for _, n := range nodes {
			if n.Tag == "!!null" {
				continue
			}
			s, err := nodeSpec(n)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
}

// nodeSpec reads {name, config}, as the REST interface takes it, or the properties alone.
func nodeSpec(n *yaml.Node) (Spec, error) {
	var s Spec
	var wrapped *yaml.Node
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "config" && n.Content[i+1].Kind == yaml.MappingNode {
			wrapped = n.Content[i+1]
		}
	}
	if wrapped == nil {
		c, err := nodeConfig(n)
		return Spec{Config: c}, err
	}
	c, err := nodeConfig(wrapped)
	if err != nil {
		return s, err
	}
	s.Config = c
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := s.field(n.Content[i].Value, n.Content[i+1].Value); err != nil {
			return s, fmt.Errorf("line %d: %w", n.Content[i].Line, err)
		}
	}
	return s, nil
}

// field takes what stands beside a connector's config. tasks and type are what a worker adds.
func (s *Spec) field(name, value string) error {
	switch name {
	case "name":
		s.Name = value
	case "initial_state":
		s.Initial = rest.Initial(strings.ToUpper(value))
	case "config", "tasks", "type":
	default:
		return fmt.Errorf("%s: not known beside config; known are name and initial_state", decode.Printable(name))
	}
	return nil
}

// parseJSON reads one connector, or a list of them.
func parseJSON(raw []byte) ([]Spec, error) {
	var list []json.RawMessage
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
	} else {
		list = []json.RawMessage{raw}
	}
	var out []Spec
	for _, one := range list {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(one, &fields); err != nil {
			return nil, err
		}
		var s Spec
		var err error
		if config, ok := fields["config"]; ok && looksJSON(config) {
			for k, v := range fields {
				text, _ := jsonText(v)
				if text == nil {
					text = new(string)
				}
				if err := s.field(k, *text); err != nil {
					return nil, err
				}
			}
			fields = nil
			if err := json.Unmarshal(config, &fields); err != nil {
				return nil, err
			}
		}
		if s.Config, err = jsonConfig(fields); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func jsonConfig(fields map[string]json.RawMessage) (rest.Config, error) {
	c := rest.Config{}
	for k, v := range fields {
		text, ok := jsonText(v)
		if !ok {
			return nil, fmt.Errorf("%s: no text; a connector's properties are texts: write structures as JSON in quotes", decode.Printable(k))
		}
		c[k] = text
	}
	return c, nil
}

// jsonText is a value as a text: numbers and truth values as they are written.
func jsonText(raw json.RawMessage) (*string, bool) {
	text := string(bytes.TrimSpace(raw))
	switch {
	case text == "null":
		return nil, true
	case strings.HasPrefix(text, `"`):
		var s string
		err := json.Unmarshal(raw, &s)
		return &s, err == nil
	}
	return &text, !looksJSON(raw)
}
