package conn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// contextFile is the file of contexts, as people write it:
//
//	current: prod
//	contexts:
//	  prod:
//	    brokers: kafka-1:9092,kafka-2:9092
//	    command-config: /etc/kafka/client.properties
//	    properties:
//	      security.protocol: SASL_SSL
//	    read-only: false
//	    production: true
//	    kill: ssh {{.Host}} sudo systemctl stop kafka-connect
//	    add: kubectl scale deployment/connect --replicas=4
//	    colour: red
//	    tls: {ca: /etc/kafka/ca.pem}
//	    sasl: {mechanism: SCRAM-SHA-512, user: alice, password-env: KAFKA_PASSWORD}
//	    rest: {user: admin, password-file: ~/.connect-password, map: {worker-1: "http://localhost:18083"}}
//	keys:
//	  follow: F
//	themes:
//	  sea: {running: "#00AFAF"}
type contextFile struct {
	Current  string                  `yaml:"current"`
	Contexts map[string]namedContext `yaml:"contexts"`
	Keys     yaml.Node               `yaml:"keys"`   // see Own
	Themes   yaml.Node               `yaml:"themes"` // too
}

type namedContext struct {
	Brokers       string            `yaml:"brokers"`
	CommandConfig string            `yaml:"command-config"`
	Properties    map[string]string `yaml:"properties"`
	ReadOnly      bool              `yaml:"read-only"`
	Production    bool              `yaml:"production"`
	Kill          string            `yaml:"kill"`
	Add           string            `yaml:"add"`
	Colour        string            `yaml:"colour"`
	TLS           *tlsGiven         `yaml:"tls"`
	SASL          *saslGiven        `yaml:"sasl"`
	REST          restGiven         `yaml:"rest"`

	name string
}

// DefaultConfigFile is $XDG_CONFIG_HOME/regroup/config.yaml or what stands for it on this system; "" when there is no home.
func DefaultConfigFile(getenv func(string) string) string {
	if dir := getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "regroup", "config.yaml")
	}
	if dir := getenv("HOME"); dir != "" {
		return filepath.Join(dir, ".config", "regroup", "config.yaml")
	}
	if dir, err := os.UserConfigDir(); err == nil {
		return filepath.Join(dir, "regroup", "config.yaml")
	}
	return ""
}

// findContext reads the context of that name, or the file's current one when name is "". Without a file and a name there is
// none, and that is fine.
func findContext(path, name string) (namedContext, error) {
	raw, err := readConfig(path)
	if err != nil {
		return namedContext{}, err
	}
	f, err := readContexts(path, raw)
	if err != nil {
		return namedContext{}, err
	}
	from := "-c"
	if name == "" {
		if name = f.Current; name == "" {
			return namedContext{}, nil
		}
		from = "current in " + path
	}
	c, ok := f.Contexts[name]
	if !ok {
		have := "it has none"
		if len(f.Contexts) > 0 {
			have = "it has " + strings.Join(slices.Sorted(maps.Keys(f.Contexts)), ", ")
		}
		return namedContext{}, fmt.Errorf("context %q (%s): not in %s; %s", name, from, path, have)
	}
	c.name = name
	return c, nil
}

var (
	yamlType  = regexp.MustCompile(` in type conn\.\w+`)
	yamlValue = regexp.MustCompile("`[^`]*` ?") // what stands there: it may be a password
)

// maxConfig bounds the file of contexts.
const maxConfig = 4 << 20

// yamlFault is a YAML error on one line, in words that are not Go's.
func yamlFault(err error) string {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:")
	text = strings.Join(strings.Fields(strings.ReplaceAll(strings.TrimSpace(text), "\n  line ", "; line ")), " ")
	text = strings.ReplaceAll(text, "conn.Secret", "string")
	return yamlValue.ReplaceAllString(yamlType.ReplaceAllString(text, ""), "")
}

func readConfig(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && info.Mode()&fs.ModeNamedPipe != 0 { // opening one waits for somebody who writes
		err = fmt.Errorf("%s: it is a pipe, and no file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("contexts: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("contexts: %w", err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err == nil && len(raw) > maxConfig {
		err = fmt.Errorf("%s: larger than %d MB: it is no file of contexts", path, maxConfig>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("contexts: %w", err)
	}
	return raw, nil
}

// readContexts takes a file's text as contexts. A second document in it would be read by nobody, and lost when the file is written.
func readContexts(path string, raw []byte) (contextFile, error) {
	var f contextFile
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(&f); err != nil {
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		return f, fmt.Errorf("contexts in %s: %s", path, yamlFault(err))
	}
	var more yaml.Node
	switch err := dec.Decode(&more); {
	case errors.Is(err, io.EOF):
		return f, nil
	case err != nil:
		return f, fmt.Errorf("contexts in %s: %s", path, yamlFault(err))
	}
	return f, fmt.Errorf("contexts in %s: line %d: a second document begins: put all contexts into one, without ---", path, more.Line)
}

// given is the context as one of the places that settings come from.
func (c namedContext) given() Given {
	g := Given{CommandConfig: c.CommandConfig}
	if c.Brokers != "" {
		g.Brokers = []string{c.Brokers}
	}
	for _, k := range slices.Sorted(maps.Keys(c.Properties)) {
		g.Overrides = append(g.Overrides, k+"="+c.Properties[k])
	}
	return g
}

// tlsGiven is TLS to the brokers as a context writes it; without a file the system's authorities are trusted.
type tlsGiven struct {
	CA      string `yaml:"ca,omitempty"`
	Cert    string `yaml:"cert,omitempty"`
	Key     string `yaml:"key,omitempty"`
	AnyHost bool   `yaml:"any-host,omitempty"` // names are not checked
}

// saslGiven is the login to the brokers as a context writes it.
type saslGiven struct {
	Mechanism    string `yaml:"mechanism,omitempty"`
	User         string `yaml:"user,omitempty"`
	Password     Secret `yaml:"password,omitempty"`
	PasswordEnv  string `yaml:"password-env,omitempty"`
	PasswordFile string `yaml:"password-file,omitempty"`
}

// kafka puts a context's short forms into the table, as the properties that they stand for: whatever names those is stronger.
func (c namedContext) kafka(t table, getenv func(string) string) error {
	origin := "context " + c.name
	protocol := ""
	if c.TLS != nil {
		protocol = "SSL"
		if err := c.TLS.put(t, origin, getenv); err != nil {
			return err
		}
	}
	if c.SASL != nil {
		protocol = "SASL_" + or(protocol, "PLAINTEXT")
		if err := c.login(t, origin, getenv); err != nil {
			return err
		}
	}
	if protocol != "" {
		t.set(keyProtocol, protocol, origin)
	}
	return nil
}

func (g *tlsGiven) put(t table, origin string, getenv func(string) string) error {
	if g.CA != "" {
		t.set(keyTrust, home(g.CA, getenv), origin)
	}
	for key, file := range map[string]string{keyKeysChain: g.Cert, keyKeysKey: g.Key} {
		if file == "" {
			continue
		}
		raw, err := os.ReadFile(home(file, getenv))
		if err != nil {
			return fmt.Errorf("%s: tls: %w", origin, err)
		}
		t.set(key, string(raw), origin)
	}
	if g.AnyHost {
		t.set(keyEndpoint, "", origin)
	}
	return nil
}

func (c namedContext) login(t table, origin string, getenv func(string) string) error {
	g := c.SASL
	mechanism := strings.ToUpper(or(g.Mechanism, "PLAIN"))
	t.set(keyMechanism, mechanism, origin)
	k := secretRef{"sasl.password", c.name, g.Password, g.PasswordEnv, g.PasswordFile}
	if g.User == "" || !k.given() {
		return fmt.Errorf("%s: sasl: it needs a user, and one of password, password-env and password-file", origin)
	}
	password, err := k.read(getenv)
	if err != nil {
		return err
	}
	if strings.ContainsAny(g.User+string(password), "\r\n") {
		return fmt.Errorf("%s: sasl: a user and a password are each on one line", origin)
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	// Not %q: its escapes are Go's, and not all of them are those of a login module's line.
	t.set(keyJAAS, modules[mechanism]+` required username="`+quoted.Replace(g.User)+`" password="`+quoted.Replace(string(password))+`";`, origin)
	return nil
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
