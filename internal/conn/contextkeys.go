package conn

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

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
		low := strings.ToLower(name)
		return strings.Contains(low, "password") || strings.Contains(low, "jaas") || low == keyKeysKey
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
