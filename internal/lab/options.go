package lab

import (
	"time"

	"regroup/decode"
	"regroup/group/assign"
	"regroup/internal/lab/broker"
	"regroup/internal/lab/worker"
)

// Options of a Lab. What is left out is as in Connect, but for the names.
type Options struct {
	Group      string // "connect-lab" when empty
	Workers    int    // named worker-1, worker-2, …
	Connectors []Connector
	Protocol   worker.Protocol
	Delay      time.Duration // scheduled.rebalance.max.delay.ms; below 0: none
	Seed       uint64        // of the member ids, which decide ties
	Rules      assign.AssignorVersion

	Net          *broker.Network // nil: sockets on loopback
	InitialDelay time.Duration   // group.initial.rebalance.delay.ms
	MinSession   time.Duration   // group.min.session.timeout.ms
	Cleanup      time.Duration   // offsets.retention.check.interval.ms
	// NewMember names members instead of the seed.
	NewMember func(client string) string

	Heartbeat, Session, Rebalance time.Duration
	Start, Stop                   time.Duration // that a unit takes; below 0: no time at all
}

// What a real worker takes for a connector that has little to do. Without it everything would happen in the same instant.
const (
	startTime = 30 * time.Millisecond
	stopTime  = 15 * time.Millisecond
)

// WorkerOptions make a worker that differs from the lab's others. What is left out is the lab's.
type WorkerOptions struct {
	Name        string // the next free worker-N when empty
	Port        int
	Protocol    worker.Protocol
	Version     string
	Rules       assign.AssignorVersion
	ConfigTopic string // another one than the group's: a worker set up wrongly
	Start, Stop time.Duration
	Lag         time.Duration
	Fail        func(decode.Unit) string
}

// OldWorker is one of 2.2.2, before cooperative rebalancing: it makes everyone eager.
func OldWorker(name string) WorkerOptions {
	return WorkerOptions{Name: name, Protocol: worker.Eager, Version: "2.2.2"}
}

// Connector is what is created when the lab starts.
type Connector struct {
	Name   string
	Tasks  int
	Source bool
	Config map[string]string // besides class, name and tasks.max
}

// Shop is a set of connectors as a web shop might have them, with about that many tasks in all.
func Shop(tasks int) []Connector {
	out := []Connector{
		{Name: "orders-postgres", Source: true, Config: map[string]string{"topic": "orders"}},
		{Name: "inventory-sync", Config: map[string]string{"topics": "inventory"}},
		{Name: "search-index", Config: map[string]string{"topics": "products,inventory"}},
		{Name: "payments-audit", Config: map[string]string{"topics": "payments"}},
		{Name: "clickstream-s3", Config: map[string]string{"topics": "clicks"}},
	}
	weights := []int{2, 3, 4, 1, 2} // twelfths of all tasks
	for i := range out {
		out[i].Tasks = max(1, (tasks*weights[i]+6)/12)
	}
	return out
}
