package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"regroup/actions"
)

// newWorkerFlags say how a worker is added.
type newWorkerFlags struct{ properties, kafka, log string }

func (n *newWorkerFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&n.properties, "properties", "", "start a worker on this machine from this connect-distributed.properties `file`")
	cmd.Flags().StringVar(&n.kafka, "kafka", "", "with --properties: the `folder` of Kafka, or of its jars")
	cmd.Flags().StringVar(&n.log, "worker-log", "", "with --properties: the `file` that gets what the worker prints")
}

func (n *newWorkerFlags) worker(d *actionRunner) (actions.NewWorker, error) {
	out := actions.NewWorker{Properties: n.properties, Kafka: n.kafka, Log: n.log, Command: actions.Command(d.settings.Policy.Add)}
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
			return a.toWorkers(cmd.Context(), f, "add a worker", func(d *actionRunner, k *actions.Workers) (actions.Action, error) {
				how, err := n.worker(d)
				if err != nil {
					return actions.Action{}, err
				}
				return k.Add(how)
			})
		},
	}
	n.add(cmd)
	return cmd
}

func newWorkerGhost(a *app, f *actionFlags) *cobra.Command {
	var g actions.Ghost
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
			return a.toWorkers(cmd.Context(), &once, "ghost", func(_ *actionRunner, k *actions.Workers) (actions.Action, error) {
				x, err := k.Ghost(g)
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
