package conn

import (
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

var mechanisms = []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}

func (t table) sasl() (*SASL, error) {
	mechanism, err := t.choice(keyMechanism, "", mechanisms...)
	if err != nil {
		return nil, err
	}
	if mechanism == "" {
		return nil, fmt.Errorf("%s: not set, and Kafka's default, GSSAPI, is not supported; allowed are %s", keyMechanism,
			strings.Join(mechanisms, ", "))
	}
	if t.get(keyJAAS) == "" {
		return nil, fmt.Errorf("%s: not set, but %s %s needs it; set it to %s required username=\"…\" password=\"…\";", keyJAAS,
			keyProtocol, strings.ToUpper(t.get(keyProtocol)), modules[mechanism])
	}
	j, err := parseJAAS(t.get(keyJAAS))
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", keyJAAS, t[keyJAAS].origin, err)
	}
	if want := modules[mechanism]; j.module != want[strings.LastIndexByte(want, '.')+1:] {
		return nil, fmt.Errorf("%s in %s: %s does not serve %s %s; that needs %s", keyJAAS, t[keyJAAS].origin, j.module,
			keyMechanism, mechanism, want)
	}
	for _, k := range []string{"username", "password"} {
		if j.options[k] == "" {
			return nil, fmt.Errorf("%s in %s: %s is missing", keyJAAS, t[keyJAAS].origin, k)
		}
	}
	return &SASL{
		Mechanism: mechanism, User: j.options["username"], Password: Secret(j.options["password"]),
		Token: strings.EqualFold(j.options["tokenauth"], "true"),
		From:  t[keyJAAS].origin,
	}, nil
}

const (
	plainModule = "org.apache.kafka.common.security.plain.PlainLoginModule"
	scramModule = "org.apache.kafka.common.security.scram.ScramLoginModule"
)

var modules = map[string]string{"PLAIN": plainModule, "SCRAM-SHA-256": scramModule, "SCRAM-SHA-512": scramModule}

// mechanism is what the Kafka client logs in with.
func (a *SASL) mechanism() (sasl.Mechanism, error) {
	switch a.Mechanism {
	case "PLAIN":
		return plain.Auth{User: a.User, Pass: string(a.Password)}.AsMechanism(), nil
	case "SCRAM-SHA-256":
		return scram.Auth{User: a.User, Pass: string(a.Password), IsToken: a.Token}.AsSha256Mechanism(), nil
	case "SCRAM-SHA-512":
		return scram.Auth{User: a.User, Pass: string(a.Password), IsToken: a.Token}.AsSha512Mechanism(), nil
	}
	return nil, fmt.Errorf("%s: %q is not supported; allowed are %s", keyMechanism, a.Mechanism, strings.Join(mechanisms, ", "))
}
