package rest

import (
	"context"
	"net/http"
	"strconv"
)

// Config is a connector's configuration. A nil value is one that the worker has as null.
type Config map[string]*string

// TaskConfig is a task with the configuration that its connector made for it.
type TaskConfig struct {
	ID     TaskID `json:"id"`
	Config Config `json:"config"`
}

// Connector asks for one connector's configuration and tasks.
func (c *Client) Connector(ctx context.Context, base, name string) (Connector, error) {
	var out Connector
	_, err := c.call(ctx, http.MethodGet, path(base, "connectors", name), nil, &out)
	return out, err
}

// Config asks for one connector's configuration.
func (c *Client) Config(ctx context.Context, base, name string) (Config, error) {
	var out Config
	_, err := c.call(ctx, http.MethodGet, path(base, "connectors", name, "config"), nil, &out)
	return out, err
}

// Status asks how a connector and its tasks do. One that was just created has none yet: status 404.
func (c *Client) Status(ctx context.Context, base, name string) (Status, error) {
	var out Status
	_, err := c.call(ctx, http.MethodGet, path(base, "connectors", name, "status"), nil, &out)
	return out, err
}

// Tasks asks for a connector's tasks and their configurations.
func (c *Client) Tasks(ctx context.Context, base, name string) ([]TaskConfig, error) {
	var out []TaskConfig
	_, err := c.call(ctx, http.MethodGet, path(base, "connectors", name, "tasks"), nil, &out)
	return out, err
}

// TaskStatus asks how one task does.
func (c *Client) TaskStatus(ctx context.Context, base, name string, task int32) (State, error) {
	var out State
	_, err := c.call(ctx, http.MethodGet, path(base, "connectors", name, "tasks", strconv.Itoa(int(task)), "status"), nil, &out)
	return out, err
}
