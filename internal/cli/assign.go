package cli

import (
	"github.com/spf13/cobra"

	"regroup/group/assign"
)

func newAssign(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "assign",
		Short: "Decide rounds as a Connect leader does: JSON lines in, JSON lines out",
		Long: `assign is a Connect leader that can be asked questions. It reads one JSON object a line and answers each with one.

  {"cmd":"new","assignor":"incremental","maxDelay":300000}

starts a leader that has led nothing yet. Assignors: incremental (as released in 3.7 and later), eager, incremental-3.4
(3.4.0 to 3.5.1, 3.6.0), incremental-2.3 (2.3), proposed (KIP-415: a leader's loss is like any worker's, a delay that runs outlives
it, and a downgrade to eager takes two rounds). "java":21 says that it runs on Java 19 or later, which orders sets of 12, 24, 48 … otherwise.

  {"cmd":"round","now":MS,"generation":N,"lastCompleted":N,"leader":ID,"protocol":"eager"|"compatible"|"sessioned",
   "config":{"offset":N,"connectors":{"NAME":TASKS,…}},
   "members":[{"id":ID,"url":URL,"offset":N,"connectors":["NAME",…],"tasks":[["NAME",N],…]},…]}

has it decide: lastCompleted is the generation of the leader's own last completed join, now its clock, connectors and tasks
are what a member reports that it holds. "metadata" in base64 instead of them is a subscription as recorded. "fresh", like
"config", is what the leader finds when it reads the config topic again. proposed looks at two things more that a new leader knows
from its time as a follower: "scheduled", when its delay ends, and "before":{"leader":ID,"config":{…}}, the last round. The answer has what each member is told, every list
sorted, and "bytes" in base64, as it goes over the wire. A question that cannot be answered gets {"exception":"why"}.`,
		Example: `  regroup assign < questions.jsonl`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return assign.Serve(a.in, a.out)
		},
	}
}
