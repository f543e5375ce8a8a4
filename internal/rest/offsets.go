package rest

import (
	"context"
	"encoding/json"
	"net/http"
)

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
