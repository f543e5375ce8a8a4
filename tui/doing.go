package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"regroup/actions"
)

// ongoing is an action that is being done: one that can be ended before it ends by itself has a line in the menu for that.
type ongoing struct {
	number int
	what   string
	ends   string // the word for it; "": it is over soon
	alone  bool   // nothing else is done meanwhile
	end    context.CancelFunc
}

// begun and over keep the list of what is being done.
func (m *model) begun(number int, d *actions.PreparedAction, end context.CancelFunc) {
	m.doing = append(m.doing, ongoing{number, d.Action.String(), d.EndLabel, d.Exclusive, end})
}

func (m *model) over(number int) {
	m.doing = slices.DeleteFunc(m.doing, func(o ongoing) bool { return o.number == number })
}

// busy is why nothing else can be done now; "": it can.
func (m *model) busy() string {
	for _, o := range m.doing {
		if o.alone {
			return "once " + o.what + " is over"
		}
	}
	return ""
}

// endLines are the menu's lines for what can be ended.
func (m *model) endLines() []menuLine {
	var out []menuLine
	for _, o := range m.doing {
		if o.ends != "" {
			out = append(out, menuLine{Offer: actions.Offer{Label: o.ends, About: o.what + " is under way"}, ends: o.number})
		}
	}
	return out
}

// endDeed ends what is being done: that it was done so far stays.
func (m *model) endAction(number int) {
	i := slices.IndexFunc(m.doing, func(o ongoing) bool { return o.number == number })
	if i < 0 {
		return
	}
	m.doing[i].end()
	m.closeDialog()
	m.ui.message = ""
}

// endNewest is the command for it.
func endNewest(m *model, _ string) tea.Cmd {
	for _, o := range slices.Backward(m.doing) {
		if o.ends != "" {
			m.endAction(o.number)
			return nil
		}
	}
	m.ui.message = "nothing is under way that could be ended."
	return nil
}

func nothingToEnd(m *model) string {
	if len(m.endLines()) == 0 {
		return "nothing is under way"
	}
	return ""
}
