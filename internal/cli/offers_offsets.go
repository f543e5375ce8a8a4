package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"regroup/actions"
	"regroup/decode"
	"regroup/internal/rest"
	"regroup/tui"
)

// notStopped is why a connector's offsets cannot be touched.
const notStopped = "only while it is stopped"

// offsetsDraft is how far a connector has got, a partition a line.
func (k *groupActions) offsetsDraft(ctx context.Context, name, target string) (*tui.Draft, error) {
	offsets, endpoint, err := k.herder.Offsets(ctx, name)
	if err != nil {
		return nil, err
	}
	was := map[string]*string{}
	for _, o := range offsets {
		value := oneLine(o.Offset)
		was[oneLine(o.Partition)] = &value
	}
	d := &tui.Draft{Title: "offsets of " + name, Do: "Alter", Plain: true, Values: was}
	if target != decode.TargetStopped {
		d.Off = notStopped
	}
	d.To = func(by actions.Endpoint, _ map[string]*string) string {
		return "PATCH " + strings.TrimRight(by.URL, "/") + "/connectors/" + decode.Printable(name) + "/offsets"
	}
	d.Look = func(_ context.Context, values map[string]*string) (*actions.Look, error) {
		l := &actions.Look{Endpoint: endpoint, Class: "Partitions", Changes: actions.Changes(was, values, actions.Secrets{})}
		keys := maps.Clone(was)
		maps.Copy(keys, values)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			s := actions.Setting{
				Key: key, Type: "JSON object", Default: was[key],
				Doc: "How far " + name + " has got in this partition, as it writes that itself. Left empty, the partition is forgotten: it begins there anew.",
			}
			if v := values[key]; v != nil && !isObject(*v) {
				s.Faults = append(s.Faults, "an offset is a JSON object, as {\"kafka_offset\":0}")
			}
			if !isObject(key) {
				s.Faults = append(s.Faults, "a partition is a JSON object, as {\"kafka_topic\":\"t\",\"kafka_partition\":0}")
			}
			l.Settings = append(l.Settings, s)
		}
		return l, nil
	}
	d.Ready = func(ctx context.Context, values map[string]*string) (*tui.Deed, error) {
		var to []rest.Offset
		changes := actions.Changes(was, values, actions.Secrets{})
		for _, c := range changes {
			o := rest.Offset{Partition: json.RawMessage(c.Key), Offset: json.RawMessage("null")}
			if c.Now != nil {
				o.Offset = json.RawMessage(*c.Now)
			}
			to = append(to, o)
		}
		x, err := k.herder.Altering(name, to)
		if err != nil {
			return nil, err
		}
		return k.ready(ctx, x, differenceText(changes)...)
	}
	return d, nil
}

func oneLine(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

func isObject(s string) bool {
	var m map[string]any
	return json.Unmarshal([]byte(s), &m) == nil && m != nil
}
