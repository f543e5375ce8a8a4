package group

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"regroup/decode"
)

// notUsed is what MirrorMaker without internal REST advertises; before 3.5 the name of its source cluster follows.
const notUsed = "NOTUSED"

// WithoutREST reports whether an advertised URL is the word that MirrorMaker writes when it runs without internal REST.
func WithoutREST(advertised string) bool {
	return advertised == notUsed || strings.HasPrefix(advertised, notUsed+"/")
}

// CommitsNoEmptyTasks reports whether an advertised URL is one of MirrorMaker before 3.5, whose leader writes no commit for a connector that
// makes no tasks (4.3.1 commits 0): that none is there says nothing.
func CommitsNoEmptyTasks(advertised string) bool { return strings.HasPrefix(advertised, notUsed+"/") }

// InternalREST is what is said of MirrorMaker's internal REST, in the words of a source.
const InternalREST = "internal: it answers, and has none of Connect's public calls (404)"

// withoutREST adds to sources that there is no REST where every worker says so: no source of that kind would say it.
func withoutREST(sources []SourceState, workers []Worker) []SourceState {
	here := false
	for i := range workers {
		if w := &workers[i]; !w.Gone {
			if here = true; !WithoutREST(w.URL) {
				return sources
			}
		}
	}
	if !here {
		return sources
	}
	return append(slices.Clone(sources), SourceState{
		Source: SourceREST, Health: HealthOff,
		Detail: "nodes of MirrorMaker without internal REST: no versions, plugins or herder to ask for, and no connector to act on",
	})
}

// MirrorFlow is the pair of clusters that a group mirrors between, as "amber->hub", where its workers are nodes of MirrorMaker in a process of
// its own; "" in any other group.
func (s *State) MirrorFlow() string {
	flow := ""
	for i := range s.Workers {
		if w := &s.Workers[i]; flow == "" {
			flow = decode.FlowOf(w.Client, w.URL)
		}
	}
	if s.past == nil || flow != "" && !strings.HasSuffix(flow, "->") {
		return flow
	}
	for i, k := range slices.Backward(s.past.claims) {
		if !k.deleted {
			return cmp.Or(decode.ParseWorkerID(k.id).Flow, flow)
		}
		if len(s.past.claims)-i > 100 {
			break
		}
	}
	return flow
}

// NoPublicREST says why no worker of this group can be asked or told anything over REST: nodes of MirrorMaker serve none of Connect's
// public calls. It is "" in any other group.
func (s *State) NoPublicREST() string {
	answers := func(w Worker) bool { return !w.Gone && w.REST == "ok" }
	if s.MirrorFlow() == "" || slices.ContainsFunc(s.Workers, answers) {
		return ""
	}
	return "nodes of MirrorMaker serve none of Connect's REST calls: their connectors are configured in MirrorMaker's own properties file"
}

// HTTP statuses that an answer is judged by.
const (
	statusNotFound       = 404
	statusUnauthorized   = 401
	statusForbidden      = 403
	statusBadGateway     = 502
	statusGatewayTimeout = 504
)

// Answered is the HTTP status of an answer to GET / that is an error; 0 where it is none, or where none came.
func (f *RESTReport) Answered() int {
	if f.Status != 0 || f.Root == "ok" {
		return f.Status
	}
	return answeredIn(f.Root, f.URL)
}

// Answers reports whether a worker answers, be it with an error. A proxy that says that it reaches none (502, 504) is no worker's answer.
func (f *RESTReport) Answers() bool { return f.Root == "ok" || answers(f.Answered()) }

func answers(status int) bool {
	return status != 0 && status != statusBadGateway && status != statusGatewayTimeout
}

// Refusal is the error that a worker answers GET / with, as "answers 500: why"; "" where it is none.
func (f *RESTReport) Refusal() string {
	if f.Root == "ok" || !f.Answers() {
		return ""
	}
	why := f.Root
	if at := answer.FindStringIndex(why); at != nil {
		why = strings.TrimSpace(why[at[1]:])
	}
	return sentence(fmt.Sprintf("answers %d", f.Answered()), why)
}

// NotAsWorker reports whether GET / is answered with an error that neither a login nor MirrorMaker's internal REST explains.
func (f *RESTReport) NotAsWorker(mirrors bool) bool {
	switch status := f.Answered(); status {
	case statusUnauthorized, statusForbidden:
		return false
	case statusNotFound:
		return !mirrors
	default:
		return answers(status)
	}
}

// Internal reports whether a worker answers and has none of Connect's public calls, as MirrorMaker's internal REST.
func (f *RESTReport) Internal() bool { return f.Answered() == statusNotFound }

// answer is how an error names the status of an answer: GET http://worker:8083/: 404 HTTP 404 Not Found.
var answer = regexp.MustCompile(`^GET \S+: ([1-5]\d\d)\b`)

// answeredIn reads that status from an error of asking a URL: older recordings have no other.
func answeredIn(text, url string) int {
	m := answer.FindStringSubmatch(text)
	if m == nil || !strings.HasPrefix(text, "GET "+url) {
		return 0
	}
	status, _ := strconv.Atoi(m[1]) // three digits
	return status
}
