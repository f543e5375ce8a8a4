package keys

import (
	"slices"
)

// View names a view, as --view does.
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
)

// Group is a heading of the help.
type Group string

// The headings of the help, in their order.
const (
	GroupViews Group = "Views"
	GroupMove  Group = "Move"
	GroupLook  Group = "Look"
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
	in   []View    // nil: everywhere
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

// Table is in the order of the footer. The help sorts it into its groups. Of two that have a key the first that is there has it.
var Table = []Binding{
	{Keys: []string{"space"}, Do: DoPause, Help: "pause the tour", Hint: "pause", Group: GroupMove, Keep: 10, Only: TourPlays},
	{
		Keys: []string{"right"}, Show: "→", long: "→ n", Do: DoNext, Help: "next step of the tour", Hint: "next step", Group: GroupMove,
		Keep: 10, Only: TourSteps,
	},
	{Keys: []string{"n"}, Do: DoNext, Only: TourPlays},
	{
		Keys: []string{"left", "h"}, Show: "←", long: "← h l", Do: DoBefore, Help: "round before, after", Hint: "round before",
		Group: GroupMove, Keep: 9, in: inRounds, Only: TourSteps, Off: NoRounds,
	},
	{
		Keys: []string{"left", "h"}, Show: "← →", long: "← → h l", Do: DoBefore, Help: "round before, after", Hint: "round",
		Group: GroupMove, Keep: 9, in: inRounds, Only: TourStays, Off: NoRounds,
	},
	{Keys: []string{"right", "l"}, Do: DoAfter, in: inRounds, Off: NoRounds},
	{
		Keys: []string{"left", "h"}, Show: "arrows", long: "← → h l", Do: DoColumnBefore, Help: "worker", Hint: "cell", Group: GroupMove,
		Keep: 9, in: inMatrix,
	},
	{Keys: []string{"right", "l"}, Do: DoColumnAfter, in: inMatrix},
	{
		Keys: []string{"<", ","}, Show: "< >", long: "< > , .", Do: DoBefore, Help: "round before, after", Hint: "round", Group: GroupMove,
		Keep: 4, in: inMatrix, Off: NoRounds,
	},
	{Keys: []string{"+", "="}, Show: "+ -", Do: DoZoomIn, Help: "zoom", Hint: "zoom", Group: GroupLook, Keep: 8, in: inTime, Off: NoRounds},
	{Keys: []string{"-", "_"}, Do: DoZoomOut, in: inTime, Off: NoRounds},
	{Keys: []string{"<", ","}, Show: "< >", long: "< > , .", Do: DoEarlier, Help: "earlier, later", Hint: "pan", Group: GroupMove, Keep: 7, in: inTime, Off: NoRounds},
	{Keys: []string{">", "."}, Do: DoLater, in: inTime, Off: NoRounds},
	{Keys: []string{"z", "u"}, Show: "z", long: "z u", Do: DoLess, Help: "a lane a worker, or a unit", Hint: "workers or units", Group: GroupLook, Keep: 7, in: inTime},
	{Keys: []string{",", "<"}, Do: DoBefore, in: inRounds, Off: NoRounds},
	{Keys: []string{".", ">"}, Do: DoAfter, in: inGroup, Off: NoRounds},
	{
		Keys: []string{"shift+left", "H"}, Show: "shift ← →", Do: DoEpisodeBefore, Help: "episode before, after", Hint: "episode",
		Group: GroupMove, Keep: 4, in: inGroup, Off: NoRounds, When: Standing,
	},
	{Keys: []string{"shift+right", "L"}, Do: DoEpisodeAfter, in: inGroup, Off: NoRounds},
	{
		Keys: []string{"f"}, Do: DoFollow, Help: "follow again", Hint: "follow", Group: GroupMove, Keep: 8, in: inGroup,
		Off: IsFollowing, When: Standing,
	},
	{
		Keys: []string{"up", "k"}, Show: "↑ ↓", long: "↑ ↓ j k", Do: DoUp, Help: "line", Hint: "group", Group: GroupMove, Keep: 9,
		When: OnFleet,
	},
	{Keys: []string{"up", "k"}, Show: "↑ ↓", Do: DoUp, Hint: "unit", Keep: 9, in: []View{Units, Round}},
	{Keys: []string{"up", "k"}, Show: "↑ ↓", Do: DoUp, Hint: "finding", Keep: 9, in: inDoctor},
	{Keys: []string{"up", "k"}, Show: "↑ ↓", Do: DoUp, Hint: "event", Keep: 9, in: inEvents},
	{Keys: []string{"up", "k"}, Show: "↑ ↓", Do: DoUp, Hint: "scroll", Keep: 9, in: inUnit},
	{Keys: []string{"down", "j"}, Do: DoDown},
	{Keys: []string{"pgup", "ctrl+b"}, long: "pgup pgdn", Do: DoPageUp, Help: "page", Group: GroupMove},
	{Keys: []string{"pgdown", "ctrl+f", "space"}, Do: DoPageDown},
	{Keys: []string{"g", "home"}, long: "g G", Do: DoTop, Help: "first, last", Group: GroupMove},
	{Keys: []string{"G", "end"}, Do: DoBottom},
	{
		Keys: []string{"tab"}, Do: DoNextPane, Help: "next pane, or view", Hint: "pane", Group: GroupMove, Keep: 5, in: inGroup,
		When: HasPanes,
	},
	{Keys: []string{"shift+tab"}, Do: DoPaneBefore, in: inGroup},
	{
		Keys: []string{"enter"}, Do: DoOpen, Help: "open", Hint: "open", Group: GroupMove, Keep: 7, Off: NothingToOpen, When: OpensNoRound,
	},
	{Keys: []string{"enter"}, Do: DoOpen, Hint: "why", Keep: 8, in: []View{Live}, Off: NoRounds, When: OpensRound},
	{Keys: []string{"d", "6"}, Do: Show(Doctor), Hint: "doctor", Keep: 6, in: []View{Fleet}, Off: NoGroup},
	{
		Keys: []string{"z"}, Do: DoLess, Help: "hide what is kept, or show it", Hint: "hide kept", Group: GroupLook, Keep: 6, in: inRound,
		Off: NoRounds,
	},
	{Keys: []string{"z"}, Do: DoLess, Help: "one mark a unit, or names", Hint: "marks", Group: GroupLook, Keep: 6, in: inMatrix},
	{Keys: []string{"z"}, Do: DoLess, Help: "fold consequences", Hint: "fold", Group: GroupLook, Keep: 5, in: inDoctor},
	{Keys: []string{"b"}, Do: DoBytes, Help: "bytes of what it reported, or was told", Hint: "bytes", Group: GroupLook, Keep: 6, in: inRound, Off: NoBytes},
	{
		Keys: []string{"w"}, Do: DoWorker, Help: "next worker", Hint: "next worker", Group: GroupLook, Keep: 5,
		in: inRound, Off: NoRounds,
	},
	{
		Keys: []string{"p"}, Do: DoPredict, Help: "what comes next", Hint: "prediction", Group: GroupLook, Keep: 5, in: inMatrix,
		Off: NothingComes,
	},
	{
		Keys: []string{"s"}, Do: DoSort, Help: "sort", Hint: "sort", Group: GroupLook, Keep: 6, in: []View{Units, Matrix, Fleet},
	},
	{Keys: []string{"s"}, Do: DoSort, Help: "sources", Hint: "sources", Group: GroupLook, Keep: 6, in: inEvents},
	{
		Keys: []string{"e"}, Do: DoEager, Help: "what eager would stop", Hint: "eager", Group: GroupLook, Keep: 3, in: inGroup,
		Only: AsItWas, Off: NoEager, When: OnLive,
	},
	{
		Keys: []string{"e"}, Do: DoEager, Help: "rounds as they were", Hint: "as it was", Group: GroupLook, Keep: 9, in: inGroup,
		Only: AsEager, Off: NoEager, When: OnLive,
	},
	{Keys: []string{"/"}, Do: DoFilter, Help: "filter", Hint: "filter", Group: GroupLook, Keep: 6, in: inLists, Off: NoFilter},
	{
		Keys: []string{"!"}, Do: DoLook, Help: "what needs a look", Group: GroupLook, in: []View{Live, Units, Matrix},
	},
	{Keys: []string{":"}, Do: DoPalette, Help: "command", Hint: "command", Group: GroupLook, Keep: 2},
	{Keys: []string{"y"}, Do: DoCopy, Help: "copy", Group: GroupLook, Off: NothingToCopy},
	{Keys: []string{"ctrl+s"}, Show: "ctrl-s", Do: DoSave, Help: "save as SVG", Hint: "SVG", Group: GroupLook, Keep: 5, in: inTime, Off: NothingToSave},
	{Keys: []string{"ctrl+s"}, long: "ctrl-s", Do: DoSave, Help: "save what is seen", Group: GroupLook, Off: NothingToSave},
	{Keys: []string{"m"}, Do: DoMouse, Help: "mouse on, or off", Group: GroupLook},
	{
		Keys: []string{"a"}, Do: DoAct, Help: "act, or break off", Hint: "break off", Group: GroupLook, Keep: 8, in: inGroup, Only: CanEnd,
	},
	{
		Keys: []string{"a"}, Do: DoAct, Only: CannotEnd, Help: "act on the selected", Hint: "act", Group: GroupLook, Keep: 7, in: inGroup,
		Off: CannotAct, When: CanAct,
	},
	{
		Keys: []string{"c"}, Do: DoConfigure, Help: "configure it", Hint: "config", Group: GroupLook, Keep: 5, in: inGroup,
		Off: NoConnector, When: OnUnit,
	},
	{
		Keys: []string{"r"}, Do: DoRestart, Help: "restart what failed", Hint: "restart failed", Group: GroupLook, Keep: 4, in: inGroup,
		Off: NothingFailed, When: OnUnit,
	},
	{Keys: []string{"t"}, Do: DoTheme, Help: "theme", Group: GroupLook},
	{Keys: []string{"esc"}, Do: DoBack, Help: "back", Hint: "back", Group: GroupMove, Keep: 8, When: HasTrail},
	{Keys: []string{"1"}, Do: Show(Live), Help: "live", Group: GroupViews, Off: NoGroup},
	{Keys: []string{"2"}, Do: Show(Matrix), Help: "matrix", Group: GroupViews, Off: NoGroup},
	{Keys: []string{"3"}, Do: Show(Timeline), Help: "timeline", Group: GroupViews, Off: NoGroup},
	{Keys: []string{"4"}, Do: Show(Round), Help: "round", Group: GroupViews, Off: NoGroup},
	{Keys: []string{"5"}, Do: Show(Units), Help: "units", Group: GroupViews, Off: NoGroup},
	{Keys: []string{"6", "d"}, long: "6 d", Do: Show(Doctor), Help: "doctor", Group: GroupViews, Off: NoGroup},
	{Keys: []string{"7"}, Do: Show(Events), Help: "events", Group: GroupViews, Off: NoGroup},
	{Keys: []string{"0"}, Do: DoFleet, Help: "fleet", Group: GroupViews, Off: NoFleet},
	{Keys: []string{"?", "f1"}, Do: DoHelp, Help: "this help", Hint: "help", Group: GroupLook, Keep: 10},
	{Keys: []string{"ctrl+z"}, long: "ctrl-z", Do: DoSuspend, Help: "to the shell, fg back", Group: GroupLook},
	{Keys: []string{"q", "ctrl+c"}, Do: DoQuit, Help: "quit", Hint: "quit", Group: GroupLook, Keep: 11},
}

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

// WorksIn reports whether a key is there in a view.
func (b *Binding) WorksIn(v View) bool { return b.in == nil || slices.Contains(b.in, v) }
