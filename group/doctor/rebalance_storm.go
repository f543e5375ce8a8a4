package doctor

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// rebalanceStorm: more rounds than anything that somebody did explains. A worker that restarts once, or a connector that is
// made, brings a handful of rounds; the same one again and again does not count as an explanation.
var rebalanceStorm = rule{"rebalance-storm", Critical, time.Minute, ofRounds, func(v *view) []Finding {
	const limit, most = 6, 3000
	byTrigger := map[trigger]int{}
	first := v.At + 1
	for first > 0 && first > v.At+1-most && v.Now.Sub(v.Rounds[first-1].RecordedAt) < time.Minute {
		first--
	}
	if v.At+1-first <= limit {
		return nil
	}
	t := trigger{"before", ""}
	for i := first; i <= v.At; i++ {
		t = v.triggerOf(i, t)
		byTrigger[t]++
	}
	n := 0
	var worst trigger
	for _, t := range sortedTriggers(byTrigger) {
		if t.who != "" && byTrigger[t] <= limit || t.kind == "action" || t.kind == "before" {
			continue
		}
		n += byTrigger[t]
		if byTrigger[t] > byTrigger[worst] {
			worst = t
		}
	}
	if n <= limit {
		return nil
	}
	f := Finding{
		Title: fmt.Sprintf("%d rounds in the last minute", v.At+1-first),
		Why:   fmt.Sprintf("No action and no change of configs explains %d of them: %d have one cause, %s.", n, byTrigger[worst], worst),
		Since: v.stormSince(limit),
		Next:  []string{"Find out what " + worst.next() + "."},
	}
	if worst.kind == string(group.CauseUnknown) {
		f.Certainty, f.Sure = Likely, "The workers' logs at INFO: each says why it joins again."
	}
	for _, t := range sortedTriggers(byTrigger) {
		f.Evidence = append(f.Evidence, Evidence{v.Rounds[first].RecordedAt, group.SourceLog, fmt.Sprintf("%s: %s", words.Count(byTrigger[t], "round"), t)})
		if len(f.Evidence) == 8 {
			break
		}
	}
	return []Finding{f}
}}

// trigger is what set a round off: a kind, and which worker or connector.
type trigger struct{ kind, who string }

func (t trigger) String() string {
	switch group.CauseKind(t.kind) {
	case "configs":
		return "changes of configs whose records are not there any more"
	case group.CauseWorkerJoined:
		return t.who + " comes and goes"
	case group.CauseTasksChanged:
		return t.who + " has its task configs written again"
	case group.CauseConnectorCreated:
		return t.who + " is created or deleted"
	case group.CauseConfigMismatch:
		return "the leader's config is behind a member's"
	case group.CauseUnknown:
		return "nothing that a round shows"
	}
	return map[string]string{"action": "something done with this program", "before": "what happened before that minute"}[t.kind]
}

func (t trigger) next() string {
	switch group.CauseKind(t.kind) {
	case "configs":
		return "writes configs again and again, and what deletes their records"
	case group.CauseWorkerJoined:
		return "makes " + t.who + " leave and come back: its log, its restarts, its memory"
	case group.CauseTasksChanged, group.CauseConnectorCreated:
		return "writes the configs of " + t.who + " again and again: the connector itself (requestTaskReconfiguration) or a deployment tool"
	case group.CauseConfigMismatch:
		return "keeps the leader from reading the config topic: its partitions first"
	}
	return "makes a worker join again: its log says \"Request joining group due to\""
}

// triggerOf is what set a round off; a round that follows from the one before has that one's trigger.
func (v *view) triggerOf(i int, before trigger) trigger {
	r := v.Rounds[i]
	for _, a := range v.Actions() {
		if d := r.RecordedAt.Sub(a.At); d >= 0 && d < 30*time.Second {
			return trigger{"action", "somebody"}
		}
	}
	if i > 0 && r.ConfigOffset > v.Rounds[i-1].ConfigOffset && followsOn(r) {
		return trigger{"configs", "configs"}
	}
	for _, c := range r.Causes {
		switch c.Kind {
		case group.CauseWorkerJoined, group.CauseWorkerReturned, group.CauseWorkerLeft:
			return trigger{string(group.CauseWorkerJoined), decode.Printable(c.Name)}
		case group.CauseConnectorCreated, group.CauseConnectorDeleted:
			return trigger{string(group.CauseConnectorCreated), decode.Printable(c.Connector)}
		case group.CauseTasksChanged:
			return trigger{string(group.CauseTasksChanged), decode.Printable(c.Connector)}
		case group.CauseConfigMismatch:
			return trigger{string(c.Kind), ""}
		case group.CauseRelease, group.CauseDelayExpired, group.CauseBackoffExpired, group.CauseOffsetCaughtUp:
			return before
		}
	}
	return trigger{string(group.CauseUnknown), ""}
}

// followsOn reports whether a round tells no cause of its own but what the rounds before left to come. When its config offset moved
// all the same, it was set off by config records that are not there any more.
func followsOn(r *group.Round) bool {
	return !slices.ContainsFunc(r.Causes, func(c group.Cause) bool {
		return !slices.Contains([]group.CauseKind{group.CauseRelease, group.CauseDelayExpired, group.CauseBackoffExpired, group.CauseOffsetCaughtUp, group.CauseUnknown}, c.Kind)
	})
}

func sortedTriggers(byTrigger map[trigger]int) []trigger {
	var out []trigger
	for t := range byTrigger {
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b trigger) int {
		if d := byTrigger[b] - byTrigger[a]; d != 0 {
			return d
		}
		return slices.Compare([]string{a.kind, a.who}, []string{b.kind, b.who})
	})
	return out
}

// stormSince is since when every minute had more rounds than the limit.
func (v *view) stormSince(limit int) time.Time {
	const most = 10_000
	i := v.At
	for i > limit && i > v.At-most && v.Rounds[i].RecordedAt.Sub(v.Rounds[i-1-limit].RecordedAt) < time.Minute {
		i--
	}
	return v.Rounds[max(0, i-limit)].RecordedAt
}
