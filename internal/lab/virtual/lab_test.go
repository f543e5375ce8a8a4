package virtual_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"regroup/actions/exercise"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/group"
	"regroup/internal/lab"
	"regroup/internal/lab/broker"
	"regroup/internal/lab/virtual"
	"regroup/internal/lab/worker"
	"regroup/internal/observe"
)

// The live lab, with its broker, its connections and its workers' own threads, and the simulation go the same way: with the same
// seed and the same steps at the same moments every round comes at the same time, for the same reasons, with the same units
// for the same workers, and costs the same.
func TestAsTheLab(t *testing.T) {
	for _, name := range []string{
		"join", "leave", "crash", "bounce", "flap", "freeze", "rolling-restart", "scale-out", "scale-in", "leader-crash",
		"config-edit", "tasks-change", "create", "delete", "downgrade",
	} {
		for _, eager := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/eager=%v", name, eager), func(t *testing.T) {
				opt := options(3, 3, 12)
				opt.Eager, opt.Heartbeat, opt.Session = eager, 3*time.Second, 10*time.Second
				ours, acts := simulated(t, opt, name)
				var theirs *group.State
				var base time.Time
				synctest.Test(t, func(t *testing.T) { theirs, base = lived(t, opt, acts) })
				if diff := cmp.Diff(history(theirs, base), history(ours, virtual.Epoch)); diff != "" {
					t.Errorf("the lab (-) and the simulation (+):\n%s", diff)
				}
			})
		}
	}
}

// act is a step and when it begins.
type act struct {
	at   time.Duration
	step exercise.Step
}

func simulated(t *testing.T, opt virtual.Options, name string) (*group.State, []act) {
	t.Helper()
	model := group.New(group.Options{Group: "g", MaxDelay: opt.Delay})
	s := virtual.New(opt, model.Apply)
	if err := s.Begin(); err != nil {
		t.Fatal(err)
	}
	b, err := exercise.FindBuiltin(name)
	if err != nil {
		t.Fatal(err)
	}
	choice := exercise.Choice{Pause: 8137 * time.Millisecond, Connector: "sink-1", Set: map[string]string{"connector.class": worker.SinkClass, "tasks.max": "4"}}
	if name == "create" {
		choice.Connector = "new-1"
	}
	if name == "config-edit" {
		choice.Set = map[string]string{"color": "blue"}
	}
	ex, err := b.Exercise(model.State(s.Now()), choice)
	if err != nil {
		t.Fatal(err)
	}
	var acts []act
	p := s.Play()
	for _, step := range ex.Steps {
		s.Run(137*time.Millisecond + step.Wait) // what happens in one instant has no order in the lab
		step.Wait = 0
		acts = append(acts, act{s.Now().Sub(virtual.Epoch), step})
		if err := p.Step(step); err != nil {
			t.Fatal(err)
		}
	}
	s.Run(time.Minute)
	acts = append(acts, act{at: s.Now().Sub(virtual.Epoch)})
	return model.State(s.Now()), acts
}

// lived is what an observer of the lab sees after the same steps at the same moments.
func lived(t *testing.T, opt virtual.Options, acts []act) (*group.State, time.Time) {
	t.Helper()
	net := broker.Virtual()
	protocol := worker.Sessioned
	if opt.Eager {
		protocol = worker.Eager
	}
	l, err := lab.Start(t.Context(), lab.Options{
		Net: &net, Delay: opt.Delay, Protocol: protocol, NewMember: virtual.Names(opt.Seed), InitialDelay: opt.InitialDelay,
		Start: opt.Start, Stop: opt.Stop,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	preload(t, l, opt)
	base := time.Now()
	starts := map[string]time.Duration{}
	var order []string
	for i := range opt.Workers {
		name := fmt.Sprintf("worker-%d", i+1)
		starts[name] = opt.Phase(name)
		order = append(order, name)
	}
	slices.SortFunc(order, func(a, b string) int { return int(starts[a] - starts[b]) })
	for _, name := range order {
		sleepUntil(base.Add(starts[name]))
		must(t, second(l.Add(t.Context(), lab.WorkerOptions{Name: name})))
	}
	s := &stage{t: t, l: l}
	for _, a := range acts {
		sleepUntil(base.Add(a.at))
		s.do(a.step)
	}
	st, err := observe.Once(t.Context(), observe.Options{Group: l.Group(), Dial: l.Dial, ConfigTopic: l.Topics().Config, StatusTopic: l.Topics().Status, MaxDelay: opt.Delay})
	must(t, err)
	return st, base
}

// preload writes connectors and tasks as somebody did before these workers were there.
func preload(t *testing.T, l *lab.Lab, opt virtual.Options) {
	t.Helper()
	cl, err := l.Dial(kgo.ProducerBatchCompression(kgo.NoCompression()))
	must(t, err)
	defer cl.Close()
	put := func(key string, value any) {
		b, err := json.Marshal(value)
		must(t, err)
		must(t, cl.ProduceSync(t.Context(), &kgo.Record{Topic: l.Topics().Config, Key: []byte(key), Value: b}).FirstErr())
	}
	for _, c := range opt.Connectors {
		props := map[string]string{"name": c.Name, "connector.class": worker.SinkClass, "topics": "t", "tasks.max": fmt.Sprint(c.Tasks)}
		put("connector-"+c.Name, map[string]any{"properties": props})
		for i := range c.Tasks {
			task := map[string]string{"task.class": strings.TrimSuffix(worker.SinkClass, "Connector") + "Task"}
			for k, v := range props {
				task[k] = v
			}
			put(fmt.Sprintf("task-%s-%d", c.Name, i), map[string]any{"properties": task})
		}
		put("commit-"+c.Name, map[string]int{"tasks": c.Tasks})
	}
}

func sleepUntil(at time.Time) {
	time.Sleep(time.Until(at))
	synctest.Wait()
}

// stage does steps to the lab.
type stage struct {
	t    *testing.T
	l    *lab.Lab
	last string
}

func (s *stage) do(step exercise.Step) {
	ctx := s.t.Context()
	verb, what, _ := strings.Cut(step.Do, " ")
	name := what
	if what == "leader" {
		name = s.leader()
	}
	switch verb {
	case "":
	case "add":
		must(s.t, second(s.l.Add(ctx, lab.WorkerOptions{})))
	case "stop":
		s.last = name
		must(s.t, s.l.Stop(ctx, name))
	case "start":
		must(s.t, s.l.Return(ctx, name))
	case "kill", "crash":
		must(s.t, s.l.Kill(name))
	case "evict":
		for n := range max(1, step.Times) {
			if n > 0 {
				time.Sleep(500 * time.Millisecond)
			}
			s.evict(name)
		}
	case "freeze":
		must(s.t, s.l.Freeze(name))
		time.Sleep(36 * time.Second)
		must(s.t, s.l.Wake(name))
	case "ghost":
		must(s.t, second(s.l.Add(ctx, lab.OldWorker("ghost"))))
		time.Sleep(30 * time.Second)
		must(s.t, s.l.Stop(ctx, "ghost"))
	case "edit":
		must(s.t, s.l.Call(ctx, "PATCH", "/connectors/"+what+"/config", step.Set))
	case "scale":
		must(s.t, s.l.Call(ctx, "PATCH", "/connectors/"+what+"/config", map[string]string{"tasks.max": fmt.Sprint(step.Tasks)}))
	case "revert":
		must(s.t, s.l.Call(ctx, "PATCH", "/connectors/"+what+"/config", map[string]any{"color": "green", "tasks.max": "4"}))
	case "create":
		must(s.t, s.l.Create(ctx, lab.Connector{Name: what, Tasks: 4}))
	case "delete":
		must(s.t, s.l.Call(ctx, "DELETE", "/connectors/"+what, nil))
	default:
		s.t.Fatalf("step %q", step.Do)
	}
}

func (s *stage) leader() string {
	st, err := observe.Once(s.t.Context(), observe.Options{Group: s.l.Group(), Dial: s.l.Dial})
	must(s.t, err)
	for _, w := range st.Workers {
		if w.Leader && !w.Gone {
			return w.Client
		}
	}
	s.t.Fatal("nobody leads")
	return ""
}

// evict puts a worker out of its group and waits until it is back in a round.
func (s *stage) evict(name string) {
	cl, err := s.l.Dial()
	must(s.t, err)
	defer cl.Close()
	i := slices.IndexFunc(s.l.Workers(), func(w lab.Member) bool { return w.Name == name })
	was := s.l.Workers()[i].ID
	req := kmsg.NewPtrLeaveGroupRequest()
	req.Group = s.l.Group()
	m := kmsg.NewLeaveGroupRequestMember()
	m.MemberID = was
	req.Members = append(req.Members, m)
	must(s.t, second(req.RequestWith(s.t.Context(), cl)))
	describe := kmsg.NewPtrDescribeGroupsRequest()
	describe.Groups = []string{s.l.Group()}
	for {
		synctest.Wait()
		resp, err := describe.RequestWith(s.t.Context(), cl)
		must(s.t, err)
		if g := resp.Groups[0]; g.State == "Stable" && slices.ContainsFunc(g.Members, func(m kmsg.DescribeGroupsResponseGroupMember) bool {
			return m.ClientID == name && m.MemberID != was
		}) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func second[T any](_ T, err error) error { return err }

// history tells all rounds by people: member ids and addresses left out, times from a base.
func history(s *group.State, base time.Time) string {
	var b strings.Builder
	for i := range s.Rounds {
		d := s.Detail(i)
		names := map[string]string{}
		for _, m := range d.Members {
			names[m.ID] = m.Client
		}
		var causes []string
		for _, c := range d.Causes {
			causes = append(causes, string(c.Kind)+" "+c.Name+c.Connector)
		}
		fmt.Fprintf(&b, "%s round %d %s led by %s, delay %d, settled %v: %s\n", d.At.Sub(base), d.Generation, d.Protocol, names[d.Leader], d.DelayMs, d.Settled, strings.Join(causes, ", "))
		fmt.Fprintf(&b, "  kept %d started %d stopped %d restarted %d dropped %d moved %d released %d delayed %d unassigned %d eager %d\n",
			d.Kept, d.Started, d.Stopped, d.Round.Restarted, d.Round.Dropped, d.Moved, d.Round.Released, d.Round.Delayed, d.Round.Unassigned, d.EagerWouldStop)
		if c, ok := s.Cost(d.Round); ok && !c.Crash {
			fmt.Fprintf(&b, "  cost %d units, %s, longest %s\n", c.Units, c.High, c.LongestHigh)
		}
		for _, m := range slices.SortedFunc(slices.Values(d.Members), func(x, y group.WorkerDetail) int { return strings.Compare(x.Client, y.Client) }) {
			fmt.Fprintf(&b, "  %s reported %v assigned %v revoked %v\n", m.Client, m.Reported, m.Assigned, m.Revoked)
		}
	}
	return b.String()
}
