package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"regroup/internal/observe"
)

// completeGroup completes a group's name by asking the cluster, for as long as somebody at a prompt would wait.
func (a *app) completeGroup(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	if len(args) > 0 || a.flags.fromEnv(cmd, a.getenv) != nil {
		return nil, none
	}
	s, err := a.settings()
	if err != nil {
		return nil, none
	}
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	found, _, err := observe.Groups(ctx, s.Client)
	if err != nil {
		return nil, none
	}
	var out []string
	for _, g := range found {
		out = append(out, g.Group)
	}
	return out, none
}

// completions are those of flags with a fixed set of values.
func completions(root *cobra.Command) {
	for flag, values := range map[string][]string{"output": {"text", "json"}, "theme": themeNames()} {
		if err := root.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err) // the flag is not there: a slip in this package, and every test finds it
		}
	}
}
