package rest

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// jettyTLS answers a request in plain HTTP as Jetty's TLS port does: with an alert.
func jettyTLS(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1))
			_, _ = c.Write([]byte{0x15, 3, 3, 0, 2, 2, 0x50})
			c.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

// Whoever is not let in is told why in a line, and what to set.
func TestBarred(t *testing.T) {
	answering := func(status int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, `{"version":"4.3.1","kafka_cluster_id":"c"}`)
		})
	}
	ok := answering(http.StatusOK)
	plain := func(h http.Handler) string { s := httptest.NewServer(h); t.Cleanup(s.Close); return s.URL }
	secure := func(ask tls.ClientAuthType) *httptest.Server {
		s := httptest.NewUnstartedServer(ok)
		s.Config.ErrorLog = nil
		s.TLS = &tls.Config{ClientAuth: ask, MinVersion: tls.VersionTLS12}
		s.StartTLS()
		t.Cleanup(s.Close)
		return s
	}
	https, mutual := secure(tls.NoClientCert), secure(tls.RequireAnyClientCert)
	trusting := func(of *httptest.Server, more func(*tls.Config)) *http.Client {
		pool := x509.NewCertPool()
		pool.AddCert(of.Certificate())
		cfg := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
		if more != nil {
			more(cfg)
		}
		return &http.Client{Transport: &http.Transport{TLSClientConfig: cfg}}
	}
	for _, c := range []struct {
		name, url string
		client    *http.Client
		want      string
	}{
		{"no login", plain(answering(http.StatusUnauthorized)), nil, "401: set a login in the context: rest.user"},
		{"a login that may not", plain(answering(http.StatusForbidden)), nil, "403: this login may not"},
		{"an authority that nobody knows", https.URL, nil, "set rest.ca"},
		{"a certificate for another name", https.URL, trusting(https, func(c *tls.Config) { c.ServerName = "elsewhere.invalid" }), "is for another name"},
		{"an old certificate", https.URL, trusting(https, func(c *tls.Config) { c.Time = func() time.Time { return time.Now().AddDate(200, 0, 0) } }), "has expired"},
		{"a certificate of ours is wanted", mutual.URL, trusting(mutual, nil), "set rest.cert and rest.key"},
		{"http where https is asked", strings.Replace(plain(ok), "http:", "https:", 1), nil, "it speaks plain http"},
		{"https where http is asked", jettyTLS(t), nil, "it speaks https"},
		{"a worker that is well", plain(ok), nil, ""},
		{"a worker in trouble", plain(answering(http.StatusInternalServerError)), nil, ""},
		{"nobody", "http://127.0.0.1:1", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := (&Client{HTTP: c.client}).Info(t.Context(), c.url)
			if got := Barred(err); !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("%v gives %q, want %q", err, got, c.want)
			}
		})
	}
}
