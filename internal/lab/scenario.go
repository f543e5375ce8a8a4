package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"regroup/internal/lab/worker"
)

// Create makes a connector over REST, as anybody would, and tries again while the group is busy.
func (l *Lab) Create(ctx context.Context, c Connector) error {
	return l.Call(ctx, http.MethodPost, "/connectors", map[string]any{"name": c.Name, "config": c.config()})
}

// Reconfigure gives a connector another configuration, in the same way.
func (l *Lab) Reconfigure(ctx context.Context, c Connector) error {
	return l.Call(ctx, http.MethodPut, "/connectors/"+url.PathEscape(c.Name)+"/config", c.config())
}

// config is the whole configuration of a connector.
func (c Connector) config() map[string]string {
	config := maps.Clone(c.Config)
	if config == nil {
		config = map[string]string{}
	}
	config["connector.class"] = worker.SinkClass
	if c.Source {
		config["connector.class"] = worker.SourceClass
	} else if config["topics"] == "" {
		config["topics"] = c.Name
	}
	config["tasks.max"] = strconv.Itoa(max(c.Tasks, 1))
	return config
}

// retryAfter is how long a call waits before it tries again, and retryFor how long it goes on trying.
const (
	retryAfter = 100 * time.Millisecond
	retryFor   = time.Minute
)

// Call sends a REST call to some worker that is up; body may be nil. Conflicts, and workers that do not answer, are tried again.
func (l *Lab) Call(ctx context.Context, method, path string, body any) error {
	var payload []byte
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, retryFor, errors.New("no worker took the call in a minute"))
	defer cancel()
	var last error
	for n := 0; ; n++ {
		again, err := l.try(ctx, n, method, path, payload)
		if err == nil || !again {
			return err
		}
		if ctx.Err() == nil {
			last = err
		}
		if err := pause(ctx, retryAfter); err != nil {
			return errors.Join(last, err)
		}
	}
}

func (l *Lab) try(ctx context.Context, n int, method, path string, payload []byte) (again bool, err error) {
	var up []string
	for _, w := range l.Workers() {
		if w.State == Up {
			up = append(up, w.URL)
		}
	}
	if len(up) == 0 {
		return true, fmt.Errorf("%s %s: no worker is up", method, path)
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(up[n%len(up)], "/")+path, bytes.NewReader(payload))
	if err != nil {
		return false, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := l.http.Do(req)
	if err != nil {
		return true, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return true, err
	}
	if resp.StatusCode < http.StatusBadRequest {
		return false, nil
	}
	// A conflict passes; that a connector exists already does not. A leader that died is forwarded to until it is expelled.
	again = resp.StatusCode == http.StatusConflict && !bytes.Contains(text, []byte("already exists")) ||
		resp.StatusCode == http.StatusInternalServerError && bytes.Contains(text, []byte(worker.ForwardFailed))
	return again, fmt.Errorf("%s %s: %d %s", method, path, resp.StatusCode, strings.TrimSpace(string(text)))
}
