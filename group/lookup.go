package group

import (
	"maps"
	"slices"
	"time"

	"regroup/decode"
)

// ConnectorConfig is what the config topic says of a connector at a State's moment.
type ConnectorConfig struct {
	Name         string
	Live         bool // its newest record is no tombstone
	Class        string
	RecordOffset int64 // of its newest connector- record, -1 for none
	RecordAt     time.Time
	FirstRecord  int64 // offset of the oldest connector- record read, -1 for none
	Same         bool  // the newest record says what the one did that its commit was made from
	CommitOffset int64 // of its newest commit- record, -1 for none
	CommitAt     time.Time
	Tasks        int    // committed
	Target       string // STARTED where no target-state record stands

	digest, committed uint64
}

// Configs are the connectors of the config topic, by name; empty where that topic is not known.
func (s *State) Configs() []ConnectorConfig {
	s.configOnce.Do(func() { s.configs = s.readConfigs() })
	return s.configs
}

func (s *State) readConfigs() []ConnectorConfig {
	if s.past == nil {
		return nil
	}
	byName := map[int32]*ConnectorConfig{}
	for _, e := range s.past.config {
		if e.connector < 0 || s.Past && e.at.After(s.Now) {
			continue
		}
		c := byName[e.connector]
		if c == nil {
			c = &ConnectorConfig{Name: s.past.tables.connectors[e.connector], RecordOffset: -1, FirstRecord: -1, CommitOffset: -1, Target: decode.TargetStarted}
			byName[e.connector] = c
		}
		c.take(e)
	}
	out := make([]ConnectorConfig, 0, len(byName))
	for _, c := range byName {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b ConnectorConfig) int { return cmpStrings(a.Name, b.Name) })
	return out
}

func (c *ConnectorConfig) take(e configEvent) {
	switch e.kind {
	case decode.ConfigConnector:
		c.Live, c.RecordOffset, c.RecordAt = !e.deleted, e.offset, e.at
		c.Class, c.digest = e.class, e.digest
		c.Same = c.Live && c.FirstRecord >= 0 && c.CommitOffset > c.FirstRecord && c.digest == c.committed
		switch {
		case e.deleted: // its tasks go with it
			c.FirstRecord, c.CommitOffset, c.CommitAt, c.Tasks = -1, -1, time.Time{}, 0
		case c.FirstRecord < 0:
			c.FirstRecord = e.offset
		}
	case decode.ConfigCommit:
		c.CommitOffset, c.CommitAt, c.Tasks = e.offset, e.at, int(e.tasks)
		c.committed = c.digest
	case decode.ConfigTargetState:
		c.Target = e.state
		if e.deleted {
			c.Target = decode.TargetStarted
		}
	}
}

// ConfigEnd is the offset after the newest config record read; 0 where none was.
func (s *State) ConfigEnd() int64 {
	if s.past == nil {
		return 0
	}
	return s.past.configUpTo
}

// SessionKeyAt is when the newest session key was made (KIP-507); zero where none was seen. Its value is never read.
func (s *State) SessionKeyAt() time.Time {
	if s.past != nil {
		for _, e := range slices.Backward(s.past.config) {
			if e.kind == decode.ConfigSessionKey {
				return e.at
			}
		}
	}
	return time.Time{}
}

// Settings are what the broker says of the group's internal topics.
func (s *State) Settings() []TopicSettings {
	if s.told == nil {
		return nil
	}
	return s.told.settings
}

// REST is what workers' REST interfaces said, by advertised URL.
func (s *State) REST() map[string]RESTReport {
	if s.told == nil {
		return nil
	}
	return maps.Clone(s.told.rest)
}

// Actions are what was done to the group with this program, oldest first.
func (s *State) Actions() []Action {
	if s.told == nil {
		return nil
	}
	return s.told.actions
}

// SourceOf is the state of a source, nil when nobody reported it.
func (s *State) SourceOf(src Source) *SourceState {
	for i := range s.Sources {
		if s.Sources[i].Source == src {
			return &s.Sources[i]
		}
	}
	return nil
}

// SessionTimeout is a member's, as its records say.
func (s *State) SessionTimeout(member string) time.Duration {
	if s.past == nil {
		return 0
	}
	return s.past.session(member)
}
