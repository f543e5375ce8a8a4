package cli

import (
	"net/url"
	"strings"

	"regroup/observe"
)

// rest says how workers are asked over REST: at the address that they advertise, or where --rest-map sends that host. With
// --rest and no fitting --rest-map a worker is not asked one by one: its advertised address does not work from here.
func (a *app) rest() *observe.REST {
	to := map[string]string{}
	for _, m := range a.flags.restMap {
		host, at, _ := strings.Cut(m, "=")
		to[host] = at
	}
	elsewhere := len(a.flags.rest) > 0
	return &observe.REST{Reach: func(advertised string) string {
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
	}}
}
