package doctor

import (
	"slices"
	"strings"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// need is what a rule must be able to read: without one of these it finds nothing, and that means nothing.
type need []group.Source

// What is needed besides the sources themselves.
const (
	needsSettings group.Source = "settings" // of internal topics
	needsWorkers  group.Source = "workers"  // Connect's public calls: version, plugins, herder
)

var (
	ofRounds   = need{group.SourceLog}
	ofStatuses = need{group.SourceLog, group.SourceStatus}
	ofConfigs  = need{group.SourceLog, group.SourceConfig}
	ofREST     = need{group.SourceREST}
	ofWorkers  = need{needsWorkers}
	ofSettings = need{needsSettings}
	ofNothing  = need(nil)
)

// Blank is a rule that could not look.
type Blank struct {
	ID      string
	Missing string // what it would need, and why that is not there
}

// missing says what a rule would need and does not have; "" when it has all.
func (v *view) missing(n need) string {
	if len(n) > 0 && v.Reading() != nil {
		return v.ReadingText()
	}
	var out []string
	for _, source := range n {
		if why := v.lacks(source); why != "" {
			out = append(out, why)
		}
	}
	return strings.Join(out, "; ")
}

func (v *view) lacks(source group.Source) string {
	switch source {
	case group.SourceREST, needsWorkers:
		switch {
		case v.Past:
			return "no REST of that time"
		case v.withoutREST():
			return "no REST (MirrorMaker without dedicated.mode.enable.internal.rest)"
		case len(v.rest) == 0:
			return "no REST"
		case source == needsWorkers && v.internal():
			return "no public REST (MirrorMaker's is internal)"
		}
		return ""
	case needsSettings:
		if len(v.Settings()) == 0 {
			if src := v.SourceOf(group.SourceConfig); src != nil && src.Health == group.HealthDenied {
				return v.lacks(group.SourceConfig)
			}
			return "no settings of internal topics"
		}
		if hidden := v.hiddenTopics(); len(hidden) > 0 && len(internalTopicSettings.look(v)) == 0 {
			return "needs DescribeConfigs on Topic " + words.Few(hidden)
		}
		return ""
	case group.SourceLog:
		if v.round != nil {
			return ""
		}
	}
	src := v.SourceOf(source)
	if src == nil || readable(src.Health) {
		if source == group.SourceLog {
			return "no round of this group was seen"
		}
		return ""
	}
	text := "no " + sourceWords[source] + " (" + string(src.Health)
	if src.Detail != "" {
		text += ": " + decode.Printable(src.Detail)
	}
	return text + ")"
}

// hiddenTopics are the internal topics whose settings this user may not see.
func (v *view) hiddenTopics() (names []string) {
	for _, t := range v.Settings() {
		if t.Hidden && t.Role != "log" {
			names = append(names, decode.Printable(t.Topic))
		}
	}
	slices.Sort(names)
	return names
}

// withoutREST says whether no member has REST at all, as MirrorMaker without internal REST.
func (v *view) withoutREST() bool {
	return len(v.members) > 0 && !slices.ContainsFunc(v.members, func(w *group.Worker) bool { return !group.WithoutREST(w.URL) })
}

// internal says whether all that answered over REST is internal.
func (v *view) internal() bool {
	internal := false
	for _, r := range v.rest {
		if r.Root == "ok" {
			return false
		}
		internal = internal || r.Internal()
	}
	return internal && v.MirrorFlow() != ""
}

var sourceWords = map[group.Source]string{
	group.SourceLog: "coordinator log", group.SourceDescribe: "description of the group",
	group.SourceConfig: "config topic", group.SourceStatus: "status topic",
}

func readable(h group.Health) bool {
	return slices.Contains([]group.Health{group.HealthOK, group.HealthCatchingUp, group.HealthEnded}, h)
}
