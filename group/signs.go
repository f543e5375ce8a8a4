package group

import (
	"slices"
	"strings"
	"time"
)

// like says whether two signs say the same.
func (l life) like(o life) bool { return l.alive == o.alive && l.busy == o.busy }

// Stuck says whether the worker's herder, the thread that joins, starts and stops, did not answer though its REST did.
func (f RESTReport) Stuck() bool {
	return f.Root == "ok" && f.Herder != "" && f.Herder != "ok" && !f.Starting()
}

// Starting reports whether the worker's process has started, and has not joined the group yet.
func (f RESTReport) Starting() bool { return strings.HasPrefix(f.Herder, "starting") }

// RESTSince is since when a worker's REST interface answers as it does now; zero when nobody asked it.
func (s *State) RESTSince(url string) time.Time {
	if s.told == nil {
		return time.Time{}
	}
	var since time.Time
	signs := s.told.lives[url]
	for _, l := range slices.Backward(signs) {
		if !l.like(signs[len(signs)-1]) {
			break
		}
		since = l.at
	}
	return since
}

// RecordSeen is when the newest record of the coordinator's log came, by the observer's clock; zero while old ones are read.
func (s *State) RecordSeen() time.Time {
	if s.told == nil {
		return time.Time{}
	}
	return s.told.recordSeen
}

// Joining reports whether a join is under way.
func (s *State) Joining() bool {
	return s.Phase == "PreparingRebalance" || s.Phase == "CompletingRebalance"
}

// JoiningSince is since when every poll saw a join under way (PreparingRebalance, CompletingRebalance), whatever the group
// did between polls; zero when none is.
func (s *State) JoiningSince() time.Time {
	var since time.Time
	if s.told == nil || s.Past || !s.Joining() {
		return since
	}
	for _, p := range slices.Backward(s.told.phases) {
		if p.state != "PreparingRebalance" && p.state != "CompletingRebalance" {
			break
		}
		if since = p.at; p.anew {
			break
		}
	}
	return since
}
