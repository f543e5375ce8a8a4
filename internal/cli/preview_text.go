package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/parts"
)

// previewText says what will follow, in lines for people.
func previewText(p *foresight.Preview) []string {
	var out []string
	if p.Times > 1 {
		out = append(out, fmt.Sprintf("%d times; each time one of these:", p.Times))
	}
	priced := false
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
		for _, w := range o.Warnings {
			out = append(out, "  "+decode.Printable(w))
		}
		for _, d := range o.Caveats {
			out = append(out, "  not certain: "+decode.Printable(d))
		}
		if len(o.Rounds) > 0 || len(o.Eager) > 0 {
			out = append(out, fmt.Sprintf("  stops %s, %s; eager would stop %s, %s", stopsText(o.Rounds), costText(o.Cost), stopsText(o.Eager), costText(o.EagerCost)))
			priced = true
		}
	}
	if priced {
		out = append(out, p.PaceText())
	}
	return out
}

// stopsText is "5 units", or "5 units, restarts 2".
func stopsText(rounds []foresight.Foreseen) string {
	out := words.Count(foresight.Stopped(rounds), "unit")
	if n := foresight.Restarted(rounds); n > 0 {
		out += ", restarts " + strconv.Itoa(n)
	}
	return out
}

// costText is work that will not run.
func costText(c group.Cost) string { return parts.CostText(c) + " unit-s" }

func foreseenText(r foresight.Foreseen) []string {
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
	Generation *int32          `json:"generation"`      // of the round that it starts from; null for a polled one
	Times      int             `json:"times,omitempty"` // so often it is done, each time one of the outcomes
	Outcomes   []outcomeObject `json:"outcomes"`
}

type outcomeObject struct {
	Name       string           `json:"name,omitempty"`
	Exact      bool             `json:"exact"`
	Doubts     []string         `json:"doubts"`
	Warnings   []string         `json:"warnings,omitempty"`
	Rounds     []foreseenObject `json:"rounds"`
	Stops      int              `json:"stops"` // also units that are dropped
	Restarts   int              `json:"restarts"`
	EagerStops int              `json:"eagerStops"`

	UnitSeconds      [2]float64 `json:"unitSeconds"` // at least, at most
	EagerUnitSeconds [2]float64 `json:"eagerUnitSeconds"`
	PaceAssumed      bool       `json:"paceAssumed,omitempty"` // they are told by usual times, for lack of this group's own
}

type foreseenObject struct {
	Why     string        `json:"why"`
	InMs    int64         `json:"inMs"`
	SlackMs int64         `json:"slackMs"`
	Round   *group.Detail `json:"round"`
}

func previewJSON(p *foresight.Preview) *previewObject {
	if p == nil {
		return nil
	}
	out := &previewObject{Times: p.Times, Outcomes: []outcomeObject{}}
	if p.Generation >= 0 {
		out.Generation = &p.Generation
	}
	for _, o := range p.Outcomes {
		one := outcomeObject{
			Name: o.Name, Exact: o.Exact(), Doubts: append([]string{}, o.Caveats...), Rounds: []foreseenObject{},
			Warnings: o.Warnings, Stops: foresight.Stopped(o.Rounds), Restarts: foresight.Restarted(o.Rounds), EagerStops: foresight.Stopped(o.Eager), UnitSeconds: seconds(o.Cost), EagerUnitSeconds: seconds(o.EagerCost),
			PaceAssumed: p.Assumed,
		}
		for _, r := range o.Rounds {
			one.Rounds = append(one.Rounds, foreseenObject{r.Why, r.In.Milliseconds(), r.Slack.Milliseconds(), r.Detail})
		}
		out.Outcomes = append(out.Outcomes, one)
	}
	return out
}

func seconds(c group.Cost) [2]float64 { return [2]float64{c.Low.Seconds(), c.High.Seconds()} }

// differenceObject is one thing that came otherwise than foreseen, as JSON.
type differenceObject struct {
	foresight.Difference
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

// roundResultText is a round that came of an action.
func roundResultText(d *group.Detail) string {
	return fmt.Sprintf("round %s, %s: %s", generation(d.Round), decode.Printable(label.LongWhy(d.Round, nil)), roundCounts(d.Round))
}

// roundCounts are a round's counts, without those that are 0.
func roundCounts(r *group.Round) string {
	counts := []string{"kept " + strconv.Itoa(r.Kept)}
	for _, c := range []struct {
		what string
		n    int
	}{
		{"started", r.Started},
		{"stopped", r.Stopped},
		{"restarted", r.Restarted},
		{"moved", r.Moved},
		{"delayed", r.Delayed},
		{"released", r.Released},
		{"unassigned", r.Unassigned},
	} {
		if c.n > 0 {
			counts = append(counts, c.what+" "+strconv.Itoa(c.n))
		}
	}
	return strings.Join(counts, ", ")
}

// comparedText says whether it came as foreseen.
func comparedText(o *foresight.Outcome, differences []foresight.Difference) []string {
	if len(differences) == 0 {
		if o != nil && o.Precision == foresight.InCounts {
			return []string{"as foreseen, in counts: which units, a member id decided"}
		}
		if o != nil && o.Precision == foresight.InRounds {
			return []string{"as foreseen, as far as it could be: a member id decided who got what"}
		}
		if o != nil && o.Name != "" {
			return []string{"as foreseen: " + decode.Printable(o.Name)}
		}
		return []string{"as foreseen"}
	}
	const most = 12
	out := []string{"not as foreseen:"}
	for i, x := range differences {
		if i == most {
			return append(out, fmt.Sprintf("  and %d more", len(differences)-most))
		}
		out = append(out, "  "+x.String())
	}
	return out
}

// failedText says which units failed since something was done, and why the first one did.
func failedText(failed []group.UnitState) []string {
	if len(failed) == 0 {
		return nil
	}
	units := make([]group.Unit, len(failed))
	for i := range failed {
		units[i] = failed[i].Unit
	}
	out := []string{fmt.Sprintf("failed since: %s", decode.Printable(compact(units, nil)))}
	if why := traceLine(failed[0].Trace); why != "" {
		out = append(out, "  "+decode.Printable(why))
	}
	return out
}

// traceLine is what a trace begins with.
func traceLine(trace string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(trace), "\n")
	return strings.TrimSpace(line)
}

// failedObject is a unit that failed since something was done, as JSON.
type failedObject struct {
	Unit group.Unit `json:"unit"`
	Why  string     `json:"why"` // the first line of its trace
}

func failedJSON(failed []group.UnitState) []failedObject {
	var out []failedObject
	for i := range failed {
		out = append(out, failedObject{failed[i].Unit, traceLine(failed[i].Trace)})
	}
	return out
}
