package doctor

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// hostPort is the worker_id that a worker with this URL writes; "" where the URL is none.
func hostPort(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// notUsed is what a mirroring process without REST advertises.
const notUsed = "NOTUSED"

const nullHost = "its host is null: rest.advertised.host.name is set wrongly"

// unusable says why nobody can reach a worker by its advertised URL; "" where somebody may.
func unusable(address string, scattered bool) string {
	switch address {
	case "":
		return "it advertises none"
	case notUsed:
		return "it runs without REST (a mirroring process of before 3.5, or one without dedicated.mode.enable.internal.rest)"
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		switch head, port, ok := cutPort(address); {
		case ok && strings.HasSuffix(head, "//null"):
			return nullHost
		case ok && port <= 0:
			return "its port is " + strconv.Itoa(port)
		}
		return "it is no URL"
	}
	port, err := strconv.Atoi(u.Port())
	switch host := u.Hostname(); {
	case host == "null":
		return nullHost
	case u.Port() != "" && (err != nil || port <= 0):
		return "its port is " + u.Port()
	case scattered && (host == "localhost" || host == "127.0.0.1" || host == "::1"):
		return "it is the local host, and the members are on several"
	}
	return ""
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
