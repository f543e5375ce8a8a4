package group

import (
	"sync"
	"time"

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

// Worker is a worker as it stands after the round.
type Worker struct {
	Member
	Leader   bool
	Change   string    // "", "joined", "back", "left"; in the round stood on
	Last     time.Time // left: last heard of, zero when not known
	Wait     int       // left: units that wait for it or its heirs
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
	Word     string // BLIND, STUCK, DELAYED … SETTLED (mocks' order)
	Likely   bool   // shown as "?" behind the word
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

// WholeSeconds is a time that counts down, as every view and command shows it: whole seconds, 0 once less than one is left.
func WholeSeconds(d time.Duration) time.Duration { return max(d, 0).Truncate(time.Second) }
