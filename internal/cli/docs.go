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
