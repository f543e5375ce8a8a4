package parts

import (
	"fmt"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui/theme"
)

// EntryMark is how a line of a unit's story is marked.
func EntryMark(h *group.Entry) (rune, theme.Token) {
	switch h.Kind {
	case group.LifeGiven:
		if h.Twice {
			return '&', theme.Wrong
		}
		return '▲', theme.Started
	case group.LifeRevoked, group.LifeMoved, group.LifeDropped, group.LifeLeft:
		if h.Waits && h.Then != group.UnitReleased {
			m := label.UnitMarks[h.Then]
			return m.Glyph, m.Token
		}
		return '▼', theme.Stopped
	case group.LifeRestarted:
		return '◆', theme.Stopped
	case group.LifeKept, group.LifeBack:
		return '■', theme.Running
	case group.LifeSaid:
		return saidMark(h.State)
	}
	return '·', theme.Muted
}

// saidMark is the mark of a status as it is written.
func saidMark(state string) (rune, theme.Token) {
	switch state {
	case decode.Running:
		return '▲', theme.Started
	case decode.Unassigned:
		return '▼', theme.Stopped
	case decode.Failed:
		return '!', theme.Wrong
	case decode.Restarting:
		return '◆', theme.Stopped
	case decode.Paused:
		return 'p', theme.Muted
	case decode.Stopped:
		return 's', theme.Muted
	}
	return '?', theme.Muted
}

// EntryText tells a line of a unit's story: why the round came about, then what it made of the unit.
func EntryText(s *scene.Scene, h *group.Entry) string {
	what := entryWords(h)
	if h.Round == nil || h.Kind == group.LifeKept || h.Eager || h.Kind == group.LifeBack && h.Round.First {
		return what
	}
	prev := (*group.Round)(nil)
	for i, r := range s.State.Rounds {
		if r == h.Round {
			prev = label.Before(s.State.Rounds, i)
		}
	}
	switch label.FirstKind(h.Round) {
	case group.CauseConnectorCreated, group.CauseTasksChanged:
		if h.Kind == group.LifeGiven {
			return what
		}
	}
	why := label.ShortWhy(h.Round, prev)
	if h.Kind == group.LifeLeft && why == h.Worker+" left" {
		return why + what[len(h.Worker+" left"):]
	}
	return why + ": " + what
}

func entryWords(h *group.Entry) string {
	switch h.Kind {
	case group.LifeGiven:
		out := "assigned to " + h.Worker
		if h.Twice {
			out = "given to " + h.Worker + " while its old copy ran"
		}
		return out + runsWords(h)
	case group.LifeBack:
		if h.Round.First {
			return "held by " + h.Worker + " since before history begins"
		}
		return h.Worker + " has it still, and never stopped it"
	case group.LifeRevoked:
		return "revoked from " + h.Worker + thenWords(h)
	case group.LifeMoved:
		return "taken from " + h.Worker + thenWords(h)
	case group.LifeLeft:
		return h.Worker + " left" + thenWords(h)
	case group.LifeDropped:
		return h.Worker + " let it go by itself" + thenWords(h)
	case group.LifeRestarted:
		switch {
		case h.Eager && h.Round.Mode != group.ModeEager:
			return "restarted: leaving eager stops everything"
		case h.Eager:
			return "restarted: eager stops everything"
		}
		return "restarted on " + h.Worker + runsWords(h)
	case group.LifeKept:
		switch {
		case h.Rounds > 1:
			return "kept in this and the " + words.Plural(h.Rounds-1, "round") + " before"
		case h.Round.Mode == group.ModeEager:
			return "kept: turning eager stops nothing"
		}
		return "kept"
	case group.LifeSaid:
		out := decode.Printable(h.State) + " by " + h.Worker
		if h.After > 0 {
			out += ", " + ShortSpan(h.After) + " after the round"
		}
		return out
	case group.LifeRemoved:
		return "its status was removed"
	}
	return decode.Printable(h.State)
}

// runsWords say how long after its round a unit said that it runs.
func runsWords(h *group.Entry) string {
	if h.Runs.IsZero() || h.GapHigh > 0 { // the gap says it
		return ""
	}
	return ", runs " + ShortSpan(h.Runs.Sub(h.Round.RecordedAt)) + " later"
}

// ShortSpan is 0.04 s, 3.0 s, 15 s.
func ShortSpan(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return words.Age(d)
}

func thenWords(h *group.Entry) string {
	if !h.Waits {
		return ""
	}
	switch h.Then {
	case group.UnitDelayed:
		return ": waits " + words.Span(time.Duration(h.Round.DelayMs)*time.Millisecond)
	case group.UnitUnassigned:
		return ": in nobody's hands, and no delay runs"
	}
	return ""
}

// GapWords say how long the unit had not run; "" where it had.
func GapWords(h *group.Entry) string {
	if h.GapHigh == 0 {
		return ""
	}
	return GapText(h.GapLow, h.GapHigh)
}
