package doctor

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
)

// slowStopFor is how long a slow stop is told of: the threads of cancelled tasks were seen to run on for two minutes.
const slowStopFor = 10 * time.Minute

// slowStop: a worker cancelled tasks that did not stop within its graceful timeout. A cancelled task writes no status, and its thread
// runs on until what it waits for returns.
var slowStop = rule{"slow-stop", Warning, 0, ofStatuses, func(v *view) []Finding {
	if v.lone() {
		return nil
	}
	byWorker := map[int][]group.SlowStop{}
	for _, s := range v.SlowStops(v.Now.Add(-slowStopFor)) {
		if v.Now.Sub(s.Rejoined) < time.Second {
			continue // the status topic may be read a moment later than the log
		}
		byWorker[s.Worker] = append(byWorker[s.Worker], s)
	}
	var out []Finding
	for _, w := range sortedKeys(byWorker) {
		stops, who := byWorker[w], v.worker(w)
		f := Finding{
			Why:       "A worker waits for task.shutdown.graceful.timeout.ms (5 s by default) until its tasks stop. Then it cancels them and rejoins without them. A cancelled task writes no status, and its thread runs on until what it waits for returns.",
			Certainty: Likely, Since: stops[0].Round.RecordedAt, Workers: []string{v.Workers[w].ID},
			Sure: fmt.Sprintf("The log of %s: \"Graceful stop of task CONNECTOR-TASK failed.\"", who),
		}
		var longest time.Duration
		for _, s := range stops {
			f.Units = append(f.Units, s.Units...)
			never := fmt.Sprintf("it never said that %s stopped", is(len(s.Units), "it", "they"))
			var text string
			switch s.Why {
			case group.StopTold:
				took := s.Rejoined.Sub(s.Round.RecordedAt)
				longest = max(longest, took)
				text = fmt.Sprintf("%s told %s to stop %s; it rejoined without %s %s later, and %s", called(s.Round), who, some(s.Units), is(len(s.Units), "it", "them"), words.Rough(took), never)
			case group.StopLost:
				text = fmt.Sprintf("%s lost the coordinator, stopped its work, and rejoined in %s without %s; %s", who, called(s.Round), some(s.Units), never)
			case group.StopEager:
				text = fmt.Sprintf("%s stopped its work to join %s, as eager has it, without %s; %s", who, called(s.Round), some(s.Units), never)
			}
			if len(f.Evidence) < 6 {
				f.Evidence = append(f.Evidence, Evidence{s.Round.RecordedAt, group.SourceLog, text})
			}
		}
		slices.SortFunc(f.Units, group.Unit.Compare)
		f.Units = slices.Compact(f.Units)
		f.Title = fmt.Sprintf("%s cancelled %s that did not stop in time", who, words.Count(len(f.Units), "task"))
		if longest > 0 {
			f.Title += fmt.Sprintf(": the group waited %s for it", words.Rough(longest))
		}
		thread := decode.Printable(fmt.Sprintf("task-thread-%s-%d", f.Units[0].Connector, f.Units[0].Task))
		f.Next = []string{
			fmt.Sprintf("Take a thread dump of %s (jstack) and look for %s: where it waits is what does not stop.", who, thread),
			"If the tasks only need longer, raise task.shutdown.graceful.timeout.ms on the workers.",
			fmt.Sprintf("If the thread does not end, restart %s: until then the old copy may work beside the new one.", who),
		}
		out = append(out, f)
	}
	return out
}}
