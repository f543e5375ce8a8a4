package actions

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"regroup/actions/act"
	"regroup/actions/connect"
	"regroup/actions/ghost"
	"regroup/actions/process"

	"regroup/group"
)

// Offers returns what can be done to what is selected, in the order of the menu, with the reason where it cannot. It returns at
// once, and touches nothing.
func (c *Cluster) Offers(s *group.State, on Target) []Offer {
	k := c.Group(s.Group)
	var out []Offer
	switch {
	case on.Worker != nil:
		out = k.workerOffers(s, *on.Worker)
	case on.Unit != nil:
		out = append(k.unitOffers(*on.Unit), k.connectorOffers(s, on.Unit.Connector)...)
	case on.Connector != "":
		out = k.connectorOffers(s, on.Connector)
	default:
		out = append(k.groupOffers(), k.ghostOffer(), k.exerciseOffers(s))
	}
	if k.Guard.ReadOnly != "" {
		allOff(out, k.Guard.ReadOnly)
	}
	return out
}

func allOff(offers []Offer, why string) {
	for i := range offers {
		offers[i].DisabledReason = why
		allOff(offers[i].List, why)
	}
}

// plainly is an offer that has nothing to be told.
func (k *Group) plainly(word, about string, ready func(ctx context.Context) (act.Action, error)) Offer {
	return Offer{Label: word, About: about, Ready: func(ctx context.Context, _ map[string]string) (*PreparedAction, error) {
		x, err := ready(ctx)
		if err != nil {
			return nil, err
		}
		return k.ready(ctx, x)
	}}
}

// workerOffers are what can be done to a worker: what its process is needed for only where it can be reached.
func (k *Group) workerOffers(s *group.State, w group.Worker) []Offer {
	if w.Gone {
		again := k.plainly("start again", "with the name and the URL that it had", func(ctx context.Context) (act.Action, error) { return k.Workers.Again(ctx, w) })
		if k.Simulate == nil {
			again.DisabledReason = "it has left: where it runs is not known any more"
		}
		return []Offer{again}
	}
	// One look serves all that needs the process, so it has no context of any one of them.
	reached := sync.OnceValue(func() string {
		ctx, end := context.WithTimeout(context.Background(), probeTime)
		defer end()
		if _, err := k.Workers.Stop(ctx, w); err != nil {
			return err.Error()
		}
		return ""
	})
	byHand := func(o Offer) Offer {
		o.Probe = func(context.Context) string { return reached() }
		return o
	}
	evict := k.plainly("evict", "put out of the group; it comes back by itself", func(context.Context) (act.Action, error) { return k.Workers.Evict(w, 1), nil })
	flap := Offer{
		Label: "flap", About: "evicted again and again, each time once it is back",
		Fields: []act.Field{{Key: "times", Label: "times", Value: "3", Need: true, Help: "how often", Check: act.IsCount}},
		Ready: func(ctx context.Context, given map[string]string) (*PreparedAction, error) {
			n, err := strconv.Atoi(given["times"])
			if err != nil {
				return nil, err
			}
			return k.ready(ctx, k.Workers.Evict(w, n))
		},
	}
	return []Offer{
		evict,
		flap,
		byHand(k.plainly("stop", "TERM: it stops its units and leaves", func(ctx context.Context) (act.Action, error) { return k.Workers.Stop(ctx, w) })),
		byHand(k.plainly("kill", "KILL: it says nothing, the group notices when its session is over", func(ctx context.Context) (act.Action, error) {
			return k.Workers.Kill(ctx, w)
		})),
		byHand(k.timed("bounce", "stop it, and start it again", "", "after", "how long it is away, as 5s or 1m", 5*time.Second, func(ctx context.Context, d time.Duration) (act.Action, error) {
			return k.Workers.Bounce(ctx, w, d)
		})),
		byHand(k.timed("freeze", "hold it up, as a long garbage collection does", "let "+w.Name+" go on", "for", "as 5s or 1m; longer than its session, "+k.session(s, w)+", the group gives its work away", 15*time.Second,
			func(ctx context.Context, d time.Duration) (act.Action, error) { return k.Workers.Freeze(ctx, w, d) })),
	}
}

// probeTime bounds how long it may take to find out whether a process can be reached.
const probeTime = 10 * time.Second

func (k *Group) session(s *group.State, w group.Worker) string {
	if d := s.SessionTimeout(w.ID); d > 0 {
		return d.String()
	}
	return "10s as a rule"
}

// timed is an offer that wants to know for how long; ends is the word for ending it earlier.
func (k *Group) timed(word, about, ends, label, help string, usual time.Duration, ready func(context.Context, time.Duration) (act.Action, error)) Offer {
	return Offer{
		Label: word, About: about,
		Fields: []act.Field{{Key: "d", Label: label, Value: usual.String(), Help: help, Need: true, Check: act.IsTime}},
		Ready: func(ctx context.Context, given map[string]string) (*PreparedAction, error) {
			d, err := time.ParseDuration(given["d"])
			if err != nil {
				return nil, err
			}
			x, err := ready(ctx, d)
			if err != nil {
				return nil, err
			}
			prepared, err := k.ready(ctx, x)
			if err == nil {
				prepared.EndLabel = ends
			}
			return prepared, err
		},
	}
}

// groupOffers are what can be done to the group as a whole.
func (k *Group) groupOffers() []Offer {
	create := k.createOffer()
	if k.Simulate != nil {
		return []Offer{
			k.plainly("add a worker", "like those that are there", func(context.Context) (act.Action, error) { return k.Simulate(false), nil }),
			k.plainly("add an eager worker", "of 2.2.2: it takes the whole group to eager", func(context.Context) (act.Action, error) { return k.Simulate(true), nil }),
			create,
		}
	}
	add := k.plainly("add a worker", "by the context's command", func(context.Context) (act.Action, error) {
		return k.Workers.Add(process.NewWorker{Command: k.Adder})
	})
	if k.Adder == "" {
		add.DisabledReason = "no context with an add command is in use"
	}
	local := Offer{
		Label: "add a worker on this machine", About: "from a properties file and a folder of Kafka",
		Fields: []act.Field{
			{Key: "properties", Label: "properties", Need: true, Help: "a connect-distributed.properties of this group"},
			{Key: "kafka", Label: "Kafka", Need: true, Value: k.Kafka, Help: "the folder of Kafka, or of its jars"},
		},
		Ready: func(ctx context.Context, given map[string]string) (*PreparedAction, error) {
			x, err := k.Workers.Add(k.localWorker(given))
			if err != nil {
				return nil, err
			}
			return k.ready(ctx, x)
		},
	}
	return []Offer{add, local, create}
}

// localWorker is a worker of this machine, as the form tells it.
func (k *Group) localWorker(given map[string]string) process.NewWorker {
	n := process.NewWorker{Properties: given["properties"], Kafka: given["kafka"]}
	n.Log = filepath.Join(k.Logs, strings.TrimSuffix(filepath.Base(n.Properties), ".properties")+".log")
	return n
}

// restOff is why no worker can be asked over REST; "": one can, as far as is known.
func (k *Group) restDisabled() string {
	if k.NoREST != nil {
		return k.NoREST.Error()
	}
	s := k.Watch.State()
	if s == nil {
		return ""
	}
	why := s.NoPublicREST()
	if why != "" {
		return why
	}
	for _, src := range s.Sources {
		switch {
		case src.Source != group.SourceREST || src.Health == group.HealthOff:
		case src.Health != group.HealthDenied:
			return ""
		default:
			why = src.Detail
		}
	}
	return why
}

// unitOffers are what can be done to one unit.
func (k *Group) unitOffers(u group.Unit) []Offer {
	which := connect.Which("")
	about := "its instance alone; no round"
	if !u.IsInstance() {
		which, about = connect.Which(strconv.Itoa(int(u.Task))), "this task alone; no round"
	}
	return []Offer{k.overREST(k.plainly("restart "+u.String(), about, func(context.Context) (act.Action, error) {
		return k.Connect.Restarting(u.Connector, which)
	}))}
}

// byREST is off where no worker can be asked.
func (k *Group) overREST(o Offer) Offer {
	if why := k.restDisabled(); why != "" {
		o.DisabledReason = why
	}
	return o
}

// RealWorkFlag is the command line flag behind which a ghost joins a real group.
const RealWorkFlag = "i-know-it-holds-real-work"

// ghostOff is why no ghost may join; "": it may.
func (k *Group) ghostDisabled() string {
	if k.Simulate == nil && !k.RealWork {
		return "units that a ghost holds stand still: start regroup with --" + RealWorkFlag + " where that is wanted"
	}
	return ""
}

// ghostOffer is regroup itself as a worker, until it is told to leave.
func (k *Group) ghostOffer() Offer {
	return Offer{
		Label: "a ghost", About: "regroup joins as a worker that holds units and runs none", DisabledReason: k.ghostDisabled(),
		Fields: []act.Field{
			{Key: "for", Label: "leaves after", Help: "as 30s or 2m; empty: when it is told to", Check: act.IsTime},
			{Key: "protocol", Label: "protocol", Value: "sessioned", Help: "eager takes the whole group there", Need: true, Choices: []string{"sessioned", "compatible", "eager"}},
		},
		Ready: func(ctx context.Context, given map[string]string) (*PreparedAction, error) {
			g := ghost.Ghost{RealWork: k.RealWork, Demo: k.Simulate != nil, Protocol: given["protocol"]}
			if given["for"] != "" {
				d, err := time.ParseDuration(given["for"])
				if err != nil {
					return nil, err
				}
				g.For = d
			}
			x, err := g.Action(k.Workers)
			if err != nil {
				return nil, err
			}
			d, err := k.ready(ctx, x)
			if err == nil {
				d.EndLabel = "let the ghost leave"
			}
			return d, err
		},
	}
}
