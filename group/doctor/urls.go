package doctor

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"regroup/decode"
	"regroup/group"
)

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
