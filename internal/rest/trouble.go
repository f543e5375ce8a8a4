package rest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// Trouble is what kind of failure an error is.
type Trouble int

// The kinds.
const (
	None       Trouble = iota
	Name               // the worker's web server takes no address with that name in it, whoever asks
	Refused            // the worker understood, and will not: invalid, not allowed, too old
	NotFound           // no such connector, task or plugin; also where a follower wraps the leader's 404 into a 500
	Exists             // a connector of that name is there already
	Conflict           // a rebalance, or an answer that never comes: a 409 has two meanings
	Rebalance          // a 500 that says that a rebalance is expected, or that tasks are still stopping
	TimedOut           // the worker gave up waiting for its herder: whether it was done is not known
	Unreached          // nothing was sent: nobody listens there, or the name is unknown
	Broken             // the connection broke, or time was up, after something was sent: whether it was done is not known
	Starting           // the worker is not ready yet
	LeaderGone         // the worker could not reach the leader
	Failed             // any other answer of a server in trouble
)

// TroubleOf tells errors of calls apart, by status and by Connect's own words.
func TroubleOf(err error) Trouble {
	var e *Error
	var old *TooOldError
	switch {
	case err == nil:
		return None
	case errors.As(err, &old):
		return Refused
	case errors.As(err, &e):
		return e.trouble()
	}
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	var strange *StrangeError
	if errors.As(err, &syntax) || errors.As(err, &shape) || errors.As(err, &strange) {
		return Failed // what answered is no worker
	}
	var op *net.OpError
	var dns *net.DNSError
	if errors.As(err, &dns) || errors.As(err, &op) && op.Op == "dial" {
		return Unreached
	}
	return Broken
}

func (e *Error) trouble() Trouble {
	words := func(phrases ...string) bool {
		text := strings.ToLower(e.Message)
		for _, w := range phrases {
			if strings.Contains(text, w) {
				return true
			}
		}
		return false
	}
	switch e.Status {
	case http.StatusBadRequest:
		if words("ambiguous uri") { // Jetty 12, so Connect 4: a slash or a percent sign within a segment
			return Name
		}
		return Refused
	case http.StatusNotFound:
		return NotFound
	case http.StatusConflict:
		if words("already exists") {
			return Exists
		}
		return Conflict
	case http.StatusServiceUnavailable:
		return Starting
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return Broken // a proxy's
	}
	if e.Status < http.StatusInternalServerError {
		return Refused
	}
	switch {
	case strings.HasPrefix(e.Message, "Request timed out"): // it may go on to say that a rebalance is under way
		return TimedOut
	case words("rebalance", "stale configuration", "conflicting operation", "haven't stopped completely yet"):
		return Rebalance
	case words("timed out", "timeout"):
		return TimedOut
	case words("already exists"):
		return Exists
	case words("forward") && words("not found"), strings.HasPrefix(e.Message, "Connector ") && words("not found"):
		return NotFound
	case words("io error trying to forward"):
		return LeaderGone
	}
	return Failed
}

// Barred says in a line why a worker lets nobody in from here, and what to do: logins and certificates stand in a context.
// "" where an error is something else.
func Barred(err error) string {
	switch StatusOf(err) {
	case http.StatusUnauthorized:
		return "401: set a login in the context: rest.user and rest.password-env, or rest.token-env"
	case http.StatusForbidden:
		return "403: this login may not: set another in the context: rest.user, or rest.token-env"
	}
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var alert tls.AlertError
	var plain tls.RecordHeaderError
	switch text := words(err); {
	case errors.As(err, &authority):
		return "its certificate is signed by nobody known here: set rest.ca in the context"
	case errors.As(err, &name):
		return "its certificate is for another name: set rest.map to that name, or rest.any-host, in the context"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired, or this clock is wrong"
	case errors.As(err, &invalid):
		return "its certificate is not valid: " + invalid.Error()
	case strings.Contains(text, "certificate required"), strings.Contains(text, "bad certificate"), strings.Contains(text, "unknown certificate authority"):
		return "it wants a certificate of ours, or another one: set rest.cert and rest.key in the context"
	case errors.As(err, &alert):
		return "it refuses TLS as spoken here: " + alert.Error()
	case errors.As(err, &plain), strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return "it speaks plain http where https is asked: check rest.urls and rest.map in the context"
	case strings.Contains(text, "malformed HTTP response \"\\x15\\x03"):
		return "it speaks https where http is asked: check rest.urls and rest.map in the context"
	}
	return ""
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TooOldError is the error of a call that a worker does not have.
type TooOldError struct {
	Call    string // what was asked: "stopping a connector"
	Since   string // the version that has it
	Worker  string // its URL
	Version string // its version; "" when it did not say
}

func (e *TooOldError) Error() string {
	is := "does not know it"
	if e.Version != "" {
		is = "is " + e.Version
	}
	return fmt.Sprintf("%s needs Kafka Connect %s: the worker at %s %s", e.Call, e.Since, e.Worker, is)
}

// lacking turns the answer of a worker that has no such call into a TooOldError. What it has and what just is not there, a
// connector say, are told apart by the words: those of the web server, or of Connect.
func (c *Client) lacking(ctx context.Context, base string, err error, call, since string) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	ofServer := e.Status == http.StatusNotFound && (strings.HasPrefix(e.Message, "HTTP 404") || e.Message == http.StatusText(e.Status))
	if e.Status != http.StatusMethodNotAllowed && !ofServer {
		return err
	}
	old := &TooOldError{Call: call, Since: since, Worker: base}
	info, failed := c.Info(ctx, base)
	if failed == nil {
		old.Version = info.Version
	}
	if old.Version != "" && !before(old.Version, since) {
		return err // it should have it: whatever answered here was no worker, or it is something else
	}
	return old
}

// needs refuses a call that an older worker would take and understand otherwise.
func (c *Client) needs(ctx context.Context, base, call, since string) error {
	info, err := c.Info(ctx, base)
	if err != nil {
		return err
	}
	if before(info.Version, since) {
		return &TooOldError{Call: call, Since: since, Worker: base, Version: info.Version}
	}
	return nil
}

// before compares versions by their first two numbers. One that is no version (a fork's name) comes before none.
func before(version, since string) bool {
	v, ok := numbers(version)
	s, _ := numbers(since)
	return ok && (v[0] < s[0] || v[0] == s[0] && v[1] < s[1])
}

func numbers(version string) (out [2]int, ok bool) {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return out, false
	}
	for i := range out {
		n, err := strconv.Atoi(parts[i])
		if err != nil {
			return out, false
		}
		out[i] = n
	}
	return out, true
}
