package worker

import (
	"encoding/json"
	"maps"
	"net/http"

	"regroup/decode"
)

// creation is the body of POST /connectors.
type creation struct {
	Name    string             `json:"name"`
	Config  map[string]*string `json:"config"`
	Initial string             `json:"initial_state"`
}

// targetState is the value of a target-state record; readers before KIP-875 look at state alone.
type targetState struct {
	State   string `json:"state"`
	StateV2 string `json:"state.v2"`
}

func targetRecord(name, state string) record {
	v := targetState{state, state}
	if state == decode.TargetStopped {
		v.State = decode.TargetPaused
	}
	return record{"target-state-" + name, v}
}

// initialStates are the states that a connector can be created in, with what the config topic calls them.
var initialStates = map[string]string{"RUNNING": decode.TargetStarted, "PAUSED": decode.TargetPaused, "STOPPED": decode.TargetStopped}

func (w *Worker) postConnector(r *http.Request, body []byte) (answer, error) {
	var c creation
	if err := json.Unmarshal(body, &c); err != nil {
		return answer{}, failure(http.StatusBadRequest, "%s", err)
	}
	config := withoutNulls(c.Config)
	name := c.Name
	if name == "" {
		name = config["name"]
	}
	target := ""
	if c.Initial != "" {
		if target = initialStates[c.Initial]; target == "" {
			return answer{}, failure(http.StatusBadRequest, "initial_state %s: RUNNING, PAUSED or STOPPED", c.Initial)
		}
	}
	return w.putConnector(r, name, config, target, false)
}

func withoutNulls(in map[string]*string) map[string]string {
	out := make(map[string]string, len(in))
	for k, v := range in {
		if v != nil {
			out[k] = *v
		}
	}
	return out
}

func (w *Worker) putConfig(r *http.Request, body []byte) (answer, error) {
	var config map[string]*string
	if err := json.Unmarshal(body, &config); err != nil {
		return answer{}, failure(http.StatusBadRequest, "%s", err)
	}
	return w.putConnector(r, r.PathValue("c"), withoutNulls(config), "", true)
}

// patchConfig: a null value takes a property away.
func (w *Worker) patchConfig(r *http.Request, body []byte) (answer, error) {
	name := r.PathValue("c")
	var patch map[string]*string
	if err := json.Unmarshal(body, &patch); err != nil {
		return answer{}, failure(http.StatusBadRequest, "%s", err)
	}
	return w.asLeader(r, func() (answer, error) {
		was, _, _, found := w.configs.of(name)
		if !found {
			return answer{}, notFound(name)
		}
		config := maps.Clone(was)
		for k, v := range patch {
			if v == nil {
				delete(config, k)
			} else {
				config[k] = *v
			}
		}
		if err := w.checkConfig(config); err != nil {
			return answer{}, err
		}
		return w.writeConnector(name, config, "")
	})
}

// putConnector checks a config, and has the leader write it.
func (w *Worker) putConnector(r *http.Request, name string, config map[string]string, target string, replace bool) (answer, error) {
	if given := config["name"]; given != "" && given != name {
		return answer{}, failure(http.StatusBadRequest, "Connector name configuration (%s) doesn't match connector name in the URL (%s)", given, name)
	}
	if name == "" {
		return answer{}, failure(http.StatusBadRequest, "the connector has no name")
	}
	config["name"] = name
	if err := w.checkConfig(config); err != nil {
		return answer{}, err
	}
	return w.asLeader(r, func() (answer, error) {
		if _, _, _, found := w.configs.of(name); found && !replace {
			return answer{}, failure(http.StatusConflict, "Connector %s already exists", name)
		}
		return w.writeConnector(name, config, target)
	})
}

// writeConnector writes a connector's record, after its target state when it is to begin in one.
func (w *Worker) writeConnector(name string, config map[string]string, target string) (answer, error) {
	info, was := w.info(name)
	if target != "" {
		if err := w.tail.write(w.ctx, targetRecord(name, target)); err != nil {
			return answer{}, err
		}
	}
	if err := w.tail.write(w.ctx, record{"connector-" + name, properties{config}}); err != nil {
		return answer{}, err
	}
	info.Config, info.Type = config, w.kindOf(config)
	if was {
		return ok(info)
	}
	return answer{status: http.StatusCreated, body: info, location: "/connectors/" + escape(name)}, nil
}

func (w *Worker) deleteConnector(r *http.Request, _ []byte) (answer, error) {
	name := r.PathValue("c")
	return w.asLeader(r, func() (answer, error) {
		if _, _, _, found := w.configs.of(name); !found {
			return answer{}, notFound(name)
		}
		err := w.tail.write(w.ctx, record{"connector-" + name, nil}, record{"target-state-" + name, nil})
		return answer{status: http.StatusNoContent}, err
	})
}

// setTarget writes a target state: every worker may.
func (w *Worker) setTarget(r *http.Request, state string) (answer, error) {
	name := r.PathValue("c")
	if _, _, _, found := w.configs.of(name); !found {
		return answer{}, failure(http.StatusNotFound, "Unknown connector %s", name)
	}
	return answer{status: http.StatusAccepted}, w.tail.write(r.Context(), targetRecord(name, state))
}

func (w *Worker) putPause(r *http.Request, _ []byte) (answer, error) {
	return w.setTarget(r, decode.TargetPaused)
}

func (w *Worker) putResume(r *http.Request, _ []byte) (answer, error) {
	return w.setTarget(r, decode.TargetStarted)
}

// putStop: the leader takes a connector's tasks away and then says that it is stopped.
func (w *Worker) putStop(r *http.Request, _ []byte) (answer, error) {
	name := r.PathValue("c")
	return w.asLeader(r, func() (answer, error) {
		if _, _, _, found := w.configs.of(name); !found {
			return answer{}, failure(http.StatusNotFound, "Unknown connector %s", name)
		}
		if err := w.writeTasks(name, nil); err != nil {
			return answer{}, err
		}
		return answer{status: http.StatusNoContent}, w.tail.write(w.ctx, targetRecord(name, decode.TargetStopped))
	})
}

// postTasks is what a worker asks of the leader when its connector has other tasks than before.
func (w *Worker) postTasks(r *http.Request, body []byte) (answer, error) {
	if err := w.checkSignature(r.Header, body); err != nil {
		return answer{}, err
	}
	var configs []map[string]string
	if err := json.Unmarshal(body, &configs); err != nil {
		return answer{}, failure(http.StatusBadRequest, "%s", err)
	}
	name := r.PathValue("c")
	return w.asLeader(r, func() (answer, error) {
		if _, _, _, found := w.configs.of(name); !found {
			return answer{}, notFound(name)
		}
		return answer{status: http.StatusNoContent}, w.writeTasks(name, configs)
	})
}
