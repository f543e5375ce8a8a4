package cli

import (
	"context"
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
)

func newGroups(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "groups",
		Short: "List the cluster's Connect groups",
		Long: `List every Connect group, the most urgent first, with what DescribeGroups returns: state, mode, workers, their connectors and tasks,
and an announced delay. Only the coordinator's log has the generation and delayed units; "describe" reads that.`,
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
	slices.SortStableFunc(found, func(a, b observe.GroupSummary) int { return a.Verdict().Rank() - b.Verdict().Rank() })
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
		v := g.Verdict()
		word := string(v.Word)
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
	enc := jsonLines(a.out)
	for _, g := range found {
		v := g.Verdict()
		o := groupObject{
			Group: g.Group, State: g.State, Protocol: orNull(g.Protocol), Workers: g.Workers, Leader: orNull(g.Leader),
			LeaderURL: orNull(g.LeaderURL), Verdict: string(v.Word), Likely: v.Likely, Sentence: v.Sentence,
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
