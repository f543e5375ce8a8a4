package cli

import (
	"encoding/json"
	"fmt"
	"time"

	"regroup/actions"
	"regroup/decode"
	"regroup/group"
)

// previewText says what will follow, in lines for people.
func previewText(p *actions.Preview) []string {
	var out []string
	for i, o := range p.Outcomes {
		if o.Name != "" {
			word := "if "
			if i > 0 {
				word = "or, if "
			}
			out = append(out, word+decode.Printable(o.Name)+":")
		}
		if len(o.Rounds) == 0 {
			out = append(out, "  no round")
		}
		for _, r := range o.Rounds {
			out = append(out, foreseenText(r)...)
		}
		for _, d := range o.Doubts {
			out = append(out, "  not certain: "+decode.Printable(d))
		}
		if len(o.Rounds) > 0 || len(o.Eager) > 0 {
			out = append(out, fmt.Sprintf("  eager would stop %s", plural(actions.Stopped(o.Eager), "unit")))
		}
	}
	return out
}

func foreseenText(r actions.Foreseen) []string {
	out := []string{fmt.Sprintf("  round %s, %s, because %s: %s", generation(r.Round), when(r.In, r.Slack), decode.Printable(r.Why), roundCounts(r.Round))}
	for _, m := range r.Members {
		for _, part := range []struct {
			what  string
			units []group.Unit
		}{{"stops", m.Revoked}, {"starts", m.Assigned}} {
			if len(part.units) > 0 {
				out = append(out, fmt.Sprintf("    %s %s %s", decode.Printable(m.Name), part.what, decode.Printable(compact(part.units, nil))))
			}
		}
	}
	return out
}

func when(in, slack time.Duration) string {
	second := func(d time.Duration) string { return d.Round(time.Second).String() }
	switch {
	case slack <= 0:
		return "in " + second(in)
	case in < time.Second:
		return "within " + second(in+slack)
	}
	return "in " + second(in) + " to " + second(in+slack)
}

// previewObject is a preview as JSON.
type previewObject struct {
	Generation *int32          `json:"generation"` // of the round that it starts from; null for a polled one
	Outcomes   []outcomeObject `json:"outcomes"`
}

type outcomeObject struct {
	Name       string           `json:"name,omitempty"`
	Exact      bool             `json:"exact"`
	Doubts     []string         `json:"doubts"`
	Rounds     []foreseenObject `json:"rounds"`
	EagerStops int              `json:"eagerStops"`
}

type foreseenObject struct {
	Why     string        `json:"why"`
	InMs    int64         `json:"inMs"`
	SlackMs int64         `json:"slackMs"`
	Round   *group.Detail `json:"round"`
}

func previewJSON(p *actions.Preview) *previewObject {
	if p == nil {
		return nil
	}
	out := &previewObject{Outcomes: []outcomeObject{}}
	if p.Generation >= 0 {
		out.Generation = &p.Generation
	}
	for _, o := range p.Outcomes {
		one := outcomeObject{
			Name: o.Name, Exact: o.Exact(), Doubts: append([]string{}, o.Doubts...), Rounds: []foreseenObject{},
			EagerStops: actions.Stopped(o.Eager),
		}
		for _, r := range o.Rounds {
			one.Rounds = append(one.Rounds, foreseenObject{r.Why, r.In.Milliseconds(), r.Slack.Milliseconds(), r.Detail})
		}
		out.Outcomes = append(out.Outcomes, one)
	}
	return out
}

// differenceObject is one thing that came otherwise than foreseen, as JSON.
type differenceObject struct {
	actions.Difference
}

// MarshalJSON writes it with its sentence.
func (d differenceObject) MarshalJSON() ([]byte, error) {
	var worker *string
	if d.Worker != "" {
		worker = &d.Worker
	}
	var generation *int32
	if d.Generation >= 0 {
		generation = &d.Generation
	}
	return json.Marshal(struct {
		Generation *int32      `json:"generation"`
		Worker     *string     `json:"worker"`
		What       string      `json:"what"`
		Unit       *group.Unit `json:"unit"`
		Foreseen   bool        `json:"foreseen"`
		Text       string      `json:"text"`
	}{generation, worker, d.What, d.Unit, d.Foreseen, d.String()})
}
