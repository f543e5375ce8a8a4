package decode_test

import (
	"testing"

	"regroup/decode"
)

// What java.net.URI of JDK 17 reads: host and port of URI.create(url), as a worker puts them into its id.
func TestAdvertisedAddressIsWhatJavaReads(t *testing.T) {
	for url, want := range map[string]string{
		"http://connect-1:8083/":        "connect-1:8083",
		"http://8f3b2c1d0e9a:8083/":     "8f3b2c1d0e9a:8083",
		"https://a-b.c-d:8443":          "a-b.c-d:8443",
		"http://a.b1:80/":               "a.b1:80",
		"http://host.:80/":              "host.:80",
		"http://1.2.3.4:80/":            "1.2.3.4:80",
		"http://[::1]:80/":              "[::1]:80",
		"http://[fe80::1%eth0]:80/":     "[fe80::1%eth0]:80",
		"http://user@h:80/":             "h:80",
		"http://kafka_connect_1:28081/": "",
		"http://connect.kafka_1:8083/":  "",
		"http://a.1b:8083/":             "",
		"http://1.2.3:80/":              "",
		"http://300.1.1.1:80/":          "",
		"http://host-:80/":              "",
		"http://-host:80/":              "",
		"http://a..b:80/":               "",
		"http://h\u00f6st:80/":          "",
		"http://host:0/":                "",
		"http://host/":                  "",
		"http:///x":                     "",
		"host:8083":                     "",
		"NOTUSED":                       "",
		"NOTUSED/amber":                 "",
		"":                              "",
	} {
		if got := decode.AdvertisedAddress(url); got != want {
			t.Errorf("AdvertisedAddress(%q) = %q, want %q", url, got, want)
		}
	}
}

func TestUnreadableHostNamesTheReason(t *testing.T) {
	for url, want := range map[string][2]string{
		"http://kafka_connect_1:28081/": {"kafka_connect_1", "has an underscore"},
		"http://h\u00f6st:80/":          {"h\u00f6st", "has letters outside ASCII"},
		"http://connect-:8083/":         {"connect-", "has a part that begins or ends with a hyphen"},
		"http://connect.1a:8083/":       {"connect.1a", "has a last part that begins with a digit"},
		"http://a..b:8083/":             {"a..b", "is no host name"},
		"http://connect-1:8083/":        {},
		"http://[::1]:80/":              {},
		"http://host/":                  {},
		"NOTUSED":                       {},
	} {
		host, why := decode.UnreadableHost(url)
		if got := [2]string{host, why}; got != want {
			t.Errorf("UnreadableHost(%q) = %q, want %q", url, got, want)
		}
	}
}

func TestFlowsOfMembersAndStatuses(t *testing.T) {
	for _, c := range []struct {
		client, url, id string
		want            bool
	}{
		{"amber->hub", "NOTUSED", "localhost/amber->hub/2c5f", true},
		{"amber->hub", "http://127.0.0.1:28191/", "127.0.0.1:28191/amber->hub", true},
		{"amber->hub", "http://127.0.0.1:28191/", "127.0.0.1:28191/elder->hub", false},
		{"connect-1", "NOTUSED/amber", "amber->hub", true},
		{"connect-1", "NOTUSED/amber", "amber-2->hub", false},
	} {
		flow := decode.FlowOf(c.client, c.url)
		if got := decode.ParseWorkerID(c.id).Mirrors(flow); got != c.want {
			t.Errorf("%q of %q at %q, flow %q: %v", c.id, c.client, c.url, flow, got)
		}
	}
	if flow := decode.FlowOf("connect-1", "http://connect-1:8083/"); flow != "" {
		t.Errorf("an ordinary worker mirrors %q", flow)
	}
}

func TestParseWorkerIDOfEveryForm(t *testing.T) {
	for id, want := range map[string]decode.WorkerID{
		"connect-1:8083":             {Address: "connect-1:8083"},
		"[::1]:8083":                 {Address: "[::1]:8083"},
		"127.0.0.1:28191/amber->hub": {Address: "127.0.0.1:28191", Flow: "amber->hub"},
		"localhost/amber->hub/2c5f7b8e-c6f7-4507-b1de-5363f5957a60": {
			Flow: "amber->hub", Process: "2c5f7b8e-c6f7-4507-b1de-5363f5957a60",
		},
		"fe80:0:0:0:1:2:3:4%eth0/amber->hub/2c5f": {Flow: "amber->hub", Process: "2c5f"},
		"amber->hub": {Flow: "amber->hub"},
		"null:-1":    {},
		"null:8083":  {},
		"host:-1":    {},
		"host:0":     {},
		"":           {},
	} {
		if got := decode.ParseWorkerID(id); got != want {
			t.Errorf("ParseWorkerID(%q) = %+v, want %+v", id, got, want)
		}
	}
}
