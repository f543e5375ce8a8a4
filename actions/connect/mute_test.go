package connect

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"regroup/internal/rest"
)

// frozen are workers of which some take a call and never answer it.
type frozen struct {
	mute  map[string]bool
	asked []string
	body  string
}

func (f *frozen) RoundTrip(r *http.Request) (*http.Response, error) {
	f.asked = append(f.asked, r.URL.Host)
	if f.mute[r.URL.Host] {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(f.body)), Request: r}, nil
}

// A worker that takes a look and gives no answer is passed over soon, and is asked last from then on; who is left is waited for.
func TestFrozenWorkerIsPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &frozen{mute: map[string]bool{"a:8083": true}, body: "{}"}
		var told []string
		k := &Client{
			Client: rest.Client{HTTP: &http.Client{Transport: f}}, Extra: []string{"http://a:8083", "http://b:8083"},
			Tell: func(text string) { told = append(told, text) },
		}
		begun := time.Now()
		if _, endpoint, err := k.All(t.Context()); err != nil || endpoint.URL != "http://b:8083" {
			t.Fatal(endpoint, err)
		}
		if took := time.Since(begun); took != lookLimit {
			t.Errorf("it took %s", took)
		}
		if want := []string{"read connectors: http://a:8083 has not answered for 8s; trying another worker"}; !slices.Equal(told, want) {
			t.Errorf("told %q", told)
		}
		if _, _, err := k.All(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := []string{"a:8083", "b:8083", "b:8083"}; !slices.Equal(f.asked, want) {
			t.Errorf("asked %q", f.asked)
		}
		f.mute = map[string]bool{"b:8083": true} // now the other one
		if _, endpoint, err := k.All(t.Context()); err != nil || endpoint.URL != "http://a:8083" {
			t.Fatal(endpoint, err)
		}
		f.mute = nil
		if _, endpoint, err := k.All(t.Context()); err != nil || endpoint.URL != "http://a:8083" {
			t.Fatal(endpoint, err) // it has answered since
		}
	})
}

// A configuration that is checked may take its time: nobody else is asked meanwhile.
func TestCheckIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &frozen{mute: map[string]bool{"a:8083": true}, body: `{"configs":[{"definition":{"name":"file"},"value":{"name":"file"}}]}`}
		k := &Client{
			Client: rest.Client{HTTP: &http.Client{Transport: f}}, Extra: []string{"http://a:8083", "http://b:8083"},
			Tell: func(string) {},
		}
		class, begun := "Sink", time.Now()
		if _, _, err := k.Check(t.Context(), rest.Config{keyClass: &class}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took < callLimit {
			t.Errorf("given up after %s", took)
		}
	})
}
