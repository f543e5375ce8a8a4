package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"regroup/actions/act"

	"github.com/charmbracelet/colorprofile"
	"github.com/cockroachdb/datadriven"

	"regroup/actions"
	"regroup/actions/foresight"
	"regroup/group"
)

// actsOf offers what can be foreseen from a State, under a guard, and writes down what it was made to do. What came of it is
// told by came.
func actsOf(guard act.Guard, did *[]string, came func(*foresight.Preview) actions.ActionResult) Acts {
	return func(s *group.State, on actions.Target) []actions.Offer {
		offer := func(word, off string, x act.Action, fields ...act.Field) actions.Offer {
			return actions.Offer{
				Label: word, About: "what it means", DisabledReason: off, Fields: fields,
				Ready: func(_ context.Context, given map[string]string) (*actions.PreparedAction, error) {
					if given["n"] == "13" {
						return nil, errors.New("a worker says: 13 is not lucky")
					}
					d := &actions.PreparedAction{Action: x, Question: guard.Question(x)}
					if x.Change != nil {
						var err error
						if d.Preview, err = foresight.Foresee(s, x.Change); err != nil {
							return nil, err
						}
					}
					d.Do = func(_ context.Context, typed string, _ func(string)) (string, error) {
						if _, err := guard.Consent(x, true, typed); err != nil {
							return "", err
						}
						*did = append(*did, strings.TrimSpace(fmt.Sprint(x.String(), " ", given["n"])))
						return "ok", nil
					}
					d.Follow = func(context.Context) (actions.ActionResult, error) { return came(d.Preview), nil }
					return d, nil
				},
			}
		}
		if w := on.Worker; w != nil {
			kill := act.Action{Verb: "kill", Target: w.Name, Destructive: true, Harm: "its process is ended", Change: foresight.Crash{Worker: w.ID}}
			far := offer("freeze", "", act.Action{Verb: "freeze", Target: w.Name})
			far.Probe = func(context.Context) string { return "it runs on another machine" }
			return []actions.Offer{offer("kill", guard.ReadOnly, kill), far}
		}
		scale := act.Action{Verb: "scale", Target: on.String(), Destructive: true, Change: foresight.Configure{Connector: on.Connector, Tasks: 2}}
		return []actions.Offer{offer("scale", guard.ReadOnly, scale, act.Field{Key: "n", Label: "tasks.max", Value: "2", Need: true, Help: "1 or more"})}
	}
}

// TestActs drives the dialogs by keys, as testdata/acts tells. Beside the commands of TestScripts:
//
//	guard [production] [read-only]   what the acts are guarded by
//	goes otherwise                   what comes is not what was foreseen
//	did                              what was done
func TestActs(t *testing.T) {
	datadriven.Walk(t, "testdata/acts", func(t *testing.T, path string) {
		m := modelOf(fileAt(t, "lifecycle-4.3.1", "19+10s"), 120, 36, colorprofile.NoTTY)
		seen(m)
		var did []string
		guard, otherwise := act.Guard{Interactive: true}, false
		m.opt.Acts = func(s *group.State, on actions.Target) []actions.Offer {
			return actsOf(guard, &did, func(p *foresight.Preview) actions.ActionResult {
				if p == nil {
					return actions.ActionResult{}
				}
				o := p.Outcomes[0]
				var rounds []*group.Detail
				for _, f := range o.Rounds {
					rounds = append(rounds, f.Detail)
				}
				if otherwise {
					rounds = rounds[:0]
				}
				best, differences := p.Compare(rounds)
				return actions.ActionResult{Rounds: rounds, Outcome: best, Differences: differences}
			})(s, on)
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "guard":
				guard = act.Guard{Interactive: true}
				if d.HasArg("production") {
					guard.Production = "prod-eu"
				}
				if d.HasArg("read-only") {
					guard.ReadOnly = "context prod-eu is read-only"
				}
			case "goes":
				otherwise = true
			case "did":
				if len(did) == 0 {
					return "nothing\n"
				}
				return strings.Join(did, "\n") + "\n"
			case "size":
				resize(t, d, m)
			case "key":
				pressAll(t, d, m)
			case "screen":
				return screen(t, d, m)
			default:
				d.Fatalf(t, "no such command")
			}
			return ""
		})
	})
}

// TestDialogsKeepTheirSize holds every dialog to the screen at every size, whatever the names.
func TestDialogsKeepTheirSize(t *testing.T) {
	scripts := [][]string{
		{"a"},
		{"a", "down", "enter"},
		{"shift+tab", "a"},
		{"5", "a"},
		{"5", "a", "enter", "1"},
		{"2", "a", "enter", "enter"},
		{"a", "down", "enter", "enter", "enter"},
		{"a", "down", "enter", "enter", "enter", "tab", "enter"},
	}
	for name, s := range map[string]*group.State{"strange": storied(t), "real": captureAt(t, "19+10s")} {
		for _, size := range sizes {
			for i, keys := range scripts {
				var did []string
				guard := act.Guard{Interactive: true}
				if i%2 == 1 {
					guard.Production = strangeName(1)
				}
				o := FrameOptions{Width: size[0], Height: size[1], Keys: keys, Acts: actsOf(guard, &did, func(*foresight.Preview) actions.ActionResult { return actions.ActionResult{Unsettled: strangeName(7)} })}
				frame, err := Frame(s, o)
				if err != nil {
					t.Fatal(err)
				}
				checkLines(t, fmt.Sprint(name, keys), frame, size[0], size[1])
			}
		}
	}
}
