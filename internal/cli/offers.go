package cli

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"regroup/actions"
	"regroup/group"
	"regroup/tui"
)

// offers is what can be done from the screen to what is selected.
func (d *clusterActions) offers(s *group.State, on tui.Target) []tui.Offer {
	k := d.of(s.Group)
	var out []tui.Offer
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
	if k.guard.ReadOnly != "" {
		allOff(out, k.guard.ReadOnly)
	}
	return out
}

func allOff(offers []tui.Offer, why string) {
	for i := range offers {
		offers[i].Off = why
		allOff(offers[i].List, why)
	}
}

// plainly is an offer that has nothing to be told.
func (k *groupActions) plainly(word, about string, ready func(ctx context.Context) (actions.Action, error)) tui.Offer {
	return tui.Offer{Word: word, About: about, Ready: func(ctx context.Context, _ map[string]string) (*tui.Deed, error) {
		x, err := ready(ctx)
		if err != nil {
			return nil, err
		}
		return k.ready(ctx, x)
	}}
}

// workerOffers are what can be done to a worker: what its process is needed for only where it can be reached.
func (k *groupActions) workerOffers(s *group.State, w group.Worker) []tui.Offer {
	if w.Gone {
		again := k.plainly("start again", "with the name and the URL that it had", func(ctx context.Context) (actions.Action, error) { return k.workers.Again(ctx, w) })
		if k.lab == nil {
			again.Off = "it has left: where it runs is not known any more"
		}
		return []tui.Offer{again}
	}
	// One look serves all that needs the process, so it has no context of any one of them.
	reached := sync.OnceValue(func() string {
		ctx, end := context.WithTimeout(context.Background(), probeTime)
		defer end()
		if _, err := k.workers.Stop(ctx, w); err != nil {
			return err.Error()
		}
		return ""
	})
	byHand := func(o tui.Offer) tui.Offer {
		o.Probe = func(context.Context) string { return reached() }
		return o
	}
	evict := k.plainly("evict", "put out of the group; it comes back by itself", func(context.Context) (actions.Action, error) { return k.workers.Evict(w, 1), nil })
	flap := tui.Offer{
		Word: "flap", About: "evicted again and again, each time once it is back",
		Fields: []tui.Field{{Key: "times", Label: "times", Value: "3", Need: true, Help: "how often", Check: isCount}},
		Ready: func(ctx context.Context, given map[string]string) (*tui.Deed, error) {
			n, err := strconv.Atoi(given["times"])
			if err != nil {
				return nil, err
			}
			return k.ready(ctx, k.workers.Evict(w, n))
		},
	}
	return []tui.Offer{
		evict,
		flap,
		byHand(k.plainly("stop", "TERM: it stops its units and leaves", func(ctx context.Context) (actions.Action, error) { return k.workers.Stop(ctx, w) })),
		byHand(k.plainly("kill", "KILL: it says nothing, the group notices when its session is over", func(ctx context.Context) (actions.Action, error) {
			return k.workers.Kill(ctx, w)
		})),
		byHand(k.timed("bounce", "stop it, and start it again", "", "after", "how long it is away, as 5s or 1m", 5*time.Second, func(ctx context.Context, d time.Duration) (actions.Action, error) {
			return k.workers.Bounce(ctx, w, d)
		})),
		byHand(k.timed("freeze", "hold it up, as a long garbage collection does", "let "+w.Name+" go on", "for", "as 5s or 1m; longer than its session, "+k.session(s, w)+", the group gives its work away", 15*time.Second,
			func(ctx context.Context, d time.Duration) (actions.Action, error) { return k.workers.Freeze(ctx, w, d) })),
	}
}

// probeTime bounds how long it may take to find out whether a process can be reached.
const probeTime = 10 * time.Second

func (k *groupActions) session(s *group.State, w group.Worker) string {
	if d := s.SessionTimeout(w.ID); d > 0 {
		return d.String()
	}
	return "10s as a rule"
}

// timed is an offer that wants to know for how long; ends is the word for ending it earlier.
func (k *groupActions) timed(word, about, ends, label, help string, usual time.Duration, ready func(context.Context, time.Duration) (actions.Action, error)) tui.Offer {
	return tui.Offer{
		Word: word, About: about,
		Fields: []tui.Field{{Key: "d", Label: label, Value: usual.String(), Help: help, Need: true, Check: isTime}},
		Ready: func(ctx context.Context, given map[string]string) (*tui.Deed, error) {
			d, err := time.ParseDuration(given["d"])
			if err != nil {
				return nil, err
			}
			x, err := ready(ctx, d)
			if err != nil {
				return nil, err
			}
			deed, err := k.ready(ctx, x)
			if err == nil {
				deed.Ends = ends
			}
			return deed, err
		},
	}
}

// groupOffers are what can be done to the group as a whole.
func (k *groupActions) groupOffers() []tui.Offer {
	create := k.createOffer()
	if k.lab != nil {
		return []tui.Offer{
			k.plainly("add a worker", "like those that are there", func(context.Context) (actions.Action, error) { return k.lab.Adding(false), nil }),
			k.plainly("add an eager worker", "of 2.2.2: it takes the whole group to eager", func(context.Context) (actions.Action, error) { return k.lab.Adding(true), nil }),
			create,
		}
	}
	add := k.plainly("add a worker", "by the context's command", func(context.Context) (actions.Action, error) {
		return k.workers.Add(actions.NewWorker{Command: actions.Command(k.settings.Manners.Add)})
	})
	if k.settings.Manners.Add == "" {
		add.Off = "no context with an add command is in use"
	}
	local := tui.Offer{
		Word: "add a worker on this machine", About: "from a properties file and a folder of Kafka",
		Fields: []tui.Field{
			{Key: "properties", Label: "properties", Need: true, Help: "a connect-distributed.properties of this group"},
			{Key: "kafka", Label: "Kafka", Need: true, Value: k.getenv("KAFKA_HOME"), Help: "the folder of Kafka, or of its jars"},
		},
		Ready: func(ctx context.Context, given map[string]string) (*tui.Deed, error) {
			x, err := k.workers.Add(k.localWorker(given))
			if err != nil {
				return nil, err
			}
			return k.ready(ctx, x)
		},
	}
	return []tui.Offer{add, local, create}
}

// localWorker is a worker of this machine, as the form tells it.
func (k *groupActions) localWorker(given map[string]string) actions.NewWorker {
	n := actions.NewWorker{Properties: given["properties"], Kafka: given["kafka"]}
	n.Log = filepath.Join(k.logs(), strings.TrimSuffix(filepath.Base(n.Properties), ".properties")+".log")
	return n
}

// restOff is why no worker can be asked over REST; "": one can, as far as is known.
func (k *groupActions) restOff() string {
	if k.noWay != nil {
		return k.noWay.Error()
	}
	s := k.watch.State()
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
func (k *groupActions) unitOffers(u group.Unit) []tui.Offer {
	which := actions.Which("")
	about := "its instance alone; no round"
	if !u.IsInstance() {
		which, about = actions.Which(strconv.Itoa(int(u.Task))), "this task alone; no round"
	}
	return []tui.Offer{k.byREST(k.plainly("restart "+u.String(), about, func(context.Context) (actions.Action, error) {
		return k.herder.Restarting(u.Connector, which)
	}))}
}

// byREST is off where no worker can be asked.
func (k *groupActions) byREST(o tui.Offer) tui.Offer {
	if why := k.restOff(); why != "" {
		o.Off = why
	}
	return o
}
