package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "regroup [GROUP]",
		Short: "See what every Kafka Connect rebalance really moved",
		Long: `regroup shows a live Kafka Connect worker group: what each round assigned, revoked, kept running and left waiting, why
it happened and what it cost. It reads the coordinator's own log and disturbs nothing: it joins no group and commits nothing.

Without a command it opens the screen, as "regroup watch" does.

Every global flag has a twin in the environment: --command-config is REGROUP_COMMAND_CONFIG. A flag is stronger than the
environment, that is stronger than a context, and that than a default. Results go to stdout, messages to stderr.

Exit codes: 0 done; 1 done, and the answer is bad (no such group, findings); 2 not done, or asked wrongly.`,
		Example: `  regroup -b localhost:9092
  regroup rounds connect-rig -b localhost:9092 --since 2h
  regroup describe connect-rig --command-config client.properties -o json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeGroup,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return a.flags.fromEnv(cmd, a.getenv)
		},
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
	}
	w := newWatch(a)
	var v view
	root.RunE = func(cmd *cobra.Command, args []string) error {
		return a.watch(cmd.Context(), v, args)
	}
	v.ghostFlag(root)
	a.flags.add(root.PersistentFlags())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return misuse("%w; see %s --help", flagFault(err), cmd.CommandPath())
	})
	root.AddCommand(w, newGroups(a), newRounds(a), newDescribe(a), newDoctor(a), newWait(a), newConnector(a), newWorker(a), newExercise(a), newContext(a), newReplay(a), newReport(a), newRecord(a), newDemo(a), newAssign(a), newCompare(a), newVersion(a), newMan(a), newDocs(a))
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return misuse("help: there is no command %q", strings.Join(args, " "))
			}
			return c.Help()
		},
	})
	root.SetGlobalNormalizationFunc(alias)
	completions(root)
	misuseArgs(root)
	return root
}

// misuseArgs gives complaints about arguments the form of all others.
func misuseArgs(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return misuse("%w; usage: %s", err, cmd.UseLine())
			}
			return nil
		}
	}
	for _, c := range cmd.Commands() {
		misuseArgs(c)
	}
}

// flagFault words a flag's fault: the flag, then why.
func flagFault(err error) error {
	text := err.Error()
	if rest, ok := strings.CutPrefix(text, "invalid argument "); ok {
		if value, rest, ok := strings.Cut(rest, " for "); ok {
			flag, why, _ := strings.Cut(rest, " flag: ")
			return misuse("%s: %s is not valid: %s", strings.Trim(flag, `"`), value, why)
		}
	}
	return err
}
