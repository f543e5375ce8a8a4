package conn

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"regroup/internal/atomicfile"
	"regroup/internal/redact"

	"go.yaml.in/yaml/v3"
)

// ContextFile is the file of contexts, to be looked at and changed. Comments and the order in it stay as they are.
type ContextFile struct {
	path string
	doc  *yaml.Node // with what is commented around
	root *yaml.Node // a mapping
}

// OpenContexts reads the file; one that is not there is empty.
func OpenContexts(path string) (*ContextFile, error) {
	if path == "" {
		return nil, errors.New("contexts: no place for them: neither XDG_CONFIG_HOME nor HOME is set")
	}
	raw, err := readConfig(path)
	if err != nil {
		return nil, err
	}
	f := &ContextFile{path: path, doc: &yaml.Node{}}
	if err := yaml.Unmarshal(raw, f.doc); err != nil {
		return nil, fmt.Errorf("contexts in %s: %s", path, yamlFault(err))
	}
	if f.doc.Kind == 0 || f.doc.Content[0].Tag == "!!null" {
		f.doc.Kind, f.doc.Content = yaml.DocumentNode, []*yaml.Node{mapping()}
	}
	if f.root = f.doc.Content[0]; f.root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("contexts in %s: it does not begin with current and contexts", path)
	}
	if err := f.check(raw); err != nil {
		return f, err
	}
	return f, nil
}

// check holds the file's text against what a file of contexts may have in it.
func (f *ContextFile) check(raw []byte) error {
	_, err := readContexts(f.path, raw)
	return err
}

// Path is where the file lies.
func (f *ContextFile) Path() string { return f.path }

// Names lists the contexts, sorted.
func (f *ContextFile) Names() []string {
	var out []string
	if all := child(f.root, "contexts"); all != nil {
		for i := 0; i+1 < len(all.Content); i += 2 {
			out = append(out, all.Content[i].Value)
		}
	}
	slices.Sort(out)
	return out
}

// Current is the context that is used where none is named; "" for none.
func (f *ContextFile) Current() string {
	if n := child(f.root, "current"); n != nil && n.Tag != "!!null" {
		return n.Value
	}
	return ""
}

// Use makes a context the current one.
func (f *ContextFile) Use(name string) error {
	if _, err := f.find(name); err != nil {
		return err
	}
	put(f.root, "current", text(name))
	return nil
}

// Remove takes a context away.
func (f *ContextFile) Remove(name string) error {
	if _, err := f.find(name); err != nil {
		return err
	}
	drop(child(f.root, "contexts"), name)
	if f.Current() == name {
		drop(f.root, "current")
	}
	return nil
}

// Set gives a context's key a value, and makes the context where there is none; "" takes the key away.
func (f *ContextFile) Set(name, key, value string) error {
	path, kind, err := findKey(key)
	if err != nil {
		return err
	}
	if name == "" {
		return errors.New("a context needs a name")
	}
	at := under(under(f.root, "contexts"), name)
	if value == "" {
		for _, p := range path[:len(path)-1] {
			if at = child(at, p); at == nil {
				return nil
			}
		}
		drop(at, path[len(path)-1])
		return nil
	}
	if err := kind.check(key, value); err != nil {
		return err
	}
	for _, p := range path[:len(path)-1] {
		at = under(at, p)
	}
	put(at, path[len(path)-1], kind.node(value))
	raw, err := yaml.Marshal(f.root)
	if err != nil {
		return fmt.Errorf("contexts in %s: %w", f.path, err)
	}
	return f.check(raw)
}

// keyKind is what a context's key holds.
type keyKind int

const (
	kindText keyKind = iota
	kindTruth
	kindMap    // any key below it
	kindColour // of Colours
	kindURLs   // separated by commas
	kindURLMap
)

// Colours are those that a context's name can have.
var Colours = []string{"red", "yellow", "green", "cyan", "blue", "magenta"}

// contextKeys are the keys of a context, as `context set` takes them.
var contextKeys = map[string]keyKind{
	"brokers": kindText, "command-config": kindText, "properties": kindMap,
	"read-only": kindTruth, "production": kindTruth, "kill": kindText, "add": kindText, "colour": kindColour,
	"tls.ca": kindText, "tls.cert": kindText, "tls.key": kindText, "tls.any-host": kindTruth,
	"sasl.mechanism": kindText, "sasl.user": kindText, "sasl.password": kindText, "sasl.password-env": kindText, "sasl.password-file": kindText,
	"rest.urls": kindURLs, "rest.map": kindURLMap, "rest.user": kindText,
	"rest.password": kindText, "rest.password-env": kindText, "rest.password-file": kindText,
	"rest.token": kindText, "rest.token-env": kindText, "rest.token-file": kindText,
	"rest.headers": kindMap, "rest.headers-env": kindMap, "rest.headers-file": kindMap,
	"rest.ca": kindText, "rest.cert": kindText, "rest.key": kindText, "rest.any-host": kindTruth,
}

// ContextKeys lists the keys that a context can have; those that end with ".…" take any name there.
func ContextKeys() []string {
	var out []string
	for k, kind := range contextKeys {
		if kind == kindMap || kind == kindURLMap {
			k += ".…"
		}
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (k keyKind) node(value string) *yaml.Node {
	switch k {
	case kindTruth:
		truth, _ := strconv.ParseBool(value) // checked
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(truth)}
	case kindURLs:
		out := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
		for _, v := range strings.Split(value, ",") {
			out.Content = append(out.Content, text(strings.TrimSpace(v)))
		}
		return out
	}
	return text(value)
}

// Show is a context as it stands in the file, without its secrets.
func (f *ContextFile) Show(name string) (string, error) {
	n, err := f.shown(name)
	if err != nil {
		return "", err
	}
	raw, err := yaml.Marshal(n)
	return string(raw), err
}

// Values is the same as values, for JSON.
func (f *ContextFile) Values(name string) (map[string]any, error) {
	n, err := f.shown(name)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	err = n.Decode(&out)
	return out, err
}

func (f *ContextFile) shown(name string) (*yaml.Node, error) {
	n, err := f.find(name)
	if err != nil {
		return nil, err
	}
	return hide(n, nil), nil
}

// hide copies what may be shown, without comments: they may hold anything.
func hide(n *yaml.Node, path []string) *yaml.Node {
	if n.Alias != nil {
		n = n.Alias
	}
	out := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style}
	if n.Kind == yaml.ScalarNode && len(path) > 0 {
		switch {
		case secretPath(path):
			out.Value, out.Tag = Secret("").String(), "!!str"
		case strings.Contains(n.Value, "://"):
			out.Value = withoutLogin(n.Value)
		}
	}
	for i, c := range n.Content {
		below := path
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			below = append(slices.Clone(path), n.Content[i-1].Value)
		} else if n.Kind == yaml.MappingNode {
			below = nil
		}
		out.Content = append(out.Content, hide(c, below))
	}
	return out
}

func (f *ContextFile) find(name string) (*yaml.Node, error) {
	if n := child(child(f.root, "contexts"), name); n != nil {
		return n, nil
	}
	have := "it has none"
	if names := f.Names(); len(names) > 0 {
		have = "it has " + strings.Join(names, ", ")
	}
	return nil, fmt.Errorf("context %q: not in %s; %s", name, f.path, have)
}

// Save writes the file whole or not at all, for its owner alone. Where it is a link, what it leads to is written.
func (f *ContextFile) Save() error {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(f.doc); err != nil {
		return fmt.Errorf("contexts: %w", err)
	}
	if _, err := filepath.EvalSymlinks(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("contexts: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return fmt.Errorf("contexts: %w", err)
	}
	w, err := atomicfile.Replace(f.path)
	if err == nil {
		_, err = w.Write(b.Bytes())
		err = w.Finish(err)
	}
	if err != nil {
		return fmt.Errorf("contexts: %w", err)
	}
	return nil
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

func text(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

// child is what a mapping has under a key; nil for nothing.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil {
		return nil
	}
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// under is the mapping that a mapping has under a key; it is made where there is none.
func under(n *yaml.Node, key string) *yaml.Node {
	c := child(n, key)
	if c == nil || c.Kind != yaml.MappingNode {
		c = mapping()
		put(n, key, c)
	}
	return c
}

// put gives a mapping a value; the comments of the old one stay.
func put(n *yaml.Node, key string, value *yaml.Node) {
	if n.Style == yaml.FlowStyle && len(n.Content) == 0 {
		n.Style = 0 // {} grows into lines
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			old := n.Content[i+1]
			value.HeadComment, value.LineComment, value.FootComment = old.HeadComment, old.LineComment, old.FootComment
			n.Content[i+1] = value
			return
		}
	}
	n.Content = append(n.Content, text(key), value)
}

func drop(n *yaml.Node, key string) {
	if n == nil {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
			return
		}
	}
}

// findKey splits a key into the places of the file that it leads to: a map's own key may have dots in it.
func findKey(key string) ([]string, keyKind, error) {
	if kind, ok := contextKeys[key]; ok && kind != kindMap && kind != kindURLMap {
		return strings.Split(key, "."), kind, nil
	}
	for _, name := range slices.Sorted(maps.Keys(contextKeys)) {
		kind := contextKeys[name]
		below, ok := strings.CutPrefix(key, name+".")
		if ok && below != "" && (kind == kindMap || kind == kindURLMap) {
			return append(strings.Split(name, "."), below), kind, nil
		}
	}
	return nil, 0, fmt.Errorf("%s: no key of a context; known are %s", key, strings.Join(ContextKeys(), ", "))
}

// check refuses a value that would only fail later.
func (k keyKind) check(key, value string) error {
	switch k {
	case kindTruth:
		if _, err := strconv.ParseBool(value); err != nil {
			return fmt.Errorf("%s: %q is neither true nor false", key, value)
		}
	case kindColour:
		if !slices.Contains(Colours, value) {
			return fmt.Errorf("%s: %q is none; there are %s", key, value, strings.Join(Colours, ", "))
		}
	case kindURLs:
		for _, u := range strings.Split(value, ",") {
			if err := webAddress(key, u); err != nil {
				return err
			}
		}
	case kindURLMap:
		return webAddress(key, value)
	}
	return nil
}

func webAddress(key, s string) error {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%s: no web address; write http://host:port", key)
	}
	return nil
}

// secretPath says whether what lies there may not be shown.
func secretPath(path []string) bool {
	name := path[len(path)-1]
	switch path[0] {
	case "properties":
		return redact.Name(name)
	case "rest":
		return name == "password" || name == "token" || len(path) == 3 && path[1] == "headers"
	case "sasl":
		return name == "password"
	}
	return false
}

// PlainSecret says whether a key takes a secret itself, and not where it is kept.
func PlainSecret(key string) bool {
	path, _, err := findKey(key)
	return err == nil && secretPath(path)
}
