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
		Short: "Manage a group's workers: list, evict, stop, kill, freeze, add, ghost",
		Long: `Manage a group's workers. Each action is previewed: the rounds it will cause, which units stop, start, move and wait, and what
eager would do; afterwards the actual rounds are compared with the prediction. With --dry-run nothing is done. All actions are
recorded in $XDG_STATE_HOME/regroup/audit.log.

A worker is named by its client id, its URL or host:port, or its member id.

A process is signalled only if it runs on this machine and is verified to be a worker of this group. Use the context's kill
command for workers elsewhere.`,
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
		Short: "Evict a worker from the group; it rejoins automatically",
		Long: `Evict a worker by its member id, from any machine. It notices at its next heartbeat, about 3 s later, and rejoins without having
stopped its units, unless it is the leader, the group is eager, or the delay is 0: then its units may be assigned to others first.
With --times it is evicted again each time it is back: a flapping worker.`,
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
	cmd.Flags().IntVar(&times, "times", 1, "how many `times`; each time after the worker is back")
	return cmd
}

func newWorkerStop(a *app, f *actionFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "stop WORKER",
		Short: "Send TERM to a worker's process; it stops its units and leaves",
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
		Short: "Send KILL to a worker's process; the group notices when its session times out",
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
		Short: "Pause a worker's process for a while, as a long garbage collection does",
		Long: `Pause a worker's process with its sockets open, and resume it after a while or when this command ends. If that is longer than its
session timeout, its units are assigned to others, and it comes back as a zombie that still runs them.`,
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
	cmd.Flags().DurationVar(&d, "for", d, "how long")
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
		Short: "Start another worker, with the context's command or on this machine",
		Long: `Start another worker and wait until it has joined the group. The context's add command starts it or, with --properties, a process
on this machine, which keeps running when this command ends.`,
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
		Short: "Join the group as a worker that is assigned units but runs none",
		Long: `Join the group with the real protocol, accept the units assigned, and run none of them: this shows what a join and a leave move
without another JVM. The ghost leaves after --for, or when this command ends for any reason. As leader it decides as Connect's own
leader does.

Units assigned to a ghost do not run, so it requires --i-know-it-holds-real-work.`,
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
	cmd.Flags().DurationVar(&g.For, "for", 0, "leave after this `duration`; 0: when interrupted")
	cmd.Flags().Var(choice(&g.Protocol, "sessioned", "compatible", "eager"), "protocol", "connect.`protocol`: sessioned, compatible or eager")
	cmd.Flags().StringVar(&g.Client, "client-id", "ghost", "its client `id`")
	cmd.Flags().StringVar(&g.Listen, "listen", "", "`address` of its REST interface, which refuses everything (default: a free port of 127.0.0.1)")
	cmd.Flags().BoolVar(&g.RealWork, actions.RealWorkFlag, false, "allow real units to be assigned to the ghost: they do not run meanwhile")
	return cmd
}
