package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Client calls workers. It is safe for use by several goroutines.
type Client struct {
	// HTTP carries TLS and time-outs; nil is http.DefaultClient. Every call takes a context besides.
	HTTP *http.Client
	// Prepare adds what each request needs, credentials above all; nil adds nothing.
	Prepare func(*http.Request)
}

// Error is an answer that is no success.
type Error struct {
	Method  string
	URL     string
	Status  int
	Message string // the worker's own, or the beginning of what answered instead
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %d %s", e.Method, e.URL, e.Status, e.Message)
}

// StrangeError is the error of an answer that no Connect worker gives: asking again brings the same.
type StrangeError struct{ Text string }

func (s *StrangeError) Error() string { return s.Text }

// StatusOf is the HTTP status of an error that a worker answered with, 0 for any other error.
func StatusOf(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Status
	}
	return 0
}

// maxAnswer bounds one answer: 10,000 connectors with their configs are about 30 MB.
const maxAnswer = 128 << 20

// path joins a worker's URL and the segments of a path, each escaped whole: a slash in a name stays in its segment.
func path(base string, segments ...string) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(base, "/"))
	for _, s := range segments {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(s))
	}
	if len(segments) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

// call sends body as JSON (nil: none) and reads the answer into out (nil: thrown away). It gives the status.
func (c *Client) call(ctx context.Context, method, to string, body, out any) (int, error) {
	var send io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return 0, fmt.Errorf("%s %s: body: %w", method, to, err)
		}
		send = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, to, send)
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", method, to, err)
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.Prepare != nil {
		c.Prepare(req)
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return resp.StatusCode, fmt.Errorf("%s %s: answer: %w", method, to, err)
	}
	if len(b) > maxAnswer {
		return resp.StatusCode, &StrangeError{fmt.Sprintf("%s %s: the answer is larger than %d MB", method, req.URL.Redacted(), maxAnswer>>20)}
	}
	if resp.StatusCode >= 300 {
		return resp.StatusCode, &Error{method, req.URL.Redacted(), resp.StatusCode, message(resp, b)}
	}
	if out == nil || len(bytes.TrimSpace(b)) == 0 {
		return resp.StatusCode, nil
	}
	if err := json.Unmarshal(b, out); err != nil {
		return resp.StatusCode, fmt.Errorf("%s %s: not the JSON of a Connect worker: %w", method, to, err)
	}
	return resp.StatusCode, nil
}

var pageTitle = regexp.MustCompile(`(?i)<title>(.*?)</title>`)

// message is a worker's own error text; a proxy's page is cut short.
func message(resp *http.Response, b []byte) string {
	var e struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(b, &e) == nil && e.Message != "" {
		return begin(e.Message, maxMessage)
	}
	text := strings.Join(strings.Fields(string(b)), " ")
	if title := pageTitle.FindStringSubmatch(text); title != nil {
		text = strings.TrimSpace(title[1])
	}
	if text == "" {
		return http.StatusText(resp.StatusCode)
	}
	return begin(text, maxPage)
}

// How much is kept of a worker's own words, faults of a hundred settings, and of a page of somebody else's; in bytes.
const (
	maxMessage = 16 << 10
	maxPage    = 200
)

// begin is the beginning of a text, in whole letters.
func begin(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
