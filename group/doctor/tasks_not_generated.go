package doctor

import (
	"fmt"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// tasksNotGenerated: a connector's record is newer than the commit of its tasks. Its instance makes task configs when it
// starts; one that lives on another worker than the leader has to send them to the leader over REST.
var tasksNotGenerated = rule{"tasks-not-generated", Warning, time.Minute, ofConfigs, func(v *view) []Finding {
	var out []Finding
	for _, c := range v.Configs() {
		// A stopped or paused connector makes no tasks; the same properties again need none.
		if !c.Live || c.RecordOffset < c.CommitOffset || c.Target != decode.TargetStarted || c.Same || overtaken(&c) || v.onItsWay(&c) {
			continue
		}
		if c.CommitOffset < 0 && v.makesNone(c.Name) {
			continue
		}
		who := decode.Printable(c.Name)
		f := Finding{
			Title: fmt.Sprintf("%s has no tasks: nobody wrote task configs since it was made", who), Since: c.RecordAt,
			Why:   "A connector's instance makes the task configs when it starts. Where it does not start, or lives on another worker than the leader and cannot send them there, none come.",
			Units: []group.Unit{{Connector: c.Name, Task: decode.Instance}},
			Evidence: []Evidence{
				{c.RecordAt, group.SourceConfig, fmt.Sprintf("the record of %s stands at offset %d", who, c.RecordOffset)},
				{time.Time{}, group.SourceConfig, "no commit of its tasks follows"},
			},
			Next: []string{
				fmt.Sprintf("Look at the log of the worker that has %s c: an error in taskConfigs, or in sending them to the leader.", who),
			},
		}
		if c.CommitOffset >= 0 {
			f.Title = fmt.Sprintf("%s still runs with task configs from before its last change", who)
			f.Certainty = Likely
			f.Sure = "Its tasks' configs over REST (GET /connectors/" + who + "/tasks): a change that leaves every task's config as it was needs no commit."
			f.Evidence[1] = Evidence{c.CommitAt, group.SourceConfig, fmt.Sprintf("the newest commit of its tasks stands before it, at offset %d: %s", c.CommitOffset, words.Count(c.Tasks, "task"))}
		}
		if v.round == nil || !group.WithoutREST(v.round.LeaderURL) {
			f.Next = append(f.Next, "Ask the leader's URL from that worker's host; see leader-unreachable, url-clash and url-unusable here.")
		}
		f.Evidence = append(f.Evidence, v.whereabouts(c.Name)...)
		if first := v.hindrance(c.Name); first != "" {
			f.Next = append([]string{first}, f.Next...)
		}
		out = append(out, f)
	}
	return out
}}

// makesNone says whether a connector that has no commit may be one that makes no tasks: it runs on a leader that writes none then.
func (v *view) makesNone(connector string) bool {
	at, ok := v.find(group.Unit{Connector: connector, Task: decode.Instance})
	if !ok || v.round == nil || v.Units[at].Worker < 0 {
		return false
	}
	return group.CommitsNoEmptyTasks(v.round.LeaderURL) && v.Workers[v.Units[at].Worker].Leader && v.Units[at].State == group.UnitRunning
}

// overtaken says whether all that is left of a connector's records came after its commit: see commit-before-connector.
func overtaken(c *group.ConnectorConfig) bool {
	return c.Live && c.CommitOffset >= 0 && c.FirstRecord > c.CommitOffset
}

// onItsWay says whether task configs may just be coming: even at the end of a recording a connector that no round has given
// out has had no chance to make them.
func (v *view) onItsWay(c *group.ConnectorConfig) bool {
	given := c.CommitOffset < 0 && !v.lone() && c.RecordOffset < v.round.ConfigOffset
	return !given && v.Now.Sub(c.RecordAt) < time.Minute
}

// hindrance is what most likely keeps a connector from making its tasks, and what to do; "" where nothing tells.
func (v *view) hindrance(connector string) string {
	at, ok := v.find(group.Unit{Connector: connector, Task: decode.Instance})
	if !ok || v.Units[at].Worker < 0 {
		return ""
	}
	who, w := decode.Printable(connector), &v.Workers[v.Units[at].Worker]
	switch {
	case !w.Leader && group.WithoutREST(v.round.LeaderURL):
		return fmt.Sprintf("Set dedicated.mode.enable.internal.rest=true on every node of MirrorMaker (3.5 and later): without it %s, which does not lead, cannot send them to the leader (KAFKA-9981).", name(w))
	case v.Units[at].State == group.UnitStarting:
		return fmt.Sprintf("Its start has not come to its end: a thread dump there (jstack) shows what connector-thread-%s waits for.", who)
	case !w.Leader && strings.ContainsAny(connector, ";/%"):
		// Seen on 3.9.1 and 4.3.1: that worker logs "Connector … not found", the name cut short or unescaped.
		return fmt.Sprintf("Give it a name without ;, / and %%: %s puts it into the path to the leader as it is, and the leader finds no such connector. Only on the leader it works.", name(w))
	}
	return ""
}

// whereabouts tells on which worker a connector's instance is, and whether that is the leader.
func (v *view) whereabouts(connector string) []Evidence {
	at, ok := v.find(group.Unit{Connector: connector, Task: decode.Instance})
	if !ok || v.round == nil {
		return nil
	}
	u := &v.Units[at]
	if u.Worker < 0 {
		return []Evidence{{u.Since, group.SourceLog, "its instance is in nobody's hands"}}
	}
	w := &v.Workers[u.Worker]
	out := []Evidence{{u.Since, group.SourceLog, fmt.Sprintf("its instance is on %s: %s", name(w), u.State)}}
	switch {
	case w.Leader:
		out = append(out, Evidence{v.round.RecordedAt, group.SourceLog, name(w) + " leads: it writes task configs itself"})
	case group.WithoutREST(v.round.LeaderURL):
		out = append(out, Evidence{v.round.RecordedAt, group.SourceLog, fmt.Sprintf("%s must send them to the leader, which has no REST (%s)", name(w), decode.Printable(v.round.LeaderURL))})
	default:
		out = append(out, Evidence{v.round.RecordedAt, group.SourceLog, fmt.Sprintf("%s must send them to the leader at %s", name(w), decode.Printable(v.round.LeaderURL))})
		if r, asked := v.rest[v.round.LeaderURL]; asked && !r.Answers() {
			out = append(out, Evidence{r.At, group.SourceREST, "which does not answer from here: " + decode.Printable(r.Root)})
		}
	}
	return out
}
