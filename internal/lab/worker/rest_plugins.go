package worker

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// configKey is a property that a class knows, as /connector-plugins/{p}/config tells it.
type configKey struct {
	Name          string   `json:"name"`
	Type          string   `json:"type"`
	Required      bool     `json:"required"`
	DefaultValue  *string  `json:"default_value"`
	Importance    string   `json:"importance"`
	Documentation string   `json:"documentation"`
	Group         string   `json:"group"`
	Width         string   `json:"width"`
	DisplayName   string   `json:"display_name"`
	Dependents    []string `json:"dependents"`
	Order         int      `json:"order"`
}

func key(group, name, kind, importance, display, doc string, standard ...string) configKey {
	k := configKey{
		Name: name, Type: kind, Importance: importance, Documentation: doc, Group: group, Width: "MEDIUM",
		DisplayName: display, Dependents: []string{}, Required: len(standard) == 0,
	}
	if len(standard) > 0 && standard[0] != "" {
		k.DefaultValue = &standard[0]
	}
	return k
}

var (
	commonKeys = []configKey{
		key("Common", "name", "STRING", "HIGH", "Connector name", "Globally unique name to use for this connector."),
		key("Common", "connector.class", "STRING", "HIGH", "Connector class", "Name or alias of the class for this connector."),
		key("Common", "tasks.max", "INT", "HIGH", "Tasks max", "Maximum number of tasks to use for this connector.", "1"),
		key("Common", "key.converter", "CLASS", "LOW", "Key converter class", "Converter class used to convert between Kafka Connect format and the serialized form that is written to Kafka.", ""),
		key("Common", "value.converter", "CLASS", "LOW", "Value converter class", "Converter class used to convert between Kafka Connect format and the serialized form that is written to Kafka.", ""),
	}
	simulatedKeys = []configKey{
		key("Simulation", failTasks, "LIST", "LOW", "Failing tasks", "Numbers of tasks that fail when they start.", ""),
		key("Simulation", startMs, "INT", "LOW", "Start time", "Milliseconds that an instance or a task takes to start; the worker's own when empty.", ""),
		key("Simulation", stopMs, "INT", "LOW", "Stop time", "Milliseconds that an instance or a task takes to stop; the worker's own when empty.", ""),
		key("Simulation", "connection.password", "PASSWORD", "MEDIUM", "Password", "Never used: it is there to be masked.", ""),
	}
	sinkKeys   = numbered(commonKeys, []configKey{key("Common", "topics", "LIST", "HIGH", "Topics", "List of topics to consume, separated by commas.")}, simulatedKeys)
	sourceKeys = numbered(commonKeys, []configKey{key("Source", "topic", "STRING", "HIGH", "Topic", "The topic to publish to.")}, simulatedKeys)
)

func numbered(lists ...[]configKey) []configKey {
	out := slices.Concat(lists...)
	for i := range out {
		out[i].Order = i + 1
	}
	return out
}

func (w *Worker) getPlugins(*http.Request, []byte) (answer, error) {
	type entry struct {
		Class   string `json:"class"`
		Type    string `json:"type"`
		Version string `json:"version"`
	}
	out := []entry{}
	for _, p := range w.plugins() {
		out = append(out, entry{p.Class, p.Kind, w.opt.Version})
	}
	return ok(out)
}

func (w *Worker) pluginFor(r *http.Request) (plugin, error) {
	p, found := w.pluginOf(r.PathValue("p"))
	if !found {
		return p, failure(http.StatusNotFound, "Unknown plugin %s.", r.PathValue("p"))
	}
	return p, nil
}

func (w *Worker) getPluginConfig(r *http.Request, _ []byte) (answer, error) {
	p, err := w.pluginFor(r)
	if err != nil {
		return answer{}, err
	}
	return ok(p.keys)
}

type configValue struct {
	Name              string   `json:"name"`
	Value             *string  `json:"value"`
	RecommendedValues []string `json:"recommended_values"`
	Errors            []string `json:"errors"`
	Visible           bool     `json:"visible"`
}

type configInfo struct {
	Definition configKey   `json:"definition"`
	Value      configValue `json:"value"`
}

type configInfos struct {
	Name       string       `json:"name"`
	ErrorCount int          `json:"error_count"`
	Groups     []string     `json:"groups"`
	Configs    []configInfo `json:"configs"`
}

func (w *Worker) putValidate(r *http.Request, body []byte) (answer, error) {
	p, err := w.pluginFor(r)
	if err != nil {
		return answer{}, err
	}
	var config map[string]*string
	if err := json.Unmarshal(body, &config); err != nil {
		return answer{}, failure(http.StatusBadRequest, "%s", err)
	}
	given := withoutNulls(config)
	if named, found := w.pluginOf(given["connector.class"]); !found || named.Class != p.Class {
		return answer{}, failure(http.StatusBadRequest, "Included connector type %s does not match request type %s", given["connector.class"], r.PathValue("p"))
	}
	return ok(p.validate(given))
}

func (p plugin) validate(config map[string]string) configInfos {
	out := configInfos{Name: p.Class, Groups: []string{}, Configs: []configInfo{}}
	for _, k := range p.keys {
		v := configValue{Name: k.Name, Value: k.DefaultValue, RecommendedValues: []string{}, Errors: []string{}, Visible: true}
		if given, found := config[k.Name]; found {
			v.Value = &given
		}
		v.Errors = append(v.Errors, k.wrong(v.Value)...)
		out.ErrorCount += len(v.Errors)
		out.Configs = append(out.Configs, configInfo{k, v})
		if !slices.Contains(out.Groups, k.Group) {
			out.Groups = append(out.Groups, k.Group)
		}
	}
	return out
}

// wrong says what is wrong with a value, in Connect's words.
func (k configKey) wrong(value *string) []string {
	switch {
	case value == nil && k.Required:
		return []string{fmt.Sprintf("Missing required configuration %q which has no default value.", k.Name)}
	case value == nil || *value == "" && !k.Required:
		return nil
	case k.Type != "INT":
		return nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(*value), 10, 32)
	if err != nil {
		return []string{fmt.Sprintf("Invalid value %s for configuration %s: Not a number of type INT", *value, k.Name)}
	}
	if k.Name == "tasks.max" && n < 1 {
		return []string{fmt.Sprintf("Invalid value %d for configuration %s: Value must be at least 1", n, k.Name)}
	}
	return nil
}

// checkConfig refuses a connector's config as Connect does.
func (w *Worker) checkConfig(config map[string]string) error {
	class := config["connector.class"]
	if class == "" {
		return failure(http.StatusBadRequest, "Connector config %s contains no connector type", slices.Sorted(maps.Keys(config)))
	}
	p, found := w.pluginOf(class)
	if !found {
		return failure(http.StatusInternalServerError, "Failed to find any class that implements Connector and which name matches %s, available connectors are: %s, %s", class, SinkClass, SourceClass)
	}
	infos := p.validate(config)
	if infos.ErrorCount == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("Connector configuration is invalid and contains the following %d error(s):", infos.ErrorCount)}
	for _, c := range infos.Configs {
		lines = append(lines, c.Value.Errors...)
	}
	return failure(http.StatusBadRequest, "%s\nYou can also find the above list of errors at the endpoint `/connector-plugins/%s/config/validate`", strings.Join(lines, "\n"), class)
}
