package assign

import (
	"slices"

	"regroup/decode"
)

// AssignorVersion say how a leader decides: which release it is, or which proposal.
type AssignorVersion int

// The rules known here.
const (
	// Released is Connect 3.7 and later, 3.5.2, and 3.6.1 and later 3.6.
	Released AssignorVersion = iota
	// Released34 is 3.4.0 to 3.5.1 and 3.6.0: as Released, but with a maximum delay of 0 lost work waits for the next round,
	// which nothing brings about (KAFKA-15693).
	Released34
	// Released23 is the first release of cooperative rebalancing, 2.3: it revokes only for a worker that has nothing, never
	// in two rounds running, and gives all lost work to one worker.
	Released23
	// Proposed is what KIP-415 describes where it was released otherwise: a new leader honours a delay that runs and has its
	// predecessor's work wait like any other worker's, and a downgrade to eager takes two rounds and stops everything.
	Proposed
)

var assignorNames = [...]string{"released", "3.4", "2.3", "proposed"}

func (r AssignorVersion) String() string { return assignorNames[r] }

// LeaderState is all that a leader remembers between rounds; none of it is on any wire or handed to the next leader. It is a value:
// nothing changes it.
type LeaderState struct {
	assignor AssignorVersion
	java     Java
	maxDelay int32 // ms

	previous      *ledger  // assigned after the last round, with the lost work that waits
	revoked       *ledger  // told to stop in the last round
	revokedBefore bool     // the last round revoked to balance; 2.3: and so this one must not
	streak        int      // rounds running that wanted to revoke to balance
	candidates    []string // members that were empty while lost work waited, in the order they get it
	scheduled     int64    // when lost work, or balancing, may go on; 0: nothing waits
	delay         int32    // ms, as last told
	generation    int32    // the last that it decided
	members       []string // of that generation
	cooperative   bool     // the last round that it decided was
}

// New is the state of a process that has led nothing yet. maxDelay is its scheduled.rebalance.max.delay.ms.
func New(rules AssignorVersion, maxDelay int32) LeaderState {
	return LeaderState{assignor: rules, maxDelay: maxDelay, generation: -1}
}

// OnJava gives the same state on another Java.
func (m LeaderState) OnJava(j Java) LeaderState { m.java = j; return m }

// WithMaxDelay gives the same state with another maximum delay, ms.
func (m LeaderState) WithMaxDelay(ms int32) LeaderState { m.maxDelay = ms; return m }

// WithAssignor gives what a leader of another release would remember after the same rounds, as near as that can be said.
func (m LeaderState) WithAssignor(r AssignorVersion) LeaderState {
	switch {
	case r == Released23 && m.assignor != Released23: // after a delay it revokes no more than after a revocation
		m.revokedBefore = m.revokedBefore || m.delay != 0
	case r != Released23 && m.assignor == Released23:
		m.revokedBefore = m.revokedBefore && m.delay == 0
	}
	m.assignor = r
	return m
}

// Assignor by which it decides.
func (m LeaderState) Assignor() AssignorVersion { return m.assignor }

// MaxDelay in ms.
func (m LeaderState) MaxDelay() int32 { return m.maxDelay }

// Generation is the last one that it decided, -1 before any.
func (m LeaderState) Generation() int32 { return m.generation }

// Scheduled is when the delay that runs ends, ms since 1970; 0 when none runs.
func (m LeaderState) Scheduled() int64 { return m.scheduled }

// Candidates are the members that get the lost work when the delay ends, in the order they get it, if they are still there.
func (m LeaderState) Candidates() []string { return slices.Clone(m.candidates) }

// Streak counts the rounds running that wanted to revoke to balance: the back-off's exponent.
func (m LeaderState) Streak() int { return m.streak }

// Decide gives what the leader tells everyone, and its state afterwards. An error means that no coordinator could have asked
// that; the state is then as it was.
func (m LeaderState) Decide(req Request) (Decision, LeaderState, error) {
	leader, err := req.check()
	if err != nil {
		return Decision{}, m, err
	}
	if req.Protocol == decode.ProtocolEager {
		d, after := m.eager(&req, leader)
		return d, after, nil
	}
	headerVersion := m.version(req.Protocol)
	config, offset, ok := req.config()
	if !ok {
		return mismatch(&req, leader, headerVersion, offset), m, nil
	}
	b := newBoard(&req, config, m)
	var after LeaderState
	if m.assignor == Released23 {
		after = m.decide23(b)
	} else {
		after = m.decide(b)
	}
	after.cooperative = true
	h := header(&req, leader, headerVersion, offset)
	h.DelayMs = after.delay
	return Decision{Assignments: b.assignments(h)}, after, nil
}

// version is what the leader writes before an assignment. 2.3 knew no sessioned.
func (m LeaderState) version(protocol string) int16 {
	if protocol == decode.ProtocolSessioned && m.assignor != Released23 {
		return 2
	}
	return 1
}

// After is the round that follows a decision, as the leader would have it before it, everyone having done as told. Its time
// is still that of the round before.
func (m LeaderState) After(req Request, d Decision) Request { return m.java.after(req, d, "") }

// Next is what brings the round after a decision about by itself; "" when nothing does.
func Next(d Decision) StepKind { return next(d) }

// eager deals everything out anew: members in the order of their ids, one connector each in the order of their names, and on
// from there the tasks.
func (m LeaderState) eager(req *Request, leader *Member) (Decision, LeaderState) {
	config, offset, ok := req.config()
	if !ok {
		return mismatch(req, leader, 0, offset), m
	}
	h := header(req, leader, 0, offset)
	out := make([]decode.Assignment, len(req.Members))
	again := m.assignor == Proposed && m.cooperative
	m.cooperative = false
	if again {
		for i := range out {
			out[i] = h
		}
		return Decision{Assignments: out, Again: true}, m
	}

	ix := newIndex(config)
	order := memberRanks(req.Members)
	given := [kinds][][]int32{make([][]int32, len(out)), make([][]int32, len(out))}
	next := 0
	for k, of := range ix.configured {
		for id := range int32(of) {
			i := order[next]
			given[k][i] = append(given[k][i], id)
			next = (next + 1) % len(order)
		}
	}
	w := newWire(ix, m.java)
	for i := range out {
		out[i] = h
		out[i].Assigned = w.started(given[connectors][i], given[tasks][i])
	}
	return Decision{Assignments: out}, m
}
