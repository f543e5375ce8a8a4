package act

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"regroup/decode"
	"regroup/group"
)

// FindWorker finds a worker of the group by its name, client id, URL, host:port or member id; its host, or the beginning of its
// member id, will do where that fits one alone.
func FindWorker(s *group.State, spec string) (group.Worker, error) {
	if spec == "" {
		return group.Worker{}, fmt.Errorf("which worker? %s", present(s))
	}
	match := []func(w *group.Worker) bool{
		func(w *group.Worker) bool { return w.ID == spec },
		func(w *group.Worker) bool { return w.Name == spec },
		func(w *group.Worker) bool { return w.Client == spec },
		func(w *group.Worker) bool {
			return strings.TrimRight(w.URL, "/") == strings.TrimRight(spec, "/") || HostPort(w.URL) == spec
		},
		func(w *group.Worker) bool { return hostName(w.URL) == spec },
		func(w *group.Worker) bool { return strings.HasPrefix(w.ID, spec) },
	}
	for _, fits := range match {
		var found []group.Worker
		for i := range s.Workers {
			if w := &s.Workers[i]; !w.Gone && fits(w) {
				found = append(found, *w)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			var ids []string
			for _, w := range found {
				ids = append(ids, w.ID)
			}
			return group.Worker{}, fmt.Errorf("worker %q: %d of them; name one by its member id: %s", decode.Printable(spec), len(found),
				decode.Printable(strings.Join(ids, ", ")))
		}
	}
	if i := slices.IndexFunc(s.Workers, func(w group.Worker) bool { return w.Gone && (w.Name == spec || w.Client == spec || w.ID == spec) }); i >= 0 {
		return group.Worker{}, fmt.Errorf("worker %q: it has left the group; %s", decode.Printable(spec), present(s))
	}
	return group.Worker{}, fmt.Errorf("worker %q: there is none; %s", decode.Printable(spec), present(s))
}

func present(s *group.State) string {
	var names []string
	for _, w := range s.Workers {
		if !w.Gone {
			names = append(names, decode.Printable(w.Name))
		}
	}
	if len(names) == 0 {
		return "the group has no workers"
	}
	return "there are " + strings.Join(names, ", ")
}

// HostPort is the address in a worker's URL; "" when there is none.
func HostPort(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}

func hostName(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// Members are the ids of those who are in the group.
func Members(s *group.State) map[string]bool {
	out := map[string]bool{}
	if s != nil {
		for _, w := range s.Workers {
			out[w.ID] = !w.Gone
		}
	}
	return out
}

// Again finds the member that a worker is now: the one with its client id and its URL.
func Again(s *group.State, was group.Worker) (group.Worker, bool) {
	for _, w := range s.Workers {
		if !w.Gone && w.Client == was.Client && w.URL == was.URL {
			return w, true
		}
	}
	return group.Worker{}, false
}
