package worker

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
)

type taskID struct {
	Connector string `json:"connector"`
	Task      int    `json:"task"`
}

type connectorInfo struct {
	Name   string            `json:"name"`
	Config map[string]string `json:"config"`
	Tasks  []taskID          `json:"tasks"`
	Type   string            `json:"type"`
}

type unitState struct {
	ID       *int32 `json:"id,omitempty"`
	State    string `json:"state"`
	WorkerID string `json:"worker_id"`
	Trace    string `json:"trace,omitempty"`
	Version  string `json:"version,omitempty"`
}

type connectorState struct {
	Name      string      `json:"name"`
	Connector unitState   `json:"connector"`
	Tasks     []unitState `json:"tasks"`
	Type      string      `json:"type"`
}

func ok(body any) (answer, error) { return answer{status: http.StatusOK, body: body}, nil }

func (w *Worker) getRoot(r *http.Request, _ []byte) (answer, error) {
	cluster := ""
	if resp, err := kmsg.NewPtrMetadataRequest().RequestWith(r.Context(), w.cl); err == nil && resp.ClusterID != nil {
		cluster = *resp.ClusterID
	}
	return ok(map[string]string{"version": w.opt.Version, "commit": "simulated", "kafka_cluster_id": cluster})
}

const healthTimeout = 10 * time.Second

func (w *Worker) getHealth(r *http.Request, _ []byte) (answer, error) {
	if w.opt.old() {
		return answer{}, failure(http.StatusNotFound, "HTTP 404 Not Found")
	}
	a, err := w.inHerder(r.Context(), healthTimeout, func() (answer, error) {
		return ok(map[string]string{"status": "healthy", "message": "Worker has completed startup and is ready to handle requests."})
	})
	if err == nil {
		return a, nil
	}
	if w.herder.place().Claimed == 0 {
		return answer{status: http.StatusServiceUnavailable, body: map[string]string{"status": "starting", "message": "Worker is still starting up."}}, nil
	}
	return answer{status: http.StatusInternalServerError, body: map[string]string{"status": "unhealthy", "message": "Worker was unable to handle this request and may be unable to handle other requests."}}, nil
}

func (w *Worker) getConnectors(r *http.Request, _ []byte) (answer, error) {
	names := w.configs.names()
	expand := r.URL.Query()["expand"]
	if len(expand) == 0 {
		return ok(append([]string{}, names...))
	}
	out := map[string]map[string]any{}
	for _, name := range names {
		entry := map[string]any{}
		if slices.Contains(expand, "status") {
			state, found := w.state(name)
			if !found {
				continue
			}
			entry["status"] = state
		}
		if slices.Contains(expand, "info") {
			if info, found := w.info(name); found {
				entry["info"] = info
			}
		}
		out[name] = entry
	}
	return ok(out)
}

func (w *Worker) info(name string) (connectorInfo, bool) {
	properties, tasks, _, found := w.configs.of(name)
	out := connectorInfo{Name: name, Config: properties, Tasks: []taskID{}, Type: w.kindOf(properties)}
	for i := range tasks {
		out.Tasks = append(out.Tasks, taskID{name, i})
	}
	return out, found
}

func (w *Worker) kindOf(properties map[string]string) string {
	if p, found := w.pluginOf(properties["connector.class"]); found {
		return p.Kind
	}
	return "unknown"
}

// state is what the status topic says of a connector; false when it says nothing of its instance.
func (w *Worker) state(name string) (connectorState, bool) {
	properties, _, _, _ := w.configs.of(name)
	out := connectorState{Name: name, Tasks: []unitState{}, Type: w.kindOf(properties)}
	found := false
	for _, s := range w.statuses.ofConnector(name) {
		u := unitState{State: s.State, WorkerID: s.WorkerID, Trace: s.Trace, Version: s.Version}
		if s.Unit.IsInstance() {
			out.Connector, found = u, true
			continue
		}
		u.ID = &s.Unit.Task
		out.Tasks = append(out.Tasks, u)
	}
	return out, found
}

// plain answers a read that the herder takes: it fails while a rebalance is due.
func (w *Worker) plain(r *http.Request, f func(connectorInfo) (answer, error)) (answer, error) {
	name := r.PathValue("c")
	return w.inHerder(r.Context(), restTimeout, func() (answer, error) {
		if err := w.fresh(); err != nil {
			return answer{}, failure(http.StatusInternalServerError, "%s", err)
		}
		info, found := w.info(name)
		if !found {
			return answer{}, notFound(name)
		}
		return f(info)
	})
}

func (w *Worker) getConnector(r *http.Request, _ []byte) (answer, error) {
	return w.plain(r, func(info connectorInfo) (answer, error) { return ok(info) })
}

func (w *Worker) getConfig(r *http.Request, _ []byte) (answer, error) {
	return w.plain(r, func(info connectorInfo) (answer, error) { return ok(info.Config) })
}

func (w *Worker) getTasks(r *http.Request, _ []byte) (answer, error) {
	type task struct {
		ID     taskID            `json:"id"`
		Config map[string]string `json:"config"`
	}
	return w.plain(r, func(info connectorInfo) (answer, error) {
		_, configs, _, _ := w.configs.of(info.Name)
		out := []task{}
		for i, c := range configs {
			out = append(out, task{taskID{info.Name, i}, c})
		}
		return ok(out)
	})
}

func (w *Worker) getStatus(r *http.Request, _ []byte) (answer, error) {
	name := r.PathValue("c")
	state, found := w.state(name)
	if !found {
		return answer{}, failure(http.StatusNotFound, "No status found for connector %s", name)
	}
	return ok(state)
}

func (w *Worker) getTaskStatus(r *http.Request, _ []byte) (answer, error) {
	u, err := taskOf(r)
	if err != nil {
		return answer{}, err
	}
	s, found := w.statuses.of(u)
	if !found {
		return answer{}, failure(http.StatusNotFound, "No status found for task %s-%d", u.Connector, u.Task)
	}
	return ok(unitState{ID: &u.Task, State: s.State, WorkerID: s.WorkerID, Trace: s.Trace, Version: s.Version})
}

func taskOf(r *http.Request) (decode.Unit, error) {
	n, err := strconv.ParseInt(r.PathValue("n"), 10, 32)
	if err != nil || n < 0 {
		return decode.Unit{}, failure(http.StatusNotFound, "HTTP 404 Not Found")
	}
	return decode.Unit{Connector: r.PathValue("c"), Task: int32(n)}, nil
}

// getTopics: what moves no data uses no topics.
func (w *Worker) getTopics(r *http.Request, _ []byte) (answer, error) {
	return ok(map[string]any{r.PathValue("c"): map[string]any{"topics": []string{}}})
}

func (w *Worker) putTopicsReset(*http.Request, []byte) (answer, error) {
	return answer{status: http.StatusAccepted}, nil
}
