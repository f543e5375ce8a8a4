package conn

import (
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Given is what one place gives: the command line, the environment, a context.
type Given struct {
	Brokers       []string
	Context       string
	CommandConfig string   // path of a Java client.properties or connect-distributed.properties
	Overrides     []string // key=value
}

// Sources are the places that settings come from.
type Sources struct {
	Flags Given
	Env   Given
	// ConfigFile holds the contexts; "" is none. A file that is not there is the same as an empty one.
	ConfigFile string
	// Getenv finds what a context takes from the environment; nil is os.Getenv.
	Getenv func(string) string
}

// Load makes Settings of what the sources give, key by key: flags over environment over context. Only one properties file is
// read, the one that the strongest place names. Within one place brokers win over properties, and those over the file.
func Load(src Sources) (Settings, error) {
	ctx, err := findContext(src.ConfigFile, first(src.Flags.Context, src.Env.Context))
	if err != nil {
		return Settings{}, err
	}
	places := []struct {
		Given
		brokers, overrides string // what complaints call them
	}{
		{ctx.given(), "context " + ctx.name, "context " + ctx.name},
		{src.Env, "REGROUP_BROKERS", "REGROUP_PROPERTY"},
		{src.Flags, "--brokers", "-X"},
	}
	file := -1
	for i, p := range places {
		if p.CommandConfig != "" {
			file = i
		}
	}
	t := table{}
	if err := ctx.kafka(t, src.getenv); err != nil {
		return Settings{}, err
	}
	for i, p := range places {
		if i == file {
			if err := t.readFile(p.CommandConfig); err != nil {
				return Settings{}, err
			}
		}
		if err := t.override(p.Overrides, p.overrides); err != nil {
			return Settings{}, err
		}
		if len(p.Brokers) > 0 {
			t.set(keyBrokers, strings.Join(p.Brokers, ","), p.brokers)
		}
	}
	s, err := t.settings()
	s.Context = ctx.name
	s.Policy = Policy{ReadOnly: ctx.ReadOnly, Production: ctx.Production, Kill: ctx.Kill, Add: ctx.Add, Colour: ctx.Colour}
	s.REST = ctx.rest(src.getenv)
	return s, err
}

func (src Sources) getenv(name string) string {
	if src.Getenv == nil {
		return os.Getenv(name)
	}
	return src.Getenv(name)
}

// settings reads the keys that matter.
func (t table) settings() (Settings, error) {
	var s Settings
	if err := t.refuseProviders(); err != nil {
		return s, err
	}
	var err error
	if s.Brokers, err = t.brokers(); err != nil {
		return s, err
	}
	if s.Protocol, err = t.choice(keyProtocol, "PLAINTEXT", "PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"); err != nil {
		return s, err
	}
	if strings.HasSuffix(s.Protocol, "SSL") {
		if s.TLS, err = t.tls(); err != nil {
			return s, err
		}
	}
	if strings.HasPrefix(s.Protocol, "SASL_") {
		if s.SASL, err = t.sasl(); err != nil {
			return s, err
		}
	}
	if v := t.get(keySetup); v != "" {
		ms, err := strconv.Atoi(v)
		if err != nil || ms <= 0 {
			return s, fmt.Errorf("%s: %q in %s is not a number of milliseconds above 0", keySetup, v, t[keySetup].origin)
		}
		s.DialTimeout = time.Duration(ms) * time.Millisecond
	}
	s.Worker = Worker{
		Group: t.get(keyGroup), ConfigTopic: t.get(keyConfigTopic), StatusTopic: t.get(keyStatusTopic),
		OffsetTopic: t.get(keyOffsetTopic),
	}
	if v := t.get(keyMaxDelay); v != "" {
		ms, err := strconv.ParseInt(v, 10, 32)
		if err != nil || ms < 0 {
			return s, fmt.Errorf("%s: %q in %s is not a number of milliseconds", keyMaxDelay, v, t[keyMaxDelay].origin)
		}
		s.Worker.MaxDelay = time.Duration(ms) * time.Millisecond
	}
	return s, nil
}

// ErrNoBrokers says that nothing named a cluster.
var ErrNoBrokers = errors.New("no brokers given: name one with -b localhost:9092, --command-config FILE or REGROUP_BROKERS; regroup demo needs none")

var listener = regexp.MustCompile(`^[0-9A-Za-z_.%-]*://`)

// brokers reads bootstrap.servers: host:port, [v6]:port, with or without a listener's name before it. Kafka wants the port;
// 9092 is understood here, as people type it.
func (t table) brokers() ([]string, error) {
	var out []string
	for _, b := range strings.FieldsFunc(t.get(keyBrokers), func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		if l := strings.ToLower(b); strings.HasPrefix(l, "http://") || strings.HasPrefix(l, "https://") {
			return nil, fmt.Errorf("%s: %q in %s is a web address; name a Kafka broker as host:port (--rest is for workers)",
				keyBrokers, b, t[keyBrokers].origin)
		}
		addr := listener.ReplaceAllString(b, "")
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			host, port, err = net.SplitHostPort(addr + ":9092")
		}
		if n, perr := strconv.Atoi(port); err != nil || host == "" || perr != nil || n < 1 || n > 65535 {
			return nil, fmt.Errorf("%s: %q in %s is not host:port", keyBrokers, b, t[keyBrokers].origin)
		}
		out = append(out, net.JoinHostPort(host, port))
	}
	if len(out) == 0 {
		return nil, ErrNoBrokers
	}
	return out, nil
}

func first(ss ...string) string {
	for _, s := range ss {
		if s != "" {
			return s
		}
	}
	return ""
}
