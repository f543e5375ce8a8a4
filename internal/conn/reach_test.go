package conn_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/internal/conn"
)

// broker is an embedded Kafka broker.
func broker(t *testing.T, opts ...kfake.Opt) string {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1)}, opts...)...)
	must(t, err)
	t.Cleanup(c.Close)
	return c.ListenAddrs()[0]
}

// reach loads properties for that broker and asks whether it answers.
func reach(t *testing.T, addr string, props ...string) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "client.properties")
	must(t, os.WriteFile(file, []byte(strings.Join(props, "\n")), 0o600))
	s, err := conn.Load(conn.Sources{Flags: conn.Given{Brokers: []string{addr}, CommandConfig: file}})
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = s.Reach(ctx)
	return err
}

// wants checks for success (want ""), or for one line that says want and neither more than one line nor a password.
func wants(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Fatalf("got %v, want an answer", err)
	case want == "":
		return
	case err == nil:
		t.Fatalf("got an answer, want %q", want)
	}
	text := err.Error()
	if !strings.Contains(text, want) || strings.Contains(text, "\n") || strings.Contains(text, "hunter2") {
		t.Fatalf("got  %s\nwant %s", text, want)
	}
}

func login(mechanism, module, user, password string) []string {
	jaas := "sasl.jaas.config=org.apache.kafka.common.security." + module + `LoginModule required username="` + user +
		`" password="` + password + `";`
	return []string{"security.protocol=SASL_PLAINTEXT", "sasl.mechanism=" + mechanism, jaas}
}

func TestLogin(t *testing.T) {
	for mechanism, module := range map[string]string{
		"PLAIN": "plain.Plain", "SCRAM-SHA-256": "scram.Scram",
		"SCRAM-SHA-512": "scram.Scram",
	} {
		t.Run(mechanism, func(t *testing.T) {
			addr := broker(t, kfake.EnableSASL(), kfake.Superuser(mechanism, "alice", `pa"ss\hunter2`))
			// The properties file takes one level of backslashes, the JAAS text another.
			wants(t, reach(t, addr, login(mechanism, module, "alice", `pa\\"ss\\\\hunter2`)...), "")
			refused := `the broker closed the connection; it may refuse the login of "alice" with ` + mechanism
			wants(t, reach(t, addr, login(mechanism, module, "alice", "hunter2")...), refused)
			wants(t, reach(t, addr, login(mechanism, module, "bob", "hunter2")...), `refuse the login of "bob"`)
			wants(t, reach(t, addr), "it may want TLS or a login: set security.protocol")
		})
	}
}

// Kafka answers a refused login with an error; the embedded broker just closes, so the answer is put into its mouth.
func TestLoginAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		code int16
		want string
	}{
		"refused": {kerr.SaslAuthenticationFailed.Code, `the broker refuses the login of "alice" with PLAIN: wrong user or password; check both in `},
		"no SASL": {kerr.IllegalSaslState.Code, "the broker wants no login on this port; set security.protocol without SASL_"},
	} {
		t.Run(name, func(t *testing.T) {
			cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.EnableSASL(), kfake.Superuser("PLAIN", "alice", "secret"))
			must(t, err)
			t.Cleanup(cluster.Close)
			cluster.ControlKey(int16(kmsg.SASLAuthenticate), func(req kmsg.Request) (kmsg.Response, error, bool) {
				resp := req.ResponseKind().(*kmsg.SASLAuthenticateResponse)
				resp.ErrorCode = c.code
				return resp, nil, true
			})
			wants(t, reach(t, cluster.ListenAddrs()[0], login("PLAIN", "plain.Plain", "alice", "hunter2")...), c.want)
		})
	}
	addr := broker(t, kfake.EnableSASL(), kfake.Superuser("PLAIN", "alice", "secret"))
	wants(t, reach(t, addr, login("SCRAM-SHA-256", "scram.Scram", "alice", "hunter2")...), "SCRAM-SHA-256")
}

func TestTLS(t *testing.T) {
	ca, stranger := newAuthority(t, "Test CA"), newAuthority(t, "Stranger CA")
	dir := t.TempDir()
	writeStores(t, dir, ca)
	trust := []string{"security.protocol=SSL", "ssl.truststore.location=" + filepath.Join(dir, "ca.pem")}
	p12 := []string{
		"security.protocol=SSL", "ssl.truststore.location=" + filepath.Join(dir, "trust.p12"),
		"ssl.truststore.password=changeit",
	}
	own := "ssl.keystore.location=" + filepath.Join(dir, "client.pem")
	anyHost := "ssl.endpoint.identification.algorithm="

	sound := broker(t, kfake.TLS(ca.serve(time.Hour, "127.0.0.1")))
	otherName := broker(t, kfake.TLS(ca.serve(time.Hour, "kafka.example")))
	expired := broker(t, kfake.TLS(ca.serve(-time.Minute, "127.0.0.1")))
	unknown := broker(t, kfake.TLS(stranger.serve(time.Hour, "127.0.0.1")))
	mutual := broker(t, kfake.TLS(ca.clientCertificates(ca.serve(time.Hour, "127.0.0.1"))))
	plain := broker(t)

	for name, c := range map[string]struct {
		addr  string
		props []string
		want  string
	}{
		"trusted":             {sound, trust, ""},
		"trusted by PKCS12":   {sound, p12, ""},
		"system's roots":      {sound, trust[:1], "certificate is not trusted; set ssl.truststore.location"},
		"not trusted":         {unknown, trust, "certificate is not trusted; the trust store (CN=Test CA, of "},
		"other name":          {otherName, trust, "certificate is for kafka.example, not for 127.0.0.1; name the broker so"},
		"any name":            {otherName, append(trust, anyHost), ""},
		"any name, stranger":  {unknown, append(trust, anyHost), "certificate is not trusted"},
		"expired":             {expired, trust, "certificate has expired"},
		"mutual":              {mutual, append(trust, own), ""},
		"mutual, none shown":  {mutual, trust, "set ssl.keystore.location"},
		"plain against TLS":   {sound, nil, "it may want TLS or a login: set security.protocol"},
		"TLS against plain":   {plain, append(trust, "socket.connection.setup.timeout.ms=1000"), "the broker does not speak TLS on this port"},
		"login against plain": {plain, login("PLAIN", "plain.Plain", "alice", "hunter2"), "it may refuse the login"},
	} {
		t.Run(name, func(t *testing.T) { wants(t, reach(t, c.addr, c.props...), c.want) })
	}
}

func TestNobodyAnswers(t *testing.T) {
	addr := closedPort(t)
	wants(t, reach(t, addr), addr+": no broker answers: connection refused; is the address right, and the broker up?")
	for answer, want := range map[string]string{
		"\x00\x00\x10\x00abc":          "the broker closed the connection in the middle of an answer; is it stopping, or is it no Kafka broker?",
		"HTTP/1.1 400 Bad Request\r\n": "what answers is no Kafka broker: invalid large response size 1213486160 > limit 104857600; is the port right?",
		"\xff\xff\xff\xff\x1b[2J":      "what answers is no Kafka broker: invalid negative response size -1; is the port right?",
	} {
		addr := answering(t, answer)
		wants(t, reach(t, addr), addr+": "+want)
	}
	wants(t, reach(t, "no-such-host.invalid:9092"), "no broker answers: the name no-such-host.invalid is not known")
}

// The Kafka client's own words go to the log and nowhere else; they hold no password.
func TestLog(t *testing.T) {
	var log bytes.Buffer
	s := conn.Settings{
		Brokers: []string{closedPort(t)}, SASL: &conn.SASL{Mechanism: "PLAIN", User: "alice", Password: "hunter2"},
		Log: &log,
	}
	_, err := s.Reach(t.Context())
	wants(t, err, "connection refused")
	if log.Len() == 0 || strings.Contains(log.String(), "hunter2") {
		t.Fatalf("log: %q", log.String())
	}
	if shown := fmt.Sprintf("%v %+v %#v", s, *s.SASL, *s.SASL); strings.Contains(shown, "hunter2") {
		t.Fatalf("shown: %s", shown)
	}
}

// answering is an address where whoever says anything is told the same, and hung up on.
func answering(t *testing.T, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 4096))
			_, _ = io.WriteString(c, answer)
			_ = c.Close()
		}
	}()
	return l.Addr().String()
}

// closedPort is an address where nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, l.Close())
	return l.Addr().String()
}

// A cluster has one id, whichever address it is reached at.
func TestClusterID(t *testing.T) {
	s := conn.Settings{Brokers: []string{broker(t, kfake.ClusterID("prod-1"))}}
	if id, err := s.ClusterID(t.Context()); err != nil || id != "prod-1" {
		t.Fatalf("cluster %q, %v", id, err)
	}
	s.Brokers = []string{closedPort(t)}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if id, err := s.ClusterID(ctx); err == nil {
		t.Fatalf("cluster %q of nobody", id)
	}
}
