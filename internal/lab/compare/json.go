package compare

import (
	"encoding/json"
	"time"
)

type comparisonJSON struct {
	Exercise string     `json:"exercise"`
	About    string     `json:"about,omitempty"`
	Group    groupJSON  `json:"group"`
	Headline string     `json:"headline"`
	Modes    []modeJSON `json:"modes"`
}

type groupJSON struct {
	Workers     int    `json:"workers"`
	Connectors  int    `json:"connectors"`
	Tasks       int    `json:"tasks"`
	DelayMs     int64  `json:"delayMs"`
	StartMs     int64  `json:"startMs"`
	StopMs      int64  `json:"stopMs"`
	DownMs      int64  `json:"downMs"`
	HeartbeatMs int64  `json:"heartbeatMs"`
	Seed        uint64 `json:"seed"`
}

type modeJSON struct {
	Mode         string       `json:"mode"`
	Rounds       int          `json:"rounds"`
	UnitsStopped int          `json:"unitsStopped"`
	UnitSeconds  float64      `json:"unitSecondsLost"`
	MostDown     int          `json:"mostDown"`
	LongestSecs  float64      `json:"longestGapSeconds"`
	SettledSecs  *float64     `json:"settledSeconds"` // null: never
	DownForGood  int          `json:"downForGood"`
	Twice        int          `json:"startedTwice"`
	Twins        int          `json:"runTwiceForGood"`
	Failed       int          `json:"failedForGood"`
	Steps        []stepJSON   `json:"steps"`
	Down         [][2]float64 `json:"down"` // [seconds, units down from then on]
	Why          []whyJSON    `json:"why"`
	History      []any        `json:"history"` // rounds, as "regroup rounds -o json" prints them
}

type stepJSON struct {
	AtSecs float64 `json:"atSeconds"`
	Do     string  `json:"do"`
}

type whyJSON struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// MarshalJSON writes the whole comparison for scripts.
func (c *Comparison) MarshalJSON() ([]byte, error) {
	o := c.Options
	out := comparisonJSON{Exercise: c.Name, About: c.About, Headline: c.Headline(), Group: groupJSON{
		o.Workers, o.Connectors, o.Tasks, o.Delay.Milliseconds(), o.Start.Milliseconds(), o.Stop.Milliseconds(),
		o.Down.Milliseconds(), o.Heartbeat.Milliseconds(), o.Seed,
	}}
	reasons := c.Explain()
	for _, r := range c.Runs {
		m := modeJSON{
			Mode: r.Mode.Name, Rounds: r.Sum.Rounds, UnitsStopped: r.Sum.Stopped, UnitSeconds: seconds(r.Sum.Lost), MostDown: r.Sum.MostDown,
			LongestSecs: seconds(r.Sum.Longest), DownForGood: r.Sum.Waiting, Twice: r.Sum.Twice, Twins: r.Sum.Twins, Failed: r.Sum.Failed,
			Steps: []stepJSON{}, Down: [][2]float64{}, Why: []whyJSON{}, History: []any{},
		}
		if settled := seconds(r.Sum.Settled); !r.Sum.Never {
			m.SettledSecs = &settled
		}
		for _, s := range r.Steps {
			m.Steps = append(m.Steps, stepJSON{seconds(s.At), s.Do})
		}
		for _, l := range r.downs {
			m.Down = append(m.Down, [2]float64{seconds(l.at), float64(l.n)})
		}
		for _, why := range reasons {
			if why.Mode == r.Mode.Name {
				m.Why = append(m.Why, whyJSON{why.Rule, why.Text})
			}
		}
		for i := range r.Rounds() {
			m.History = append(m.History, r.State.Detail(r.First+i))
		}
		out.Modes = append(out.Modes, m)
	}
	return json.Marshal(out)
}

func seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }
