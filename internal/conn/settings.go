package conn

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Settings are all that is needed to speak to one cluster. The zero value speaks to nobody.
type Settings struct {
	Context  string // its name, "" when none is used
	Brokers  []string
	Protocol string // PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL
	TLS      *TLS   // nil without TLS
	SASL     *SASL  // nil without SASL
	Worker   Worker
	Policy   Policy
	REST     REST

	DialTimeout time.Duration // 0: five seconds
	Log         io.Writer     // the Kafka client's own log; nil: none. Never a terminal that a screen is drawn on.
}

// TLS is how a broker proves who it is, and how we do.
type TLS struct {
	Config *tls.Config
	Trust  string // what is trusted, for people
	Client string // subject of our own certificate, "" when there is none
	// AnyHost is set by an empty ssl.endpoint.identification.algorithm: the chain is checked, the name is not.
	AnyHost bool
}

// SASL is how we log in.
type SASL struct {
	Mechanism string // PLAIN, SCRAM-SHA-256, SCRAM-SHA-512
	User      string
	Password  Secret
	Token     bool   // the password is a delegation token
	From      string // what said so, as errors name it
}

// Worker is what a worker's properties file (connect-distributed.properties) says about its group. All empty when the file
// is a client's.
type Worker struct {
	Group       string
	ConfigTopic string
	StatusTopic string
	OffsetTopic string
	MaxDelay    time.Duration // scheduled.rebalance.max.delay.ms; 0: not said
}

// Policy is what a context says about doing things to its groups. All empty without a context.
type Policy struct {
	ReadOnly   bool   // nothing may be done
	Production bool   // a name has to be typed before anything destructive
	Kill, Add  string // commands that end a worker, and start one
	Colour     string // of the context's name on the screen: one of Colours; "" is the usual
}

// Secret is a text that shows itself as *** wherever it is printed.
type Secret string

// String hides the secret.
func (Secret) String() string { return "***" }

// GoString hides the secret from %#v.
func (Secret) GoString() string { return "***" }

// MarshalText hides the secret from encoders.
func (Secret) MarshalText() ([]byte, error) { return []byte("***"), nil }

// String tells the settings to a person, one line each, without secrets.
func (s Settings) String() string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	line("context", s.Context)
	line("brokers", strings.Join(s.Brokers, " "))
	line("protocol", s.Protocol)
	if t := s.TLS; t != nil {
		line("trusts", t.Trust)
		line("client certificate", t.Client)
		if t.AnyHost {
			line("host names", "not checked")
		}
	}
	if a := s.SASL; a != nil {
		kind := "password"
		if a.Token {
			kind = "token"
		}
		line("sasl", fmt.Sprintf("%s as %q, %s %s", a.Mechanism, a.User, kind, a.Password))
	}
	line("group", s.Worker.Group)
	line("config topic", s.Worker.ConfigTopic)
	line("status topic", s.Worker.StatusTopic)
	line("offset topic", s.Worker.OffsetTopic)
	if s.Worker.MaxDelay > 0 {
		line("scheduled delay", s.Worker.MaxDelay.String())
	}
	if s.Policy.ReadOnly {
		line("read-only", "nothing may be done")
	}
	if s.Policy.Production {
		line("production", "names have to be typed")
	}
	line("kill", s.Policy.Kill)
	line("add", s.Policy.Add)
	line("colour", s.Policy.Colour)
	s.REST.tell(line)
	return b.String()
}

// secretRef is a secret of a context, or where it is kept: in the environment, or in a file. One of the three.
type secretRef struct {
	name    string // of the plain key: "rest.password"
	context string
	plain   Secret
	env     string
	file    string
}

func (k secretRef) given() bool { return k.plain != "" || k.env != "" || k.file != "" }

// read gives the secret. A file's last line end is no part of it.
func (k secretRef) read(getenv func(string) string) (Secret, error) {
	n := 0
	for _, v := range []string{string(k.plain), k.env, k.file} {
		if v != "" {
			n++
		}
	}
	switch {
	case n > 1:
		return "", fmt.Errorf("context %s: %s: given more than once; keep one of %s, %s-env and %s-file", k.context, k.name, k.name, k.name, k.name)
	case k.env != "":
		v := getenv(k.env)
		if v == "" {
			return "", fmt.Errorf("context %s: %s-env: %s is not set in the environment", k.context, k.name, k.env)
		}
		return Secret(v), nil
	case k.file != "":
		raw, err := os.ReadFile(home(k.file, getenv))
		if err != nil {
			var pe *fs.PathError
			if errors.As(err, &pe) {
				err = pe.Err
			}
			return "", fmt.Errorf("context %s: %s-file: %s: %w", k.context, k.name, k.file, err)
		}
		return Secret(strings.TrimRight(string(raw), "\r\n")), nil
	}
	return k.plain, nil
}

// home lets a path begin with ~/.
func home(path string, getenv func(string) string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if dir := getenv("HOME"); dir != "" {
			return filepath.Join(dir, rest)
		}
	}
	return path
}
