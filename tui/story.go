package tui

import (
	"strings"

	"regroup/group"
)

// story tells a round in sentences: who, then what followed. The first stands out.
func story(r, prev *group.Round, ws []group.Worker, narrow bool) []string {
	if told := caughtUp(r.Causes); told != "" {
		return append([]string{told}, consequences(r, ws)...)
	}
	var out []string
	for i, c := range r.Causes {
		if i == maxTold {
			out = append(out, plural(len(r.Causes)-i, "more cause")+".")
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
		return c.Connector + " has " + plural(c.Tasks, "task") + ", before " + count(c.WasTasks) + "."
	case group.CauseProtocolChanged:
		if c.To == eagerProtocol {
			return name + " joined" + likely(c, "knows only eager") + ": that takes the whole group to eager."
		}
		return "The group is cooperative again."
	case group.CauseConfigMismatch:
		return "Members had read different configs, so nothing was decided."
	case group.CauseCoordinatorLost:
		return name + lost(c) + " the coordinator and let " + plural(c.Units, "unit") + " go."
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
		out = append(out, plural(r.Stopped, "unit")+" stopped"+stoppedOn(ws)+".")
	case r.Delayed > 0:
		out = append(out, nobodyElse)
	case r.Dropped+r.Restarted+r.Twice == 0 && r.Error == 0:
		out = append(out, "Nothing was stopped.")
	}
	if r.Restarted > 0 {
		out = append(out, plural(r.Restarted, "unit")+" restarted where they were.")
	}
	if r.Unassigned > 0 {
		out = append(out, plural(r.Unassigned, "unit")+" in nobody's hands, and no delay runs.")
	}
	if r.Twice > 0 {
		out = append(out, plural(r.Twice, "unit")+" started elsewhere before the old copy was stopped.")
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
		return plural(n, "worker")
	}
}
