package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"regroup/group/assign"
)

// newDocs prints the command reference: docs/commands.md is made of it, and a test holds the two together.
func newDocs(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    "docs",
		Short:  "Print the command reference as Markdown",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeReference(a.out, cmd.Root())
		},
	}
}

func writeReference(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	b.WriteString("# Commands\n\nMade by `regroup docs`; change the commands, not this file.\n")
	section(&b, root)
	b.WriteString("\n## Global flags\n\n```\n" + root.PersistentFlags().FlagUsages() + "```\n")
	b.WriteString("\n## Environment\n\n")
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		fmt.Fprintf(&b, "- `%s` for `--%s`", envName(f.Name), f.Name)
		if f.Value.Type() == "stringArray" {
			b.WriteString(", one value a line")
		}
		b.WriteString("\n")
	})
	b.WriteString("- `NO_COLOR` and `TERM=dumb` are heeded\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func section(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n", cmd.CommandPath(), cmd.Short)
	if cmd.Long != "" {
		fmt.Fprintf(b, "\n%s\n", cmd.Long)
	}
	if cmd.Runnable() {
		fmt.Fprintf(b, "\n```\n%s\n```\n", strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	}
	if own := cmd.LocalNonPersistentFlags(); own.HasAvailableFlags() {
		if usage := own.FlagUsages(); strings.Count(usage, "\n") > 1 || own.Lookup("help") == nil {
			fmt.Fprintf(b, "\n```\n%s```\n", usage)
		}
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(cmd.Example, "  "), "\n  ", "\n"))
	}
	if cmd.Name() == "completion" {
		return // a command a shell, all alike
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			section(b, c)
		}
	}
}

func newMan(a *app) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print a man page",
		Long: `Print the man page of regroup or of one of its commands, to read with "regroup man rounds | man -l -".
With --dir, write the pages of all commands there.`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true
			head := &doc.GenManHeader{Section: "1", Source: "regroup", Manual: "regroup"}
			if dir != "" {
				if err := os.MkdirAll(filepath.Clean(dir), 0o755); err != nil {
					return fmt.Errorf("man: %w", err)
				}
				return doc.GenManTree(root, head, dir)
			}
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return misuse("man: there is no command %q", strings.Join(args, " "))
			}
			return doc.GenMan(c, head, a.out)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write the pages of all commands to this `folder`")
	return cmd
}

func newAssign(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "assign",
		Short: "Compute assignments as a Connect leader does: JSON lines in and out",
		Long: `assign is a Connect leader that can be asked questions. It reads one JSON object a line and answers each with one.

  {"cmd":"new","assignor":"incremental","maxDelay":300000}

starts a leader that has led nothing yet. Assignors: incremental (as released in 3.7 and later), eager, incremental-3.4
(3.4.0 to 3.5.1, 3.6.0), incremental-2.3 (2.3), proposed (KIP-415: a leader's loss is like any worker's, a delay that runs outlives
it, and a downgrade to eager takes two rounds). "java":21 says that it runs on Java 19 or later, which orders sets of 12, 24, 48 … otherwise.

  {"cmd":"round","now":MS,"generation":N,"lastCompleted":N,"leader":ID,"protocol":"eager"|"compatible"|"sessioned",
   "config":{"offset":N,"connectors":{"NAME":TASKS,…}},
   "members":[{"id":ID,"url":URL,"offset":N,"connectors":["NAME",…],"tasks":[["NAME",N],…]},…]}

has it decide: lastCompleted is the generation of the leader's own last completed join, now its clock, connectors and tasks
are what a member reports that it holds. "metadata" in base64 instead of them is a subscription as recorded. "fresh", like
"config", is what the leader finds when it reads the config topic again. proposed looks at two things more that a new leader knows
from its time as a follower: "scheduled", when its delay ends, and "before":{"leader":ID,"config":{…}}, the last round. The answer has what each member is told, every list
sorted, and "bytes" in base64, as it goes over the wire. A question that cannot be answered gets {"exception":"why"}.`,
		Example: `  regroup assign < questions.jsonl`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return assign.Serve(a.in, a.out)
		},
	}
}
