package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"regroup/actions"
	"regroup/tui/scene"
	"regroup/tui/theme"
	"regroup/tui/ui"
)

// acting is what is being done, or was done last: it has the message row until its time is over.
type acting struct {
	number int // of the action
	what   string
	says   string
	token  theme.Token
	busy   bool      // it is done, or followed, still
	did    bool      // it was done; what comes of it is followed
	until  time.Time // by State.Now; zero: for as long as it is busy
	end    context.CancelFunc
}

// resultStays is how long the outcome of an action stays in sight.
const resultStays = time.Minute

// actingMsg says how an action comes on.
type actingMsg struct {
	number int
	says   string
	token  theme.Token
	did    bool // it was done: there is nothing left to be tried again
	over   bool
	done   bool            // by itself: what still follows is only looked at
	report *actions.Report // of an exercise
	failed string          // why it ended early
}

// carryOut does an action and then follows it. One that is still followed is let go of: what comes now is of both.
func (m *model) carryOut(d *actions.PreparedAction, typed string) {
	if m.acting.end != nil {
		m.acting.end()
	}
	m.asked++
	number := m.asked
	follow, let := context.WithCancel(context.Background())
	m.acting = acting{number: number, what: d.Action.String(), says: "under way", token: theme.Muted, busy: true, end: let}
	while, end := context.WithCancel(context.Background()) // of doing it: what came of it is still looked at once that is ended
	m.host.act(d.Action.String(), func(ctx context.Context, send func(tea.Msg)) {
		defer let()
		tell := func(s string) { send(actingMsg{number: number, says: s, token: theme.Muted}) }
		doing, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(while, stop)()
		answer, err := d.Do(doing, typed, tell)
		over := actingMsg{number: number, says: answer, token: theme.Running, did: true, done: true, over: true}
		if d.Report != nil {
			over.report = d.Report()
		}
		if err != nil {
			over.says, over.token, over.did = err.Error(), theme.Wrong, false
			over.failed = strings.TrimPrefix(over.says, d.Action.String()+": ")
			send(over)
			return
		}
		if d.Follow == nil {
			send(over)
			return
		}
		send(actingMsg{number: number, says: answer + "; waiting for what comes of it", token: theme.Muted, did: true, done: true})
		ctx, end := context.WithCancel(ctx)
		defer end()
		defer context.AfterFunc(follow, end)()
		came, err := d.Follow(ctx)
		if err != nil {
			send(actingMsg{number: number, says: answer + "; what came of it was not followed: " + err.Error(), token: theme.Delayed, did: true, over: true})
			return
		}
		says, token := resultText(came)
		send(actingMsg{number: number, says: says, token: token, did: true, over: true})
	})
	m.begun(number, d, end)
}

func (m *model) acted(msg actingMsg) {
	if msg.done || msg.over {
		m.over(msg.number)
	}
	if msg.report != nil {
		m.showReport("exercise "+msg.report.Exercise, msg.report, msg.failed)
	}
	if msg.number != m.acting.number {
		return
	}
	m.stale = true
	a := &m.acting
	a.says, a.token, a.busy, a.did = msg.says, msg.token, !msg.over, a.did || msg.did
	if dr := m.ui.draft; dr != nil && dr.sent == msg.number {
		switch {
		case a.did:
			m.closeDraft()
		case msg.over: // it can be sent again
			dr.sent, dr.failed = 0, msg.says
		}
	}
	if msg.over && m.live != nil {
		a.until = m.live.Now.Add(resultStays)
	}
}

// shown says whether there is something to say.
func (a *acting) shown(s *scene.Scene) bool {
	return a.what != "" && (a.busy || s.Live == nil || s.Live.Now.Before(a.until))
}

// drawActing says how the last action comes on, in the message row.
func drawActing(s *scene.Scene, a *acting) {
	if !a.shown(s) {
		return
	}
	s.Fill(s.Lay.Message, ui.Text)
	l := s.Line(s.Lay.Message, 0)
	l.Gap(1).Text(ui.Strong, ui.Printable(a.what)).Text(ui.Muted, ": ").Sentence(a.token.Plain(), ui.Printable(strings.TrimPrefix(a.says, a.what+": ")))
}
