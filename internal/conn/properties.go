package conn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/magiconair/properties"
)

// property is one value and where it was given, so that a complaint can say which line to change.
type property struct {
	value  string
	origin string // "client.properties", "-X", "--brokers", "REGROUP_BROKERS", "context prod"
}

// table is what several layers of properties come to; later layers win key by key.
type table map[string]property

// The keys that are looked at. All others of a properties file are somebody else's: a worker's file has dozens.
const (
	keyBrokers     = "bootstrap.servers"
	keyProtocol    = "security.protocol"
	keyMechanism   = "sasl.mechanism"
	keyJAAS        = "sasl.jaas.config"
	keyTrust       = "ssl.truststore.location"
	keyTrustType   = "ssl.truststore.type"
	keyTrustPass   = "ssl.truststore.password"
	keyTrustCerts  = "ssl.truststore.certificates"
	keyKeys        = "ssl.keystore.location"
	keyKeysType    = "ssl.keystore.type"
	keyKeysPass    = "ssl.keystore.password"
	keyKeyPass     = "ssl.key.password"
	keyKeysChain   = "ssl.keystore.certificate.chain"
	keyKeysKey     = "ssl.keystore.key"
	keyEndpoint    = "ssl.endpoint.identification.algorithm"
	keySetup       = "socket.connection.setup.timeout.ms"
	keyGroup       = "group.id"
	keyConfigTopic = "config.storage.topic"
	keyStatusTopic = "status.storage.topic"
	keyOffsetTopic = "offset.storage.topic"
	keyMaxDelay    = "scheduled.rebalance.max.delay.ms"
)

var knownKeys = []string{
	keyBrokers, keyProtocol, keyMechanism, keyJAAS, keyTrust, keyTrustType, keyTrustPass, keyTrustCerts,
	keyKeys, keyKeysType, keyKeysPass, keyKeyPass, keyKeysChain, keyKeysKey, keyEndpoint, keySetup, keyGroup, keyConfigTopic,
	keyStatusTopic, keyOffsetTopic, keyMaxDelay,
}

// readFile adds a properties file's values. Java reads such files as ISO-8859-1, and so do we: a password must come out the
// same. Expansion is off: it is no part of Java's format, and it turns ${file:…} into nothing without a word.
func (t table) readFile(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return fmt.Errorf("command config %s: %w", path, err)
	}
	loader := properties.Loader{Encoding: properties.ISO_8859_1, DisableExpansion: true}
	p, err := loader.LoadBytes(raw)
	if err != nil {
		return fmt.Errorf("command config %s: not a properties file: %w", path, err)
	}
	for _, k := range p.Keys() {
		v, _ := p.Get(k)
		t.set(k, v, path)
	}
	return nil
}

// override adds key=value pairs that a person typed. There an unknown key is a slip, and told.
func (t table) override(pairs []string, origin string) error {
	for _, pair := range pairs {
		k, v, ok := strings.Cut(pair, "=")
		k = strings.TrimSpace(k)
		if !ok {
			// The whole pair may be a secret that lost its key: only a known key is repeated.
			if !slices.Contains(knownKeys, k) {
				k = "an argument"
			}
			return fmt.Errorf("%s: %s has no value; write %s key=value", origin, k, origin)
		}
		if !slices.Contains(knownKeys, k) {
			return fmt.Errorf("%s: %s is no property that is used here; known are %s", origin, k, strings.Join(relatives(k), ", "))
		}
		t.set(k, v, origin)
	}
	return nil
}

// relatives are the known keys of the same family, all of them for a key of none.
func relatives(key string) []string {
	family, _, _ := strings.Cut(key, ".")
	var out []string
	for _, k := range knownKeys {
		if strings.HasPrefix(k, family+".") {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return knownKeys
	}
	return out
}

func (t table) set(key, value, origin string) {
	// Kafka trims every value, passwords too.
	t[key] = property{value: strings.TrimSpace(value), origin: origin}
}

func (t table) get(key string) string { return t[key].value }

// has says whether the key was given at all, if only as an empty text.
func (t table) has(key string) bool { _, ok := t[key]; return ok }

var provider = regexp.MustCompile(`\$\{([A-Za-z0-9_.-]+):[^}]*\}`)

// refuseProviders finds values that a Connect worker would fetch from a config provider. To take them literally would send
// "${file:…}" as a password; to drop them would send none.
func (t table) refuseProviders() error {
	for _, k := range knownKeys {
		if m := provider.FindStringSubmatch(t.get(k)); m != nil {
			return fmt.Errorf("%s: ${%s:…} in %s is for a worker's config provider, which is not run here; "+
				"give the value itself with -X %s=… or in a file of its own", k, m[1], t[k].origin, k)
		}
	}
	return nil
}

// choice is a value of a fixed set. Case counts only where it does for Kafka, which takes security.protocol in any.
func (t table) choice(key, byDefault string, allowed ...string) (string, error) {
	v := t.get(key)
	if v == "" {
		return byDefault, nil
	}
	if slices.Contains(allowed, strings.ToUpper(v)) {
		return strings.ToUpper(v), nil
	}
	return "", fmt.Errorf("%s: %q in %s is not supported; allowed are %s", key, v, t[key].origin, strings.Join(allowed, ", "))
}
