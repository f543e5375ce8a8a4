package decode

import (
	"cmp"
	"encoding/json"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Instance is the task number that stands for the connector instance itself on the wire.
const Instance int32 = -1

// Unit is what an assignment hands out: a connector's instance, or one of its tasks.
type Unit struct {
	Connector string
	Task      int32 // Instance, or 0, 1, …
}

// IsInstance says whether u is the connector's instance rather than a task.
func (u Unit) IsInstance() bool { return u.Task == Instance }

// String prints a task as "sink-a 3" and an instance as "sink-a c".
func (u Unit) String() string {
	if u.IsInstance() {
		return u.Connector + " c"
	}
	return u.Connector + " " + strconv.Itoa(int(u.Task))
}

// Compare orders units by connector name (bytes), the instance before the tasks.
func (u Unit) Compare(v Unit) int {
	if c := strings.Compare(u.Connector, v.Connector); c != 0 {
		return c
	}
	return cmp.Compare(u.Task, v.Task)
}

// SortUnits sorts in place by Unit.Compare and returns its argument.
func SortUnits(units []Unit) []Unit {
	slices.SortFunc(units, Unit.Compare)
	return units
}

type unitJSON struct {
	Connector string `json:"connector"`
	Task      *int32 `json:"task"`
}

// MarshalJSON writes {"connector":"sink-a","task":0}; an instance has "task":null.
func (u Unit) MarshalJSON() ([]byte, error) {
	out := unitJSON{Connector: u.Connector}
	if !u.IsInstance() {
		out.Task = &u.Task
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (u *Unit) UnmarshalJSON(b []byte) error {
	var in unitJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	u.Connector, u.Task = in.Connector, Instance
	if in.Task != nil {
		u.Task = *in.Task
	}
	return nil
}

// WorkerID is the worker_id of a status record, split into its parts. A distributed worker writes HOST:PORT. MirrorMaker in a
// process of its own writes HOST:PORT/SRC->DST with internal REST, HOST/SRC->DST/UUID without it, and SRC->DST before 3.5.
type WorkerID struct {
	Address string // host:port; "" when the id has none, as in "null:-1"
	Flow    string // SRC->DST; "" outside MirrorMaker
	Process string // UUID of the process; "" where it has an address
}

// ParseWorkerID splits a worker id into its parts.
func ParseWorkerID(id string) WorkerID {
	var w WorkerID
	head, tail, slash := strings.Cut(id, "/")
	switch {
	case slash:
		w.Flow, w.Process, _ = strings.Cut(tail, "/")
	case strings.Contains(id, "->"):
		w.Flow, head = id, ""
	}
	if i := strings.LastIndexByte(head, ':'); i > 0 && head[:i] != "null" && isPort(head[i+1:]) && javaReads(head[:i]) {
		w.Address = head
	}
	return w
}

// FlowOf returns the pair of clusters between which a member mirrors, SRC->DST: nodes of MirrorMaker have it as client id. Before 3.5 they
// advertise the source alone, and it is SRC->. It is "" for any other member.
func FlowOf(client, advertised string) string {
	if strings.Contains(client, "->") {
		return client
	}
	if source, ok := strings.CutPrefix(advertised, "NOTUSED/"); ok && source != "" {
		return source + "->"
	}
	return ""
}

// Mirrors reports whether a worker id names the pair that FlowOf gives of a member.
func (w WorkerID) Mirrors(flow string) bool {
	return w.Flow == flow || strings.HasSuffix(flow, "->") && strings.HasPrefix(w.Flow, flow)
}

// AdvertisedAddress returns the host:port that a worker finds in its own advertised URL, which is how its statuses name it. It is ""
// where java.net.URI finds no host or no port: such a worker calls itself "null:-1", or by no address at all.
func AdvertisedAddress(advertised string) string {
	authority := authorityOf(advertised)
	i := strings.LastIndexByte(authority, ':')
	if i < 0 || !isPort(authority[i+1:]) || !javaReads(authority[:i]) {
		return ""
	}
	return authority
}

// UnreadableHost returns the host in an advertised URL from which Java reads no host (KAFKA-10231), and why; "" where it reads one,
// or where the URL has none.
func UnreadableHost(advertised string) (host, why string) {
	authority := authorityOf(advertised)
	i := strings.LastIndexByte(authority, ':')
	if i < 0 || !isPort(authority[i+1:]) {
		return "", ""
	}
	host = authority[:i]
	switch {
	case host == "" || javaReads(host):
		return "", ""
	case strings.Contains(host, "_"):
		return host, "has an underscore"
	case strings.ContainsFunc(host, func(r rune) bool { return r > 0x7f }):
		return host, "has letters outside ASCII"
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	for _, l := range labels {
		if strings.HasPrefix(l, "-") || strings.HasSuffix(l, "-") {
			return host, "has a part that begins or ends with a hyphen"
		}
	}
	if last := labels[len(labels)-1]; len(labels) > 1 && last != "" && isDigit(last[0]) {
		return host, "has a last part that begins with a digit"
	}
	return host, "is no host name"
}

// authorityOf returns what stands between the scheme and the path of a URL, without user information; "" where it has none.
func authorityOf(raw string) string {
	_, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest[strings.LastIndexByte(rest, '@')+1:]
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 31)
	return err == nil && n > 0
}

// javaReads reports whether java.net.URI reads a host from an authority with this one: labels of ASCII letters, digits and inner
// hyphens, the last of several beginning with a letter; or an IP address.
func javaReads(host string) bool {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		addr, err := netip.ParseAddr(inner)
		return ok && err == nil && addr.Is6()
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Is4()
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	for _, l := range labels {
		if l == "" || l[0] == '-' || l[len(l)-1] == '-' || strings.ContainsFunc(l, func(r rune) bool {
			return r != '-' && !isLetter(r) && (r < '0' || r > '9')
		}) {
			return false
		}
	}
	return len(labels) == 1 || isLetter(rune(labels[len(labels)-1][0]))
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
