package assign

import (
	"slices"

	"regroup/decode"
)

// Step is one round to come.
type Step struct {
	At       int64 // ms since 1970; for a release, when it can happen at the earliest
	Why      StepKind
	Request  Request
	Decision Decision
	State    LeaderState // the leader's, afterwards
}

// StepKind says what brings a round about by itself.
type StepKind string

// The kinds.
const (
	StepFirst   StepKind = "first"   // the one that was asked for
	StepRelease StepKind = "release" // workers stopped what was revoked, and rejoin
	StepExpiry  StepKind = "expiry"  // the delay is over
	StepAgain   StepKind = "again"   // the second round of a downgrade as proposed
)

// Settled says whether nothing more happens by itself after the step.
func (s Step) Settled() bool { return next(s.Decision) == "" }

// next is what brings the round after a decision about; "" when nothing does.
func next(d Decision) StepKind {
	if d.Again {
		return StepAgain
	}
	delayed := false
	for _, a := range d.Assignments {
		if len(a.Revoked) > 0 {
			return StepRelease
		}
		delayed = delayed || a.DelayMs > 0
	}
	if delayed {
		return StepExpiry
	}
	return ""
}

// Run decides a round and all that follow by themselves, at most limit.
func Run(m LeaderState, first Request, limit int) ([]Step, error) {
	var out []Step
	why := StepFirst
	for req := first; len(out) < limit; {
		d, after, err := m.Decide(req)
		if err != nil {
			return out, err
		}
		m = after
		out = append(out, Step{At: req.Now, Why: why, Request: req, Decision: d, State: m})
		if why = next(d); why == "" {
			break
		}
		req = m.java.after(req, d, why)
	}
	return out, nil
}

// after is the next round, everyone having done as told.
func (j Java) after(req Request, d Decision, why StepKind) Request {
	req.LastCompleted = req.Generation
	req.Generation++
	req.Members = slices.Clone(req.Members)
	req.Scheduled = 0
	for i := range req.Members {
		m, told := &req.Members[i], d.Assignments[i]
		if req.Protocol == decode.ProtocolEager {
			m.Reported = nil // what it was told replaces what it held
		}
		if told.Error == decode.NoError {
			m.Reported = j.Report(m.Reported, told)
		}
		m.Offset = max(m.Offset, told.ConfigOffset)
		if told.DelayMs > 0 {
			req.Scheduled = req.Now + int64(told.DelayMs)
		}
	}
	if why == StepExpiry {
		req.Now = req.Scheduled
	}
	return req
}

// Rejoin is the next round as the leader would have it before it if everyone came again at that time, with the config of the
// last record. ok is false when there is none to start from.
func (s Shadow) Rejoin(at int64) (req Request, ok bool) {
	if s.last == nil || s.last.Config == nil || !s.last.whole() || s.last.member(s.last.Leader) == nil {
		return Request{}, false
	}
	req = s.last.question(s.last.At, -1)
	var told Decision
	for _, m := range s.last.Members {
		told.Assignments = append(told.Assignments, *m.Told)
	}
	req = s.java.after(req, told, "")
	req.Now = at
	return req, true
}

// Forecast lists the rounds that come by themselves after the last record, at most limit: none when the group is settled.
// exact is false when the leader's state is not known.
func (s Shadow) Forecast(limit int) (steps []Step, exact bool) {
	req, ok := s.Rejoin(0)
	if !ok {
		return nil, false
	}
	state, known := s.LeaderState(s.last.Leader)
	exact = known && s.compared.Verdict != ShadowDiffers
	var told Decision
	for _, m := range s.last.Members {
		told.Assignments = append(told.Assignments, *m.Told)
	}
	why := next(told)
	if why == "" {
		return nil, exact
	}
	req.Now = s.last.At
	if why == StepExpiry {
		req.Now += int64(s.last.delay())
		if state.scheduled > 0 {
			req.Now = max(req.Now, state.scheduled)
		}
	}
	steps, err := Run(state, req, max(1, limit))
	if err != nil {
		return nil, false
	}
	steps[0].Why = why
	return steps, exact
}
