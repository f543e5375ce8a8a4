package test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseJoins(t *testing.T) {
	log := strings.Join([]string{
		"[2026-11-29 17:41:43,122] INFO Kafka version: 4.3.1 (org.apache.kafka.common.utils.AppInfoParser)",
		"[2026-11-29 17:41:43,122] INFO [Worker clientId=worker-1, groupId=g] Joined group at generation 16 with protocol version 2" +
			" and got assignment: Assignment{error=0, leader='worker-1-ab', leaderUrl='http://127.0.0.1:18081/', offset=19," +
			" connectorIds=[sink-b, sink-a], taskIds=[sink-a-10, sink-a-2], revokedConnectorIds=[], revokedTaskIds=[sink-b-0]," +
			" delay=20000} with rebalance delay: 20000 (org.apache.kafka.connect.runtime.distributed.DistributedHerder)",
		"[2026-11-29 17:41:43,999] INFO [Worker clientId=worker-1, groupId=g] Successfully joined group with generation 17 (A)",
		"[2026-11-29 17:41:43,999] INFO [Consumer clientId=c-1, groupId=s] Successfully joined group with generation 1 (A)",
		"[2026-11-29 17:41:44,000] INFO Joined group and got assignment: Assignment{error=1," + // as 2.2 says it
			" leader='worker-1-ab', leaderUrl='http://127.0.0.1:18081/', offset=-1, connectorIds=[], taskIds=[]} (DistributedHerder)",
		"[2026-11-29 17:41:45,000] INFO Joined group at generation 18 with pro", // the worker was killed here, or writes on
	}, "\n")
	got, err := ParseJoins(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	want := []Join{
		{
			Generation: 16, Leader: "worker-1-ab", LeaderURL: "http://127.0.0.1:18081/", Offset: 19, DelayMs: 20000,
			Held: []Unit{
				{Connector: "sink-a", Task: Instance},
				{Connector: "sink-a", Task: 2},
				{Connector: "sink-a", Task: 10},
				{Connector: "sink-b", Task: Instance},
			},
			Revoked: []Unit{{Connector: "sink-b", Task: 0}},
		},
		{Generation: 17, Error: 1, Leader: "worker-1-ab", LeaderURL: "http://127.0.0.1:18081/", Offset: -1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A line that says it is a join and lacks what a join has must not read as a worker that holds nothing.
func TestParseJoinsRefusesHalfAJoin(t *testing.T) {
	for _, assignment := range []string{
		"",
		"error=0, leader='w', leaderUrl='u', offset=1, connectorIds=[a]",
		"error=0, leader='w', leaderUrl='u', offset=1, connectorIds=[a], taskIds=[a]",
	} {
		line := "Joined group at generation 1 with protocol version 2 and got assignment: Assignment{" + assignment + "}\n"
		if got, err := ParseJoins(strings.NewReader(line)); err == nil {
			t.Errorf("%q: %+v, want an error", assignment, got)
		}
	}
}
