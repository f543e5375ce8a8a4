package tui

import (
	"time"

	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/label"
)

// findings keeps what the doctor said of the newest State and of the one stood on.
type findings struct {
	live, past   *group.State
	now, then    *doctor.Report
	passed, told bool // grace times of now; whether it came with its State
}

// report is what the doctor finds in the State shown. That of the newest comes with it, made where it was made; that of a
// past moment is made once, when one begins to stand there.
func (m *model) report() *doctor.Report {
	f, s := &m.found, m.shown()
	switch {
	case s == nil:
		return nil
	case s == m.past:
		if f.past != s {
			r := doctor.Examine(s, doctor.Options{Passed: m.recorded()})
			f.past, f.then = s, &r
		}
		return f.then
	case f.live != s || !f.told && f.passed != m.recorded():
		r := doctor.Examine(s, doctor.Options{Passed: m.recorded()})
		f.live, f.now, f.passed, f.told = s, &r, m.recorded(), false
	}
	return f.now
}

// tell takes the report that came with a State.
func (f *findings) tell(s *group.State, r *doctor.Report) {
	if r != nil {
		f.live, f.now, f.told = s, r, true
	}
}

// recorded says that what is shown is a recording: nothing more will come, so grace times count as passed.
func (m *model) recorded() bool { return label.Recorded(m.opt.Replay, m.live) }

// examiner looks States over as they come, beside the screen's own goroutine. Where that is dear it looks less often, so that
// a storm of rounds never costs more than a tenth of a core of its own.
type examiner struct {
	replay string
	last   *doctor.Report
	at     time.Time
	took   time.Duration
}

const restAfterLook = 9 // times as long as a look took

func (e *examiner) look(s *group.State) *doctor.Report {
	began := time.Now()
	if e.last != nil && began.Sub(e.at) < restAfterLook*e.took {
		return e.last
	}
	r := doctor.Examine(s, doctor.Options{Passed: label.Recorded(e.replay, s)})
	e.at = time.Now()
	e.last, e.took = &r, e.at.Sub(began)
	return e.last
}
