package tui

import "slices"

// handlerID names what a key does; handlers.go has the doing.
type handlerID string

const (
	doBefore        handlerID = "round before"
	doAfter         handlerID = "round after"
	doEpisodeBefore handlerID = "episode before"
	doEpisodeAfter  handlerID = "episode after"
	doFollow        handlerID = "follow"
	doUp            handlerID = "up"
	doDown          handlerID = "down"
	doPageUp        handlerID = "page up"
	doPageDown      handlerID = "page down"
	doTop           handlerID = "top"
	doBottom        handlerID = "bottom"
	doNextPane      handlerID = "next pane"
	doPaneBefore    handlerID = "pane before"
	doOpen          handlerID = "open"
	doEager         handlerID = "eager"
	doFilter        handlerID = "filter"
	doLook          handlerID = "need a look"
	doTheme         handlerID = "theme"
	doBack          handlerID = "back"
	doFleet         handlerID = "fleet"
	doColumnBefore  handlerID = "column before"
	doColumnAfter   handlerID = "column after"
	doSort          handlerID = "sort"
	doLess          handlerID = "less detail"
	doWorker        handlerID = "next worker"
	doBytes         handlerID = "bytes"
	doPredict       handlerID = "predict"
	doZoomIn        handlerID = "zoom in"
	doZoomOut       handlerID = "zoom out"
	doEarlier       handlerID = "earlier"
	doLater         handlerID = "later"
	doPalette       handlerID = "command"
	doSave          handlerID = "save"
	doCopy          handlerID = "copy"
	doMouse         handlerID = "mouse"
	doAct           handlerID = "act"
	doConfigure     handlerID = "configure"
	doRestart       handlerID = "restart what failed"
	doHelp          handlerID = "help"
	doQuit          handlerID = "quit"
	doSuspend       handlerID = "suspend"
	doPause         handlerID = "pause the tour"
	doNext          handlerID = "next in the tour"
)

// keyGroup is a heading of the help.
type keyGroup string

const (
	keysViews keyGroup = "Views"
	keysMove  keyGroup = "Move"
	keysLook  keyGroup = "Look"
)

// binding is one line of the key table: help, footer, and the message that says why a key does nothing all come from here.
type binding struct {
	keys  []string // as Bubble Tea prints them
	show  string   // how the footer prints them; "": the first of keys
	long  string   // how the help prints them; "": as show
	do    handlerID
	help  string // what the help says; "" leaves it out
	hint  string // what the footer says; "" leaves it out
	group keyGroup
	// keep says how long a hint stays in a footer that is too narrow: the smallest goes first.
	keep int
	in   []viewID            // nil: everywhere
	only func(*model) bool   // whether it is there at all: else the key means what it means further down; nil: always
	off  func(*model) string // why it cannot work now; nil or "": it can
	when func(*model) bool   // whether its hint is worth a place now; nil: always
}

// showing names the handler that goes to a view.
func showing(v viewID) handlerID { return "show " + handlerID(v) }

var (
	inGroup  = []viewID{viewLive, viewMatrix, viewTimeline, viewRound, viewUnits, viewUnit, viewDoctor, viewEvents}
	inRounds = []viewID{viewLive, viewTimeline, viewRound, viewUnits, viewUnit, viewDoctor, viewEvents} // where ← → step rounds
	inMatrix = []viewID{viewMatrix}
	inTime   = []viewID{viewTimeline}
	inRound  = []viewID{viewRound}
	inUnit   = []viewID{viewUnit}
	inDoctor = []viewID{viewDoctor}
	inEvents = []viewID{viewEvents}
	inLists  = []viewID{viewLive, viewFleet, viewUnits, viewMatrix, viewEvents} // where a filter makes sense
)

// keyTable is in the order of the footer. The help sorts it into its groups. Of two that have a key the first that is there has it.
var keyTable = []binding{
	{keys: []string{"space"}, do: doPause, help: "pause the tour", hint: "pause", group: keysMove, keep: 10, only: tourPlays},
	{
		keys: []string{"right"}, show: "→", long: "→ n", do: doNext, help: "next step of the tour", hint: "next step", group: keysMove,
		keep: 10, only: tourSteps,
	},
	{keys: []string{"n"}, do: doNext, only: tourPlays},
	{
		keys: []string{"left", "h"}, show: "←", long: "← h l", do: doBefore, help: "round before, after", hint: "round before",
		group: keysMove, keep: 9, in: inRounds, only: tourSteps, off: noRounds,
	},
	{
		keys: []string{"left", "h"}, show: "← →", long: "← → h l", do: doBefore, help: "round before, after", hint: "round",
		group: keysMove, keep: 9, in: inRounds, only: tourStays, off: noRounds,
	},
	{keys: []string{"right", "l"}, do: doAfter, in: inRounds, off: noRounds},
	{
		keys: []string{"left", "h"}, show: "arrows", long: "← → h l", do: doColumnBefore, help: "worker", hint: "cell", group: keysMove,
		keep: 9, in: inMatrix,
	},
	{keys: []string{"right", "l"}, do: doColumnAfter, in: inMatrix},
	{
		keys: []string{"<", ","}, show: "< >", long: "< > , .", do: doBefore, help: "round before, after", hint: "round", group: keysMove,
		keep: 4, in: inMatrix, off: noRounds,
	},
	{keys: []string{"+", "="}, show: "+ -", do: doZoomIn, help: "zoom", hint: "zoom", group: keysLook, keep: 8, in: inTime, off: noRounds},
	{keys: []string{"-", "_"}, do: doZoomOut, in: inTime, off: noRounds},
	{keys: []string{"<", ","}, show: "< >", long: "< > , .", do: doEarlier, help: "earlier, later", hint: "pan", group: keysMove, keep: 7, in: inTime, off: noRounds},
	{keys: []string{">", "."}, do: doLater, in: inTime, off: noRounds},
	{keys: []string{"z", "u"}, show: "z", long: "z u", do: doLess, help: "a lane a worker, or a unit", hint: "workers or units", group: keysLook, keep: 7, in: inTime},
	{keys: []string{",", "<"}, do: doBefore, in: inRounds, off: noRounds},
	{keys: []string{".", ">"}, do: doAfter, in: inGroup, off: noRounds},
	{
		keys: []string{"shift+left", "H"}, show: "shift ← →", do: doEpisodeBefore, help: "episode before, after", hint: "episode",
		group: keysMove, keep: 4, in: inGroup, off: noRounds, when: standing,
	},
	{keys: []string{"shift+right", "L"}, do: doEpisodeAfter, in: inGroup, off: noRounds},
	{
		keys: []string{"f"}, do: doFollow, help: "follow again", hint: "follow", group: keysMove, keep: 8, in: inGroup,
		off: isFollowing, when: standing,
	},
	{
		keys: []string{"up", "k"}, show: "↑ ↓", long: "↑ ↓ j k", do: doUp, help: "line", hint: "group", group: keysMove, keep: 9,
		when: onFleet,
	},
	{keys: []string{"up", "k"}, show: "↑ ↓", do: doUp, hint: "unit", keep: 9, in: []viewID{viewUnits, viewRound}},
	{keys: []string{"up", "k"}, show: "↑ ↓", do: doUp, hint: "finding", keep: 9, in: inDoctor},
	{keys: []string{"up", "k"}, show: "↑ ↓", do: doUp, hint: "event", keep: 9, in: inEvents},
	{keys: []string{"up", "k"}, show: "↑ ↓", do: doUp, hint: "scroll", keep: 9, in: inUnit},
	{keys: []string{"down", "j"}, do: doDown},
	{keys: []string{"pgup", "ctrl+b"}, long: "pgup pgdn", do: doPageUp, help: "page", group: keysMove},
	{keys: []string{"pgdown", "ctrl+f", "space"}, do: doPageDown},
	{keys: []string{"g", "home"}, long: "g G", do: doTop, help: "first, last", group: keysMove},
	{keys: []string{"G", "end"}, do: doBottom},
	{
		keys: []string{"tab"}, do: doNextPane, help: "next pane, or view", hint: "pane", group: keysMove, keep: 5, in: inGroup,
		when: hasPanes,
	},
	{keys: []string{"shift+tab"}, do: doPaneBefore, in: inGroup},
	{
		keys: []string{"enter"}, do: doOpen, help: "open", hint: "open", group: keysMove, keep: 7, off: nothingToOpen, when: opensNoRound,
	},
	{keys: []string{"enter"}, do: doOpen, hint: "why", keep: 8, in: []viewID{viewLive}, off: noRounds, when: opensRound},
	{keys: []string{"d", "6"}, do: showing(viewDoctor), hint: "doctor", keep: 6, in: []viewID{viewFleet}, off: noGroup},
	{
		keys: []string{"z"}, do: doLess, help: "hide what is kept, or show it", hint: "hide kept", group: keysLook, keep: 6, in: inRound,
		off: noRounds,
	},
	{keys: []string{"z"}, do: doLess, help: "one mark a unit, or names", hint: "marks", group: keysLook, keep: 6, in: inMatrix},
	{keys: []string{"z"}, do: doLess, help: "fold consequences", hint: "fold", group: keysLook, keep: 5, in: inDoctor},
	{keys: []string{"b"}, do: doBytes, help: "bytes of what it reported, or was told", hint: "bytes", group: keysLook, keep: 6, in: inRound, off: noBytes},
	{
		keys: []string{"w"}, do: doWorker, help: "next worker", hint: "next worker", group: keysLook, keep: 5,
		in: inRound, off: noRounds,
	},
	{
		keys: []string{"p"}, do: doPredict, help: "what comes next", hint: "prediction", group: keysLook, keep: 5, in: inMatrix,
		off: nothingComes,
	},
	{
		keys: []string{"s"}, do: doSort, help: "sort", hint: "sort", group: keysLook, keep: 6, in: []viewID{viewUnits, viewMatrix, viewFleet},
	},
	{keys: []string{"s"}, do: doSort, help: "sources", hint: "sources", group: keysLook, keep: 6, in: inEvents},
	{
		keys: []string{"e"}, do: doEager, help: "what eager would stop", hint: "eager", group: keysLook, keep: 3, in: inGroup,
		only: asItWas, off: noEager, when: onLive,
	},
	{
		keys: []string{"e"}, do: doEager, help: "rounds as they were", hint: "as it was", group: keysLook, keep: 9, in: inGroup,
		only: asEager, off: noEager, when: onLive,
	},
	{keys: []string{"/"}, do: doFilter, help: "filter", hint: "filter", group: keysLook, keep: 6, in: inLists, off: noFilter},
	{
		keys: []string{"!"}, do: doLook, help: "what needs a look", group: keysLook, in: []viewID{viewLive, viewUnits, viewMatrix},
	},
	{keys: []string{":"}, do: doPalette, help: "command", hint: "command", group: keysLook, keep: 2},
	{keys: []string{"y"}, do: doCopy, help: "copy", group: keysLook, off: nothingToCopy},
	{keys: []string{"ctrl+s"}, show: "ctrl-s", do: doSave, help: "save as SVG", hint: "SVG", group: keysLook, keep: 5, in: inTime, off: nothingToSave},
	{keys: []string{"ctrl+s"}, long: "ctrl-s", do: doSave, help: "save what is seen", group: keysLook, off: nothingToSave},
	{keys: []string{"m"}, do: doMouse, help: "mouse on, or off", group: keysLook},
	{
		keys: []string{"a"}, do: doAct, help: "act, or break off", hint: "break off", group: keysLook, keep: 8, in: inGroup, only: canEnd,
	},
	{
		keys: []string{"a"}, do: doAct, only: cannotEnd, help: "act on the selected", hint: "act", group: keysLook, keep: 7, in: inGroup,
		off: cannotAct, when: canAct,
	},
	{
		keys: []string{"c"}, do: doConfigure, help: "configure it", hint: "config", group: keysLook, keep: 5, in: inGroup,
		off: noConnector, when: onUnit,
	},
	{
		keys: []string{"r"}, do: doRestart, help: "restart what failed", hint: "restart failed", group: keysLook, keep: 4, in: inGroup,
		off: nothingFailed, when: onUnit,
	},
	{keys: []string{"t"}, do: doTheme, help: "theme", group: keysLook},
	{keys: []string{"esc"}, do: doBack, help: "back", hint: "back", group: keysMove, keep: 8, when: hasTrail},
	{keys: []string{"1"}, do: showing(viewLive), help: "live", group: keysViews, off: noGroup},
	{keys: []string{"2"}, do: showing(viewMatrix), help: "matrix", group: keysViews, off: noGroup},
	{keys: []string{"3"}, do: showing(viewTimeline), help: "timeline", group: keysViews, off: noGroup},
	{keys: []string{"4"}, do: showing(viewRound), help: "round", group: keysViews, off: noGroup},
	{keys: []string{"5"}, do: showing(viewUnits), help: "units", group: keysViews, off: noGroup},
	{keys: []string{"6", "d"}, long: "6 d", do: showing(viewDoctor), help: "doctor", group: keysViews, off: noGroup},
	{keys: []string{"7"}, do: showing(viewEvents), help: "events", group: keysViews, off: noGroup},
	{keys: []string{"0"}, do: doFleet, help: "fleet", group: keysViews, off: noFleet},
	{keys: []string{"?", "f1"}, do: doHelp, help: "this help", hint: "help", group: keysLook, keep: 10},
	{keys: []string{"ctrl+z"}, long: "ctrl-z", do: doSuspend, help: "to the shell, fg back", group: keysLook},
	{keys: []string{"q", "ctrl+c"}, do: doQuit, help: "quit", hint: "quit", group: keysLook, keep: 11},
}

func (b *binding) shown() string {
	if b.show != "" {
		return b.show
	}
	return b.keys[0]
}

func (b *binding) shownLong() string {
	if b.long != "" {
		return b.long
	}
	return b.shown()
}

// there says whether it is in force now, whether or not it can do what it is for.
func (b *binding) there(m *model) bool { return b.worksIn(m.view) && (b.only == nil || b.only(m)) }

func (b *binding) worksIn(v viewID) bool { return b.in == nil || slices.Contains(b.in, v) }
