package tui

import (
	"context"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/scene"
)

// BytesFunc reads the value of the record that a round was made of: rounds keep where it lies, not its bytes. An error says
// why they cannot be had, compaction for one.
type BytesFunc func(ctx context.Context, group string, r *group.Round) ([]byte, error)

// rawBytes keeps the record of the round looked at last, and what is on its way.
type rawBytes struct {
	round   *group.Round
	record  *decode.GroupRecord
	size    int
	err     error
	reading *group.Round
	can     bool // there is a way to read any
}

func (b *rawBytes) of(s *scene.Scene) scene.BytesState {
	r, _ := s.Round()
	switch {
	case r == nil:
		return scene.BytesState{Off: "no round is known yet"}
	case r.Polled:
		return scene.BytesState{Off: "this round was seen by polling alone: no record of it was read"}
	case !b.can:
		return scene.BytesState{Off: "they cannot be read from here"}
	case b.round != r: // it is on its way, or will be
		return scene.BytesState{Reading: true}
	}
	return scene.BytesState{Record: b.record, Size: b.size, Err: b.err}
}

// settleFirst is how old a round must be before its bytes are read unasked: in a storm nobody could look at them.
const settleFirst = time.Second

// wantBytes asks for the bytes of the round shown, if somebody looks at them: one read at a time, whatever keys are held.
func (m *model) wantBytes() {
	s := m.shown()
	if m.view != keys.Round || m.opt.Bytes == nil || m.host == nil || m.raw.reading != nil || s == nil {
		return
	}
	r := s.Round()
	if r == nil || r == m.raw.round || r.Polled || !s.Past && !m.recorded() && s.Now.Sub(r.RecordedAt) < settleFirst {
		return
	}
	m.raw.reading = r
	name := m.group
	m.reads.Ask(m.host.act, "read the bytes of a round", func(ctx context.Context) func() scene.Action {
		ctx, end := context.WithTimeout(ctx, readTimeout)
		defer end()
		value, err := m.opt.Bytes(ctx, name, r)
		return func() scene.Action {
			m.onBytes(r, value, err)
			return nil
		}
	})
}

// readTimeout bounds how long the bytes of one round are waited for.
const readTimeout = 15 * time.Second

// onBytes takes an answer in, and asks for the next if one has gone on meanwhile.
func (m *model) onBytes(r *group.Round, value []byte, err error) {
	m.raw = rawBytes{can: true, round: r, size: len(value), err: err}
	if err == nil {
		m.raw.record, m.raw.err = decode.ParseGroupRecord(value)
	}
	m.wantBytes()
}

// propertiesLimit bounds how long they are waited for.
const propertiesLimit = 15 * time.Second

// wantProperties asks for the properties of the connector that is looked at, again when they were written again.
func (m *model) wantProperties() {
	if m.view != keys.Unit || m.ui.unit == nil || m.opt.Properties == nil || m.host == nil || m.live == nil {
		return
	}
	want := scene.PropertiesOf{m.group, m.ui.unit.Connector, -1}
	for _, c := range m.live.Configs() {
		if c.Name == want.Connector {
			want.Offset = c.RecordOffset
		}
	}
	p := &m.props
	if p.Of == want {
		return
	}
	*p = scene.Properties{Of: want, Reading: true}
	m.wants.Ask(m.host.act, "read "+want.Connector, func(ctx context.Context) func() scene.Action {
		ctx, end := context.WithTimeout(ctx, propertiesLimit)
		defer end()
		pairs, err := m.opt.Properties(ctx, want.Group, want.Connector)
		return func() scene.Action {
			p.Pairs, p.Err, p.Reading = pairs, "", false
			if err != nil {
				p.Err = err.Error()
			}
			return nil
		}
	})
}

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
