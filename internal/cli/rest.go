package cli

import (
	"maps"
	"net/url"
	"strings"

	"regroup/decode"
	"regroup/internal/conn"
	"regroup/internal/observe"
	"regroup/internal/rest"
)

// restWay is how workers are called over REST: with what login, and where.
type restWay struct {
	client rest.Client
	at     func(advertised string) string
	urls   []string // workers, besides the advertised ones
}

// restWay puts flags over the context. A worker is called at the address that it advertises, or where a map sends that host.
// With addresses of their own and no fitting map, an advertised one does not work from here.
func (a *app) restWay(s conn.Settings) (restWay, error) {
	w := restWay{urls: a.flags.rest}
	if len(w.urls) == 0 {
		w.urls = s.REST.URLs
	}
	for _, u := range w.urls {
		if err := webAddress(u); err != nil {
			return w, misuse("context %s: rest.urls: %w", s.Context, err)
		}
	}
	to := maps.Clone(s.REST.Map)
	if to == nil {
		to = map[string]string{}
	}
	for _, m := range a.flags.restMap {
		host, at, _ := strings.Cut(m, "=")
		to[host] = at
	}
	w.at = func(advertised string) string { return reached(advertised, to, len(w.urls) > 0) }
	var err error
	w.client.HTTP, w.client.Prepare, err = s.REST.Client()
	return w, err
}

func reached(advertised string, to map[string]string, elsewhere bool) string {
	u, err := url.Parse(advertised)
	if err != nil {
		return ""
	}
	for _, host := range []string{u.Host, u.Hostname()} {
		if at, ok := to[host]; ok {
			return at
		}
	}
	if elsewhere {
		return ""
	}
	return advertised
}

// rest says how workers are asked while a group is observed. Without a login that works they are not: all else goes on.
func (a *app) rest(s conn.Settings) *observe.REST {
	w, err := a.restWay(s)
	if err != nil && a.screen() && !a.json() {
		return nil // a line would tear the screen apart
	}
	if err != nil {
		a.note("workers are not asked over REST: %s", decode.Printable(err.Error()))
		return nil
	}
	return &observe.REST{Client: w.client, Reach: w.at}
}
