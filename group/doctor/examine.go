package doctor

import (
	"slices"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// Verdict is what an examination comes to.
type Verdict string

// The verdicts. Info findings leave a group healthy.
const (
	Healthy     Verdict = "healthy"
	HasFindings Verdict = "findings"
	CannotTell  Verdict = "unknown"
)

// Report is an examination's outcome: findings worst first, each followed by its consequences.
type Report struct {
	Group    string
	Verdict  Verdict
	Findings []Finding
	Blanks   []Blank // rules that could not look
	Rules    int     // how many there are
}

// rules are all that is looked for, in the order of DESIGN.md, section 10.
func rules() []rule {
	return []rule{
		noWorkers, unassignedStuck, unitDuplicated, unitFailed, configTopicMismatch, configMismatch, joinNeverSyncs, configRecordsGone, topicsShared,
		rebalanceStorm, slowStop, unitRestartedOften,
		coordinatorLost, groupRecordSize, noCoordinator, accessDenied, unitOrphaned, leaderUnreachable, workerBlocked,
		workerExpelled, urlClash, urlUnusable, eagerForced, internalTopicSettings, tasksNotGenerated, unitNotStarted, commitBeforeConnector,
		configOffsetBehind, memberChurn, mixedVersions, pluginMissing, uneven, unevenPerConnector, delayRunning, backoffDelay,
		delayIllFitting, statusStale, ghostStatus, shadowDiffers, knownBug,
	}
}

// Examine looks a State over. A finding appears once it has been so for its grace.
func Examine(s *group.State, opt Options) Report {
	v, all := look(s), rules()
	out := Report{Group: s.Group, Verdict: Healthy, Rules: len(all)}
	for _, r := range all {
		if why := v.missing(r.needs); why != "" {
			out.Blanks = append(out.Blanks, Blank{r.id, why})
			continue
		}
		for _, f := range r.look(v) {
			if f.ID = r.id; f.Severity == "" {
				f.Severity = r.severity
			}
			if f.Certainty == "" {
				f.Certainty = Seen
			}
			grace := r.grace
			if f.grace > 0 {
				grace = f.grace
			}
			if opt.Passed || f.Since.IsZero() || s.Now.Sub(f.Since) >= grace {
				out.Findings = append(out.Findings, f)
			}
		}
	}
	out.Findings = arrange(out.Findings)
	for _, f := range out.Findings {
		if f.Severity != Info {
			out.Verdict = HasFindings
		}
	}
	if out.Verdict == Healthy && (blind(v) || s.Reading() != nil) {
		out.Verdict = CannotTell
	}
	return out
}

// Count is how many findings a header counts: criticals, and warnings that stand on their own.
func (r Report) Count() int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == Critical || f.Severity == Warning && f.Cause == "" {
			n++
		}
	}
	return n
}

// blind says whether nothing tells who is in the group.
func blind(v *view) bool {
	if v.round == nil {
		return true
	}
	lost := func(s group.Source) bool {
		src := v.SourceOf(s)
		return src == nil || !readable(src.Health)
	}
	return lost(group.SourceLog) && lost(group.SourceDescribe)
}

// Watch examines a group again and again, and remembers what was wrong meanwhile: work that runs twice for three seconds is
// worth telling though it is over.
type Watch struct {
	report Report
	met    []met
}

// met is a finding as it stood last, and when that was.
type met struct {
	Finding
	at time.Time
}

// See examines a State.
func (w *Watch) See(s *group.State, opt Options) Report {
	w.report = Examine(s, opt)
	for _, f := range w.report.Findings {
		if f.Severity == Info || !read(s) {
			continue
		}
		m := met{f, s.Now}
		if i := slices.IndexFunc(w.met, func(o met) bool { return o.Same(f) }); i >= 0 {
			w.met[i] = m
		} else {
			w.met = append(w.met, m)
		}
	}
	return w.report
}

// read says whether sources are read to their end: before that a State is of some moment of the past.
func read(s *group.State) bool {
	return s.SourceOf(group.SourceLog) != nil && s.Reading() == nil
}

// Same says whether two findings are about the same, whatever their numbers are by now. A worker that comes back is a new
// member: then the moment at which it began tells.
func (f Finding) Same(g Finding) bool {
	switch {
	case f.ID != g.ID || f.about != g.about:
		return false
	case slices.Equal(f.Workers, g.Workers):
		return related(&f, &g)
	}
	return !f.Since.IsZero() && f.Since.Equal(g.Since) && (len(f.Units) == 0 && len(g.Units) == 0 || meet(f.Units, g.Units))
}

// Report is the newest one, and at its end what was wrong at some moment of the watch and is over. What is over leaves a
// group healthy.
func (w *Watch) Report() Report {
	out := w.report
	out.Findings = slices.Clone(out.Findings)
	for _, m := range w.met {
		if slices.ContainsFunc(w.report.Findings, m.Same) {
			continue
		}
		f := m.Finding
		f.Severity, f.Cause = Info, ""
		f.Title = "over: " + strings.TrimPrefix(f.Title, "over: ")
		f.Evidence = append(slices.Clone(f.Evidence), Evidence{m.at, source(f), "it was last so then"})
		out.Findings = append(out.Findings, f)
	}
	return out
}

// source is where a finding's own evidence is from.
func source(f Finding) group.Source {
	if len(f.Evidence) > 0 {
		return f.Evidence[0].Source
	}
	return group.SourceLog
}

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
