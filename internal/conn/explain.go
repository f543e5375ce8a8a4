package conn

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/decode"
)

// Explain says in one line what a failed connection means and what to change. Errors that are no connection's come back as
// they are; nil stays nil.
func (s Settings) Explain(err error) error {
	if err == nil {
		return nil
	}
	for _, reason := range []func(error) string{s.login, s.certificate, s.layers} {
		if text := reason(err); text != "" {
			return &ConnectError{Brokers: s.Brokers, Reason: text, Lasting: true, Err: err}
		}
	}
	if text := s.network(err); text != "" {
		return &ConnectError{Brokers: s.Brokers, Reason: text, Err: err}
	}
	return err
}

// ConnectError is a connection that failed for a known reason. Its text is one line; the cause stands behind it.
type ConnectError struct {
	Brokers []string
	Reason  string
	Lasting bool // settings and broker do not fit: to try again is no use
	Err     error
}

func (e *ConnectError) Error() string {
	return decode.Printable(strings.Join(e.Brokers, ",") + ": " + e.Reason)
}

// Unwrap gives the error that the Kafka client gave.
func (e *ConnectError) Unwrap() error { return e.Err }

// login: the broker was reached and refuses who we are.
func (s Settings) login(err error) string {
	switch {
	case s.SASL == nil:
		if errors.Is(err, kerr.SaslAuthenticationFailed) || errors.Is(err, kerr.IllegalSaslState) {
			return "the broker wants a login; set security.protocol, sasl.mechanism and sasl.jaas.config"
		}
		return ""
	case errors.Is(err, kerr.SaslAuthenticationFailed):
		return fmt.Sprintf("the broker refuses the login of %q with %s: wrong user or password; check both in %s", s.SASL.User, s.SASL.Mechanism,
			cmp.Or(s.SASL.From, keyJAAS))
	case errors.Is(err, kerr.UnsupportedSaslMechanism):
		return fmt.Sprintf("the broker does not offer %s; set sasl.mechanism to one that it does", s.SASL.Mechanism)
	case errors.Is(err, kerr.IllegalSaslState):
		return "the broker wants no login on this port; set security.protocol without SASL_, or name another port"
	}
	return ""
}

// certificate: TLS is spoken, and one side does not believe the other.
func (s Settings) certificate(err error) string {
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	var alert tls.AlertError
	switch {
	case errors.As(err, &host):
		return fmt.Sprintf("the broker's certificate is for %s, not for %s; name the broker so, or set "+
			"ssl.endpoint.identification.algorithm= to check no name", names(host.Certificate), host.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the broker's certificate has expired, or is not valid yet: " + invalid.Detail
	case errors.As(err, &invalid):
		return "the broker's certificate is not valid: " + invalid.Error()
	case errors.As(err, &unknown):
		hint := "set ssl.truststore.location to a store with its authority"
		if s.TLS != nil && s.TLS.Config != nil && s.TLS.Config.RootCAs != nil {
			hint = "the trust store (" + s.TLS.Trust + ") lacks its authority"
		}
		return "the broker's certificate is not trusted; " + hint
	case errors.As(err, &alert) || strings.Contains(err.Error(), "remote error: tls:"):
		return "the broker refuses our side of TLS: " + lastPart(err) + "; does it want a client certificate? set ssl.keystore.location"
	}
	return ""
}

// layers: one side speaks TLS or SASL and the other does not.
func (s Settings) layers(err error) string {
	var header tls.RecordHeaderError
	var eof *kgo.ErrFirstReadEOF
	var hand *handshakeError
	switch {
	case errors.As(err, &header), errors.As(err, &hand) && (hand.Timeout() || errors.Is(err, io.EOF)):
		return "the broker does not speak TLS on this port; set security.protocol without SSL, or name another port"
	case strings.Contains(err.Error(), "tls alert record"):
		return "the broker speaks TLS on this port; set security.protocol to SSL or SASL_SSL"
	case errors.As(err, &eof) && s.TLS == nil && s.SASL == nil:
		return "the broker closes the connection at once; it may want TLS or a login: set security.protocol"
	case errors.As(err, &eof) && s.TLS == nil:
		return "the broker closes the connection at once; it may want TLS: set security.protocol to SASL_SSL"
	case errors.As(err, &eof) && s.SASL == nil:
		return "the broker closes the connection at once; it may want a login: set security.protocol to SASL_SSL"
	case errors.Is(err, io.EOF) && s.SASL != nil:
		// Kafka says so before it closes; others, and Kafka without SASL on that port, just close.
		return fmt.Sprintf("the broker closed the connection; it may refuse the login of %q with %s", s.SASL.User, s.SASL.Mechanism)
	}
	return ""
}

// noneAnswers begins the reasons of a network.
const noneAnswers = "no broker answers: "

// network: nobody answers.
func (s Settings) network(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns):
		return fmt.Sprintf(noneAnswers+"the name %s is not known (%s)", dns.Name, dns.Err)
	case errors.As(err, &op):
		if op.Timeout() {
			return noneAnswers + "the time to connect ran out; is the address right, and the way open?"
		}
		return noneAnswers + "" + lastPart(err) + "; is the address right, and the broker up?"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the broker closed the connection in the middle of an answer; is it stopping, or is it no Kafka broker?"
	case errors.Is(err, io.EOF):
		return "the broker closed the connection"
	case strings.Contains(err.Error(), "response size "): // the Kafka client gives these no type
		return "what answers is no Kafka broker: " + strings.Join(strings.Fields(firstPart(err)), " ") + "; is the port right?"
	case errors.Is(err, context.DeadlineExceeded):
		return noneAnswers + "the time ran out; is the address right, and the broker up?"
	}
	return ""
}

// names are those that a certificate is for.
func names(c *x509.Certificate) string {
	out := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		out = append(out, ip.String())
	}
	if len(out) == 0 {
		return "no name"
	}
	return strings.Join(out, ", ")
}

// firstPart is an error without what follows a colon or a semicolon.
func firstPart(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, "invalid "); i > 0 {
		text = text[i:]
	}
	text, _, _ = strings.Cut(text, ";")
	text, _, _ = strings.Cut(text, ":")
	return text
}

// lastPart is what stands after the last colon: the cause without the addresses that led to it.
func lastPart(err error) string {
	parts := strings.Split(err.Error(), ": ")
	return parts[len(parts)-1]
}
