package label

import (
	"slices"
	"strings"

	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/ui/cell"
)

// rank orders causes: of several, the list shows the first.
var rank = map[group.CauseKind]int{
	group.CauseWorkerRestarted: 2, group.CauseCoordinatorLost: 2, group.CauseConfigMismatch: 3, group.CauseLeaderChanged: 4, group.CauseWorkerLeft: 5,
	group.CauseWorkerJoined: 6, group.CauseWorkerReturned: 6, group.CauseConnectorCreated: 7, group.CauseConnectorDeleted: 7,
	group.CauseTasksChanged: 8, group.CauseDelayExpired: 9, group.CauseBackoffExpired: 9, group.CauseRelease: 10,
	group.CauseOffsetCaughtUp: 11, group.CauseProtocolChanged: 12, group.CauseFirst: 13, group.CauseUnknown: 14,
}

func causeRank(c group.Cause) int {
	if c.Kind == group.CauseProtocolChanged && c.To == eagerProtocol {
		return 1
	}
	return rank[c.Kind]
}

// forcer is the member id of the one that takes the group to eager in this round.
func forcer(r *group.Round) string {
	for _, c := range r.Causes {
		if c.Kind == group.CauseProtocolChanged && c.To == eagerProtocol {
			return c.Worker
		}
	}
	return ""
}

const eagerProtocol = "default"

// Whys are the causes of a round in a few words each, the most telling first. prev is the round before, or nil.
func Whys(r, prev *group.Round) []string {
	causes := slices.Clone(r.Causes)
	slices.SortStableFunc(causes, func(a, b group.Cause) int { return causeRank(a) - causeRank(b) })
	if who := forcer(r); who != "" { // its joining is told with what it forces
		causes = slices.DeleteFunc(causes, func(c group.Cause) bool { return c.Kind == group.CauseWorkerJoined && c.Worker == who })
	}
	causes = slices.DeleteFunc(causes, func(c group.Cause) bool { // that it died says that it is back
		return c.Kind == group.CauseWorkerReturned && slices.ContainsFunc(r.Causes, func(o group.Cause) bool {
			return o.Kind == group.CauseWorkerRestarted && o.Worker == c.Worker
		})
	})
	var out []string
	for i := 0; i < len(causes); {
		n := 1
		for i+n < len(causes) && causes[i+n].Kind == causes[i].Kind {
			n++
		}
		out = append(out, why(r, prev, causes[i:i+n]))
		i += n
	}
	if len(out) == 0 {
		out = append(out, "unknown")
	}
	return out
}

// ShortWhy is what the list of rounds shows.
func ShortWhy(r, prev *group.Round) string { return Whys(r, prev)[0] }

// FitWhy takes a word out that a narrow list can do without, before anything is cut.
func FitWhy(why string, width int) string {
	if cell.Width(why) > width {
		why = strings.Replace(why, " forces eager", " eager", 1)
	}
	return why
}

// LongWhy names all causes, and what came of them.
func LongWhy(r, prev *group.Round) string {
	parts := Whys(r, prev)
	switch kind := FirstKind(r); {
	case kind == group.CauseDelayExpired && r.Started > 0:
		parts = append(parts, unitsStart(r.Started)+elsewhere(r))
	case kind == group.CauseRelease && r.Started > 0:
		parts = append(parts, unitsStart(r.Started))
	case (kind == group.CauseWorkerReturned || kind == group.CauseWorkerJoined) && r.Mode == group.ModeCooperative && r.StoppedForOthers > 0:
		parts = append(parts, "others stop "+words.Thousands(r.StoppedForOthers)+" for it")
	}
	return strings.Join(parts, ", ")
}

// elsewhere says how many of the units that start do so on another worker than the one that ran them last.
func elsewhere(r *group.Round) string {
	switch r.Moved {
	case 0:
		return ""
	case r.Started:
		return " elsewhere"
	}
	return ", " + words.Thousands(r.Moved) + " elsewhere"
}

func unitsStart(n int) string {
	if n == 1 {
		return "1 unit starts"
	}
	return words.Plural(n, "unit") + " start"
}

// FirstKind is the kind of a round's first cause.
func FirstKind(r *group.Round) group.CauseKind {
	if len(r.Causes) == 0 {
		return group.CauseUnknown
	}
	return r.Causes[0].Kind
}

// why words causes of one kind.
func why(r, prev *group.Round, cs []group.Cause) string {
	c, n := cs[0], len(cs)
	name := c.Name
	if name == "" {
		name = "a worker"
	}
	switch c.Kind {
	case group.CauseFirst:
		if prev != nil {
			return "begins again"
		}
		return "history begins"
	case group.CauseWorkerJoined:
		return several(n, "workers joined", name+" joined")
	case group.CauseWorkerReturned:
		return several(n, "workers back", name+" back")
	case group.CauseWorkerRestarted:
		return several(n, "workers died, are back", name+" died, is back")
	case group.CauseWorkerLeft:
		if r.Empty() {
			return "last worker left"
		}
		return several(n, "workers left", name+" left")
	case group.CauseLeaderChanged:
		if leaderLeft(r, prev) {
			return "leader left"
		}
		return name + " leads"
	case group.CauseConnectorCreated:
		return several(n, "connectors created", c.Connector+" created")
	case group.CauseConnectorDeleted:
		return several(n, "connectors deleted", c.Connector+" deleted")
	case group.CauseTasksChanged:
		return several(n, "connectors changed", tasksChanged(c))
	}
	return otherWhy(r, c, name, n)
}

func otherWhy(r *group.Round, c group.Cause, name string, n int) string {
	switch c.Kind {
	case group.CauseDelayExpired:
		return "delay over"
	case group.CauseBackoffExpired:
		return "back-off over"
	case group.CauseRelease:
		if r.Started == 0 { // what was revoked is gone, or delayed since
			return "workers join again"
		}
		return "released start"
	case group.CauseProtocolChanged:
		if c.To != eagerProtocol {
			return "cooperative again"
		}
		if c.Name == "" {
			return "eager is forced"
		}
		return c.Name + " forces eager"
	case group.CauseConfigMismatch:
		return "configs differ"
	case group.CauseOffsetCaughtUp:
		return several(n, "workers caught up", name+" caught up")
	case group.CauseCoordinatorLost:
		return words.Plural(c.Units, "unit") + " let go"
	}
	if r.Started+r.Stopped+r.Dropped == 0 {
		return "nothing changed"
	}
	return "unknown"
}

func several(n int, many, one string) string {
	if n > 1 {
		return words.Thousands(n) + " " + many
	}
	return one
}

func tasksChanged(c group.Cause) string {
	switch {
	case c.Tasks == 0 && c.WasTasks > 0:
		return c.Connector + " stopped"
	case c.Tasks == c.WasTasks && c.Tasks > 0:
		return c.Connector + " changed"
	}
	return c.Connector + ": " + words.Plural(c.Tasks, "task")
}

func leaderLeft(r, prev *group.Round) bool {
	return prev != nil && slices.ContainsFunc(r.Left, func(g group.Gone) bool { return g.Member == prev.Leader })
}

// Story tells a round in sentences: who, then what followed. The first stands out.
func Story(r, prev *group.Round, ws []group.Worker, narrow bool) []string {
	if told := caughtUp(r.Causes); told != "" {
		return append([]string{told}, consequences(r, ws)...)
	}
	var out []string
	for i, c := range r.Causes {
		if i == maxTold {
			out = append(out, words.Plural(len(r.Causes)-i, "more cause")+".")
			break
		}
		if c.Kind == group.CauseWorkerJoined && forcer(r) == c.Worker {
			continue // told with what it forces
		}
		out = append(out, sentence(r, prev, c))
	}
	out = append(out, consequences(r, ws)...)
	if last := len(out) - 1; narrow && last >= 0 && out[last] == nobodyElse {
		out[last] = "Nobody else stops."
	}
	return out
}

// caughtUp tells at once of several workers that have caught up, where there is nothing else to tell: they do so in one round.
func caughtUp(causes []group.Cause) string {
	var names []string
	for i := range causes {
		if causes[i].Kind != group.CauseOffsetCaughtUp || causes[i].Name == "" {
			return ""
		}
		names = append(names, causes[i].Name)
	}
	if len(names) < 2 {
		return ""
	}
	return namedOrCounted(names) + " have caught up with the config topic."
}

const nobodyElse = "Nobody else was stopped."

// maxTold bounds how many causes are told in full; fifty connectors created at once are one story.
const maxTold = 4

func sentence(r, prev *group.Round, c group.Cause) string {
	name := c.Name
	if name == "" {
		name = "A worker"
	}
	switch c.Kind {
	case group.CauseFirst:
		return "History begins here; what was before is not known."
	case group.CauseWorkerRestarted:
		return name + " died and came back before its session was over" + inferred(c) + "."
	case group.CauseWorkerReturned:
		return name + " is back as a new member."
	case group.CauseLeaderChanged:
		if leaderLeft(r, prev) {
			return "The leader left; " + name + " leads now."
		}
		return name + " leads now."
	case group.CauseConnectorCreated:
		return c.Connector + " was created."
	case group.CauseConnectorDeleted:
		return c.Connector + " was deleted."
	case group.CauseTasksChanged:
		switch {
		case c.Tasks == 0 && c.WasTasks > 0:
			return c.Connector + " has no tasks now."
		case c.Tasks == 0:
			return c.Connector + " has no tasks."
		case c.Tasks == c.WasTasks:
			return c.Connector + " was configured anew."
		}
		return c.Connector + " has " + words.Plural(c.Tasks, "task") + ", before " + words.Thousands(c.WasTasks) + "."
	case group.CauseProtocolChanged:
		if c.To == eagerProtocol {
			return name + " joined" + likely(c, "knows only eager") + ": that takes the whole group to eager."
		}
		return "The group is cooperative again."
	case group.CauseConfigMismatch:
		return "Members had read different configs, so nothing was decided."
	case group.CauseCoordinatorLost:
		return name + lost(c) + " the coordinator and let " + words.Plural(c.Units, "unit") + " go."
	case group.CauseOffsetCaughtUp:
		return name + " has caught up with the config topic."
	case group.CauseUnknown:
		if r.Started+r.Stopped+r.Dropped == 0 {
			return "Nothing changed: same members, same work."
		}
		return "Why is not known."
	}
	told := capital(why(r, prev, []group.Cause{c}))
	if c.Inferred {
		told += " (inferred)"
	}
	return told + "."
}

// likely words what is inferred rather than read.
func likely(c group.Cause, what string) string {
	if c.Inferred {
		return " and likely " + what
	}
	return " and " + what
}

func inferred(c group.Cause) string {
	if c.Inferred {
		return " (inferred)"
	}
	return ""
}

func lost(c group.Cause) string {
	if c.Inferred {
		return " likely lost"
	}
	return " lost"
}

// capital leaves names alone: only the program's own words begin a sentence in a capital.
func capital(s string) string {
	for _, own := range []string{"delay", "back-off", "released", "last worker"} {
		if strings.HasPrefix(s, own) {
			return strings.ToUpper(s[:1]) + s[1:]
		}
	}
	return s
}

func consequences(r *group.Round, ws []group.Worker) []string {
	var out []string
	switch {
	case r.Empty():
	case r.Stopped > 0:
		out = append(out, words.Plural(r.Stopped, "unit")+" stopped"+stoppedOn(ws)+".")
	case r.Delayed > 0:
		out = append(out, nobodyElse)
	case r.Dropped+r.Restarted+r.Twice == 0 && r.Error == 0:
		out = append(out, "Nothing was stopped.")
	}
	if r.Restarted > 0 {
		out = append(out, words.Plural(r.Restarted, "unit")+" restarted where they were.")
	}
	if r.Unassigned > 0 {
		out = append(out, words.Plural(r.Unassigned, "unit")+" in nobody's hands, and no delay runs.")
	}
	if r.Twice > 0 {
		out = append(out, words.Plural(r.Twice, "unit")+" started elsewhere before the old copy was stopped.")
	}
	if r.Provisional {
		out = append(out, "The config topic is not read this far yet.")
	}
	return out
}

// stoppedOn names the workers that stopped something.
func stoppedOn(ws []group.Worker) string {
	var names []string
	for i := range ws {
		if m := &ws[i]; !m.Gone && m.Stopped > 0 {
			names = append(names, m.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " on " + namedOrCounted(names)
}

// namedOrCounted are up to three names; of more, how many.
func namedOrCounted(names []string) string {
	switch n := len(names); {
	case n == 1:
		return names[0]
	case n <= 3:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	default:
		return words.Plural(n, "worker")
	}
}

// Causes are why a round came, in a row.
func Causes(r, prev *group.Round) string { return strings.Join(Whys(r, prev), ", ") }
