package doctor

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// view is a State with what several rules ask of it, worked out once: a group may have 100,000 units.
type view struct {
	*group.State
	round    *group.Round // the one stood on; nil before any
	members  []*group.Worker
	byState  map[group.UnitStateKind][]int // indices into Units; running ones are left out
	orphaned []int
	stale    []int
	rest     map[string]group.RESTReport
}

func look(s *group.State) *view {
	v := &view{State: s, round: s.Round(), byState: map[group.UnitStateKind][]int{}}
	if !s.Past { // what REST says, it says of now
		v.rest = s.REST()
	}
	for i := range s.Workers {
		if !s.Workers[i].Gone {
			v.members = append(v.members, &s.Workers[i])
		}
	}
	for i := range s.Units {
		u := &s.Units[i]
		if u.State != group.UnitRunning {
			v.byState[u.State] = append(v.byState[u.State], i)
		}
		if u.Orphaned && !v.startsSoon(u) {
			v.orphaned = append(v.orphaned, i)
		}
		if u.Stale {
			v.stale = append(v.stale, i)
		}
	}
	return v
}

// startTime is how long a worker that was just given a unit may take to say that it runs it.
const startTime = 15 * time.Second

// startsSoon reports whether a unit was just given to a worker, whose word will take the place of the one before it.
func (v *view) startsSoon(u *group.UnitState) bool {
	return u.State == group.UnitStarting && v.Now.Sub(u.Since) < startTime
}

// lone says whether there is no round with workers to look at, or one that decided nothing.
func (v *view) lone() bool { return v.round == nil || v.round.Empty() || v.round.Error != 0 }

// worker is the name of a worker by its index in State.Workers.
func (v *view) worker(i int) string {
	if i < 0 || i >= len(v.Workers) {
		return "nobody"
	}
	return name(&v.Workers[i])
}

func (v *view) member(id string) *group.Worker {
	for _, w := range v.members {
		if w.ID == id {
			return w
		}
	}
	return nil
}

func (v *view) unitsOf(at []int) []group.Unit {
	out := make([]group.Unit, len(at))
	for i, k := range at {
		out[i] = v.Units[k].Unit
	}
	return out
}

// setting is what the broker says of an internal topic: "config", "status", "offsets", "log".
func (v *view) setting(role string) (group.TopicSettings, bool) {
	for _, t := range v.Settings() {
		if t.Role == role {
			return t, true
		}
	}
	return group.TopicSettings{}, false
}

// version is a worker's own, over REST; "" when not known.
func (v *view) version(w *group.Worker) string { return v.rest[w.URL].Version }

// evidence gives each unit's own evidence, for the first few.
func (v *view) evidence(at []int) []Evidence {
	const most = 6
	var out []Evidence
	for _, i := range at[:min(most, len(at))] {
		for _, e := range v.Evidence(i) {
			out = append(out, Evidence{At: e.At, Source: e.Source, Text: decode.Printable(v.Units[i].Unit.String()) + ": " + e.Text})
		}
	}
	if more := len(at) - most; more > 0 {
		out = append(out, Evidence{Source: group.SourceLog, Text: fmt.Sprintf("and %s more", words.Count(more, "unit"))})
	}
	return out
}

// find is the index of a unit in Units.
func (v *view) find(u group.Unit) (int, bool) {
	return slices.BinarySearchFunc(v.Units, u, func(s group.UnitState, u group.Unit) int { return s.Unit.Compare(u) })
}

// hostPort is the host:port of a URL; "" where it is none.
func hostPort(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

const nullHost = "its host is null: rest.advertised.host.name is set wrongly"

// urlFault is what kind of URL it is that nobody can use: each has a cure of its own.
type urlFault int

const (
	faultOther  urlFault = iota
	faultMirror          // MirrorMaker without internal REST
	faultJava            // a host that Java does not read
)

// unusable says why nobody can reach a worker by its advertised URL; "" where somebody may.
func unusable(address string, scattered bool) (why string, fault urlFault) {
	switch {
	case address == "":
		return "it advertises none", faultOther
	case group.WithoutREST(address):
		return "it is a node of MirrorMaker without internal REST", faultMirror
	}
	if host, why := decode.UnreadableHost(address); host != "" && host != "null" {
		return fmt.Sprintf("Java reads no host from it, because %s %s (KAFKA-10231)", decode.Printable(host), why), faultJava
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		switch head, port, ok := cutPort(address); {
		case ok && strings.HasSuffix(head, "//null"):
			return nullHost, faultOther
		case ok && port <= 0:
			return "its port is " + strconv.Itoa(port), faultOther
		}
		return "it is no URL", faultOther
	}
	port, err := strconv.Atoi(u.Port())
	switch host := u.Hostname(); {
	case host == "null":
		return nullHost, faultOther
	case u.Port() != "" && (err != nil || port <= 0):
		return "its port is " + u.Port(), faultOther
	case scattered && (host == "localhost" || host == "127.0.0.1" || host == "::1"):
		return "it is the local host, and the members are on several", faultOther
	}
	return "", faultOther
}

// cutPort takes http://null:-1/ apart before its port, which is no URL by the book.
func cutPort(address string) (head string, port int, ok bool) {
	at := len(address)
	for at > 0 && address[at-1] == '/' {
		at--
	}
	colon := at
	for colon > 0 && address[colon-1] != ':' {
		colon--
	}
	port, err := strconv.Atoi(address[colon:at])
	return address[:max(0, colon-1)], port, err == nil && colon > 0
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
