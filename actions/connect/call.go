package connect

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"regroup/actions/act"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/rest"
)

const (
	// callLimit is longer than a worker itself waits for its herder (90 s): its own answer says more than a broken connection.
	callLimit = 100 * time.Second
	// lookLimit is for what changes nothing, while there are others to ask: a worker may be frozen, or its herder blocked.
	lookLimit = 8 * time.Second
	// tries bounds how often a call is sent while the group is busy: with the pauses between them about two minutes.
	tries = 30
	// laps bounds how often every address is tried while nobody answers at all: about ten seconds.
	laps = 4
)

// call is one request, to whichever worker takes it.
type call struct {
	what string // "pause sink-a", for people
	do   func(ctx context.Context, base string) error
	// done looks whether it is as wanted, after an answer that leaves open whether it was done; nil: it does no harm twice.
	done func(ctx context.Context, base string) (bool, error)
	// owner: the worker that holds it may have to answer, and is asked itself where others do not find it: passing a call on, a
	// worker does not escape the name again, so one with a slash, a percent sign or a semicolon gets lost.
	owner bool
	// looks: it changes nothing, so a worker that takes long need not be waited for.
	looks bool
	// once: it cannot be looked up whether it was done, and must not be done twice.
	once bool
}

// BusyError is the error of a call that workers refused for as long as it was tried: the group did not come to rest.
type BusyError struct {
	What  string
	Tries int
	Err   error // the last answer
}

func (b *BusyError) Error() string {
	return fmt.Sprintf("%s: refused %d times, the last time with: %v; either the group never comes to rest, or its workers do not reach their leader: regroup doctor tells",
		b.What, b.Tries, b.Err)
}

func (b *BusyError) Unwrap() error { return b.Err }

// send sends a call, to the leader first, and tries again where that may help. It gives who took it.
func (k *Client) send(ctx context.Context, tell func(string), c call) (Endpoint, error) {
	s := sender{k: k, c: c, tell: tell, clash: k.newClash()}
	for {
		endpoints := k.endpoints()
		if len(endpoints) == 0 {
			return Endpoint{}, fmt.Errorf("%s: group %s: %s", c.what, decode.Printable(k.Group), k.nowhere())
		}
		endpoint := endpoints[s.turn%len(endpoints)]
		finished, err := s.once(ctx, endpoint, len(endpoints))
		if finished {
			return endpoint, err
		}
	}
}

// sender is a call on its way.
type sender struct {
	k    *Client
	c    call
	tell func(string)

	turn      int  // which endpoint is next
	pauses    int  // so far, for the length of the next
	refused   int  // 409s, and the 500 of a rebalance
	names     int  // endpoints that did not take the name, or did not find it
	unreached int  // endpoints in a row that did not answer
	passed    int  // endpoints that took too long for a look
	open      bool // an earlier try may have done it
	silent    []error
	clash     *clash
}

// once tries one endpoint, and says whether that was the end.
func (s *sender) once(ctx context.Context, endpoint Endpoint, endpoints int) (finished bool, err error) {
	limit := callLimit
	if s.c.looks && s.passed < endpoints-1 {
		limit = lookLimit
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err = s.c.do(limited, endpoint.URL)
	trouble := rest.TroubleOf(err)
	if limit == lookLimit && errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil && err != nil {
		s.passed++
		s.turn = 0 // who is mute comes last from now on
		s.k.mute.add(endpoint.URL)
		s.tell(fmt.Sprintf("%s: %s has not answered for %s; trying another worker", s.c.what, endpoint, lookLimit))
		return false, nil
	}
	if ctx.Err() != nil {
		return true, fmt.Errorf("%s: %w", s.c.what, errors.Join(ctx.Err(), s.unknown(trouble)))
	}
	if trouble != rest.Unreached {
		s.unreached, s.silent = 0, nil
	}
	switch trouble {
	case rest.None:
		s.k.mute.remove(endpoint.URL)
		return true, nil
	case rest.Conflict, rest.Rebalance:
		return s.conflict(ctx, endpoint, err)
	case rest.TimedOut, rest.Broken:
		return s.leftOpen(ctx, endpoint, err)
	case rest.Name: // an older worker may take it
		if s.names++; s.names < endpoints {
			s.turn++
			return false, nil
		}
	case rest.Unreached, rest.Starting, rest.LeaderGone:
		return s.elsewhere(ctx, endpoint, endpoints, err)
	case rest.NotFound, rest.Exists:
		if s.open && s.isDone(limited, endpoint) {
			return true, nil
		}
		if s.c.owner && trouble == rest.NotFound {
			if s.names++; s.names < endpoints {
				s.turn++
				return false, nil
			}
		}
	}
	if code := rest.StatusOf(err); code == http.StatusUnauthorized || code == http.StatusForbidden {
		return true, fmt.Errorf("%s: %w; a login is given in a context: rest.user and rest.password-env, or rest.token-env", s.c.what, err)
	}
	return true, fmt.Errorf("%s: %w", s.c.what, err)
}

// conflict: a worker says that a rebalance is in the way.
func (s *sender) conflict(ctx context.Context, endpoint Endpoint, err error) (bool, error) {
	s.refused++
	if problem := s.clash.found(s.refused, endpoint, err); problem != nil && rest.StatusOf(err) == http.StatusConflict {
		return true, fmt.Errorf("%s: %w", s.c.what, problem)
	}
	if s.refused >= tries {
		return true, &BusyError{s.c.what, s.refused, err}
	}
	s.turn++
	why := fmt.Sprintf("%s: %s answers %d, as it does in a rebalance", s.c.what, endpoint, rest.StatusOf(err))
	if rest.TroubleOf(err) == rest.Rebalance {
		why = fmt.Sprintf("%s: %s is not ready for it yet (%d)", s.c.what, endpoint, rest.StatusOf(err))
	}
	return s.pause(ctx, why)
}

// leftOpen: whether it was done is not known, so it is looked up.
func (s *sender) leftOpen(ctx context.Context, endpoint Endpoint, err error) (bool, error) {
	s.open = true
	if s.c.once {
		return true, fmt.Errorf("%s: whether it was done is not known: %w", s.c.what, err)
	}
	s.refused++
	limited, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	if s.isDone(limited, endpoint) {
		s.tell(fmt.Sprintf("%s: %s gave no good answer, and it is done all the same", s.c.what, endpoint))
		return true, nil
	}
	if s.refused >= tries {
		return true, fmt.Errorf("%s: not done, in %d tries: %w", s.c.what, s.refused, err)
	}
	s.turn++
	return s.pause(ctx, fmt.Sprintf("%s: no good answer of %s, and it is not done", s.c.what, endpoint))
}

// isDone asks the other endpoints too: the one that gave no answer may give none again.
func (s *sender) isDone(ctx context.Context, endpoint Endpoint) bool {
	if s.c.done == nil {
		return false
	}
	others := slices.DeleteFunc(s.k.endpoints(), func(o Endpoint) bool { return o.URL == endpoint.URL })
	for _, other := range append([]Endpoint{endpoint}, others...) {
		if done, err := s.c.done(ctx, other.URL); err == nil {
			return done
		}
	}
	return false
}

// elsewhere: this worker cannot, another one may.
func (s *sender) elsewhere(ctx context.Context, endpoint Endpoint, endpoints int, err error) (bool, error) {
	s.unreached++
	s.turn++
	s.silent = append(s.silent, fmt.Errorf("%s: %w", endpoint, err))
	if s.unreached%endpoints != 0 {
		s.tell(fmt.Sprintf("%s: %s cannot take it; trying another worker", s.c.what, endpoint))
		return false, nil
	}
	if s.unreached >= laps*endpoints {
		return true, fmt.Errorf("%s: no worker took it: %w", s.c.what, errors.Join(s.silent[len(s.silent)-endpoints:]...))
	}
	return s.pause(ctx, fmt.Sprintf("%s: no worker answers", s.c.what))
}

// pause waits a little longer each time, five seconds at most.
func (s *sender) pause(ctx context.Context, why string) (bool, error) {
	d := 5 * time.Second
	if s.pauses < 5 {
		d = 250 * time.Millisecond << s.pauses
	}
	s.pauses++
	s.tell(fmt.Sprintf("%s; trying again in %s", why, d))
	wait := s.k.Wait
	if wait == nil {
		wait = act.Sleep
	}
	if err := wait(ctx, d); err != nil {
		return true, fmt.Errorf("%s: %w", s.c.what, err)
	}
	return false, nil
}

// unknown says that a call which was broken off may have been done.
func (s *sender) unknown(t rest.Trouble) error {
	if t == rest.Broken || s.open {
		return errors.New("whether it was done is not known")
	}
	return nil
}

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
	k     *Client
	seq   int // of the newest round at the first 409
	moved bool
}

// standsStill is how many 409s a group that stands still may give: a change of the configuration is in the way for a moment,
// and its phase is polled every five seconds only.
const standsStill = 6

func (k *Client) newClash() *clash { return &clash{k: k, seq: -1} }

// found says that it is an address problem; nil while a rebalance may explain it.
func (c *clash) found(nth int, endpoint Endpoint, answer error) *AddressError {
	s := c.k.state()
	if s == nil || s.Round() == nil {
		return nil
	}
	if nth == 1 {
		c.seq = act.Newest(s)
	}
	if s.Phase != "Stable" || act.Newest(s) != c.seq {
		c.moved = true
		c.seq = act.Newest(s)
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
	case len(hosts) > 1 && strings.Contains(s.Round().LeaderURL, "localhost"):
		return fmt.Sprintf("the leader advertises %s, which each worker takes for itself; set rest.advertised.host.name", at)
	}
	return ""
}
