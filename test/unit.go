package test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Unit is a connector instance or a task, as the workers and regroup's JSON name it.
type Unit struct {
	Connector string
	Task      int32 // Instance, or the task's number
}

// Instance is the Task of a connector instance.
const Instance int32 = -1

// Compare is the order in which regroup promises its lists: by connector, the instance first.
func (u Unit) Compare(v Unit) int {
	return cmp.Or(strings.Compare(u.Connector, v.Connector), cmp.Compare(u.Task, v.Task))
}

// UnmarshalJSON reads {"connector":"sink-a","task":0}, where null is the instance, and nothing else.
func (u *Unit) UnmarshalJSON(b []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return fmt.Errorf("unit: %w", err)
	}
	var task *int32
	for name, into := range map[string]any{"connector": &u.Connector, "task": &task} {
		raw, ok := fields[name]
		if !ok {
			return fmt.Errorf("unit %s: no %q", b, name)
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return fmt.Errorf("unit %s: %s: %w", b, name, err)
		}
	}
	if len(fields) != 2 {
		return fmt.Errorf("unit %s: %d fields, want 2", b, len(fields))
	}
	if u.Task = Instance; task != nil {
		u.Task = *task
	}
	return nil
}

// Units lists the units of connectors with these numbers of tasks, sorted.
func Units(tasks map[string]int) []Unit {
	var out []Unit
	for name, n := range tasks {
		for i := range n + 1 {
			out = append(out, Unit{Connector: name, Task: Instance + int32(i)})
		}
	}
	return sortUnits(out)
}

func sortUnits(units []Unit) []Unit {
	slices.SortFunc(units, Unit.Compare)
	return units
}
