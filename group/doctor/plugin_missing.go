package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// pluginMissing: a connector's class is not on every worker. Any round may bring its units to one that lacks it, and there
// they fail.
var pluginMissing = rule{"plugin-missing", Warning, time.Minute, need{needsWorkers, group.SourceConfig}, func(v *view) []Finding {
	var out []Finding
	known := map[*group.Worker]map[string]bool{}
	for _, w := range v.members {
		if plugins := v.rest[w.URL].Plugins; len(plugins) > 0 {
			known[w] = aliases(plugins)
		}
	}
	if len(known) == 0 {
		return nil
	}
	for _, c := range v.Configs() {
		if !c.Live || c.Class == "" {
			continue
		}
		var lacking []*group.Worker
		for _, w := range v.members {
			if has := known[w]; has != nil && !has[c.Class] {
				lacking = append(lacking, w)
			}
		}
		if len(lacking) == 0 {
			continue
		}
		f := Finding{
			Title: fmt.Sprintf("%s cannot run on %s: the plugin is not there", decode.Printable(c.Name), namesOf(lacking)),
			Why:   "Any round may give its units to any worker. On one without the plugin they fail at the start.",
			Since: laterOf(c.RecordAt, v.round), Workers: idsOf(lacking), Units: []group.Unit{{Connector: c.Name, Task: decode.Instance}},
			Evidence: []Evidence{{c.RecordAt, group.SourceConfig, fmt.Sprintf("%s: connector.class %s", decode.Printable(c.Name), decode.Printable(c.Class))}},
			Next:     []string{fmt.Sprintf("Install it on %s (plugin.path), the same version as elsewhere, and restart there.", namesOf(lacking))},
		}
		for _, w := range lacking[:min(6, len(lacking))] {
			r := v.rest[w.URL]
			f.Evidence = append(f.Evidence, Evidence{r.At, group.SourceREST, fmt.Sprintf("%s lists %s, and not this one", name(w), words.Count(len(r.Plugins), "plugin"))})
		}
		out = append(out, f)
	}
	return out
}}

// aliases are the names by which connector.class may name plugins: in full, simple, and without "Connector" at the end.
func aliases(plugins []string) map[string]bool {
	out := make(map[string]bool, 3*len(plugins))
	for _, p := range plugins {
		simple := p[strings.LastIndexByte(p, '.')+1:]
		for _, a := range []string{p, simple, strings.TrimSuffix(simple, "Connector")} {
			out[a] = true
		}
	}
	return out
}

func laterOf(t time.Time, r *group.Round) time.Time {
	if r == nil {
		return t
	}
	return slices.MaxFunc([]time.Time{t, r.RecordedAt}, time.Time.Compare)
}
