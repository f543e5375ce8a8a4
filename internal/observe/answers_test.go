package observe

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"regroup/group"
	"regroup/internal/rest"
)

// A worker that answers with an error can be reached: the status is said, of the worker and of the source.
func TestAnErrorOverRESTIsAnAnswer(t *testing.T) {
	for _, c := range []struct {
		status  int
		answers bool
		health  group.Health
		detail  string
	}{
		{http.StatusNotFound, true, group.HealthOK, group.InternalREST},
		{http.StatusInternalServerError, true, group.HealthOK, "answers 500: "},
		{http.StatusServiceUnavailable, true, group.HealthOK, "answers 503: "},
		{http.StatusUnauthorized, true, group.HealthDenied, "401: "},
		{http.StatusForbidden, true, group.HealthDenied, "403: "},
		{http.StatusBadGateway, false, group.HealthUnreachable, "GET "}, // a proxy's, which reached no worker
	} {
		t.Run(http.StatusText(c.status), func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", c.status) }))
			defer server.Close()
			g := gather()
			opt := Options{Clock: time.Now, REST: &REST{Client: rest.Client{HTTP: &http.Client{}}}}
			url := server.URL + "/"
			newProbe(&source{opt: &opt, out: newStream(&opt, g.emit)}, url, true).ask(t.Context())
			var r group.RESTReport
			var s group.SourceReport
			for _, f := range g.facts {
				switch f := f.(type) {
				case group.RESTReport:
					r = f
				case group.SourceReport:
					s = f
				}
			}
			if r.Answered() != c.status || r.Answers() != c.answers || r.Closed {
				t.Errorf("the worker: %+v", r)
			}
			if s.Health != c.health || !strings.HasPrefix(s.Detail, c.detail) {
				t.Errorf("its source: %+v, want %s %q", s, c.health, c.detail)
			}
		})
	}
}
