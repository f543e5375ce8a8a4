package doctor

import (
	"fmt"
	"strings"
	"time"

	"regroup/decode"
	"regroup/group"
)

// noCoordinator: the brokers cannot say who coordinates the group, or the one that does cannot be reached. It comes before anything
// about workers: without a coordinator no worker can join.
var noCoordinator = rule{"no-coordinator", Critical, 10 * time.Second, ofNothing, func(v *view) []Finding {
	if v.Past {
		return nil
	}
	src := v.SourceOf(group.SourceDescribe)
	if src == nil || src.Health != group.HealthUnreachable && src.Health != group.HealthMissing {
		return nil
	}
	// No such group: nothing is ill. Nor is it where a round has just come, for the broker was asked before that.
	if src.Health == group.HealthMissing && (v.round == nil || v.Now.Sub(v.round.RecordedAt) < 10*time.Second) {
		return nil
	}
	log := v.SourceOf(group.SourceLog)
	// Only a coordinator writes rounds: one that came since then had one, whoever it is that does not answer us.
	if src.Health == group.HealthUnreachable && log != nil && log.Health == group.HealthOK && v.RecordSeen().After(src.Since) {
		return nil
	}
	f := Finding{Since: src.Since, Evidence: []Evidence{{src.Since, group.SourceDescribe, decode.Printable(src.Detail)}}}
	if log != nil {
		f.Evidence = append(f.Evidence, Evidence{log.Since, group.SourceLog, strings.TrimSuffix(fmt.Sprintf("%s: %s", log.Health, decode.Printable(log.Detail)), ": ")})
	}
	if src.Health == group.HealthMissing {
		f.Title = "the broker knows the group no longer, though its log has rounds of it"
		f.Why = "A group without workers is forgotten after a while (offsets.retention.minutes, or ten minutes without offsets), or somebody deleted it."
		f.Severity, f.Since = Warning, time.Time{} // how long it has been so is not known
		f.Next = []string{"Start a worker of this group, or check that this is the cluster that its workers use."}
		return []Finding{f}
	}
	f.Title = "no coordinator answers for the group"
	f.Why = "Without a coordinator no worker can join, heartbeat or get an assignment; workers stop what they run after a heartbeat interval. What is shown is the past."
	f.Next = []string{
		"Look at the brokers: is one down, or still loading? Does the address that it advertises work from here?",
		"Look at __consumer_offsets: a replication factor above the number of brokers (offsets.topic.replication.factor) leaves it without a leader for ever.",
	}
	return []Finding{f}
}}
