package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// reconfigure asks a connector that runs here for its tasks' configs, and has them written when they are not what was last
// committed: by itself when this worker leads, else by the leader.
func (h *herder) reconfigure(name string, attempt int) {
	properties, was, _, ok := h.w.configs.of(name)
	if !ok {
		return
	}
	now := taskConfigs(properties)
	if slices.EqualFunc(was, now, maps.Equal) {
		return
	}
	if h.leads() {
		if h.writeTasks(name, now) != nil {
			h.reconfigureLater(name, attempt)
		}
		return
	}
	h.w.crew.Go("task configs of "+name, func(context.Context) {
		if err := h.w.sendTasks(name, now); err != nil {
			h.reconfigureLater(name, attempt)
		}
	})
}

func (h *herder) reconfigureLater(name string, attempt int) {
	wait := min(reconfigureFirst<<min(attempt, 8), reconfigureMost)
	h.ask(wait, func() { h.reconfigure(name, attempt+1) })
}

// Connect waits that long before it tries again.
const (
	reconfigureFirst = 250 * time.Millisecond
	reconfigureMost  = time.Minute
)

// writeTasks writes a connector's tasks, and then that they are all of them.
func (h *herder) writeTasks(name string, configs []map[string]string) error {
	records := make([]record, len(configs))
	for i, c := range configs {
		records[i] = record{"task-" + name + "-" + strconv.Itoa(i), properties{c}}
	}
	if len(records) > 0 {
		if err := h.w.tail.write(h.w.ctx, records...); err != nil {
			return err
		}
	}
	return h.w.tail.write(h.w.ctx, record{"commit-" + name, map[string]int{"tasks": len(configs)}})
}

// properties is the value of a connector's and of a task's record.
type properties struct {
	Properties map[string]string `json:"properties"`
}

// sendTasks hands a connector's task configs to the leader.
func (w *Worker) sendTasks(name string, configs []map[string]string) error {
	leader := w.herder.leaderURL()
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
