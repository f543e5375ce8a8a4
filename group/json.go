package group

import (
	"encoding/json"
	"time"

	"regroup/group/assign"
)

// JSON field names and order are DESIGN.md, section 4. They are a promise to scripts.
type roundJSON struct {
	Group          string               `json:"group"`
	Generation     *int32               `json:"generation"`
	At             string               `json:"at"`
	Protocol       *string              `json:"protocol"`
	Mode           *Mode                `json:"mode"`
	Leader         *string              `json:"leader"`
	LeaderURL      *string              `json:"leaderUrl"`
	ConfigOffset   *int64               `json:"configOffset"`
	Error          int16                `json:"error"`
	DelayMs        int32                `json:"delayMs"`
	Causes         []causeJSON          `json:"causes"`
	Workers        []workerJSON         `json:"workers"`
	Left           []leftJSON           `json:"left"`
	Offset         *int64               `json:"offset"`
	Kept           int                  `json:"kept"`
	Started        int                  `json:"started"`
	Stopped        int                  `json:"stopped"`
	Restarted      int                  `json:"restarted"`
	Dropped        int                  `json:"dropped"`
	Moved          int                  `json:"moved"`
	Released       []Unit               `json:"released"`
	Delayed        []Unit               `json:"delayed"`
	Unassigned     []Unit               `json:"unassigned"`
	Duplicated     []Unit               `json:"duplicated"`
	EagerWouldStop int                  `json:"eagerWouldStop"`
	Episode        *int32               `json:"episode"`
	Settled        bool                 `json:"settled"`
	Shadow         assign.ShadowVerdict `json:"shadow,omitempty"`
	Source         string               `json:"source"`
	Provisional    bool                 `json:"provisional,omitempty"` // the config topic was not read up to this round
	Cost           *costJSON            `json:"cost,omitempty"`        // where something did not run because of it
	Gaps           []gapJSON            `json:"gaps,omitempty"`        // what cost sums up, by unit
	Story          string               `json:"story,omitempty"`       // on an episode's last round
	EpisodeCost    *costJSON            `json:"episodeCost,omitempty"` // beside the story
}

// costJSON is a Cost: unit-seconds and the longest gap as ranges, which are points unless a worker crashed.
type costJSON struct {
	Units       int        `json:"units"`
	UnitSeconds [2]float64 `json:"unitSeconds"`
	LongestGap  [2]float64 `json:"longestGapSeconds"`
	Growing     bool       `json:"growing,omitempty"`   // some still wait
	Open        bool       `json:"open,omitempty"`      // at least: when some had stopped is not known
	Estimated   bool       `json:"estimated,omitempty"` // told by the rounds alone
	Crash       bool       `json:"crash,omitempty"`
}

// gapJSON is a stretch of time in which a unit did not run: stopped at the earliest and at the latest, and when it ran again: at the
// latest, and at the earliest where that differs.
type gapJSON struct {
	Unit    Unit       `json:"unit"`
	Stopped [2]*string `json:"stopped"` // the first is null where nothing tells
	Runs    *string    `json:"runs"`    // null while it waits
	Began   *string    `json:"runsEarliest,omitempty"`
}

func gapsJSON(gaps []Gap) []gapJSON {
	var out []gapJSON
	for _, g := range gaps {
		from, latest := FormatTime(g.From), FormatTime(g.Latest)
		j := gapJSON{Unit: g.Unit, Stopped: [2]*string{&from, &latest}}
		if g.Open {
			j.Stopped[0] = nil
		}
		if g.Ended {
			runs := FormatTime(g.To)
			j.Runs = &runs
			if g.Began.Before(g.To) {
				began := FormatTime(g.Began)
				j.Began = &began
			}
		}
		out = append(out, j)
	}
	return out
}

func costOrNull(c *Cost) *costJSON {
	if c == nil {
		return nil
	}
	return &costJSON{
		c.Units,
		[2]float64{c.Low.Seconds(), c.High.Seconds()},
		[2]float64{c.LongestLow.Seconds(), c.LongestHigh.Seconds()},
		c.Growing, c.Open, c.Estimated, c.Crash,
	}
}

type causeJSON struct {
	Kind   CauseKind `json:"kind"`
	Worker string    `json:"worker,omitempty"`
	Detail string    `json:"detail"`
}

type workerJSON struct {
	Member       string `json:"member"`
	Client       string `json:"client"`
	Host         string `json:"host"`
	URL          string `json:"url"`
	ConfigOffset int64  `json:"configOffset"`
	Reported     []Unit `json:"reported"`
	Assigned     []Unit `json:"assigned"`
	Revoked      []Unit `json:"revoked"`
	Held         []Unit `json:"held"`
	Error        string `json:"error,omitempty"` // its bytes could not be read
}

type leftJSON struct {
	Member string `json:"member"`
	Client string `json:"client"`
	URL    string `json:"url"`
	Held   []Unit `json:"held"`
}

// TimeFormat is how JSON shows times: UTC, milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the round of DESIGN.md, section 4.
func (d *Detail) MarshalJSON() ([]byte, error) {
	out := roundJSON{
		Group: d.Group, Generation: &d.Generation, At: FormatTime(d.At), Error: d.Error, DelayMs: d.DelayMs,
		Protocol: textOrNull(d.Protocol), Leader: textOrNull(d.Leader), LeaderURL: textOrNull(d.LeaderURL),
		Offset: &d.Offset, Kept: d.Kept, Started: d.Started, Stopped: d.Stopped, Restarted: d.Round.Restarted,
		Dropped: d.Round.Dropped, Moved: d.Moved, Released: list(d.Released), Delayed: list(d.Delayed),
		Unassigned: list(d.Unassigned), Duplicated: list(d.Duplicated), EagerWouldStop: d.EagerWouldStop,
		Episode: &d.Episode, Settled: d.Settled, Shadow: d.Shadow, Source: "log", Provisional: d.Provisional, Story: d.Story,
		Cost: costOrNull(d.Cost), Gaps: gapsJSON(d.Gaps), EpisodeCost: costOrNull(d.EpisodeCost),
		Causes: []causeJSON{}, Workers: []workerJSON{}, Left: []leftJSON{},
	}
	if !d.Empty() {
		out.Mode, out.ConfigOffset = &d.Mode, &d.ConfigOffset
	}
	if d.Polled {
		out.Generation, out.Offset, out.Episode, out.Source = nil, nil, nil, "polled"
	}
	for _, c := range d.Causes {
		out.Causes = append(out.Causes, causeJSON{c.Kind, c.Worker, c.Detail})
	}
	for _, m := range d.Members {
		out.Workers = append(out.Workers, workerJSON{
			m.ID, m.Client, m.Host, m.URL, m.ConfigOffset,
			list(m.Reported), list(m.Assigned), list(m.Revoked), list(m.Held), m.Err,
		})
	}
	for i, g := range d.Left {
		out.Left = append(out.Left, leftJSON{g.Member, g.Client, g.URL, list(d.LeftHeld[i])})
	}
	return json.Marshal(out)
}

func list(units []Unit) []Unit {
	if units == nil {
		return []Unit{}
	}
	return units
}

func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// FormatTime prints a time as JSON shows it.
func FormatTime(t time.Time) string { return t.UTC().Format(TimeFormat) }
