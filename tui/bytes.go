package tui

import (
	"context"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/tui/keys"
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
			m.arrivedBytes(r, value, err)
			return nil
		}
	})
}

// readTimeout bounds how long the bytes of one round are waited for.
const readTimeout = 15 * time.Second

// arrivedBytes takes an answer in, and asks for the next if one has gone on meanwhile.
func (m *model) arrivedBytes(r *group.Round, value []byte, err error) {
	m.raw = rawBytes{can: true, round: r, size: len(value), err: err}
	if err == nil {
		m.raw.record, m.raw.err = decode.ParseGroupRecord(value)
	}
	m.wantBytes()
}
