package tui

import (
	"slices"
	"strings"

	"regroup/group"
	"regroup/tui/cell"
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

// whys are the causes of a round in a few words each, the most telling first. prev is the round before, or nil.
func whys(r, prev *group.Round) []string {
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

// shortWhy is what the list of rounds shows.
func shortWhy(r, prev *group.Round) string { return whys(r, prev)[0] }

// fitWhy takes a word out that a narrow list can do without, before anything is cut.
func fitWhy(why string, width int) string {
	if cell.Width(why) > width {
		why = strings.Replace(why, " forces eager", " eager", 1)
	}
	return why
}

// longWhy names all causes, and what came of them.
func longWhy(r, prev *group.Round) string {
	parts := whys(r, prev)
	switch kind := firstKind(r); {
	case kind == group.CauseDelayExpired && r.Started > 0:
		parts = append(parts, unitsStart(r.Started)+elsewhere(r))
	case kind == group.CauseRelease && r.Started > 0:
		parts = append(parts, unitsStart(r.Started))
	case (kind == group.CauseWorkerReturned || kind == group.CauseWorkerJoined) && r.Mode == group.ModeCooperative && r.StoppedForOthers > 0:
		parts = append(parts, "others stop "+count(r.StoppedForOthers)+" for it")
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
	return ", " + count(r.Moved) + " elsewhere"
}

func unitsStart(n int) string {
	if n == 1 {
		return "1 unit starts"
	}
	return plural(n, "unit") + " start"
}

func firstKind(r *group.Round) group.CauseKind {
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
		return plural(c.Units, "unit") + " let go"
	}
	if r.Started+r.Stopped+r.Dropped == 0 {
		return "nothing changed"
	}
	return "unknown"
}

func several(n int, many, one string) string {
	if n > 1 {
		return count(n) + " " + many
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
	return c.Connector + ": " + plural(c.Tasks, "task")
}

func leaderLeft(r, prev *group.Round) bool {
	return prev != nil && slices.ContainsFunc(r.Left, func(g group.Gone) bool { return g.Member == prev.Leader })
}
