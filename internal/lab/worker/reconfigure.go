package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"regroup/internal/lab/herder"
)

// reconfigure asks a connector that runs here for its tasks' configs, and has them written when they are not what was last
// committed: by itself when this worker leads, else by the leader.
func (w *Worker) reconfigure(name string, attempt int) {
	properties, was, _, ok := w.configs.of(name)
	if !ok {
		return
	}
	now := taskConfigs(properties)
	if slices.EqualFunc(was, now, maps.Equal) {
		return
	}
	if w.herder.place().Leads() {
		if w.writeTasks(name, now) != nil {
			w.reconfigureLater(name, attempt)
		}
		return
	}
	w.tasks.Run("task configs of "+name, func(context.Context) {
		if err := w.sendTasks(name, now); err != nil {
			w.reconfigureLater(name, attempt)
		}
	})
}

func (w *Worker) reconfigureLater(name string, attempt int) {
	w.herder.ask(herder.ReconfigureBackoff(attempt), func() { w.reconfigure(name, attempt+1) })
}

// writeTasks writes a connector's tasks, and then that they are all of them.
func (w *Worker) writeTasks(name string, configs []map[string]string) error {
	records := make([]record, len(configs))
	for i, c := range configs {
		records[i] = record{"task-" + name + "-" + strconv.Itoa(i), properties{c}}
	}
	if len(records) > 0 {
		if err := w.tail.write(w.ctx, records...); err != nil {
			return err
		}
	}
	return w.tail.write(w.ctx, record{"commit-" + name, map[string]int{"tasks": len(configs)}})
}

// properties is the value of a connector's and of a task's record.
type properties struct {
	Properties map[string]string `json:"properties"`
}

// sendTasks hands a connector's task configs to the leader.
func (w *Worker) sendTasks(name string, configs []map[string]string) error {
	leader := w.herder.place().LeaderURL()
	if leader == "" {
		return fmt.Errorf("connector %s: no leader is known to write its tasks", name)
	}
	body, err := json.Marshal(configs)
	if err != nil {
		return err
	}
	resp, err := w.call(w.ctx, http.MethodPost, joinURL(leader, "/connectors/"+escape(name)+"/tasks", "forward=false"), body, w.signed(body))
	if err != nil {
		return err
	}
	if resp.status >= http.StatusBadRequest {
		return fmt.Errorf("connector %s: the leader %s would not write its tasks: %d %s", name, leader, resp.status, resp.body)
	}
	return nil
}
