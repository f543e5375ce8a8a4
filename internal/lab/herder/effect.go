package herder

import (
	"maps"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
	"regroup/group/assign"
)

// Effect is what the herder has its driver do. The herder goes on when it is done: that is the next call of Next.
//
//sumtype:decl
type Effect interface{ effect() }

// Effects. Only Ask, Sleep and Wait are broken off when the worker is stopped.
type (
	// Ask sends a request to the coordinator; its Answer has the response.
	Ask struct{ Request kmsg.Request }
	// ReadConfigs reads the config topic to its end; its Answer has an error when that takes too long.
	ReadConfigs struct{}
	// Sleep lets time pass.
	Sleep struct{ For time.Duration }
	// Wait lasts until there is something to look at, or until a moment; zero: it has none.
	Wait struct{ Until time.Time }
	// Stop stops units side by side, and lasts until all of them have stopped.
	Stop struct {
		Units      []decode.Unit
		Everything bool // that runs in the process, instead
		Flush      bool // lasts until their statuses are written
	}
	// Start starts units, and does not wait for them.
	Start struct{ Units []decode.Unit }
	// SetTarget has what runs of a connector look at its target state again.
	SetTarget struct{ Connector string }
	// DeleteStatuses writes the tombstones of units that are configured no more.
	DeleteStatuses struct{ Config assign.Config }
	// WriteKey writes a new session key, and lasts until it is read.
	WriteKey struct{}
	// Serve carries out what was asked for with Want.
	Serve struct{ Do func(done func()) }
)

func (Ask) effect()            {}
func (ReadConfigs) effect()    {}
func (Sleep) effect()          {}
func (Wait) effect()           {}
func (Stop) effect()           {}
func (Start) effect()          {}
func (SetTarget) effect()      {}
func (DeleteStatuses) effect() {}
func (WriteKey) effect()       {}
func (Serve) effect()          {}

// Answer is what an effect came to. The zero one says that it is done.
type Answer struct {
	Response kmsg.Response
	Err      error
}

// Configs is what the worker has read of the config topic so far.
type Configs interface {
	Config() assign.Config
	KeyCreated() time.Time // of the session key; zero: there is none
	Pending() bool         // changes that were not taken
	Take() Changes
}

// Changes are what the config topic brought and the herder has not acted on yet.
type Changes struct {
	Rebalance                  bool            // a connector came or went, or tasks were committed
	Connectors, Targets, Tasks map[string]bool // connectors whose own config, target state, tasks changed
}

// Any reports whether there are any.
func (c *Changes) Any() bool {
	return c.Rebalance || len(c.Connectors)+len(c.Targets)+len(c.Tasks) > 0
}

// Add adds later ones.
func (c *Changes) Add(more Changes) {
	c.Rebalance = c.Rebalance || more.Rebalance
	c.Connectors = with(c.Connectors, more.Connectors)
	c.Targets = with(c.Targets, more.Targets)
	c.Tasks = with(c.Tasks, more.Tasks)
}

func with(names, more map[string]bool) map[string]bool {
	if names == nil && len(more) > 0 {
		names = map[string]bool{}
	}
	maps.Copy(names, more)
	return names
}
