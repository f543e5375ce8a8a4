package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/conn"
	"regroup/internal/observe"
	"regroup/internal/words"
)

func newGroups(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "groups",
		Short: "List the cluster's Connect groups",
		Long: `List every Connect group, those to look at first first, with what describing it tells: state, mode, workers, the connectors and
tasks that they hold, a delay that was announced. Only the coordinator's log has the generation and what waits; "describe" reads that.`,
		Example: "  regroup groups -b localhost:9092",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.groups(cmd.Context()) },
	}
}

func (a *app) groups(ctx context.Context) error {
	s, err := a.settings()
	if err != nil {
		return err
	}
	if err := a.reach(ctx, s); err != nil {
		return err
	}
	found, hidden, err := observe.Groups(ctx, s.Client)
	if err != nil {
		return s.Explain(err)
	}
	slices.SortStableFunc(found, func(a, b observe.GroupSummary) int { return verdictOf(a).Rank() - verdictOf(b).Rank() })
	for _, h := range hidden {
		a.note("%s", decode.Printable(strings.TrimPrefix(h.Group+": "+h.Why, ": ")))
	}
	if err := noGroupSeen(ctx, s, found, hidden); err != nil {
		return err
	}
	if a.json() {
		return a.groupsJSON(found)
	}
	if len(found) == 0 {
		a.note("no Connect group is on %s", strings.Join(s.Brokers, ","))
		return nil
	}
	return groupsTable(found).write(a.out)
}

// noGroupSeen is the error of a user who may describe no group, though there may be some: brokers list, of groups that may not be
// described, only the names, and only to whoever may describe the cluster.
func noGroupSeen(ctx context.Context, s conn.Settings, found []observe.GroupSummary, hidden []observe.NotShown) error {
	needs := ""
	switch {
	case len(found) > 0:
	case slices.ContainsFunc(hidden, func(h observe.NotShown) bool { return h.Group != "" }):
		needs = "needs Describe on Group"
	case !observe.SeesAllGroups(ctx, s.Client):
		needs = "needs Describe on Cluster or on Group"
	}
	if needs == "" {
		return nil
	}
	return fmt.Errorf("groups: no Connect group that this user may describe on %s: %s", strings.Join(s.Brokers, ","), needs)
}

func groupsTable(found []observe.GroupSummary) *table {
	t := newTable("group", "state", "mode", ">workers", ">connectors", ">tasks", ">delay", "verdict", "leader")
	for _, g := range found {
		v := verdictOf(g)
		word := v.Word
		if v.Likely {
			word += "?"
		}
		conns, tasks, delay := "", "", ""
		if g.State == "Stable" {
			conns, tasks = strconv.Itoa(g.Connectors), strconv.Itoa(g.Tasks)
			delay = (time.Duration(g.DelayMs) * time.Millisecond).String()
		}
		t.row(g.Group, g.State, string(g.Mode), strconv.Itoa(g.Workers), conns, tasks, delay, word, g.LeaderURL)
	}
	return t
}

// groupObject is one line of groups -o json. What describing does not tell is null.
type groupObject struct {
	Group      string      `json:"group"`
	State      string      `json:"state"`
	Protocol   *string     `json:"protocol"`
	Mode       *group.Mode `json:"mode"`
	Generation *int32      `json:"generation"`
	Workers    int         `json:"workers"`
	Connectors *int        `json:"connectors"`
	Tasks      *int        `json:"tasks"`
	DelayMs    *int32      `json:"delayMs"`
	Leader     *string     `json:"leader"`
	LeaderURL  *string     `json:"leaderUrl"`
	Verdict    string      `json:"verdict"`
	Likely     bool        `json:"likely"`
	Sentence   string      `json:"sentence"`
}

func (a *app) groupsJSON(found []observe.GroupSummary) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	for _, g := range found {
		v := verdictOf(g)
		o := groupObject{
			Group: g.Group, State: g.State, Protocol: orNull(g.Protocol), Workers: g.Workers, Leader: orNull(g.Leader),
			LeaderURL: orNull(g.LeaderURL), Verdict: v.Word, Likely: v.Likely, Sentence: v.Sentence,
		}
		if g.State == "Stable" {
			o.Mode, o.Connectors, o.Tasks, o.DelayMs = &g.Mode, &g.Connectors, &g.Tasks, &g.DelayMs
		}
		if err := enc.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

// verdictOf is as much of a verdict as one description allows. That nothing is unassigned it cannot see, nor whether a delay
// that was announced still runs: such verdicts are likely, not seen.
func verdictOf(g observe.GroupSummary) group.Verdict {
	switch {
	case g.State == "Empty":
		return group.Verdict{Word: "EMPTY", Sentence: "No worker is in the group. What is configured runs nowhere.", Nowhere: true}
	case g.State != "Stable":
		return group.Verdict{Word: "REBALANCING", Sentence: "A join runs; nobody knows yet who gets what."}
	case g.Error != 0:
		return group.Verdict{Word: "STUCK", Likely: true, Sentence: "Workers' configs differ; the leader decided nothing."}
	case g.DelayMs > 0:
		d := time.Duration(g.DelayMs) * time.Millisecond
		return group.Verdict{Word: "DELAYED", Likely: true, Sentence: fmt.Sprintf("The last round announced a delay of %s.", d)}
	case g.Duplicated > 0:
		return group.Verdict{Word: "DUPLICATED", Sentence: words.Count(g.Duplicated, "unit") + " reported by two workers."}
	}
	return group.Verdict{Word: "SETTLED", Likely: true, Sentence: fmt.Sprintf("%s hold %s and %s.", words.Count(g.Workers, "worker"),
		words.Count(g.Connectors, "connector"), words.Count(g.Tasks, "task"))}
}
