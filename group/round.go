package group

import (
	"slices"
	"time"

	"regroup/group/assign"
)

// Mode says whether a round makes workers stop everything first.
type Mode string

// The modes.
const (
	ModeEager       Mode = "eager"       // protocol default
	ModeCooperative Mode = "cooperative" // compatible, sessioned
	ModeNone        Mode = ""            // an empty group
)

// CauseKind says why a round happened.
type CauseKind string

// The causes of DESIGN.md, section 4.
const (
	CauseFirst            CauseKind = "first"
	CauseWorkerJoined     CauseKind = "worker-joined"
	CauseWorkerLeft       CauseKind = "worker-left"
	CauseWorkerReturned   CauseKind = "worker-returned"
	CauseLeaderChanged    CauseKind = "leader-changed"
	CauseConnectorCreated CauseKind = "connector-created"
	CauseConnectorDeleted CauseKind = "connector-deleted"
	CauseTasksChanged     CauseKind = "tasks-changed"
	CauseDelayExpired     CauseKind = "delay-expired"
	CauseRelease          CauseKind = "release"
	CauseProtocolChanged  CauseKind = "protocol-changed"
	CauseConfigMismatch   CauseKind = "config-mismatch"
	CauseBackoffExpired   CauseKind = "backoff-expired"
	CauseOffsetCaughtUp   CauseKind = "offset-caught-up"
	CauseWorkerRestarted  CauseKind = "worker-restarted"
	CauseCoordinatorLost  CauseKind = "coordinator-lost"
	CauseUnknown          CauseKind = "unknown"
)

// Cause is one reason for a round. Worker is a member id where a worker is the reason.
type Cause struct {
	Kind      CauseKind
	Worker    string // member id
	Name      string // short name of that worker, as the round's other members leave it unique
	Connector string
	Tasks     int    // tasks-changed: the count now
	WasTasks  int    // tasks-changed: the count before
	From, To  string // protocol-changed: protocol names
	Units     int    // coordinator-lost, worker-restarted, release, delay-expired: how many
	Inferred  bool   // not read anywhere: Detail says so
	Detail    string
}

// Round is one generation as seen from the one before it. Its lists of units are in a Detail, made when asked for
// (State.Detail); a Round itself is small.
type Round struct {
	Seq          int   // counts rounds of this history from 0; never reused
	Partition    int32 // of __consumer_offsets
	Offset       int64
	Polled       bool      // seen by DescribeGroups alone: no generation, no offset
	Generation   int32     // -1 when Polled
	Gap          int64     // generations between the round before and this one: joins that never synced
	At           time.Time // when the group entered its state, UTC
	RecordedAt   time.Time // the record's own time
	Protocol     string    // "" for an empty group
	Mode         Mode
	Leader       string // member id
	LeaderURL    string
	ConfigOffset int64 // -1 before any; meaningless for an empty group
	Error        int16
	DelayMs      int32
	Causes       []Cause

	Workers int    // how many members; who they are and what each holds is in the Detail and in State.Workers
	Left    []Gone // workers of the round before that are not in this one, sorted by member id

	Kept, Started, Stopped, Restarted, Dropped, Moved int
	EagerWouldStop                                    int
	// StoppedForOthers is the part of Stopped on members of the round before. The rest is on those that joined or came back: they
	// reported units that others own by now.
	StoppedForOthers                          int
	Released, Delayed, Unassigned, Duplicated int
	// Twice counts units that started here while the worker that had them had not stopped: a downgrade (KAFKA-13816),
	// or work reported by two members.
	Twice int
	Units int // configured or held: what a strip of this round shows

	Episode     int32 // generation of the episode's first round
	EpisodeSeq  int   // Seq of that round
	Settled     bool
	AsPredicted int                  // how many rounds the shadow leader got right in a row, this one included
	ShadowWhy   string               // differs, none: why
	Shadow      assign.ShadowVerdict // "" before the shadow leader has looked
	Bytes       int                  // size of the record
	Provisional bool                 // published before the config topic was read up to its offset; issued again when it is
	First       bool                 // the first round seen, of the log or after a tombstone
	Deleted     bool                 // the group was deleted (tombstone) after this round

	store
}

// Empty says whether the round has no workers.
func (r *Round) Empty() bool { return r.Workers == 0 }

// Member is a worker in a round.
type Member struct {
	ID           string
	Client       string
	Host         string // without the leading "/"
	URL          string
	Name         string // the short name: client id where unique, else host:port, else the end of the member id
	Wire         int    // place in the record's own order: the first other member leads when the leader goes
	Worker       int32  // the same number while client id and URL are the same, over all rounds
	ConfigOffset int64  // as it said when it joined
	Reported     int    // counts of units
	Assigned     int
	Revoked      int
	Held         int
	HeldConns    int // of Held, connector instances
	Kept         int
	Started      int
	Stopped      int
	Restarted    int
	Dropped      int
	Err          string // its bytes could not be read: what is known of it is what the record says outside them
}

// Gone is a worker that is not in this round and was in the one before.
type Gone struct {
	Member string
	Client string
	URL    string
	Name   string
	Worker int32
	Held   int
}

// Detail is a Round with its lists of units, sorted by connector, instance first.
type Detail struct {
	*Round
	Group       string
	Members     []WorkerDetail // sorted by member id
	LeftHeld    [][]Unit       // in the order of Round.Left
	Released    []Unit
	Delayed     []Unit
	Unassigned  []Unit
	Duplicated  []Unit
	Restarted   []Unit
	Dropped     []Unit
	Story       string // on an episode's last round
	Cost        *Cost  // nil where nothing stopped because of it
	Gaps        []Gap  // what Cost sums up
	EpisodeCost *Cost  // beside the story
	Moves       []Move
}

// WorkerDetail is what one worker said and was told.
type WorkerDetail struct {
	Member
	Reported, Assigned, Revoked, Held []Unit
	LetGo                             []Unit // dropped
}

// Move is a unit that is held by another worker than the last one that held it.
type Move struct {
	Unit     Unit
	From, To int32 // Member.Worker numbers
}

// FindRound is the index of the round with a Seq among rounds, oldest first; or, where it is not among them, of the first after it.
func FindRound(rounds []*Round, seq int) (i int, found bool) {
	return slices.BinarySearchFunc(rounds, seq, func(r *Round, seq int) int { return r.Seq - seq })
}

// RoundParts are a round's units by what became of them. A round into or out of eager stops and starts the same units: those count as
// restarted.
type RoundParts struct{ Kept, Restarted, Started, Twice, Stopped, Dropped, Delayed, Unassigned int }

// Parts counts them; prev is the round before, nil for none.
func (r *Round) Parts(prev *Round) RoundParts {
	both := 0
	if r.Mode == ModeEager || prev != nil && prev.Mode == ModeEager {
		both = min(r.Started, r.Stopped)
	}
	twice := min(r.Twice, r.Started-both)
	return RoundParts{r.Kept, r.Restarted + both, r.Started - both - twice, twice, r.Stopped - both, r.Dropped, r.Delayed, r.Unassigned}
}

// RoundMark is what a round was above all, the least first.
type RoundMark int

// The marks of rounds.
const (
	MarkNothing RoundMark = iota
	MarkStarted
	MarkRestarted
	MarkStopped
	MarkDelayed
	MarkTwice
	MarkUnassigned
	MarkError
)

// Mark is what a round was above all.
func (r *Round) Mark(prev *Round) RoundMark {
	p := r.Parts(prev)
	switch {
	case r.Error != 0:
		return MarkError
	case p.Unassigned > 0:
		return MarkUnassigned
	case r.Twice > 0:
		return MarkTwice
	case p.Delayed > 0:
		return MarkDelayed
	case p.Restarted > 0:
		return MarkRestarted
	case p.Stopped+p.Dropped > 0:
		return MarkStopped
	case p.Started > 0:
		return MarkStarted
	}
	return MarkNothing
}
