package rest

import (
	"context"
	"net/http"
)

// Initial is what a connector is created as.
type Initial string

// The initial states; all but none need 3.7.
const (
	InitialNone    Initial = "" // as RUNNING, and every version knows it
	InitialRunning Initial = "RUNNING"
	InitialPaused  Initial = "PAUSED"
	InitialStopped Initial = "STOPPED"
)

// Create makes a new connector. One of that name that is there already is an error that Exists knows.
func (c *Client) Create(ctx context.Context, base, name string, config Config, initial Initial) (Connector, error) {
	var out Connector
	body := struct {
		Name    string  `json:"name"`
		Config  Config  `json:"config"`
		Initial Initial `json:"initial_state,omitempty"`
	}{name, config, initial}
	if initial != InitialNone {
		// An older worker would not complain: it would start the connector.
		if err := c.needs(ctx, base, "an initial state", "3.7"); err != nil {
			return out, err
		}
	}
	_, err := c.call(ctx, http.MethodPost, path(base, "connectors"), body, &out)
	return out, err
}

// PutConfig gives a connector that whole configuration, and creates it where there is none: created says so.
func (c *Client) PutConfig(ctx context.Context, base, name string, config Config) (out Connector, created bool, err error) {
	status, err := c.call(ctx, http.MethodPut, path(base, "connectors", name, "config"), config, &out)
	return out, status == http.StatusCreated, err
}

// PatchConfig changes the keys that patch names, and takes away those that it has as nil. Since 3.8.
func (c *Client) PatchConfig(ctx context.Context, base, name string, patch Config) (Connector, error) {
	var out Connector
	_, err := c.call(ctx, http.MethodPatch, path(base, "connectors", name, "config"), patch, &out)
	return out, c.lacking(ctx, base, err, "patching a configuration", "3.8")
}

// Delete takes a connector away.
func (c *Client) Delete(ctx context.Context, base, name string) error {
	_, err := c.call(ctx, http.MethodDelete, path(base, "connectors", name), nil, nil)
	return err
}
