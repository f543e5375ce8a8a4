package rest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
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

// Definition is a property that a plugin knows.
type Definition struct {
	Name          string   `json:"name"`
	Type          string   `json:"type"` // BOOLEAN, STRING, INT, SHORT, LONG, DOUBLE, LIST, CLASS, PASSWORD
	Required      bool     `json:"required"`
	Default       *string  `json:"default_value"`
	Importance    string   `json:"importance"` // HIGH, MEDIUM, LOW
	Documentation string   `json:"documentation"`
	Group         string   `json:"group"`
	Width         string   `json:"width"`
	DisplayName   string   `json:"display_name"`
	Dependents    []string `json:"dependents"`
	Order         int      `json:"order"` // within its group; 0 or less: none
}

// UnmarshalJSON takes the order under both names that it has: order up to Connect 3, order_in_group from 4 on.
func (d *Definition) UnmarshalJSON(b []byte) error {
	type plain Definition
	var in struct {
		plain
		InGroup *int `json:"order_in_group"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*d = Definition(in.plain)
	if in.InGroup != nil {
		d.Order = *in.InGroup
	}
	return nil
}

// Password is the type of properties whose values are secret.
const Password = "PASSWORD"

// Validation is what a worker says of a configuration.
type Validation struct {
	Name    string      `json:"name"`
	Errors  int         `json:"error_count"`
	Groups  []string    `json:"groups"`
	Configs []Validated `json:"configs"`
}

// Validated is one property of a Validation.
type Validated struct {
	Definition Definition `json:"definition"`
	Value      Value      `json:"value"`
}

// Value is what a property is taken as, and what is wrong with it.
type Value struct {
	Name        string   `json:"name"`
	Value       *string  `json:"value"`
	Recommended []string `json:"recommended_values"`
	Errors      []string `json:"errors"`
	Visible     bool     `json:"visible"`
}

// AllPlugins lists converters, transformations and predicates too. Since 3.2; an older worker lists connectors.
func (c *Client) AllPlugins(ctx context.Context, base string) ([]Plugin, error) {
	var out []Plugin
	_, err := c.call(ctx, http.MethodGet, path(base, "connector-plugins")+"?connectorsOnly=false", nil, &out)
	return out, err
}

// PluginConfig lists the properties that a plugin knows. Since 3.2.
func (c *Client) PluginConfig(ctx context.Context, base, class string) ([]Definition, error) {
	var out []Definition
	_, err := c.call(ctx, http.MethodGet, path(base, "connector-plugins", class, "config"), nil, &out)
	return out, c.lacking(ctx, base, err, "asking for a plugin's properties", "3.2")
}

// Validate asks what is wrong with a configuration, without using it. It must name its connector.class.
func (c *Client) Validate(ctx context.Context, base, class string, config Config) (Validation, error) {
	var out Validation
	to := path(base, "connector-plugins", class, "config", "validate")
	_, err := c.call(ctx, http.MethodPut, to, config, &out)
	if err == nil && len(out.Configs) == 0 { // every plugin has some; a proxy's empty answer must not pass for "valid"
		err = &StrangeError{"PUT " + to + ": not the answer of a Connect worker: it names no setting"}
	}
	return out, err
}
