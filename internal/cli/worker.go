package cli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"regroup/actions/act"
	"regroup/actions/ghost"
	"regroup/actions/process"

	"github.com/spf13/cobra"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/conn"
)

func newWorker(a *app) *cobra.Command {
	f := &actionFlags{}
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "List workers; evict, stop, kill, freeze and add them; join as a ghost",
		Long: `Do things to a group's workers. Before anything is done, what will follow is printed: the rounds to come, which units stop,
start, move and wait, beside what eager would do; afterwards, what really happened is held against it. With --dry-run nothing
is done. Every action leaves a line in $XDG_STATE_HOME/regroup/audit.log.

A worker is named by its client id, its URL or host:port, or its member id.

A process is only touched where it is this machine's and, by all that can be seen, a worker of this group. The kill
command of the context reaches others.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	f.add(cmd)
	f.patient(cmd)
	cmd.AddCommand(newWorkerList(a, f), newWorkerEvict(a, f), newWorkerStop(a, f), newWorkerKill(a, f), newWorkerFreeze(a, f), newWorkerAdd(a, f), newWorkerGhost(a, f))
	return cmd
}

func newWorkerList(a *app, f *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List a group's workers",
		Example: `  regroup worker list -g connect-rig -b localhost:9092`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.state(cmd.Context(), view{}, f.args())
			if err != nil {
				return err
			}
			if a.json() {
				enc := jsonLines(a.out)
				for i := range s.Workers {
					if !s.Workers[i].Gone {
						if err := enc.Encode(workerLine(s.Workers[i])); err != nil {
							return err
						}
					}
				}
				return nil
			}
			t := newTable("worker", "role", "url", "from", ">connectors", ">tasks", "version", "rest", "member")
			for _, w := range s.Workers {
				if !w.Gone {
					t.row(w.Name, role(w), w.URL, w.Host, strconv.Itoa(w.HeldConns), strconv.Itoa(w.Held-w.HeldConns), w.Version, w.REST, w.ID)
				}
			}
			return t.write(a.out)
		},
	}
}

func workerLine(w group.Worker) workerObject {
	return workerObject{
		Member: w.ID, Client: w.Client, Host: w.Host, URL: w.URL, Leader: w.Leader, ConfigOffset: w.ConfigOffset,
		Connectors: w.HeldConns, Tasks: w.Held - w.HeldConns, Version: orNull(w.Version), REST: orNull(w.REST),
	}
}

// patient makes waiting outlast Connect's default delay, of five minutes.
func (m *actionFlags) patient(cmd *cobra.Command) {
	m.wait = 10 * time.Minute
	cmd.PersistentFlags().Lookup("wait").DefValue = m.wait.String()
}

// args name the group as other commands are given it.
func (m *actionFlags) args() []string {
	if m.group == "" {
		return nil
	}
	return []string{m.group}
}

// workers are how a doer does things to its group's workers.
func (d *actionRunner) workers() (*process.Workers, error) {
	if d.Watch == nil {
		return nil, conn.ErrNoBrokers
	}
	way, err := d.restWay(d.settings)
	if err != nil {
		return nil, err
	}
	return &process.Workers{Group: d.Actor.Group, Dial: d.settings.Client, Watch: d.Watch, Reachers: d.reachers(d.settings, way)}, nil
}

// reachers reach the processes of workers: by the context's command, if it has one, and on this machine.
func (a *app) reachers(s conn.Settings, way restWay) []process.Reacher {
	local := process.Local{REST: &way.client, Logs: a.logs(), Cluster: s.ClusterID}
	if s.Policy.Kill == "" {
		return []process.Reacher{local}
	}
	return []process.Reacher{process.Commands{Kill: process.Command(s.Policy.Kill), Add: process.Command(s.Policy.Add)}, local}
}

// logs is where the output of processes goes that are started here.
func (a *app) logs() string {
	file := act.AuditFile(a.getenv)
	if file == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(file), "workers")
}

// toWorkers runs what is done to workers. What read-only forbids is refused before anything is sent for it.
func (a *app) toWorkers(ctx context.Context, m *actionFlags, what string, ready func(*actionRunner, *process.Workers) (act.Action, error)) error {
	s, err := a.settings()
	if err != nil {
		return err
	}
	if why := a.guard(s, *m).ReadOnly; why != "" && !a.flags.dryRun {
		return &act.Refused{Action: what, Why: why}
	}
	d, err := a.actionRunner(ctx, *m)
	if err != nil {
		return err
	}
	defer d.stop()
	k, err := d.workers()
	if err != nil {
		return err
	}
	x, err := ready(d, k)
	if err != nil {
		return err
	}
	if err := d.run(ctx, x, nil); err != nil || !d.broke {
		return err
	}
	return silent(exitNo)
}

// toWorker is toWorkers for one that is named.
func (a *app) toWorker(ctx context.Context, m *actionFlags, verb, name string, ready func(*process.Workers, group.Worker) (act.Action, error)) error {
	return a.toWorkers(ctx, m, verb+" "+name, func(d *actionRunner, k *process.Workers) (act.Action, error) {
		w, err := act.FindWorker(d.Watch.State(), name)
		if err != nil {
			return act.Action{}, bad("group %s: %w", d.Actor.Group, err)
		}
		return ready(k, w)
	})
}

func newWorkerEvict(a *app, f *actionFlags) *cobra.Command {
	times := 1
	cmd := &cobra.Command{
		Use:   "evict WORKER",
		Short: "Put a worker out of the group: it comes back by itself",
		Long: `Put a worker out of the group by its member id, from anywhere. It notices at its next heartbeat, about 3 s later, and comes back
with its work in hand and never stopped; unless it leads, the group is eager, or its delay is 0: then others may be given its
work first. With --times it is found again each time and put out once more: a flapping worker.`,
		Example: `  regroup worker evict worker-3 -b localhost:9092
  regroup worker evict worker-3 --times 5 --yes -b localhost:9092`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if times < 1 {
				return misuse("--times %d: give 1 or more", times)
			}
			return a.toWorker(cmd.Context(), f, "evict", args[0], func(k *process.Workers, w group.Worker) (act.Action, error) {
				return k.Evict(w, times), nil
			})
		},
	}
	cmd.Flags().IntVar(&times, "times", 1, "how `often`, each time once it is back")
	return cmd
}

func newWorkerStop(a *app, f *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "stop WORKER",
		Short: "Send TERM to a worker's process: it stops its units and leaves",
		Long: `Send TERM to a worker's process, on this machine or by the context's kill command. The worker stops its units and leaves the group.
The context's kill command is run with {{.Host}}, {{.Client}}, {{.Signal}} and others filled in; {{.Signal}} is TERM.`,
		Example: `  regroup worker stop worker-3 --dry-run -b localhost:9092
  regroup worker stop worker-3 --yes -b localhost:9092`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.toWorker(cmd.Context(), f, "stop", args[0], func(k *process.Workers, w group.Worker) (act.Action, error) {
				return k.Stop(cmd.Context(), w)
			})
		},
	}
}

func newWorkerKill(a *app, f *actionFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "kill WORKER",
		Short: "Send KILL to a worker's process: the group notices when its session is over",
		Long: `Send KILL to a worker's process, on this machine or by the context's kill command. The worker does not stop its units and does not
leave the group: the group notices when its session is over. To end a worker politely, use regroup worker stop.
The context's kill command is run with {{.Host}}, {{.Client}}, {{.Signal}} and others filled in; {{.Signal}} is KILL.`,
		Example: `  regroup worker kill worker-3 --dry-run -b localhost:9092
  regroup worker kill worker-3 --yes -b localhost:9092`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.toWorker(cmd.Context(), f, "kill", args[0], func(k *process.Workers, w group.Worker) (act.Action, error) {
				return k.Kill(cmd.Context(), w)
			})
		},
	}
	cmd.Flags().Bool("hard", false, "KILL instead of TERM") // kill was TERM once, and --hard made it KILL
	_ = cmd.Flags().MarkHidden("hard")                      // of a flag that is there
	return cmd
}

func newWorkerFreeze(a *app, f *actionFlags) *cobra.Command {
	d := 30 * time.Second
	cmd := &cobra.Command{
		Use:   "freeze WORKER",
		Short: "Hold a worker's process up for a while, as a long garbage collection does",
		Long: `Stop a worker's process where it stands, its sockets open, and let it go on after a while, or when this command ends, however it
does. Longer than its session, the group gives its work away, and it comes back as a zombie with the same work in hand.`,
		Example: `  regroup worker freeze worker-3 --for 45s --yes -b localhost:9092`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if d <= 0 {
				return misuse("--for: %s is no time", d)
			}
			return a.toWorker(cmd.Context(), f, "freeze", args[0], func(k *process.Workers, w group.Worker) (act.Action, error) {
				return k.Freeze(cmd.Context(), w, d)
			})
		},
	}
	cmd.Flags().DurationVar(&d, "for", d, "how `long`")
	return cmd
}

// newWorkerFlags say how a worker is added.
type newWorkerFlags struct{ properties, kafka, log string }

func (n *newWorkerFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&n.properties, "properties", "", "start a worker on this machine from this connect-distributed.properties `file`")
	cmd.Flags().StringVar(&n.kafka, "kafka", "", "with --properties: the `folder` of Kafka, or of its jars")
	cmd.Flags().StringVar(&n.log, "worker-log", "", "with --properties: the `file` that gets what the worker prints")
}

func (n *newWorkerFlags) worker(d *actionRunner) (process.NewWorker, error) {
	out := process.NewWorker{Properties: n.properties, Kafka: n.kafka, Log: n.log, Command: process.Command(d.settings.Policy.Add)}
	switch {
	case n.properties == "" && out.Command == "":
		return out, misuse("how is it started? give --properties FILE and --kafka FOLDER, or a context with an add command")
	case n.properties != "" && n.kafka == "":
		if n.kafka = os.Getenv("KAFKA_HOME"); n.kafka == "" {
			return out, misuse("--properties: where is Kafka? give --kafka FOLDER")
		}
		out.Kafka = n.kafka
		fallthrough
	case n.properties != "":
		out.Command = ""
	}
	if out.Log == "" {
		out.Log = filepath.Join(cmp.Or(d.logs(), os.TempDir()), strings.TrimSuffix(filepath.Base(n.properties), ".properties")+".log")
	}
	return out, nil
}

func newWorkerAdd(a *app, f *actionFlags) *cobra.Command {
	n := &newWorkerFlags{}
	cmd := &cobra.Command{
		Use:   "add",
		Short: "Start one more worker, by the context's command or on this machine",
		Long: `Start one more worker and wait until it is in the group. The context's add command starts it, or, with --properties, a process on
this machine, in a session of its own: it goes on when this command ends.`,
		Example: `  regroup worker add --properties worker-4.properties --kafka /opt/kafka -b localhost:9092`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.toWorkers(cmd.Context(), f, "add a worker", func(d *actionRunner, k *process.Workers) (act.Action, error) {
				how, err := n.worker(d)
				if err != nil {
					return act.Action{}, err
				}
				return k.Add(how)
			})
		},
	}
	n.add(cmd)
	return cmd
}

func newWorkerGhost(a *app, f *actionFlags) *cobra.Command {
	var g ghost.Ghost
	cmd := &cobra.Command{
		Use:   "ghost",
		Short: "Join the group as a worker that holds units and runs none",
		Long: `Join the group with the real protocol, hold the units that it is given, and run none of them: this shows the moves of a join and a
leave without another JVM. It leaves when this command is interrupted, after --for, or however else it ends. When it leads, it
decides as Connect's own leader does.

Units that a ghost holds stand still, so it is refused without --i-know-it-holds-real-work.`,
		Example: `  regroup worker ghost --for 2m --i-know-it-holds-real-work -b localhost:9092`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			once := *f
			if g.For == 0 {
				once.wait = 0 // it is interrupted, and so is all that would wait
			}
			return a.toWorkers(cmd.Context(), &once, "ghost", func(_ *actionRunner, k *process.Workers) (act.Action, error) {
				x, err := g.Action(k)
				if err != nil && a.flags.dryRun && x.Change != nil {
					a.note("%s", err)
					return x, nil
				}
				return x, err
			})
		},
	}
	cmd.Flags().DurationVar(&g.For, "for", 0, "leave after that `long`; 0: when interrupted")
	cmd.Flags().Var(choice(&g.Protocol, "sessioned", "compatible", "eager"), "protocol", "connect.`protocol`: sessioned, compatible or eager")
	cmd.Flags().StringVar(&g.Client, "client-id", "ghost", "its client `id`")
	cmd.Flags().StringVar(&g.Listen, "listen", "", "`address` of its REST interface, which refuses everything (default: a free port of 127.0.0.1)")
	cmd.Flags().BoolVar(&g.RealWork, actions.RealWorkFlag, false, "real units may stand still while the ghost holds them")
	return cmd
}
