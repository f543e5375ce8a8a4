package tui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"regroup/internal/rest"
)

// fakeWorker is a worker's REST interface for stories: it knows the FileStreamSink of 4.3.1 by what a real worker says of it
// (testdata/plugins), checks values in a worker's words, and keeps what is written to it.
type fakeWorker struct {
	plugin     rest.Validation
	connectors map[string]rest.Config
	wrote      []string
	trouble    string // what it answers instead
	extra      int    // so many more settings
}

func newFakeWorker(t testing.TB) *fakeWorker {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "plugins", "FileStreamSink-4.3.1.json"))
	if err != nil {
		t.Fatal(err)
	}
	o := &fakeWorker{connectors: map[string]rest.Config{}}
	if err := json.Unmarshal(raw, &o.plugin); err != nil {
		t.Fatal(err)
	}
	return o
}

// RoundTrip answers a call.
func (o *fakeWorker) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	status, out := o.answer(r.Method, r.URL.Path, body)
	if status == 0 {
		return nil, errors.New("connection refused")
	}
	raw, err := json.Marshal(out)
	return &http.Response{StatusCode: status, Body: io.NopCloser(bytes.NewReader(raw)), Header: http.Header{}, Request: r}, err
}

func said(status int, words string) (int, any) {
	return status, map[string]any{"error_code": status, "message": words}
}

func (o *fakeWorker) answer(method, path string, body []byte) (int, any) {
	if o.trouble == "down" {
		return 0, nil
	}
	part := strings.Split(strings.Trim(path, "/"), "/")
	last := part[len(part)-1]
	switch {
	case last == "validate":
		var c rest.Config
		if err := json.Unmarshal(body, &c); err != nil {
			return said(400, err.Error())
		}
		if o.trouble == "no plugin" {
			return said(500, "Failed to find any class that implements Connector and which name matches "+part[1])
		}
		return 200, o.validate(c)
	case method == "GET" && last == "config":
		if c := o.connectors[part[1]]; c != nil {
			return 200, c
		}
		return said(404, "Connector "+part[1]+" not found")
	case method == "GET":
		return 200, map[string]string{"version": "4.3.1"}
	}
	if o.trouble == "conflict" {
		return said(409, "Cannot complete request momentarily due to stale configuration (typically caused by a concurrent config change)")
	}
	var in struct {
		Name   string
		Config rest.Config
	}
	if last == "config" {
		in.Name = part[1]
		_ = json.Unmarshal(body, &in.Config)
	} else {
		_ = json.Unmarshal(body, &in)
	}
	o.connectors[in.Name] = in.Config
	o.wrote = append(o.wrote, method+" "+path+" "+string(body))
	if o.trouble == "timed out once" {
		o.trouble = ""
		return said(500, "Request timed out. The worker is currently ensuring membership in the cluster, which began at 2026-11-29T17:42:00Z")
	}
	return 201, map[string]any{"name": in.Name, "config": in.Config, "tasks": []string{}}
}

// validate checks values in a worker's words.
func (o *fakeWorker) validate(c rest.Config) rest.Validation {
	v := o.plugin
	v.Configs = slices.Clone(v.Configs)
	for i := range o.extra {
		name := fmt.Sprintf("setting.%03d", i)
		v.Configs = append(v.Configs, rest.Validated{
			Definition: rest.Definition{Name: name, Type: "STRING", Importance: "LOW", Group: "Many", Order: i + 1, Documentation: "Number " + strconv.Itoa(i)},
			Value:      rest.Value{Name: name, Visible: true},
		})
	}
	has := func(key string) bool { return c[key] != nil && *c[key] != "" }
	for i := range v.Configs {
		p := &v.Configs[i]
		if c[p.Definition.Name] != nil {
			p.Value.Value = c[p.Definition.Name]
		}
		key, fault := p.Definition.Name, func(format string, args ...any) {
			p.Value.Errors = append(slices.Clone(p.Value.Errors), fmt.Sprintf(format, args...))
			v.Errors++
		}
		switch {
		case p.Definition.Required && p.Value.Value == nil:
			fault("Missing required configuration %q which has no default value.", key)
		case strings.HasPrefix(key, "topics") && !has("topics") && !has("topics.regex"):
			fault("Must configure one of topics or topics.regex")
		case has(key) && slices.Contains([]string{"INT", "LONG", "SHORT"}, p.Definition.Type):
			if _, err := strconv.Atoi(*c[key]); err != nil {
				fault("Invalid value %s for configuration %s: Not a number of type %s", *c[key], key, p.Definition.Type)
			}
		}
	}
	return v
}
