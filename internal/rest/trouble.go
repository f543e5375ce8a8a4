package rest

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
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
