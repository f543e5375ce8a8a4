package conn

import (
	"fmt"
	"os"
	"strings"
)

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
