package group

import (
	"net/url"
	"slices"
)

// identify gives every member of a record its worker number: the same as before while client id and URL are the same.
// Members of one round that share both are told apart by member id.
func (l *ledger) identify(members []joined) {
	t := l.tables
	sharing := map[workerKey]int{}
	for i := range members {
		sharing[workerKey{members[i].client, members[i].url}]++
	}
	taken := map[int32]bool{}
	for pass := range 2 { // those whose member id is known come first
		for i := range members {
			m := &members[i]
			w, same := l.prevMember[m.id]
			if pass == 0 {
				m.worker = -1
				if same && t.members[w].client == m.client && (m.url == t.members[w].url || m.problem != "") {
					m.url = t.members[w].url
					m.worker = t.members[w].worker
					taken[m.worker] = true
				}
				continue
			}
			if m.worker >= 0 {
				continue
			}
			k := workerKey{m.client, m.url}
			candidates := t.workerIDs[k]
			if at := slices.IndexFunc(candidates, func(w int32) bool { return !taken[w] }); at >= 0 {
				m.worker = candidates[at]
				if sharing[k] == 1 { // of several that once shared a name, the one of the round before
					for _, w := range candidates {
						if _, held := l.held[w]; held && !taken[w] {
							m.worker = w
							break
						}
					}
				}
			} else {
				m.worker = t.newWorker(k)
			}
			taken[m.worker] = true
		}
	}
}

// shortNames gives each member its client id where that is unique, else host:port, else the end of its member id.
func shortNames(members []memberInfo) []string {
	clients, hosts := map[string]int{}, map[string]int{}
	for _, m := range members {
		clients[m.client]++
		hosts[hostPort(m.url)]++
	}
	names := make([]string, len(members))
	for i, m := range members {
		switch h := hostPort(m.url); {
		case clients[m.client] == 1 && m.client != "":
			names[i] = m.client
		case h != "" && hosts[h] == 1:
			names[i] = h
		default:
			names[i] = m.id[max(0, len(m.id)-8):]
		}
	}
	return names
}

// hostPort is the host:port of an advertised URL, "" where there is none (NOTUSED, empty, not a URL).
func hostPort(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}
