package keys

import (
	"slices"
)

// View names a view, as --view does, or another place where keys are pressed.
type View string

// The views.
const (
	Live     View = "live"
	Matrix   View = "matrix"
	Timeline View = "timeline"
	Round    View = "round"
	Units    View = "units"
	Unit     View = "unit" // one of them: opened from a list
	Doctor   View = "doctor"
	Events   View = "events"
	Fleet    View = "fleet"
)

// Places that are no views: what lies over one, and where text is typed.
const (
	Menu     View = "menu"
	Fields   View = "fields"   // of a dialog
	Question View = "question" // whether something is done
	Naming   View = "naming"   // a question that has a name to be typed
	Costs    View = "costs"    // the table of what an exercise did
	Waiting  View = "waiting"  // for what a dialog makes ready
	Form     View = "form"
	Find     View = "find"    // a setting of a form
	FilePath View = "file"    // that a form is filled from
	Plugins  View = "plugins" // that a connector can be made of
	Filter   View = "filter"
	Palette  View = "palette"
	Help     View = "help"
	Compare  View = "compare" // modes, as regroup compare plays them
)

// places lists them: what is in force everywhere is in force in views alone.
var places = slices.Concat(inDialog, inTyping, []View{Help, Compare})

var (
	inDialog = []View{Menu, Fields, Question, Naming, Costs, Waiting}
	inForm   = []View{Form, Find, FilePath, Plugins}
	inTyping = []View{Fields, Naming, Form, Find, FilePath, Plugins, Filter, Palette} // where a letter is text
)

// Types reports whether text is typed in a place: there a letter is a letter, whatever it does elsewhere.
func (v View) Types() bool { return slices.Contains(inTyping, v) }

// ID names what a key does; handlers.go has the doing.
type ID string

// What keys do.
const (
	DoBefore        ID = "round before"
	DoAfter         ID = "round after"
	DoEpisodeBefore ID = "episode before"
	DoEpisodeAfter  ID = "episode after"
	DoFollow        ID = "follow"
	DoUp            ID = "up"
	DoDown          ID = "down"
	DoPageUp        ID = "page up"
	DoPageDown      ID = "page down"
	DoTop           ID = "top"
	DoBottom        ID = "bottom"
	DoNextPane      ID = "next pane"
	DoPaneBefore    ID = "pane before"
	DoOpen          ID = "open"
	DoEager         ID = "eager"
	DoFilter        ID = "filter"
	DoLook          ID = "need a look"
	DoTheme         ID = "theme"
	DoBack          ID = "back"
	DoFleet         ID = "fleet"
	DoColumnBefore  ID = "column before"
	DoColumnAfter   ID = "column after"
	DoSort          ID = "sort"
	DoLess          ID = "less detail"
	DoWorker        ID = "next worker"
	DoBytes         ID = "bytes"
	DoPredict       ID = "predict"
	DoZoomIn        ID = "zoom in"
	DoZoomOut       ID = "zoom out"
	DoEarlier       ID = "earlier"
	DoLater         ID = "later"
	DoPalette       ID = "command"
	DoSave          ID = "save"
	DoCopy          ID = "copy"
	DoMouse         ID = "mouse"
	DoAct           ID = "act"
	DoConfigure     ID = "configure"
	DoRestart       ID = "restart what failed"
	DoHelp          ID = "help"
	DoQuit          ID = "quit"
	DoSuspend       ID = "suspend"
	DoPause         ID = "pause the tour"
	DoNext          ID = "next in the tour"

	DoClose        ID = "close"
	DoOut          ID = "menu before"
	DoChoiceBefore ID = "choice before"
	DoChoiceAfter  ID = "choice after"
	DoButton       ID = "next button"
	DoFind         ID = "find a setting"
	DoAll          ID = "every setting"
	DoSent         ID = "what is sent"
	DoUndo         ID = "setting as it was"
	DoEditor       ID = "editor"
	DoFile         ID = "from a file"
	DoComplete     ID = "complete"
	DoPlay         ID = "play"
	DoFaster       ID = "faster"
	DoSlower       ID = "slower"
	DoDelay        ID = "another delay"
	DoWorkers      ID = "more workers"
	DoModes        ID = "other modes"
	DoSeed         ID = "another seed"
)

// Group is a heading of the help.
type Group string

// The headings of the help, in their order.
const (
	GroupViews Group = "Views"
	GroupMove  Group = "Move"
	GroupLook  Group = "Look"
	GroupForm  Group = "Form"
)

// Condition names something that is so or is not: the root knows.
type Condition string

// The conditions.
const (
	TourPlays    Condition = "tour plays"
	TourSteps    Condition = "tour steps"
	TourStays    Condition = "tour stays"
	Standing     Condition = "standing"
	HasPanes     Condition = "has panes"
	OnFleet      Condition = "on fleet"
	OpensNoRound Condition = "opens no round"
	OpensRound   Condition = "opens round"
	AsItWas      Condition = "as it was"
	AsEager      Condition = "as eager"
	OnLive       Condition = "on live"
	CanEnd       Condition = "can end"
	CannotEnd    Condition = "cannot end"
	CanAct       Condition = "can act"
	CanLoad      Condition = "can load"
	OnUnit       Condition = "on unit"
	HasTrail     Condition = "has trail"
)

// Reason names why a key may not work: the root says it in words, or that it works.
type Reason string

// The reasons.
const (
	NoRounds      Reason = "no rounds"
	IsFollowing   Reason = "is following"
	NothingToOpen Reason = "nothing to open"
	NoGroup       Reason = "no group"
	NoBytes       Reason = "no bytes"
	NothingComes  Reason = "nothing comes"
	NoEager       Reason = "no eager"
	NoFilter      Reason = "no filter"
	NothingToCopy Reason = "nothing to copy"
	NothingToSave Reason = "nothing to save"
	CannotAct     Reason = "cannot act"
	NoConnector   Reason = "no connector"
	NothingFailed Reason = "nothing failed"
	NoFleet       Reason = "no fleet"
	NoEditor      Reason = "no editor"
	NoFile        Reason = "no file"
)

// Binding is one line of the key table: help, footer, and the message that says why a key does nothing all come from here.
type Binding struct {
	Keys  []string // as Bubble Tea prints them
	Show  string   // how the footer prints them; "": the first of keys
	long  string   // how the help prints them; "": as show
	Do    ID
	Help  string // what the help says; "" leaves it out
	Hint  string // what the footer says; "" leaves it out
	Group Group
	// Keep says how long a hint stays in a footer that is too narrow: the smallest goes first.
	Keep int
	in   []View    // nil: every view
	Only Condition // whether it is there at all: else the key means what it means further down; "": always
	Off  Reason    // why it may not work now; "": it always works
	When Condition // whether its hint is worth a place now; "": always
}

// Show names the handler that goes to a view.
func Show(v View) ID { return "show " + ID(v) }

var (
	inGroup  = []View{Live, Matrix, Timeline, Round, Units, Unit, Doctor, Events}
	inRounds = []View{Live, Timeline, Round, Units, Unit, Doctor, Events} // where ← → step rounds
	inMatrix = []View{Matrix}
	inTime   = []View{Timeline}
	inRound  = []View{Round}
	inUnit   = []View{Unit}
	inDoctor = []View{Doctor}
	inEvents = []View{Events}
	inLists  = []View{Live, Fleet, Units, Matrix, Events} // where a filter makes sense
)

// Shown is how the footer prints the keys.
func (b *Binding) Shown() string {
	if b.Show != "" {
		return b.Show
	}
	return b.Keys[0]
}

// ShownLong is how the help prints the keys.
func (b *Binding) ShownLong() string {
	if b.long != "" {
		return b.long
	}
	return b.Shown()
}

// WorksIn reports whether a key is there in a view, or in another place.
func (b *Binding) WorksIn(v View) bool {
	if b.in == nil {
		return !slices.Contains(places, v)
	}
	return slices.Contains(b.in, v)
}
