package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
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

// Pause lets a connector's tasks stand still; they stay where they are.
func (c *Client) Pause(ctx context.Context, base, name string) error {
	_, err := c.call(ctx, http.MethodPut, path(base, "connectors", name, "pause"), nil, nil)
	return err
}

// Resume sets a paused or stopped connector going.
func (c *Client) Resume(ctx context.Context, base, name string) error {
	_, err := c.call(ctx, http.MethodPut, path(base, "connectors", name, "resume"), nil, nil)
	return err
}

// Stop takes a connector's tasks away and keeps its configuration. Since 3.5.
func (c *Client) Stop(ctx context.Context, base, name string) error {
	_, err := c.call(ctx, http.MethodPut, path(base, "connectors", name, "stop"), nil, nil)
	return c.lacking(ctx, base, err, "stopping a connector", "3.5")
}

// Restart restarts a connector's instance and, since 3.0, its tasks with it; onlyFailed leaves alone what has not failed.
// With either the restart happens later, and the answer is the status as it will be, RESTARTING for what restarts.
func (c *Client) Restart(ctx context.Context, base, name string, tasks, onlyFailed bool) (Status, error) {
	var out Status
	to := path(base, "connectors", name, "restart")
	if tasks || onlyFailed {
		// An older worker would not complain: it would restart the instance alone.
		if err := c.needs(ctx, base, "restarting tasks with their connector", "3.0"); err != nil {
			return out, err
		}
		to += "?" + url.Values{"includeTasks": {strconv.FormatBool(tasks)}, "onlyFailed": {strconv.FormatBool(onlyFailed)}}.Encode()
	}
	_, err := c.call(ctx, http.MethodPost, to, nil, &out)
	return out, err
}

// RestartTask restarts one task.
func (c *Client) RestartTask(ctx context.Context, base, name string, task int32) error {
	_, err := c.call(ctx, http.MethodPost, path(base, "connectors", name, "tasks", strconv.Itoa(int(task)), "restart"), nil, nil)
	return err
}

// Offset is how far a connector has got in one partition of its source, or of its topics. Both are as the connector writes
// them; an Offset of null forgets the partition.
type Offset struct {
	Partition json.RawMessage `json:"partition"`
	Offset    json.RawMessage `json:"offset"`
}

type offsets struct {
	Offsets []Offset `json:"offsets"`
}

type said struct {
	Message string `json:"message"`
}

// Offsets asks how far a connector has got. Since 3.5.
func (c *Client) Offsets(ctx context.Context, base, name string) ([]Offset, error) {
	var out offsets
	_, err := c.call(ctx, http.MethodGet, path(base, "connectors", name, "offsets"), nil, &out)
	return out.Offsets, c.lacking(ctx, base, err, "reading a connector's offsets", "3.5")
}

// AlterOffsets sets offsets of a stopped connector, and leaves partitions alone that are not named. The answer is the
// worker's word on it: not every connector checks them. Since 3.6.
func (c *Client) AlterOffsets(ctx context.Context, base, name string, to []Offset) (string, error) {
	var out said
	_, err := c.call(ctx, http.MethodPatch, path(base, "connectors", name, "offsets"), offsets{to}, &out)
	return out.Message, c.lacking(ctx, base, err, "altering a connector's offsets", "3.6")
}

// ResetOffsets forgets all offsets of a stopped connector. Since 3.6.
func (c *Client) ResetOffsets(ctx context.Context, base, name string) (string, error) {
	var out said
	_, err := c.call(ctx, http.MethodDelete, path(base, "connectors", name, "offsets"), nil, &out)
	return out.Message, c.lacking(ctx, base, err, "resetting a connector's offsets", "3.6")
}
