package rest

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

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
