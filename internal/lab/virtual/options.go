package virtual

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"regroup/group/assign"
)

// Options of a Sim. Zero durations stand for Connect's defaults, except for InitialDelay, Start and Stop.
type Options struct {
	Group      string
	Workers    int // named worker-1, worker-2, …
	Connectors []Connector
	Eager      bool // connect.protocol=eager; else sessioned
	Rules      assign.AssignorVersion
	Delay      time.Duration // scheduled.rebalance.max.delay.ms; below 0: none
	Seed       uint64        // of member ids, which decide ties, and of when each worker's heartbeats fall

	Heartbeat, Session, Rebalance time.Duration
	InitialDelay                  time.Duration // group.initial.rebalance.delay.ms
	Start, Stop                   time.Duration // that a unit takes
	Boot                          time.Duration // from a process's start until it joins
}

// Connector is there from the start, its tasks already written.
type Connector struct {
	Name  string
	Tasks int
}

func (o *Options) fill() {
	if o.Group == "" {
		o.Group = "connect-virtual"
	}
	for _, d := range []struct {
		to *time.Duration
		is time.Duration
	}{
		{&o.Heartbeat, 3 * time.Second}, {&o.Session, 10 * time.Second}, {&o.Rebalance, time.Minute}, {&o.Delay, 5 * time.Minute},
	} {
		if *d.to == 0 {
			*d.to = d.is
		}
	}
	o.Delay = max(o.Delay, 0)
}

// Times that Connect, or the lab's workers for it, take.
const (
	beginTime  = 5 * time.Millisecond   // until a new process begins to read
	appendTime = 5 * time.Millisecond   // until a record is written
	flushTime  = time.Millisecond       // until a worker's last statuses are written, and it leaves
	keyTTL     = time.Hour              // inter.worker.key.ttl.ms
	callAgain  = 100 * time.Millisecond // until a refused call is tried again
)

// Names gives member ids: a client id and what looks like a UUID, the same for the same seed, client and number of its members.
func Names(seed uint64) func(client string) string {
	came := map[string]uint64{}
	return func(client string) string {
		came[client]++
		r := random(seed, client, came[client])
		high, low := r.Uint64(), r.Uint64()
		return fmt.Sprintf("%s-%08x-%04x-4%03x-%04x-%012x", client, uint32(high>>32), uint16(high>>16), uint16(high)&0xfff,
			uint16(low>>48)&0x3fff|0x8000, low&0xffffffffffff)
	}
}

func random(seed uint64, name string, n uint64) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	return rand.New(rand.NewPCG(seed, h.Sum64()+n))
}

// Phase is how long after the first a worker is started: real workers' heartbeats do not fall together.
func (o *Options) Phase(name string) time.Duration {
	ms := int64(o.Heartbeat / time.Millisecond)
	if ms < 1 {
		return 0
	}
	return time.Duration(random(o.Seed, name, 1<<32).Int64N(ms)) * time.Millisecond
}
