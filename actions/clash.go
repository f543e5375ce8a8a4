package actions

import (
	"fmt"
	"strings"

	"regroup/decode"
	"regroup/group"
)

// AddressError is a 409 that no waiting mends. A worker that does not lead passes a call on to the leader's address, and one
// that was passed on twice without finding the leader is answered with 409 and the words of a rebalance, also in a group
// that stands still.
type AddressError struct {
	Endpoint Endpoint
	Why      string
	Err      error // the answer
}

func (a *AddressError) Error() string {
	return fmt.Sprintf("%s answers 409 though the group stands still, so it is an address problem and no rebalance: %s (its answer: %v)",
		a.Endpoint, a.Why, a.Err)
}

func (a *AddressError) Unwrap() error { return a.Err }

// clash tells the two meanings of 409 apart: while it is asked, has the group stood still?
type clash struct {
	k     *ConnectClient
	seq   int // of the newest round at the first 409
	moved bool
}

// standsStill is how many 409s a group that stands still may give: a change of the configuration is in the way for a moment,
// and its phase is polled every five seconds only.
const standsStill = 6

func (k *ConnectClient) newClash() *clash { return &clash{k: k, seq: -1} }

// found says that it is an address problem; nil while a rebalance may explain it.
func (c *clash) found(nth int, endpoint Endpoint, answer error) *AddressError {
	s := c.k.state()
	if s == nil || s.Round() == nil {
		return nil
	}
	if nth == 1 {
		c.seq = Newest(s)
	}
	if s.Phase != "Stable" || Newest(s) != c.seq {
		c.moved = true
		c.seq = Newest(s)
	}
	shared := sharedLeader(s)
	switch {
	case c.moved && nth < tries/2:
		return nil
	case shared != "" && nth >= 2:
		return &AddressError{endpoint, shared, answer}
	case nth < standsStill, c.moved:
		return nil
	}
	return &AddressError{endpoint, fmt.Sprintf("the leader is not found at %s, which it advertises: does that name lead to another worker, or proxy?",
		decode.Printable(s.Round().LeaderURL)), answer}
}

// sharedLeader says that the leader's address is also another's; "" where it is not.
func sharedLeader(s *group.State) string {
	var names []string
	hosts := map[string]bool{}
	for _, w := range s.Workers {
		if w.Gone {
			continue
		}
		hosts[w.Host] = true
		if w.URL == s.Round().LeaderURL {
			names = append(names, decode.Printable(w.Name))
		}
	}
	at := decode.Printable(s.Round().LeaderURL)
	switch {
	case len(names) > 1:
		return fmt.Sprintf("%s all advertise %s, the leader's address, so a call for the leader reaches any of them; give each its own rest.advertised.host.name",
			strings.Join(names, ", "), at)
	case len(hosts) > 1 && strings.Contains(hostPort(s.Round().LeaderURL), "localhost"):
		return fmt.Sprintf("the leader advertises %s, which each worker takes for itself; set rest.advertised.host.name", at)
	}
	return ""
}
