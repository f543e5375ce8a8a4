package tui

import (
	"context"
	"errors"
	"testing"
	"time"

	"regroup/actions/act"
	"regroup/actions/exercise"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/cockroachdb/datadriven"

	"regroup/actions"
	"regroup/actions/foresight"
	"regroup/group"
)

// handHost does acts in goroutines of their own; a test takes what they send when it wants it.
type handHost struct {
	t    *testing.T
	sent chan tea.Msg
}

func (h *handHost) watch(string) int { return 0 }

func (h *handHost) list(bool) {}

func (h *handHost) act(_ string, f func(context.Context, func(tea.Msg))) context.CancelFunc {
	ctx, end := context.WithCancel(h.t.Context())
	go f(ctx, func(m tea.Msg) { h.sent <- m })
	return end
}

// flapping is an exercise that goes on as a test tells it, until it is broken off.
func flapping(orders chan string) actions.Offer {
	foreseen := &exercise.Report{Exercise: "evening", Steps: []exercise.StepReport{
		{Do: "stop worker-2", State: exercise.StepForeseen, Sum: exercise.Sum{Rounds: 1, Stopped: 5, EagerStops: 15, Low: 50 * time.Second, High: 65 * time.Second, LongestLow: 10 * time.Second, LongestHigh: 13 * time.Second}},
		{Do: "wait 5s and start worker-2", State: exercise.StepForeseen, Sum: exercise.Sum{Rounds: 2, EagerStops: 10, Estimated: true}},
	}, Total: exercise.Sum{Rounds: 3, Stopped: 5, EagerStops: 25, Low: 50 * time.Second, High: 65 * time.Second, Estimated: true}, Caveats: []string{"a member id decides ties"}}
	did := &exercise.Report{}
	x := act.Action{Verb: "exercise", Target: "evening", Destructive: true, Harm: "it will stop worker-2, then start it"}
	return actions.Offer{Label: "evening", About: "as on most evenings", Ready: func(context.Context, map[string]string) (*actions.PreparedAction, error) {
		return &actions.PreparedAction{
			Action: x, Foreseen: foreseen, Question: act.Guard{Interactive: true}.Question(x), EndLabel: "break off the exercise", Exclusive: true,
			Report: func() *exercise.Report { return did },
			Do: func(ctx context.Context, _ string, tell func(string)) (string, error) {
				*did = *foreseen
				did.Caveats = nil
				did.Steps = []exercise.StepReport{foreseen.Steps[0], foreseen.Steps[1]}
				for {
					select {
					case order := <-orders:
						if order != "finish" {
							tell(order)
							continue
						}
						did.Steps[0].State, did.Steps[1].State = exercise.StepDone, exercise.StepDone
						did.Steps[1].Differences = []foresight.Difference{{Generation: 21, Worker: "worker-2", What: "start", Unit: &group.Unit{Connector: "sink-a", Task: 1}, Foreseen: true}}
						return "2 of 2 steps done", nil
					case <-ctx.Done():
						did.Steps[0].State, did.Steps[1].State = exercise.StepUnsettled, exercise.StepNotDone
						return "", errors.New("exercise evening: step 1 of 2, stop worker-2: broken off; the group stays as it is")
					}
				}
			},
		}, nil
	}}
}

// TestExerciseOnTheScreen drives one by keys, as testdata/exercises tells: its foreseen table, its progress, what can be done
// meanwhile, and the table at its end.
//
//	key …           keys, one after the other
//	goes TEXT       the exercise says what it does now
//	goes finish     it comes to its end
//	hears           a message from what is being done
func TestExerciseOnTheScreen(t *testing.T) {
	datadriven.Walk(t, "testdata/exercises", func(t *testing.T, path string) {
		m := modelOf(fileAt(t, "lifecycle-4.3.1", "19+10s"), 120, 36, colorprofile.NoTTY)
		h := &handHost{t, make(chan tea.Msg, 16)}
		m.host = h
		orders := make(chan string)
		readOnly := ""
		m.opt.Acts = func(_ *group.State, on actions.Target) []actions.Offer {
			if on != (actions.Target{}) {
				return []actions.Offer{{Label: "evict", About: "put out"}}
			}
			o := flapping(orders)
			o.DisabledReason = readOnly
			return []actions.Offer{{Label: "add a worker", DisabledReason: readOnly}, {Label: "an exercise", About: "scripted", DisabledReason: readOnly, List: []actions.Offer{o}}}
		}
		seen(m)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "read-only":
				readOnly = "context prod-eu is read-only"
			case "size":
				resize(t, d, m)
			case "key":
				pressAll(t, d, m)
			case "goes":
				orders <- d.CmdArgs[0].Key
				m.Update(<-h.sent)
			case "hears":
				m.Update(<-h.sent)
			case "screen":
				return screen(t, d, m)
			default:
				d.Fatalf(t, "no such command")
			}
			return ""
		})
	})
}
