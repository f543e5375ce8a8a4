package worker

import (
	"net/http"

	"regroup/decode"
)

// restartRecord asks every worker to restart what it runs of a connector.
type restartRecord struct {
	WithTasks  bool `json:"include-tasks"`
	OnlyFailed bool `json:"only-failed"`
}

// postRestart restarts the instance alone, on its owner; with parameters it goes to every worker through the config topic.
func (w *Worker) postRestart(r *http.Request, _ []byte) (answer, error) {
	name := r.PathValue("c")
	ask := restartRecord{r.URL.Query().Get("includeTasks") == "true", r.URL.Query().Get("onlyFailed") == "true"}
	if ask == (restartRecord{}) {
		return w.restartHere(r, decode.Unit{Connector: name, Task: decode.Instance})
	}
	return w.asLeader(r, func() (answer, error) {
		if err := w.fresh(); err != nil {
			return answer{}, err
		}
		if _, _, _, found := w.configs.of(name); !found {
			return answer{}, failure(http.StatusNotFound, "Unknown connector: %s", name)
		}
		state, found := w.state(name)
		if !found {
			return answer{}, failure(http.StatusNotFound, "Status for connector %s not found", name)
		}
		if err := w.tail.write(w.ctx, record{"restart-connector-" + name, ask}); err != nil {
			return answer{}, err
		}
		markRestarting(&state, ask)
		return answer{status: http.StatusAccepted, body: state}, nil
	})
}

// markRestarting shows what the restart is about to touch.
func markRestarting(state *connectorState, ask restartRecord) {
	mark := func(u *unitState) {
		if !ask.OnlyFailed || u.State == decode.Failed {
			u.State = decode.Restarting
		}
	}
	mark(&state.Connector)
	for i := range state.Tasks {
		if ask.WithTasks {
			mark(&state.Tasks[i])
		}
	}
}

func (w *Worker) postTaskRestart(r *http.Request, _ []byte) (answer, error) {
	u, err := taskOf(r)
	if err != nil {
		return answer{}, err
	}
	return w.restartHere(r, u)
}

// restartHere restarts a unit if it is this worker's; the leader knows whose else it is.
func (w *Worker) restartHere(r *http.Request, u decode.Unit) (answer, error) {
	return w.inHerder(r.Context(), restTimeout, func() (answer, error) {
		if err := w.fresh(); err != nil {
			return answer{}, err
		}
		_, tasks, _, found := w.configs.of(u.Connector)
		switch {
		case !found:
			return answer{}, failure(http.StatusNotFound, "Unknown connector: %s", u.Connector)
		case !u.IsInstance() && int(u.Task) >= len(tasks):
			return answer{}, failure(http.StatusNotFound, "Unknown task: %s-%d", u.Connector, u.Task)
		case w.herder.place().Holds(u):
			w.units.stop([]decode.Unit{u})
			w.units.start(u)
			return answer{status: http.StatusNoContent}, nil
		case w.herder.place().Leads():
			return answer{}, &elsewhere{w.herder.place().Owner(u)}
		}
		return answer{}, &elsewhere{w.herder.place().LeaderURL()}
	})
}
