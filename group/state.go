package group

import (
	"maps"
	"slices"
	"sync"
	"time"

	"regroup/decode"
	"regroup/group/assign"
	"regroup/internal/words"
)

// State is all that is known of the group at one moment: now, or one in the past that somebody stands on.
type State struct {
	Group string
	Now   time.Time // the moment; for the past, the end of the round's own time (just before the next record)
	Past  bool      // standing on a past round

	Phase      string    // Kafka's state of the group; "" when nobody polled it
	PhaseSince time.Time // when this phase was first seen; zero when the group was in it from the first look on

	Coordinator string // of the group, host:port; "" when nobody asked

	Rounds      []*Round // oldest first; the whole history, also when standing on a past round
	At          int      // index in Rounds of the round stood on, the last unless Past; -1 when there is none
	HistoryFrom time.Time
	Forgotten   int   // rounds older than Rounds[0] that were seen and dropped from the ring
	Gaps        int64 // generations that were never recorded: joins that never synced

	Workers []Worker    // of the round stood on, by name; then those that left and whose units wait or are lost
	Units   []UnitState // every known unit, sorted
	Delay   *Delay      // nil when none runs
	Sources []SourceState
	Events  []Event // oldest first, up to Now
	Verdict Verdict

	Connectors int // configured, or held where the config topic is not known
	Tasks      int

	past          *history // what Detail and Stand read
	moment        *moment  // what Evidence reads
	numbers       []int32  // unit numbers of Units
	counts        [unitKinds]int
	told          *told
	shadow        assign.Shadow // after the newest round
	configOnce    sync.Once
	configs       []ConnectorConfig
	strangersOnce sync.Once
	strangers     []Stranger
	unplaced      bool // some worker's statuses may be another group's
	comingOnce    sync.Once
	coming        []Coming
	comingExact   bool
	costOnce      sync.Once
	costBySeq     map[int]*Cost
	gapsBySeq     map[int][]int32 // indexes in gapList
	gaps          *gapsFound
	end           time.Time // of what was told
}

// Round is the round stood on, or nil when there is none.
func (s *State) Round() *Round {
	if s.At < 0 || s.At >= len(s.Rounds) {
		return nil
	}
	return s.Rounds[s.At]
}

// WorkerChange is what a round meant for a worker's place in the group.
type WorkerChange string

// What may happen to a worker's place; "" is nothing.
const (
	WorkerJoined WorkerChange = "joined"
	WorkerBack   WorkerChange = "back"
	WorkerLeft   WorkerChange = "left"
)

// Worker is a worker as it stands after the round.
type Worker struct {
	Member
	Leader   bool
	Change   WorkerChange // in the round stood on
	Last     time.Time    // left: last heard of, zero when not known
	Wait     int          // left: units that wait for it or its heirs
	Gone     bool
	Version  string // over REST; "" when not known
	REST     string // "ok"; "internal", MirrorMaker's; or what is wrong; "" when not asked
	Holds    []int  // indices into State.Units of what it holds (gone: held, and nobody holds now)
	JoinedAt time.Time
}

// UnitStateKind is one of the states of DESIGN.md, section 5.
type UnitStateKind int

// The states, worst first as a list shows them.
const (
	UnitFailed UnitStateKind = iota
	UnitDuplicated
	UnitUnassigned
	UnitStopping
	UnitReleased
	UnitDelayed
	UnitRestarting
	UnitStarting
	UnitUnknown
	UnitPaused
	UnitStopped
	UnitRunning
	unitKinds
)

var unitKindNames = [unitKinds]string{
	"failed", "duplicated", "unassigned", "stopping", "released", "delayed", "restarting",
	"starting", "unknown", "paused", "stopped", "running",
}

func (k UnitStateKind) String() string { return unitKindNames[k] }

// UnitState is where a unit is and how it does.
type UnitState struct {
	Unit     Unit
	State    UnitStateKind
	Worker   int       // index into State.Workers of its holder; -1 when nobody holds it
	Last     int32     // Member.Worker number of the last one that held it, -1 when none was seen
	Since    time.Time // of this state; zero when not known
	Orphaned bool      // a status claims RUNNING on a worker that is not in the group
	Stale    bool      // a newer record of an older generation
	Reported string    // the newest status, as written; "" when none
	Trace    string    // of a failed unit, as written
}

// Delay is a scheduled delay that runs.
type Delay struct {
	Total     time.Duration
	Remaining time.Duration // at State.Now, never below 0
	Ends      time.Time
	Units     int  // that wait
	Backoff   bool // nothing waits: the leader pauses between revocations
}

// SourceState is how a source does now.
type SourceState struct {
	Source Source
	Name   string
	Health Health
	Detail string
	Since  time.Time // of this health
	Heard  time.Time // last sign of life
	UpTo   int64
	Unread int // records that could not be read; Detail ends with the first of them
}

// Event is one line of what happened.
type Event struct {
	At     time.Time
	Source Source // or "action"
	Text   string
	Kind   UnitStateKind // what it is about, for its mark; UnitUnknown for none
	Unit   *Unit
	Units  []Unit // sorted, where several did the same within a moment; no more than maxEventUnits
	Worker int32  // -1 when none
	Seq    int    // of the round it belongs to, -1 when none

	about string // of a note: URL of the worker that it is about
}

// Verdict is the one word and the one sentence that matter most.
type Verdict struct {
	Word     VerdictWord // BLIND, STUCK, DELAYED … SETTLED (mocks' order)
	Likely   bool        // shown as "?" behind the word
	Sentence string
	Short    string    // for narrow screens
	Fewer    []string  // the sentence in fewer and fewer words, where there is more between Sentence and Short, or below it
	Second   string    // what comes next, for narrow screens' second row
	Ends     time.Time // of the countdown; zero when there is none
	Total    time.Duration
	Nowhere  bool // EMPTY: configured units run on no worker
}

// Left is what the countdown shows.
func (v *Verdict) Left(now time.Time) time.Duration { return words.WholeSeconds(v.Ends.Sub(now)) }

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
