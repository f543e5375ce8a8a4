package cli

import (
	"fmt"
	"slices"
	"time"

	"regroup/group"
	"regroup/group/doctor"
)

// examineEvery bounds how often a watch looks the group over while rounds stay the same: no grace time is finer, and a large group
// takes milliseconds.
const examineEvery = 500 * time.Millisecond

// findingObject is a finding as `doctor -o json` prints it, and whether it is over.
type findingObject struct {
	doctor.Finding
	over bool
}

// MarshalJSON writes {"over":…,"id":…, …}.
func (o findingObject) MarshalJSON() ([]byte, error) {
	raw, err := o.Finding.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return append(fmt.Appendf(nil, `{"over":%v,`, o.over), raw[1:]...), nil
}

// findingEvents tell what the doctor finds that it did not find before, and what it finds no more. One that goes on with other
// numbers in it is told once. While a source is read in, a State is of some moment of the past, and nothing is told of it.
func (f *follower) findingEvents(s *group.State) []event {
	since, round := s.Now.Sub(f.examined), s.Round()
	if since >= 0 && since < examineEvery && round == f.examinedRound || s.Reading() != nil {
		return nil
	}
	f.examined, f.examinedRound = s.Now, round
	now := doctor.Examine(s, doctor.Options{Passed: f.passed}).Findings
	var out []event
	tell := func(found doctor.Finding, over bool) {
		line := fmt.Sprintf("doctor %s, %s, %s: %s", found.ID, found.Severity, found.Certainty, found.Title)
		if over {
			line = fmt.Sprintf("doctor %s is over: %s", found.ID, found.Title)
		}
		out = append(out, event{s.Now, "finding", findingObject{found, over}, line})
	}
	for _, was := range f.findings {
		if !slices.ContainsFunc(now, was.Same) {
			tell(was, true)
		}
	}
	for _, found := range now {
		if !slices.ContainsFunc(f.findings, found.Same) {
			tell(found, false)
		}
	}
	f.findings = now
	return out
}

// actionObject is something that was done to the group with this program.
type actionObject struct {
	ID     string  `json:"id"`
	Who    string  `json:"who"`
	Verb   string  `json:"verb"`
	Target string  `json:"target"`
	Answer *string `json:"answer"` // null while it runs
}

// actionEvents tell of each action its beginning and its end.
func (f *follower) actionEvents(s *group.State) []event {
	all := s.Actions()
	var out []event
	for _, a := range all[min(f.acted, len(all)):] {
		line := fmt.Sprintf("action %s %s by %s", a.Verb, a.Target, a.Who)
		if a.Answer != "" {
			line += ": " + a.Answer
		}
		out = append(out, event{a.At, "action", actionObject{a.ID, a.Who, a.Verb, a.Target, orNull(a.Answer)}, line})
	}
	f.acted = len(all)
	return out
}
