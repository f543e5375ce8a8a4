package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// answer is what a call gives: a status, and a body unless that is nil.
type answer struct {
	status   int
	body     any
	location string
}

// handler answers a call of Connect's REST interface.
type handler func(r *http.Request, body []byte) (answer, error)

// restError is an error as Connect sends it.
type restError struct {
	status  int
	message string
}

func (e *restError) Error() string { return e.message }

func failure(status int, format string, args ...any) error {
	return &restError{status, fmt.Sprintf(format, args...)}
}

// elsewhere says that another worker has to answer, by its URL; "" when nobody knows which.
type elsewhere struct{ url string }

func (e *elsewhere) Error() string { return "another worker has to answer: " + e.url }

func (w *Worker) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range map[string]handler{
		"GET /{$}":        w.getRoot,
		"GET /health":     w.getHealth,
		"GET /connectors": w.getConnectors, "POST /connectors": w.postConnector,
		"GET /connectors/{c}": w.getConnector, "DELETE /connectors/{c}": w.deleteConnector,
		"GET /connectors/{c}/config": w.getConfig, "PUT /connectors/{c}/config": w.putConfig, "PATCH /connectors/{c}/config": w.patchConfig,
		"GET /connectors/{c}/status": w.getStatus, "GET /connectors/{c}/tasks": w.getTasks,
		"POST /connectors/{c}/tasks": w.postTasks, "GET /connectors/{c}/tasks/{n}/status": w.getTaskStatus,
		"PUT /connectors/{c}/pause": w.putPause, "PUT /connectors/{c}/resume": w.putResume, "PUT /connectors/{c}/stop": w.putStop,
		"POST /connectors/{c}/restart": w.postRestart, "POST /connectors/{c}/tasks/{n}/restart": w.postTaskRestart,
		"GET /connectors/{c}/offsets": w.getOffsets, "PATCH /connectors/{c}/offsets": w.patchOffsets, "DELETE /connectors/{c}/offsets": w.deleteOffsets,
		"GET /connectors/{c}/topics": w.getTopics, "PUT /connectors/{c}/topics/reset": w.putTopicsReset,
		"GET /connector-plugins": w.getPlugins, "GET /connector-plugins/{p}/config": w.getPluginConfig,
		"PUT /connector-plugins/{p}/config/validate": w.putValidate,
	} {
		mux.HandleFunc(pattern, w.serve(h))
	}
	mux.HandleFunc("/", func(rw http.ResponseWriter, _ *http.Request) {
		write(rw, answer{}, failure(http.StatusNotFound, "HTTP 404 Not Found"))
	})
	return mux
}

// maxBody bounds what a call may send.
const maxBody = 4 << 20

func (w *Worker) serve(h handler) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, maxBody))
		if err != nil {
			write(rw, answer{}, failure(http.StatusBadRequest, "%s", err))
			return
		}
		a, err := h(r, body)
		var other *elsewhere
		if errors.As(err, &other) {
			w.forward(rw, r, body, other.url)
			return
		}
		write(rw, a, err)
	}
}

// write sends an answer, or an error in Connect's own shape.
func write(rw http.ResponseWriter, a answer, err error) {
	if err != nil {
		f := &restError{http.StatusInternalServerError, err.Error()}
		errors.As(err, &f)
		a = answer{status: f.status, body: map[string]any{"error_code": f.status, "message": f.message}}
	}
	if a.location != "" {
		rw.Header().Set("Location", a.location)
	}
	if a.body == nil {
		rw.WriteHeader(a.status)
		return
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(a.status)
	_ = json.NewEncoder(rw).Encode(a.body) // whoever hung up misses it
}

// ForwardFailed is how Connect begins the message of a 500 when the worker that a call has to go to does not answer.
const ForwardFailed = "IO Error trying to forward REST request"

// forward sends a call on: at most twice, from a worker to the leader and from there to an owner.
func (w *Worker) forward(rw http.ResponseWriter, r *http.Request, body []byte, to string) {
	next := map[string]string{"": "true", "true": "false"}[r.URL.Query().Get("forward")]
	switch {
	case next == "":
		write(rw, answer{}, failure(http.StatusConflict, "Cannot complete request because of a conflicting operation (e.g. worker rebalance)"))
		return
	case to == "":
		write(rw, answer{}, failure(http.StatusConflict, "Cannot complete request momentarily due to no known leader URL, likely because a rebalance was underway."))
		return
	}
	query := r.URL.Query()
	query.Set("forward", next)
	resp, err := w.call(r.Context(), r.Method, joinURL(to, r.URL.EscapedPath(), query.Encode()), body, r.Header.Clone())
	if err != nil {
		write(rw, answer{}, failure(http.StatusInternalServerError, ForwardFailed+": %s", err))
		return
	}
	if resp.location != "" {
		rw.Header().Set("Location", resp.location)
	}
	if len(resp.body) > 0 {
		rw.Header().Set("Content-Type", "application/json")
	}
	rw.WriteHeader(resp.status)
	_, _ = rw.Write(resp.body)
}

func joinURL(base, path, query string) string {
	return strings.TrimSuffix(base, "/") + path + "?" + query
}

func escape(name string) string { return url.PathEscape(name) }

// response is another worker's answer.
type response struct {
	status   int
	body     []byte
	location string
}

func (w *Worker) call(ctx context.Context, method, to string, body []byte, header http.Header) (response, error) {
	req, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
	if err != nil {
		return response{}, err
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	req.Header.Del("Accept-Encoding")
	resp, err := w.http.Do(req)
	if err != nil {
		return response{}, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	return response{resp.StatusCode, b, resp.Header.Get("Location")}, err
}

// inHerder has the herder answer, when it comes to it.
func (w *Worker) inHerder(ctx context.Context, timeout time.Duration, f func() (answer, error)) (answer, error) {
	type result struct {
		a   answer
		err error
	}
	done := make(chan result, 1)
	w.herder.ask(0, func() {
		a, err := f()
		done <- result{a, err}
	})
	t := time.NewTimer(timeout)
	defer t.Stop()
	select {
	case r := <-done:
		return r.a, r.err
	case <-t.C:
		return answer{}, failure(http.StatusInternalServerError, "Request timed out. The worker is currently ensuring membership in the cluster.")
	case <-ctx.Done():
		return answer{}, ctx.Err()
	case <-w.ctx.Done():
		return answer{}, failure(http.StatusInternalServerError, "Request timed out. The worker is shutting down.")
	}
}

// asLeader has the herder answer if it leads.
func (w *Worker) asLeader(r *http.Request, f func() (answer, error)) (answer, error) {
	return w.inHerder(r.Context(), restTimeout, func() (answer, error) {
		if !w.herder.place().Leads() {
			return answer{}, &elsewhere{w.herder.place().LeaderURL()}
		}
		return f()
	})
}

// fresh refuses what has to wait for a rebalance that is due.
func (w *Worker) fresh() error {
	if w.configs.stale() || w.herder.place().MustJoin() {
		return failure(http.StatusConflict, "Cannot complete request momentarily due to stale configuration (typically caused by a concurrent config change)")
	}
	return nil
}

func notFound(connector string) error {
	return failure(http.StatusNotFound, "Connector %s not found", connector)
}
