package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"regroup/actions"
	"regroup/group"
)

// lookLimit bounds how long a worker's word on what is written is waited for.
const lookLimit = 20 * time.Second

// The answers that a draft waits for. Each has the number of the question: one that was overtaken changes nothing.
type (
	openedMsg struct { // a draft that was asked for in a dialog
		number int
		draft  *actions.ConnectorForm
		err    error
	}
	lookedMsg struct {
		number int
		at     map[string]*string
		look   *actions.Inspection
		err    error
	}
	draftReadyMsg struct {
		number   int
		prepared *actions.PreparedAction
		err      error
	}
	loadedMsg struct {
		number int
		values map[string]*string
		err    error
	}
	editedMsg struct {
		editing actions.Editing
		err     error
	}
)

// askLook asks a worker what it makes of what is written, once the fingers rest. What was asked before is let go of.
func (m *model) askLook() {
	dr := m.ui.draft
	if dr.end != nil {
		dr.end()
	}
	m.asked++
	number, values, pause := m.asked, dr.values(), dr.Pause
	dr.number, dr.looking, dr.round = number, true, m.newestRound()
	dr.end = m.host.act("look at "+dr.Title, func(ctx context.Context, send func(tea.Msg)) {
		if pause > 0 {
			timer := time.NewTimer(pause)
			defer timer.Stop()
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
		}
		limited, end := context.WithTimeout(ctx, lookLimit)
		defer end()
		look, err := dr.Inspect(limited, values)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.New("no worker has answered within " + lookLimit.String())
		}
		send(lookedMsg{number, values, look, err})
	})
}

// lookAnew asks again where a round has come since: what will happen is told from the newest.
func (m *model) lookAnew() {
	dr := m.ui.draft
	if dr != nil && dr.look != nil && !dr.looking && !dr.making && dr.sent == 0 && dr.choose == nil && dr.round != m.newestRound() {
		m.askLook()
	}
}

func (m *model) newestRound() *group.Round {
	if m.live == nil || len(m.live.Rounds) == 0 {
		return nil
	}
	return m.live.Rounds[len(m.live.Rounds)-1]
}

func (m *model) looked(msg lookedMsg) {
	dr := m.ui.draft
	if dr == nil || dr.number != msg.number {
		return
	}
	m.stale, dr.looking = true, false
	if msg.err != nil {
		dr.lookErr = msg.err.Error()
		return
	}
	dr.look, dr.lookAt, dr.lookErr = msg.look, msg.at, ""
}

// makeDraftReady asks for the action that sends what is written, unless something is known to be wrong with it.
func (m *model) makeDraftReady() {
	dr := m.ui.draft
	// What was found wrong before the last key is no reason: a worker looks at it again on the way.
	off := dr.barred()
	if off == "" && !dr.looking && dr.faulty() != "" {
		off = dr.faulty()
		dr.tried, dr.find = true, nil
		dr.to(dr.firstFault())
	}
	if off != "" {
		m.ui.message = "it is not sent: " + off + "."
		return
	}
	if dr.end != nil {
		dr.end()
	}
	m.asked++
	number, values := m.asked, dr.values()
	dr.number, dr.making, dr.looking, dr.failed = number, true, false, ""
	dr.end = m.host.act(dr.Title, func(ctx context.Context, send func(tea.Msg)) {
		prepared, err := dr.Ready(ctx, values)
		if ctx.Err() == nil {
			send(draftReadyMsg{number, prepared, err})
		}
	})
}

func (m *model) draftReadied(msg draftReadyMsg) {
	dr := m.ui.draft
	if dr == nil || dr.number != msg.number || !dr.making {
		return
	}
	m.stale, dr.making = true, false
	if msg.err != nil {
		dr.failed = msg.err.Error()
		dr.tried = true
		var invalid *actions.InvalidError
		if errors.As(msg.err, &invalid) {
			dr.failed = "" // it is said at each setting
			m.askLook()
		}
		return
	}
	m.ui.dialog = &dialog{stage: agreeing, ask: &asking{prepared: msg.prepared}}
}

// opened is a draft that a line of the menu asked for: it takes the dialog's place.
func (m *model) opened(msg openedMsg) tea.Cmd {
	d := m.ui.dialog
	if d == nil || d.number != msg.number || d.stage != waitingReady {
		return nil
	}
	m.stale, d.end = true, nil
	if msg.err != nil {
		d.failed, d.stage = msg.err.Error(), choosing
		return nil
	}
	direct := d.offer.Direct
	m.ui.dialog = nil
	return m.openDraft(msg.draft, direct)
}

func (m *model) openDraft(d *actions.ConnectorForm, direct bool) tea.Cmd {
	m.closeDraft()
	dr := newDraft(d)
	m.ui.draft = dr
	if dr.choose == nil {
		m.askLook()
	}
	if direct && d.Edit != nil {
		dr.direct = true
		return m.edit()
	}
	return nil
}

// closeDraft leaves everything as it is.
func (m *model) closeDraft() {
	if dr := m.ui.draft; dr != nil && dr.end != nil {
		dr.end()
	}
	m.ui.draft = nil
}

// load reads a file into the draft.
func (m *model) loadDraft(path string) {
	dr := m.ui.draft
	if dr.end != nil {
		dr.end()
	}
	m.asked++
	number := m.asked
	dr.number = number
	dr.end = m.host.act("read "+path, func(ctx context.Context, send func(tea.Msg)) {
		values, err := dr.Load(ctx, path)
		send(loadedMsg{number, values, err})
	})
}

func (m *model) loadedDraft(msg loadedMsg) {
	dr := m.ui.draft
	if dr == nil || dr.number != msg.number {
		return
	}
	m.stale = true
	if msg.err != nil {
		dr.failed = msg.err.Error()
		return
	}
	dr.fill(msg.values)
	m.askLook()
}

// fill puts other values in the place of all that stands there.
func (dr *draft) fill(values map[string]*string) {
	dr.base, dr.typed, dr.choose, dr.leaving = values, map[string]*entry{}, nil, false
	if dr.base[keyClass] == nil && len(dr.Plugins) > 0 {
		dr.choose = newChooser(dr.Plugins)
	}
}

// edit gives what is written to an editor.
func (m *model) edit() tea.Cmd {
	dr := m.ui.draft
	editing := dr.Edit(dr.values())
	return m.exec(editing, func(err error) tea.Msg { return editedMsg{editing, err} })
}

// edited is when the editor was left.
func (m *model) edited(msg editedMsg) {
	dr := m.ui.draft
	if dr == nil {
		return
	}
	m.stale = true
	if msg.err != nil {
		dr.failed = msg.err.Error()
		return
	}
	direct := dr.direct
	dr.direct = false
	values, changed := msg.editing.Result()
	switch {
	case !changed && direct:
		m.closeDraft()
		m.ui.message = "nothing has changed, and nothing was sent."
	case !changed:
		m.ui.message = "left as it was in the editor."
	default:
		if dr.fill(values); direct && dr.touched() {
			m.makeDraftReady()
			return
		}
		m.askLook()
	}
}
