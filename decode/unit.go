package decode

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Instance is the task number that stands for the connector instance itself on the wire.
const Instance int32 = -1

// Unit is what an assignment hands out: a connector's instance, or one of its tasks.
type Unit struct {
	Connector string
	Task      int32 // Instance, or 0, 1, …
}

// IsInstance says whether u is the connector's instance rather than a task.
func (u Unit) IsInstance() bool { return u.Task == Instance }

// String prints a task as "sink-a 3" and an instance as "sink-a c".
func (u Unit) String() string {
	if u.IsInstance() {
		return u.Connector + " c"
	}
	return u.Connector + " " + strconv.Itoa(int(u.Task))
}

// Compare orders units by connector name (bytes), the instance before the tasks.
func (u Unit) Compare(v Unit) int {
	if c := strings.Compare(u.Connector, v.Connector); c != 0 {
		return c
	}
	return cmp.Compare(u.Task, v.Task)
}

// SortUnits sorts in place by Unit.Compare and returns its argument.
func SortUnits(units []Unit) []Unit {
	slices.SortFunc(units, Unit.Compare)
	return units
}

type unitJSON struct {
	Connector string `json:"connector"`
	Task      *int32 `json:"task"`
}

// MarshalJSON writes {"connector":"sink-a","task":0}; an instance has "task":null.
func (u Unit) MarshalJSON() ([]byte, error) {
	out := unitJSON{Connector: u.Connector}
	if !u.IsInstance() {
		out.Task = &u.Task
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (u *Unit) UnmarshalJSON(b []byte) error {
	var in unitJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	u.Connector, u.Task = in.Connector, Instance
	if in.Task != nil {
		u.Task = *in.Task
	}
	return nil
}
