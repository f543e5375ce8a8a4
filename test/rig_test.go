//go:build kafka && unix

package test

import (
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// The rig itself: what it starts is a Connect group, and what the workers' logs say is what Kafka says.
func TestRig(t *testing.T) {
	t.Parallel()
	rig := Shared(t)
	workers := rig.Workers(t, 2, WorkerOptions{})
	group := rig.GroupOf(t)

	units := map[string]int{"rig-sink": 3}
	workers[0].Put(t, "rig-sink", FileSink("rig-sink", 3))
	workers[0].WaitRunning(t, units)

	client, err := kgo.NewClient(kgo.SeedBrokers(rig.Addr), kgo.DisableClientMetrics())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	Until(t, "two members", func() (bool, string) {
		described, err := kadm.NewClient(client).DescribeGroups(t.Context(), group)
		if err != nil {
			return false, err.Error()
		}
		g := described[group]
		return g.State == "Stable" && g.ProtocolType == "connect" && len(g.Members) == 2, fmt.Sprintf("%s, %d members", g.State, len(g.Members))
	})

	WaitHeld(t, workers, Units(units))

	before := len(workers[1].Joined(t))
	workers[1].Kill(t)
	workers[1].Restart(t)
	Until(t, "worker-2 to be back", func() (bool, string) {
		n := len(workers[1].Joined(t))
		return n > before, fmt.Sprintf("%d joins, %d before", n, before)
	})
}
