package conn_test

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"regroup/internal/conn"
	"regroup/internal/rest"
)

// restOf loads a context with that rest: part, and asks a worker who it is.
func restOf(t *testing.T, url, part string, env map[string]string) error {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.yaml")
	must(t, os.WriteFile(file, []byte("current: dev\ncontexts:\n  dev:\n    brokers: localhost:9092\n    rest:\n      "+
		strings.ReplaceAll(part, "\n", "\n      ")+"\n"), 0o600))
	s, err := conn.Load(conn.Sources{ConfigFile: file, Getenv: func(k string) string { return env[k] }})
	must(t, err)
	if strings.Contains(s.String(), "hunter2") || strings.Contains(fmt.Sprintf("%v %+v %#v", s, s, s), "hunter2") {
		t.Fatal("a secret is shown: " + s.String())
	}
	client, prepare, err := s.REST.Client()
	if err != nil {
		return err
	}
	_, err = (&rest.Client{HTTP: client, Prepare: prepare}).Info(t.Context(), url)
	return err
}

func TestRESTLogin(t *testing.T) {
	var got http.Header
	worker := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		fmt.Fprint(w, `{"version":"4.3.1"}`)
	}))
	defer worker.Close()
	secret := filepath.Join(t.TempDir(), "secret")
	must(t, os.WriteFile(secret, []byte("hunter2\n"), 0o600))
	env := map[string]string{"PW": "hunter2", "HOME": filepath.Dir(secret)}
	for _, test := range []struct{ name, part, header, want, fault string }{
		{name: "nothing", part: "{}", header: "Authorization"},
		{name: "basic", part: "user: admin\npassword: hunter2", header: "Authorization", want: "Basic YWRtaW46aHVudGVyMg=="},
		{name: "basic, of the environment", part: "user: admin\npassword-env: PW", header: "Authorization", want: "Basic YWRtaW46aHVudGVyMg=="},
		{name: "bearer, of a file", part: "token-file: " + secret, header: "Authorization", want: "Bearer hunter2"},
		{name: "bearer, of a file at home", part: "token-file: ~/secret", header: "Authorization", want: "Bearer hunter2"},
		{name: "header", part: "headers: {X-Api-Key: hunter2}", header: "X-Api-Key", want: "hunter2"},
		{name: "header, of the environment", part: "headers-env: {X-Api-Key: PW}", header: "X-Api-Key", want: "hunter2"},
		{name: "twice", part: "token: a\ntoken-env: PW", fault: "context dev: rest.token: given more than once; keep one of rest.token, rest.token-env and rest.token-file"},
		{name: "both", part: "token: a\nuser: u\npassword: p", fault: "context dev: rest: a user and a token: give one of them"},
		{name: "not set", part: "user: admin\npassword-env: NONE", fault: "context dev: rest.password-env: NONE is not set in the environment"},
		{name: "no file", part: "token-file: /nowhere", fault: "context dev: rest.token-file: /nowhere: no such file or directory"},
		{name: "no user", part: "password: hunter2", fault: "context dev: rest: a user needs a password, and a password a user"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := restOf(t, worker.URL, test.part, env)
			if test.fault != "" {
				wants(t, err, test.fault)
				return
			}
			must(t, err)
			if have := got.Get(test.header); have != test.want {
				t.Errorf("%s: %q, want %q", test.header, have, test.want)
			}
		})
	}
}

func TestRESTOverTLS(t *testing.T) {
	ca := newAuthority(t, "Test CA")
	dir := t.TempDir()
	cert, key := ca.leaf("operator", 1e12)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	for name, text := range map[string][]byte{"ca.pem": ca.pem(), "cert.pem": pemOf("CERTIFICATE", cert.Raw), "key.pem": pemOf("PRIVATE KEY", der)} {
		must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	worker := func(host string, mutual bool) string {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{}`) }))
		s.TLS = ca.serve(1e12, host)
		if mutual {
			s.TLS = ca.clientCertificates(s.TLS)
		}
		s.Config.ErrorLog = quiet
		s.StartTLS()
		t.Cleanup(s.Close)
		return s.URL
	}
	trust := "ca: " + filepath.Join(dir, "ca.pem")
	own := "\ncert: " + filepath.Join(dir, "cert.pem") + "\nkey: " + filepath.Join(dir, "key.pem")
	must(t, restOf(t, worker("127.0.0.1", false), trust, nil))
	must(t, restOf(t, worker("127.0.0.1", true), trust+own, nil))
	must(t, restOf(t, worker("connect.example", false), trust+"\nany-host: true", nil))
	for _, refused := range []struct{ url, part, want string }{
		{worker("127.0.0.1", false), "{}", "certificate"},
		{worker("connect.example", false), trust, "cannot validate certificate for 127.0.0.1"},
		{worker("127.0.0.1", true), trust, "certificate"},
	} {
		wants(t, restOf(t, refused.url, refused.part, nil), refused.want)
	}
}

// A redirect would make a GET of a PUT, and take the login elsewhere.
func TestRESTFollowsNoRedirect(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer elsewhere.Close()
	worker := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusMovedPermanently))
	defer worker.Close()
	if err := restOf(t, worker.URL, "{user: admin, password: hunter2}", nil); rest.StatusOf(err) != http.StatusMovedPermanently {
		t.Errorf("got %v", err)
	}
}
