package conn

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// restGiven is how a context writes the way to the workers' REST interfaces.
type restGiven struct {
	URLs         []string          `yaml:"urls,omitempty"`
	Map          map[string]string `yaml:"map,omitempty"`
	User         string            `yaml:"user,omitempty"`
	Password     Secret            `yaml:"password,omitempty"`
	PasswordEnv  string            `yaml:"password-env,omitempty"`
	PasswordFile string            `yaml:"password-file,omitempty"`
	Token        Secret            `yaml:"token,omitempty"`
	TokenEnv     string            `yaml:"token-env,omitempty"`
	TokenFile    string            `yaml:"token-file,omitempty"`
	Headers      map[string]Secret `yaml:"headers,omitempty"`
	HeadersEnv   map[string]string `yaml:"headers-env,omitempty"`
	HeadersFile  map[string]string `yaml:"headers-file,omitempty"`
	CA           string            `yaml:"ca,omitempty"`
	Cert         string            `yaml:"cert,omitempty"`
	Key          string            `yaml:"key,omitempty"`
	AnyHost      bool              `yaml:"any-host,omitempty"`
}

// REST is the way to the workers' REST interfaces. Its zero value is plain HTTP, or HTTPS with the system's authorities.
type REST struct {
	URLs []string          // workers, where advertised addresses do not work from here
	Map  map[string]string // advertised host or host:port → the URL that works

	given   restGiven
	context string
	getenv  func(string) string
}

func (c namedContext) rest(getenv func(string) string) REST {
	return REST{URLs: c.REST.URLs, Map: c.REST.Map, given: c.REST, context: c.name, getenv: getenv}
}

// Client makes an HTTP client, and what every request needs besides. Secrets are read now, not before: who speaks to Kafka
// alone does not miss them.
func (r REST) Client() (*http.Client, func(*http.Request), error) {
	cfg, err := r.tls()
	if err != nil {
		return nil, nil, fmt.Errorf("context %s: rest: %w", r.context, err)
	}
	headers, err := r.headers()
	if err != nil {
		return nil, nil, err
	}
	client := &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSClientConfig:       cfg,
			TLSHandshakeTimeout:   5 * time.Second,
			MaxIdleConnsPerHost:   2,
			IdleConnTimeout:       30 * time.Second,
			ExpectContinueTimeout: time.Second,
		},
		// A redirect would turn a PUT into a GET that succeeds, and carry credentials elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return client, func(req *http.Request) {
		for k, v := range headers {
			req.Header.Set(k, string(v))
		}
	}, nil
}

// headers are what proves who we are, and whatever else a proxy wants.
func (r REST) headers() (map[string]Secret, error) {
	g, out := r.given, map[string]Secret{}
	read := func(name string, plain Secret, env, file string) (Secret, bool, error) {
		k := secretRef{name, r.context, plain, env, file}
		if !k.given() {
			return "", false, nil
		}
		v, err := k.read(r.getenv)
		if err == nil && strings.ContainsAny(string(v), "\r\n") {
			err = fmt.Errorf("context %s: %s: it has more than one line", r.context, name)
		}
		return v, true, err
	}
	password, has, err := read("rest.password", g.Password, g.PasswordEnv, g.PasswordFile)
	if err != nil {
		return nil, err
	}
	if has != (g.User != "") {
		return nil, fmt.Errorf("context %s: rest: a user needs a password, and a password a user", r.context)
	}
	token, bears, err := read("rest.token", g.Token, g.TokenEnv, g.TokenFile)
	if err != nil {
		return nil, err
	}
	switch {
	case has && bears:
		return nil, fmt.Errorf("context %s: rest: a user and a token: give one of them", r.context)
	case has:
		var req http.Request
		req.Header = http.Header{}
		req.SetBasicAuth(g.User, string(password))
		out["Authorization"] = Secret(req.Header.Get("Authorization"))
	case bears:
		out["Authorization"] = "Bearer " + token
	}
	names := slices.Concat(slices.Collect(maps.Keys(g.Headers)), slices.Collect(maps.Keys(g.HeadersEnv)), slices.Collect(maps.Keys(g.HeadersFile)))
	for _, name := range names {
		v, _, err := read("rest.headers."+name, g.Headers[name], g.HeadersEnv[name], g.HeadersFile[name])
		if err != nil {
			return nil, err
		}
		out[name] = v
	}
	return out, nil
}

func (r REST) tls() (*tls.Config, error) {
	g := r.given
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if g.CA != "" {
		raw, err := os.ReadFile(home(g.CA, r.getenv))
		if err != nil {
			return nil, err
		}
		certs, err := certificates(string(raw))
		if err != nil {
			return nil, fmt.Errorf("ca %s: %w", g.CA, err)
		}
		cfg.RootCAs = x509.NewCertPool()
		for _, c := range certs {
			cfg.RootCAs.AddCert(c)
		}
	}
	if (g.Cert == "") != (g.Key == "") {
		return nil, fmt.Errorf("cert and key: both are needed")
	}
	if g.Cert != "" {
		pair, err := tls.LoadX509KeyPair(home(g.Cert, r.getenv), home(g.Key, r.getenv))
		if err != nil {
			return nil, fmt.Errorf("cert %s: %w", g.Cert, err)
		}
		cfg.Certificates = []tls.Certificate{pair}
	}
	if g.AnyHost {
		skipHostName(cfg)
	}
	return cfg, nil
}

// String describes the way, without secrets.
func (r REST) String() string {
	var out []string
	r.tell(func(name, value string) {
		if value != "" {
			out = append(out, name+": "+value)
		}
	})
	return strings.Join(out, "; ")
}

// GoString hides the secrets from %#v.
func (r REST) GoString() string { return fmt.Sprintf("conn.REST{%s}", r) }

// tell describes the way, without secrets.
func (r REST) tell(line func(name, value string)) {
	var urls []string
	for _, u := range r.URLs {
		urls = append(urls, withoutLogin(u))
	}
	line("rest", strings.Join(urls, " "))
	for _, host := range slices.Sorted(maps.Keys(r.Map)) {
		line("rest of "+host, withoutLogin(r.Map[host]))
	}
	if r.given.User != "" {
		line("rest login", fmt.Sprintf("basic as %q, password ***", r.given.User))
	} else if (secretRef{plain: r.given.Token, env: r.given.TokenEnv, file: r.given.TokenFile}).given() {
		line("rest login", "bearer token ***")
	}
	line("rest trusts", r.given.CA)
	line("rest certificate", r.given.Cert)
}

func withoutLogin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "***"
	}
	return u.Redacted()
}
