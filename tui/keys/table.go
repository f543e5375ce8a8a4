package keys

import (
	"slices"

	"regroup/tui/ui"
)

// Table is in the order of the footer. The help sorts it into its groups. Of two that have a key the first that is there has it.
var Table = slices.Concat(viewKeys, formKeys, dialogKeys, textKeys, compareKeys)

var viewKeys = []Binding{
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

// formKeys are in the order of the footer, too.
var formKeys = []Binding{
	{Keys: []string{"tab"}, Do: DoDown, Help: "next setting", Group: GroupForm, in: []View{Form}},
	{Keys: []string{"shift+tab"}, Do: DoUp, in: inForm},
	{Keys: []string{"up"}, Show: "↑ ↓", Do: DoUp, Hint: "setting", Help: "setting before, after", Group: GroupForm, Keep: 7, in: []View{Form}},
	{Show: "type", Hint: "to find", Keep: 7, in: []View{Find, Plugins}},
	{Show: "type", Hint: "the file's path", Keep: 7, in: []View{FilePath}},
	{Keys: []string{"up"}, Show: "↑ ↓", Do: DoUp, Hint: "plugin", Keep: 8, in: []View{Plugins}},
	{Keys: []string{"up"}, Show: "↑ ↓", Do: DoUp, Hint: "setting", Keep: 8, in: []View{Find}},
	{Keys: []string{"down", "tab"}, Do: DoDown, in: []View{Form, Find, Plugins}},
	{Keys: []string{"pgup"}, Show: "pgup pgdn", Do: DoPageUp, Help: "page", Group: GroupForm, in: []View{Form, Find, Plugins}},
	{Keys: []string{"pgdown"}, Do: DoPageDown, in: []View{Form, Find, Plugins}},
	{Keys: []string{"left"}, Show: "← →", Do: DoChoiceBefore, Help: "next choice, or in the text", Group: GroupForm, in: []View{Form}},
	{Keys: []string{"right"}, Do: DoChoiceAfter, in: []View{Form}},
	{Keys: []string{"ctrl+f"}, Show: "ctrl-f", Do: DoFind, Hint: "find", Help: "find a setting, or add one", Group: GroupForm, Keep: 6, in: []View{Form}},
	{Keys: []string{"ctrl+a"}, Show: "ctrl-a", Do: DoAll, Hint: "all", Help: "every setting, or those that matter", Group: GroupForm, Keep: 5, in: []View{Form}},
	{Keys: []string{"ctrl+a"}, Do: DoAll, in: []View{Find}},
	{Keys: []string{"ctrl+d"}, Show: "ctrl-d", Do: DoSent, Hint: "what is sent", Help: "what will be sent", Group: GroupForm, Keep: 6, in: []View{Form}},
	{Keys: []string{"ctrl+r"}, Show: "ctrl-r", Do: DoUndo, Help: "a setting as it was", Group: GroupForm, in: []View{Form}},
	{Keys: []string{"ctrl+e"}, Show: "ctrl-e", Do: DoEditor, Hint: "editor", Help: "in $EDITOR", Group: GroupForm, Keep: 4, in: []View{Form}, Off: NoEditor},
	{Keys: []string{"ctrl+o"}, Show: "ctrl-o", Do: DoFile, Hint: "file", Help: "from a file", Group: GroupForm, Keep: 3, in: []View{Form}, Off: NoFile},
	{Keys: []string{"ctrl+o"}, Show: "ctrl-o", Do: DoFile, Hint: "file", Keep: 3, in: []View{Plugins}, Off: NoFile, When: CanLoad},
	{Keys: []string{"enter"}, Do: DoOpen, Hint: "go on", Help: "what will happen, then agree", Group: GroupForm, Keep: 8, in: []View{Form}},
	{Keys: []string{"enter"}, Do: DoOpen, Hint: "choose it", Keep: 9, in: []View{Plugins}},
	{Keys: []string{"enter"}, Do: DoOpen, Hint: "go to it", Keep: 9, in: []View{Find}},
	{Keys: []string{"enter"}, Do: DoOpen, Hint: "read it", Keep: 9, in: []View{FilePath}},
	{Keys: []string{"esc"}, Do: DoBack, Hint: "leave", Help: "back, or leave", Group: GroupForm, Keep: 9, in: []View{Form}},
	{Keys: []string{"esc"}, Do: DoBack, Hint: "leave", Keep: 10, in: []View{Plugins}},
	{Keys: []string{"esc"}, Do: DoBack, Hint: "back", Keep: 10, in: []View{Find, FilePath}},
	{Keys: []string{"f1"}, Do: DoHelp, Hint: "help", Help: "this help", Group: GroupForm, Keep: 10, in: []View{Form}},
	{Keys: []string{"f1"}, Do: DoHelp, Hint: "help", Keep: 6, in: []View{Find, Plugins}},
	{Keys: []string{"ctrl+z"}, Show: "ctrl-z", Do: DoSuspend, Help: "to the shell, fg back", Group: GroupForm, in: []View{Form}},
	{Keys: []string{"ctrl+z"}, Do: DoSuspend, in: []View{Find, FilePath, Plugins}},
	{Keys: []string{"ctrl+c"}, Show: "ctrl-c", Do: DoQuit, Help: "quit", Group: GroupForm, in: inForm},
}

// dialogKeys are those of what lies over a view, of the palette and of the help.
var dialogKeys = []Binding{
	{Keys: []string{"up", "k", "shift+tab"}, Show: "↑ ↓", Do: DoUp, Hint: "choose", in: []View{Menu}},
	{Keys: []string{"down", "j", "tab"}, Do: DoDown, in: []View{Menu}},
	{Keys: []string{"up", "k"}, Show: "↑ ↓", Do: DoUp, Hint: "scroll", in: []View{Costs}},
	{Keys: []string{"down", "j"}, Do: DoDown, in: []View{Costs}},
	{Keys: []string{"up"}, Show: "↑ ↓", Do: DoUp, in: []View{Question, Naming}},
	{Keys: []string{"down"}, Do: DoDown, in: []View{Question, Naming}},
	{Keys: []string{"tab", "down"}, Do: DoDown, Hint: "next field", in: []View{Fields}},
	{Keys: []string{"shift+tab", "up"}, Do: DoUp, in: []View{Fields}},
	{Keys: []string{"up", "ctrl+p"}, Show: "↑ ↓", Do: DoUp, Hint: "choose", in: []View{Palette}},
	{Keys: []string{"down", "ctrl+n"}, Do: DoDown, in: []View{Palette}},
	{Keys: []string{"pgup"}, Do: DoPageUp, in: []View{Menu, Costs, Question, Naming}},
	{Keys: []string{"pgdown"}, Do: DoPageDown, in: []View{Menu, Question, Naming}},
	{Keys: []string{"pgdown", "space"}, Do: DoPageDown, in: []View{Costs}},
	{Keys: []string{"g", "home"}, Do: DoTop, in: []View{Menu}},
	{Keys: []string{"G", "end"}, Do: DoBottom, in: []View{Menu}},
	{Keys: []string{"left"}, Show: "← →", Do: DoChoiceBefore, in: []View{Fields}},
	{Keys: []string{"right"}, Do: DoChoiceAfter, in: []View{Fields}},
	{Keys: []string{"tab", "shift+tab", "left", "right"}, Do: DoButton, Hint: "choose", in: []View{Question, Naming}},
	{Keys: []string{"e"}, Do: DoEager, Hint: "what eager would do", in: []View{Question}},
	{Keys: []string{"enter", "right", "l"}, Do: DoOpen, Hint: "go on", in: []View{Menu}},
	{Keys: []string{"enter"}, Do: DoOpen, Hint: "go on", in: []View{Fields, Question, Naming, Palette}},
	{Show: "type", Hint: "to filter", Keep: 9, in: []View{Filter}},
	{Keys: []string{"enter"}, Do: DoOpen, Hint: "keep it", Keep: 8, in: []View{Filter}},
	{Keys: []string{"esc"}, Do: DoBack, Hint: "clear", Keep: 10, in: []View{Filter}},
	{Keys: []string{"tab"}, Do: DoComplete, Hint: "complete", in: []View{Palette}},
	{Keys: []string{"left", "h"}, Do: DoOut, in: []View{Menu}},
	{Keys: []string{"q", "a"}, Do: DoClose, in: []View{Menu}},
	{Keys: []string{"enter", "q", "a"}, Do: DoClose, in: []View{Costs}},
	{Keys: []string{"esc"}, Do: DoBack, Hint: "leave", in: inDialog},
	{Keys: []string{"esc", "ctrl+c"}, Do: DoBack, Hint: "close", in: []View{Palette}},
	{Keys: []string{"esc", "q"}, Do: DoBack, in: []View{Help}},
	{Keys: []string{"ctrl+z"}, Do: DoSuspend, in: append([]View{Help, Compare}, inDialog...)},
	{Keys: []string{"ctrl+c"}, Do: DoQuit, in: append([]View{Help}, inDialog...)},
}

// textKeys move in what is typed, and take from it.
var textKeys = []Binding{
	{Keys: []string{"left"}, Do: ID(ui.EditLeft), in: inTexts},
	{Keys: []string{"right"}, Do: ID(ui.EditRight), in: inTexts},
	{Keys: []string{"home"}, Do: ID(ui.EditStart), in: inTexts},
	{Keys: []string{"end"}, Do: ID(ui.EditEnd), in: inTexts},
	{Keys: []string{"ctrl+left", "alt+left", "alt+b"}, Do: ID(ui.EditWordLeft), in: inTexts},
	{Keys: []string{"ctrl+right", "alt+right", "alt+f"}, Do: ID(ui.EditWordRight), in: inTexts},
	{Keys: []string{"backspace"}, Do: ID(ui.EditBackspace), in: inTyping},
	{Keys: []string{"delete"}, Do: ID(ui.EditDelete), in: inTexts},
	{Keys: []string{"ctrl+w", "alt+backspace"}, Do: ID(ui.EditDeleteWord), in: inTexts},
	{Keys: []string{"ctrl+u"}, Do: ID(ui.EditClear), in: inTyping},
	{Keys: []string{"ctrl+k"}, Do: ID(ui.EditRest), in: inTexts},
}

// inTexts is where a cursor moves in what is typed. A filter leaves its view the arrows, and the palette completes at the end.
var inTexts = []View{Fields, Naming, Form, Find, FilePath, Plugins}

// GroupCompare heads nothing: the help of a comparison is one list.
const GroupCompare Group = "Compare"

// compareKeys are those of a comparison, in the order of its footer.
var compareKeys = []Binding{
	{Keys: []string{"space", "p"}, Do: DoPlay, Hint: "play", Help: "play, or stand still", Group: GroupCompare, Keep: 9, in: []View{Compare}},
	{Keys: []string{"right", "l", "n"}, Show: "← →", Do: DoAfter, Hint: "round", Help: "to the next round of any group, or to the one before", Group: GroupCompare, Keep: 8, in: []View{Compare}},
	{Keys: []string{"left", "h"}, Do: DoBefore, in: []View{Compare}},
	{Keys: []string{"+", "="}, Show: "+ -", Do: DoFaster, Hint: "speed", Help: "faster, slower", Group: GroupCompare, Keep: 7, in: []View{Compare}},
	{Keys: []string{"-"}, Do: DoSlower, in: []View{Compare}},
	{Keys: []string{"end", "G"}, Do: DoBottom, Hint: "all", Help: "to the end; home: to the beginning", Group: GroupCompare, Keep: 5, in: []View{Compare}},
	{Keys: []string{"home", "g"}, Do: DoTop, in: []View{Compare}},
	{Keys: []string{"d"}, Do: DoDelay, Hint: "delay", Help: "another delay: 0, 8 s, 20 s, 1 min, 5 min", Group: GroupCompare, Keep: 4, in: []View{Compare}},
	{Keys: []string{"w"}, Do: DoWorkers, Hint: "workers", Help: "another number of workers: 1 to 20", Group: GroupCompare, Keep: 3, in: []View{Compare}},
	{Keys: []string{"o"}, Do: DoModes, Hint: "modes", Help: "other modes: eager, cooperative, proposed, 2.3", Group: GroupCompare, Keep: 6, in: []View{Compare}},
	{Keys: []string{"s"}, Do: DoSeed, Hint: "seed", Help: "another seed: other member ids, so other ties, and heartbeats", Group: GroupCompare, Keep: 2, in: []View{Compare}},
	{Keys: []string{"?"}, Do: DoHelp, Hint: "help", Help: "this help", Group: GroupCompare, Keep: 10, in: []View{Compare}},
	{Keys: []string{"q", "ctrl+c"}, Do: DoQuit, Hint: "quit", Help: "quit", Group: GroupCompare, Keep: 11, in: []View{Compare}},
}
