package group

import (
	"fmt"
	"slices"
	"time"

	"regroup/decode"
)

// BlindAfter is how long all may be silent before what is shown is called old.
const BlindAfter = 10 * time.Second

// kafka are the sources that a broker answers.
var kafka = []Source{SourceLog, SourceDescribe, SourceConfig, SourceStatus}

// Silent is since when no broker has answered any source, and for how long that has been so; 0 where one never did, and in a
// recording.
func (s *State) Silent() (since time.Time, silent time.Duration) {
	ended := func(src SourceState) bool { return src.Health == HealthEnded }
	if s.Past || s.told == nil || s.told.answered.IsZero() || slices.ContainsFunc(s.Sources, ended) {
		return time.Time{}, 0
	}
	return s.told.answered, s.Now.Sub(s.told.answered)
}

func blind(s *State, r *Round) (Verdict, bool) {
	log := s.SourceOf(SourceLog)
	if log == nil || s.Past || log.Health == HealthEnded || log.Health == HealthOff {
		return Verdict{}, false
	}
	if since, silent := s.Silent(); silent >= BlindAfter {
		return cutOff(s, log, since), true
	}
	if log.Health == HealthOK || log.Health == HealthCatchingUp {
		return Verdict{}, false
	}
	describe := s.SourceOf(SourceDescribe)
	if r != nil && r.Polled && describe != nil && describe.Health == HealthOK {
		return Verdict{}, false // the log may not be read, and the description is read in its place
	}
	nothing := r == nil && describe != nil && describe.Health == HealthUnreachable && log.Health == HealthUnreachable
	if s.Now.Sub(log.Since) < BlindAfter && !nothing {
		return Verdict{}, false
	}
	if r == nil || describe != nil && describe.Health == HealthUnreachable {
		return cutOff(s, log, log.Since), true
	}
	age := clock(s.Now.Sub(log.Since))
	return Verdict{
		Word:  "BLIND",
		Short: fmt.Sprintf("The coordinator log is silent for %s.", age), Second: fmt.Sprintf("What you see is %s old.", age),
		Sentence: fmt.Sprintf("The coordinator log is silent since %s. What you see is %s old.", log.Since.Local().Format("15:04:05"), age),
	}, true
}

// cutOff is the verdict while no broker answers. Workers that no broker answers either stop their work by themselves.
func cutOff(s *State, log *SourceState, since time.Time) Verdict {
	age := clock(s.Now.Sub(since))
	if s.Round() == nil {
		v := Verdict{Word: "BLIND", Short: fmt.Sprintf("Nothing was heard of this group in %s.", age), Second: decode.Printable(log.Detail)}
		v.Sentence = v.Short
		if v.Second != "" {
			v.Sentence += " " + v.Second
		}
		return v
	}
	first := fmt.Sprintf("No broker answers since %s.", since.Local().Format("15:04:05"))
	return Verdict{
		Word: "BLIND", Sentence: fmt.Sprintf("%s What you see is %s old. Workers that stay cut off stop their work.", first, age),
		Short: fmt.Sprintf("No broker answers for %s.", age), Second: "Workers that stay cut off stop their work.",
		Fewer: []string{fmt.Sprintf("%s What you see is %s old.", first, age)},
	}
}

// sourceTitles name the sources in sentences.
var sourceTitles = map[Source]string{
	SourceLog: "coordinator log", SourceDescribe: "description of the group", SourceConfig: "config topic", SourceStatus: "status topic",
}

// Reading is the first source that has not been read to its end yet, so that the State may be of a moment long past; nil when
// there is none.
func (s *State) Reading() *SourceState {
	if s.Past {
		return nil
	}
	for _, source := range kafka {
		if src := s.SourceOf(source); src != nil && src.Health == HealthCatchingUp {
			return src
		}
	}
	return nil
}

// ReadingText says which source is still being read, and how far it has been; "" when none is.
func (s *State) ReadingText() string {
	src := s.Reading()
	if src == nil {
		return ""
	}
	text := "the " + sourceTitles[src.Source] + " is still being read"
	if src.Detail != "" {
		text += ": " + decode.Printable(src.Detail)
	}
	return text
}

func reading(s *State, _ *Round) (Verdict, bool) {
	src := s.Reading()
	if src == nil {
		return Verdict{}, false
	}
	v := Verdict{Word: "READING", Sentence: "T" + s.ReadingText()[1:] + ".", Short: "The " + sourceTitles[src.Source] + " is still being read."}
	if src.Detail != "" {
		v.Second = decode.Printable(src.Detail)
	}
	return v, true
}
