package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"regroup/actions/act"
	"regroup/actions/connect"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/rest"
	"regroup/tui"
)

// plugin is what a worker of 4.3.1 says of the FileStreamSink: it finds every value good but the one of tasks.max.
type plugin struct{ rest.Validation }

// RoundTrip answers a validation.
func (p plugin) RoundTrip(r *http.Request) (*http.Response, error) {
	var given rest.Config
	if err := json.NewDecoder(r.Body).Decode(&given); err != nil {
		return nil, err
	}
	v := p.Validation
	for i := range v.Configs {
		c := &v.Configs[i]
		if value := given[c.Definition.Name]; value != nil {
			c.Value.Value, c.Value.Errors = value, nil
			if c.Definition.Name == "tasks.max" {
				c.Value.Errors = []string{"Invalid value " + *value + " for configuration tasks.max: Not a number of type INT"}
			}
		}
	}
	raw, err := json.Marshal(v)
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(raw)), Header: http.Header{}, Request: r}, err
}

// form offers a new connector, in a form that a worker has checked.
func form(state *group.State) (tui.Acts, error) {
	raw, err := os.ReadFile(filepath.Join("tui", "testdata", "plugins", "FileStreamSink-4.3.1.json"))
	if err != nil {
		return nil, err
	}
	var p plugin
	if err := json.Unmarshal(raw, &p.Validation); err != nil {
		return nil, err
	}
	watch := act.NewWatch()
	watch.Publish(state)
	herder := &connect.Client{Group: state.Group, Client: rest.Client{HTTP: &http.Client{Transport: p}}, Watch: watch}
	text := func(s string) *string { return &s }
	draft := &actions.ConnectorForm{
		Title: "create connector", Button: "Create", New: true, Plugins: []actions.Plugin{
			{Class: "org.apache.kafka.connect.file.FileStreamSinkConnector", Kind: "sink", Version: "4.3.1"},
			{Class: "org.apache.kafka.connect.file.FileStreamSourceConnector", Kind: "source", Version: "4.3.1"},
		},
		Values: map[string]*string{
			"name": text("sink-d"), "connector.class": text("org.apache.kafka.connect.file.FileStreamSinkConnector"), "topics": text("t-d"),
			"file": text("/var/data/out-d.txt"), "key.converter": text("org.apache.kafka.connect.storage.StringConverter"),
		},
		To: func(by connect.Endpoint, _ map[string]*string) string { return "POST " + by.URL + "connectors" },
		Inspect: func(ctx context.Context, values map[string]*string) (*connect.Inspection, error) {
			return herder.Inspect(ctx, values, nil)
		},
	}
	return func(*group.State, actions.Target) []actions.Offer {
		return []actions.Offer{{Label: "create a connector", Form: func(context.Context) (*actions.ConnectorForm, error) { return draft, nil }}}
	}, nil
}
