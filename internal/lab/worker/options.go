package worker

import (
	"time"

	"regroup/decode"
	"regroup/group/assign"
	"regroup/internal/lab/broker"
)

// Protocol is a worker's connect.protocol.
type Protocol string

// The protocols.
const (
	Eager      Protocol = "eager"
	Compatible Protocol = "compatible"
	Sessioned  Protocol = "sessioned"
)

// Topics are the group's internal topics.
type Topics struct{ Config, Status, Offset string }

// Options of a worker. Zero durations stand for Connect's defaults, except for Start, Stop and Lag.
type Options struct {
	Name     string // client id
	Group    string
	Brokers  []string
	Net      broker.Network
	Port     int // of REST; 0 picks one
	Protocol Protocol
	Version  string // of Connect
	Rules    assign.AssignorVersion
	Topics   Topics

	Heartbeat     time.Duration // heartbeat.interval.ms
	Session       time.Duration // session.timeout.ms
	Rebalance     time.Duration // rebalance.timeout.ms
	MaxDelay      time.Duration // scheduled.rebalance.max.delay.ms; below 0: none
	SyncTimeout   time.Duration // worker.sync.timeout.ms
	UnsyncBackoff time.Duration // worker.unsync.backoff.ms
	KeyTTL        time.Duration // inter.worker.key.ttl.ms

	Start, Stop time.Duration // that a task or a connector takes to start, to stop
	Lag         time.Duration // of a slow worker: it joins that much later than it could
	// Fail says why a unit cannot start; "" when it can. Connectors' own fail.tasks is asked besides.
	Fail func(decode.Unit) string
}

// old says whether the worker is one of 2.2 and before: eager alone, and no plugin versions in its statuses.
func (o *Options) old() bool {
	return o.Protocol == Eager && len(o.Version) > 1 && o.Version[:2] == "2."
}

func (o *Options) fill() {
	for _, d := range []struct {
		to *time.Duration
		is time.Duration
	}{
		{&o.Heartbeat, 3 * time.Second},
		{&o.Session, 10 * time.Second},
		{&o.Rebalance, time.Minute},
		{&o.MaxDelay, 5 * time.Minute},
		{&o.SyncTimeout, 3 * time.Second},
		{&o.UnsyncBackoff, 5 * time.Minute},
		{&o.KeyTTL, time.Hour},
	} {
		if *d.to == 0 {
			*d.to = d.is
		}
	}
	o.MaxDelay = max(o.MaxDelay, 0)
	if o.Protocol == "" {
		o.Protocol = Sessioned
	}
	if o.Version == "" {
		o.Version = "4.3.1"
	}
	if o.Fail == nil {
		o.Fail = func(decode.Unit) string { return "" }
	}
}
