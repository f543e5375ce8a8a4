package tui

import (
	"context"
	"slices"
	"strings"
	"time"

	"regroup/actions/exercise"

	tea "charm.land/bubbletea/v2"

	"regroup/actions"
	"regroup/tui/dialog"
	"regroup/tui/form"
	"regroup/tui/keys"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/theme"
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
	form   *form.Form // that it was agreed to on; nil: none
}

// resultStays is how long the outcome of an action stays in sight.
const resultStays = time.Minute

// news says how an action comes on.
type news struct {
	says   string
	token  theme.Token
	did    bool // it was done: there is nothing left to be tried again
	over   bool
	done   bool             // by itself: what still follows is only looked at
	report *exercise.Report // of an exercise
	failed string           // why it ended early
}

// carryOut does an action and then follows it. One that is still followed is let go of: what comes now is of both.
func (m *model) carryOut(d *actions.PreparedAction, typed string) {
	if m.acting.end != nil {
		m.acting.end()
	}
	m.acts++
	number, what := m.acts, d.Action.String()
	follow, let := context.WithCancel(context.Background())
	m.acting = acting{number: number, what: what, says: "under way", token: theme.Muted, busy: true, end: let, form: m.ui.form}
	if m.ui.form != nil {
		m.ui.form.Sent()
	}
	while, end := context.WithCancel(context.Background()) // of doing it: what came of it is still looked at once that is ended
	m.host.act(what, func(ctx context.Context, send func(tea.Msg)) {
		defer let()
		tell := func(n news) {
			send(scene.Tell(func() scene.Action { return m.onNews(number, n) }))
		}
		doing, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(while, stop)()
		answer, err := d.Do(doing, typed, func(s string) { tell(news{says: s, token: theme.Muted}) })
		over := news{says: answer, token: theme.Running, did: true, done: true, over: true}
		if d.Report != nil {
			over.report = d.Report()
		}
		if err != nil {
			over.says, over.token, over.did = err.Error(), theme.Wrong, false
			over.failed = strings.TrimPrefix(over.says, what+": ")
			tell(over)
			return
		}
		if d.Follow == nil {
			tell(over)
			return
		}
		tell(news{says: answer + "; waiting for what comes of it", token: theme.Muted, did: true, done: true})
		ctx, end := context.WithCancel(ctx)
		defer end()
		defer context.AfterFunc(follow, end)()
		came, err := d.Follow(ctx)
		if err != nil {
			tell(news{says: answer + "; what came of it was not followed: " + err.Error(), token: theme.Delayed, did: true, over: true})
			return
		}
		says, token := parts.ResultText(came)
		tell(news{says: says, token: token, did: true, over: true})
	})
	m.doing = append(m.doing, dialog.Ongoing{Number: number, What: what, Ends: d.EndLabel, Exclusive: d.Exclusive, End: end})
}

// onNews takes in how an action comes on.
func (m *model) onNews(number int, n news) scene.Action {
	if n.done || n.over {
		m.doing = slices.DeleteFunc(m.doing, func(o dialog.Ongoing) bool { return o.Number == number })
	}
	var then scene.Action
	if n.report != nil {
		m.costs = dialog.CostsOf("exercise "+n.report.Exercise, n.report, n.failed)
		if m.front() == m.view && m.view != keys.Fleet { // else the menu of the group has it
			then = scene.ShowCosts{}
		}
	}
	if number != m.acting.number {
		return then
	}
	a := &m.acting
	a.says, a.token, a.busy, a.did = n.says, n.token, !n.over, a.did || n.did
	if f := a.form; f != nil && f == m.ui.form {
		switch {
		case a.did:
			m.closeForm()
		case n.over:
			f.Unsent(n.says)
		}
	}
	if n.over && m.live != nil {
		a.until = m.live.Now.Add(resultStays)
	}
	return then
}

// endAction ends what is being done: what was done so far stays.
func (m *model) endAction(number int) {
	i := slices.IndexFunc(m.doing, func(o dialog.Ongoing) bool { return o.Number == number })
	if i < 0 {
		return
	}
	m.doing[i].End()
	m.closeDialog()
	m.ui.message = ""
}

// endNewest is the command for it.
func endNewest(m *model, _ string) tea.Cmd {
	for _, o := range slices.Backward(m.doing) {
		if o.Ends != "" {
			m.endAction(o.Number)
			return nil
		}
	}
	m.ui.message = "nothing is under way that could be ended."
	return nil
}

func nothingToEnd(m *model) string {
	if !slices.ContainsFunc(m.doing, func(o dialog.Ongoing) bool { return o.Ends != "" }) {
		return "nothing is under way"
	}
	return ""
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
