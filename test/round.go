package test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Round is one line of `regroup rounds -o json`, written down from the documentation: a field that is not here is as wrong as
// one that is missing.
type Round struct {
	Group        string       `json:"group"`
	Generation   *int32       `json:"generation"`
	At           string       `json:"at"`
	Protocol     *string      `json:"protocol"`
	Mode         *string      `json:"mode"`
	Leader       *string      `json:"leader"`
	LeaderURL    *string      `json:"leaderUrl"`
	ConfigOffset *int64       `json:"configOffset"`
	Error        int          `json:"error"`
	DelayMs      int32        `json:"delayMs"`
	Causes       []RoundCause `json:"causes"`

	Workers []RoundWorker `json:"workers"`
	Left    []RoundLeft   `json:"left"`
	Offset  int64         `json:"offset"`

	Kept           int `json:"kept"`
	Started        int `json:"started"`
	Stopped        int `json:"stopped"`
	Restarted      int `json:"restarted"`
	Dropped        int `json:"dropped"`
	Moved          int `json:"moved"`
	EagerWouldStop int `json:"eagerWouldStop"`

	Released   []Unit `json:"released"`
	Delayed    []Unit `json:"delayed"`
	Unassigned []Unit `json:"unassigned"`
	Duplicated []Unit `json:"duplicated"`

	Episode int32  `json:"episode"`
	Settled bool   `json:"settled"`
	Shadow  string `json:"shadow"`
	Source  string `json:"source"`

	Provisional bool   `json:"provisional"` // told before the config topic was read; told again after
	Story       string `json:"story"`       // on an episode's last round so far

	Cost        *RoundCost `json:"cost"`        // where something did not run because of it
	Gaps        []RoundGap `json:"gaps"`        // what the cost sums up
	EpisodeCost *RoundCost `json:"episodeCost"` // beside the story
}

// RoundCost is what a round, or an episode, cost: ranges, because a crash is known to within a heartbeat.
type RoundCost struct {
	Units             int        `json:"units"`
	UnitSeconds       [2]float64 `json:"unitSeconds"`
	LongestGapSeconds [2]float64 `json:"longestGapSeconds"`
	Growing           bool       `json:"growing"`
	Open              bool       `json:"open"` // at least: when some had stopped is not known
	Estimated         bool       `json:"estimated"`
	Crash             bool       `json:"crash"`
}

// RoundGap is a stretch of time in which a unit did not run: when it stopped, at the earliest and at the latest, and when it ran again,
// which is null while it waits; Began where it may have run earlier than that. The earliest is null where nothing tells.
type RoundGap struct {
	Unit    Unit          `json:"unit"`
	Stopped [2]*time.Time `json:"stopped"`
	Runs    *time.Time    `json:"runs"`
	Began   *time.Time    `json:"runsEarliest"`
}

// RoundCause is one reason for a round.
type RoundCause struct {
	Kind   string `json:"kind"`
	Worker string `json:"worker"`
	Detail string `json:"detail"`
}

// RoundWorker is a worker in a round.
type RoundWorker struct {
	Member       string `json:"member"`
	Client       string `json:"client"`
	Host         string `json:"host"`
	URL          string `json:"url"`
	ConfigOffset int64  `json:"configOffset"`
	Reported     []Unit `json:"reported"`
	Assigned     []Unit `json:"assigned"`
	Revoked      []Unit `json:"revoked"`
	Held         []Unit `json:"held"`
	Error        string `json:"error"` // why its bytes could not be read
}

// RoundLeft is a worker of the round before that is in this one no more.
type RoundLeft struct {
	Member string `json:"member"`
	Client string `json:"client"`
	URL    string `json:"url"`
	Held   []Unit `json:"held"`
}

// hasCause says whether one of the round's causes is of this kind.
// causesOf are the kinds of the causes of rounds, one after the other. A worker that was behind the config topic rejoins once it has
// caught up: a round more, by chance, and left out.
func causesOf(rounds []Round) []string {
	var out []string
	for _, r := range rounds {
		for _, c := range r.Causes {
			if c.Kind != "offset-caught-up" {
				out = append(out, c.Kind)
			}
		}
	}
	return out
}

func (r Round) hasCause(kind string) bool {
	for _, c := range r.Causes {
		if c.Kind == kind {
			return true
		}
	}
	return false
}

// ParseRounds reads what `rounds -o json` prints.
func ParseRounds(stdout string) ([]Round, error) {
	var out []Round
	for line := range strings.Lines(stdout) {
		var r Round
		if err := strict([]byte(line), &r); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// ParseEvents reads the rounds among the lines of `watch -o json`: a round's line is its object with the word for the event.
func ParseEvents(lines []string) ([]Round, error) {
	var out []Round
	for _, line := range lines {
		var kind struct {
			Event string `json:"event"`
		}
		if err := json.Unmarshal([]byte(line), &kind); err != nil {
			return nil, fmt.Errorf("event %s: %w", line, err)
		}
		if kind.Event != "round" {
			continue
		}
		var r struct {
			Event string `json:"event"`
			Round
		}
		if err := strict([]byte(line), &r); err != nil {
			return nil, err
		}
		out = append(out, r.Round)
	}
	return out, nil
}

func strict(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("round %s: %w", line, err)
	}
	return nil
}
