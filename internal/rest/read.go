package rest

import (
	"context"
	"errors"
	"net/http"
)

// Info is what GET / says of a worker.
type Info struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Cluster string `json:"kafka_cluster_id"`
}

// Health is what GET /health says (since 3.9): it passes through the herder.
type Health struct {
	Status  string `json:"status"` // healthy, unhealthy, starting
	Message string `json:"message"`
}

// State is a connector's or a task's status: a claim, without a generation.
type State struct {
	ID       int32  `json:"id"` // of a task
	State    string `json:"state"`
	WorkerID string `json:"worker_id"`
	Trace    string `json:"trace"`
}

// Status is a connector with its tasks.
type Status struct {
	Name      string  `json:"name"`
	Connector State   `json:"connector"`
	Tasks     []State `json:"tasks"`
	Type      string  `json:"type"`
}

// TaskID names a task.
type TaskID struct {
	Connector string `json:"connector"`
	Task      int32  `json:"task"`
}

// Connector is a connector's configuration and its tasks.
type Connector struct {
	Name   string             `json:"name"`
	Config map[string]*string `json:"config"`
	Tasks  []TaskID           `json:"tasks"`
	Type   string             `json:"type"`
}

// Expanded is one connector of GET /connectors?expand=status&expand=info (since 2.3).
type Expanded struct {
	Status *Status    `json:"status"`
	Info   *Connector `json:"info"`
}

// Plugin is one of GET /connector-plugins.
type Plugin struct {
	Class   string `json:"class"`
	Type    string `json:"type"`
	Version string `json:"version"`
}

// Info asks a worker who it is: answered without the herder.
func (c *Client) Info(ctx context.Context, base string) (Info, error) {
	var out Info
	_, err := c.call(ctx, http.MethodGet, path(base), nil, &out)
	return out, err
}

// Health asks the herder. A worker that starts answers 503 and one that is stuck 500, both with a status: no errors here.
// A worker before 3.9 gives an error of status 404.
func (c *Client) Health(ctx context.Context, base string) (Health, error) {
	var out Health
	_, err := c.call(ctx, http.MethodGet, path(base, "health"), nil, &out)
	var e *Error
	if errors.As(err, &e) && (e.Status == http.StatusServiceUnavailable || e.Status == http.StatusInternalServerError) {
		status := map[int]string{http.StatusServiceUnavailable: "starting", http.StatusInternalServerError: "unhealthy"}
		return Health{status[e.Status], e.Message}, nil
	}
	return out, err
}

// Names lists the connectors that a worker knows.
func (c *Client) Names(ctx context.Context, base string) ([]string, error) {
	var out []string
	_, err := c.call(ctx, http.MethodGet, path(base, "connectors"), nil, &out)
	return out, err
}

// Expanded asks for all connectors with status and configuration in one call.
func (c *Client) Expanded(ctx context.Context, base string) (map[string]Expanded, error) {
	var out map[string]Expanded
	_, err := c.call(ctx, http.MethodGet, path(base, "connectors")+"?expand=status&expand=info", nil, &out)
	return out, err
}

// Plugins lists the connector plugins of one worker.
func (c *Client) Plugins(ctx context.Context, base string) ([]Plugin, error) {
	var out []Plugin
	_, err := c.call(ctx, http.MethodGet, path(base, "connector-plugins"), nil, &out)
	return out, err
}
