package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// TooOldError is the error of a call that a worker does not have.
type TooOldError struct {
	Call    string // what was asked: "stopping a connector"
	Since   string // the version that has it
	Worker  string // its URL
	Version string // its version; "" when it did not say
}

func (e *TooOldError) Error() string {
	is := "does not know it"
	if e.Version != "" {
		is = "is " + e.Version
	}
	return fmt.Sprintf("%s needs Kafka Connect %s: the worker at %s %s", e.Call, e.Since, e.Worker, is)
}

// lacking turns the answer of a worker that has no such call into a TooOldError. What it has and what just is not there, a
// connector say, are told apart by the words: those of the web server, or of Connect.
func (c *Client) lacking(ctx context.Context, base string, err error, call, since string) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	ofServer := e.Status == http.StatusNotFound && (strings.HasPrefix(e.Message, "HTTP 404") || e.Message == http.StatusText(e.Status))
	if e.Status != http.StatusMethodNotAllowed && !ofServer {
		return err
	}
	old := &TooOldError{Call: call, Since: since, Worker: base}
	info, failed := c.Info(ctx, base)
	if failed == nil {
		old.Version = info.Version
	}
	if old.Version != "" && !before(old.Version, since) {
		return err // it should have it: whatever answered here was no worker, or it is something else
	}
	return old
}

// needs refuses a call that an older worker would take and understand otherwise.
func (c *Client) needs(ctx context.Context, base, call, since string) error {
	info, err := c.Info(ctx, base)
	if err != nil {
		return err
	}
	if before(info.Version, since) {
		return &TooOldError{Call: call, Since: since, Worker: base, Version: info.Version}
	}
	return nil
}

// before compares versions by their first two numbers. One that is no version (a fork's name) comes before none.
func before(version, since string) bool {
	v, ok := numbers(version)
	s, _ := numbers(since)
	return ok && (v[0] < s[0] || v[0] == s[0] && v[1] < s[1])
}

func numbers(version string) (out [2]int, ok bool) {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return out, false
	}
	for i := range out {
		n, err := strconv.Atoi(parts[i])
		if err != nil {
			return out, false
		}
		out[i] = n
	}
	return out, true
}
