package scene

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"regroup/actions"
	"regroup/group"
	"regroup/tui/keys"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
)

// View is one of the screen's views. It keeps its own state, draws a scene into a rectangle, and answers what the person does
// there. Drawing works on a copy, which the root keeps: drawing itself changes nothing.
type View interface {
	Copied() View
	State() *Panes
	Draw(s *Scene, r cell.Rect)
	// Facts are what the row of facts says of it.
	Facts(s *Scene) (left, right []FactItem)
	// Open is what enter does.
	Open(s *Scene) Action
	// Press does what a key of its own does.
	Press(s *Scene, what keys.ID) Action
	// Target is what an action would be about.
	Target(s *Scene) actions.Target
	// Text is what the cursor is on, as text that is worth pasting; "": nothing.
	Text(s *Scene) string
	// Sheet is its table, as it is saved; nil: there is none.
	Sheet(s *Scene) *Sheet
}

// Common is what most views have in common: no facts, keys or target of their own.
type Common struct{ Panes }

// NewCommon is what a view whose first pane has the focus begins with.
func NewCommon(first PaneID) Common { return Common{NewPanes(first)} }

// Copied implements View.
func (c *Common) Copied() Common { return Common{*c.Panes.copied()} }

// Facts implements View.
func (*Common) Facts(s *Scene) (left, right []FactItem) { return GroupFacts(s) }

// Press implements View.
func (*Common) Press(*Scene, keys.ID) Action { return nil }

// unit is the unit that a pane's cursor is on.
func (p *Panes) unit(id PaneID) (group.Unit, bool) {
	u, ok := p.At[id].(group.Unit)
	return u, ok && p.List(id).Rows > 0
}

// OpenIn opens the unit that a pane's cursor is on.
func (p *Panes) OpenIn(id PaneID) Action {
	if u, ok := p.unit(id); ok {
		return OpenUnit{u}
	}
	return nil
}

// Target is the unit that the cursor is on, or the worker.
func (c *Common) Target(s *Scene) actions.Target {
	switch c.Focus {
	case PaneUnitList, PaneFlow, PaneCell:
		if u, ok := c.unit(c.Focus); ok {
			return actions.Target{Unit: &u}
		}
	case PaneWorkers:
		if id, ok := c.At[PaneWorkers].(string); ok {
			return workerTarget(s.Live, id)
		}
	}
	return actions.Target{}
}

// Text is the unit that the cursor is on, or else the round shown.
func (c *Common) Text(s *Scene) string {
	if u, ok := c.At[c.Focus].(group.Unit); ok {
		return u.String()
	}
	return s.roundText()
}

// Action is what a view asks of the root, as a value; nil: nothing.
type Action interface{ isAction() }

type (
	// OpenView goes to a view from which esc leads back.
	OpenView struct{ ID keys.View }
	// OpenUnit opens a unit's whole story.
	OpenUnit struct{ Unit group.Unit }
	// ListUnits opens the list of units, with the cursor on one of them.
	ListUnits struct{ At group.Unit }
	// OpenRound opens the moment of a round, taken apart.
	OpenRound struct{ Seq int }
	// OpenGroup opens a group.
	OpenGroup struct{ Name string }
	// SayMessage says something in the message row.
	SayMessage struct{ Text string }
	// OpenForm gives the screen to a connector's form; Direct: to an editor at once.
	OpenForm struct {
		Form   *actions.ConnectorForm
		Direct bool
	}
	// CloseForm leaves everything as it is, and says so in a word.
	CloseForm struct{ Text string }
	// RunEditor gives the terminal to an editor; Then takes what came of it.
	RunEditor struct {
		Editing actions.Editing
		Then    func(error) Action
	}
	// AskAgreement shows what will happen, and asks whether it shall.
	AskAgreement struct{ Prepared *actions.PreparedAction }
	// CloseDialog leaves everything as it is, and says so in a word.
	CloseDialog struct{ Text string }
	// CarryOut does what was agreed to.
	CarryOut struct {
		Prepared *actions.PreparedAction
		Typed    string
	}
	// EndAction ends what is under way.
	EndAction struct{ Number int }
	// ShowCosts shows what the last exercise did and cost.
	ShowCosts struct{}
)

func (OpenView) isAction()   {}
func (OpenUnit) isAction()   {}
func (ListUnits) isAction()  {}
func (OpenRound) isAction()  {}
func (OpenGroup) isAction()  {}
func (SayMessage) isAction() {}

func (OpenForm) isAction()     {}
func (CloseForm) isAction()    {}
func (RunEditor) isAction()    {}
func (AskAgreement) isAction() {}
func (CloseDialog) isAction()  {}
func (CarryOut) isAction()     {}
func (EndAction) isAction()    {}
func (ShowCosts) isAction()    {}

func workerTarget(s *group.State, id string) actions.Target {
	i := slices.IndexFunc(s.Workers, func(w group.Worker) bool { return w.ID == id })
	if i < 0 {
		return actions.Target{}
	}
	w := s.Workers[i]
	return actions.Target{Worker: &w}
}

// Sheet is a table as it is saved: heads and rows of plain values.
type Sheet struct {
	Name string
	Head []string
	Rows [][]string
}

// As is the table in a format.
func (t *Sheet) As(kind string) ([]byte, error) {
	var out bytes.Buffer
	if kind == "json" {
		list := make([]map[string]string, len(t.Rows))
		for i, row := range t.Rows {
			list[i] = map[string]string{}
			for k, v := range row {
				list[i][t.Head[k]] = v
			}
		}
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err := enc.Encode(list)
		return out.Bytes(), err
	}
	w := csv.NewWriter(&out)
	if err := w.Write(t.Head); err != nil {
		return nil, err
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = harmless(ui.Printable(v))
		}
		if err := w.Write(cells); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// harmless keeps a spreadsheet from taking a name for a formula.
func harmless(v string) string {
	if v != "" && strings.ContainsRune("=+@", rune(v[0])) || strings.HasPrefix(v, "-") && len(v) > 1 && (v[1] < '0' || v[1] > '9') {
		return "'" + v
	}
	return v
}

// When is a time as it is saved: RFC 3339 in UTC, to the millisecond; "" for the zero time.
func When(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
