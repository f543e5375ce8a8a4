package rest

import (
	"context"
	"encoding/json"
	"net/http"
)

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
