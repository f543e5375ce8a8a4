package connect

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"regroup/actions/act"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/rest"
)

// Client acts on the connectors of one group, over the REST interfaces of its workers.
type Client struct {
	Group  string
	Client rest.Client
	// Watch knows the workers, which of them leads, and whether the group moves. nil: nobody observes the group; then only
	// Extra is called, and nothing can be foreseen.
	Watch *act.Watch
	// Reach maps an advertised address to one that works from here, "" where none does; nil changes nothing.
	Reach func(advertised string) string
	// Extra are addresses besides the advertised ones (--rest).
	Extra []string
	// Tell takes what is tried again while something is asked; nil: nobody does.
	Tell func(string)

	Wait func(context.Context, time.Duration) error // waits between tries; nil: by the clock

	mute mute
}

// mute are the addresses that gave no answer in time, and none since: others are called first.
type mute struct {
	mu   sync.Mutex
	urls map[string]bool
}

func (m *mute) add(url string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.urls == nil {
		m.urls = map[string]bool{}
	}
	m.urls[url] = true
}

func (m *mute) remove(url string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.urls, url)
}

func (m *mute) has(url string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.urls[url]
}

// Endpoint is a worker's REST interface, as it is reached from here.
type Endpoint struct {
	Name   string // the worker's; its address where that is all that is known
	URL    string // where it is called
	Leader bool
}

// String names the worker, and where it was called.
func (s Endpoint) String() string {
	if s.Name == "" || s.Name == s.URL {
		return decode.Printable(s.URL)
	}
	return decode.Printable(s.Name + " (" + s.URL + ")")
}

// endpoints lists whom to call, the leader first: what only it can do is then passed on by nobody. Who is mute comes last.
func (k *Client) endpoints() []Endpoint {
	var out []Endpoint
	add := func(s Endpoint) {
		if s.URL != "" && !slices.ContainsFunc(out, func(o Endpoint) bool { return sameAddress(o.URL, s.URL) }) {
			out = append(out, s)
		}
	}
	workers := k.workers()
	if s := k.state(); s != nil && s.NoPublicREST() != "" {
		workers = nil
	}
	for _, lead := range []bool{true, false} {
		for _, w := range workers {
			if w.Leader == lead && callable(w.URL) {
				add(Endpoint{w.Name, k.at(w.URL), lead})
			}
		}
	}
	for _, u := range k.Extra {
		add(Endpoint{u, u, false})
	}
	slices.SortStableFunc(out, func(a, b Endpoint) int { return order(k.mute.has(a.URL)) - order(k.mute.has(b.URL)) })
	return out
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

func (k *Client) at(advertised string) string {
	if k.Reach == nil {
		return advertised
	}
	return k.Reach(advertised)
}

func (k *Client) state() *group.State {
	if k.Watch == nil {
		return nil
	}
	return k.Watch.State()
}

func (k *Client) workers() (out []group.Worker) {
	s := k.state()
	if s == nil {
		return nil
	}
	for _, w := range s.Workers {
		if !w.Gone {
			out = append(out, w)
		}
	}
	return out
}

// callable says whether an advertised URL is one at all: dedicated mirroring writes the word NOTUSED, others null or port -1.
func callable(advertised string) bool {
	u, err := url.Parse(advertised)
	return err == nil && u.Hostname() != "" && u.Hostname() != "null" && (u.Scheme == "http" || u.Scheme == "https") && u.Port() != "0"
}

func sameAddress(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }

// nowhere says why nobody can be called.
func (k *Client) nowhere() string {
	workers := k.workers()
	switch {
	case k.Watch == nil:
		return "no worker's address is given: give --rest URL"
	case len(workers) == 0:
		return "it has no workers"
	case k.state().NoPublicREST() != "":
		return k.state().NoPublicREST()
	}
	var urls []string
	for _, w := range workers {
		urls = append(urls, decode.Printable(w.URL))
	}
	return "no address of its workers works from here (" + strings.Join(urls, ", ") + "): give --rest URL or --rest-map HOST=URL"
}
