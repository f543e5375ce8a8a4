package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/internal/conn"
	"regroup/tui/keys"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

func newContext(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "context",
		Aliases: []string{"contexts"},
		Short:   "Manage contexts: named clusters and how to connect to them",
		Long: `A context names a cluster: its brokers, TLS and login; how its workers are reached over REST (login, headers, certificates,
addresses that work from here); commands that stop and start workers; and whether actions are allowed. Use one with -c NAME; otherwise
the current one is used. Contexts are optional, and kept in $XDG_CONFIG_HOME/regroup/config.yaml.

Keep secrets outside that file: rest.password-env names an environment variable, rest.password-file a file; likewise sasl.password,
rest.token and rest.headers. Secrets are never printed. A REST login is sent to every worker of the group: use https.

keys: in that file sets your own keys for the screen, as follow: F, or round before: [b, left]; [] removes all keys of an action. The
actions are:

` + strings.Join(cell.Wrap(strings.Join(keys.Names(), ", "), 120), "\n") + `

themes: in that file defines your own themes for --theme: below a name, colours as running: "#00AFAF", a number up to 255, or
{light: …, dark: …} for each background. These can have a colour:

` + strings.Join(cell.Wrap(strings.Join(theme.Names(), ", "), 120), "\n"),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newContextList(a), newContextUse(a), newContextShow(a), newContextSet(a), newContextRemove(a), newContextCurrent(a))
	return cmd
}

func (a *app) contexts() (*conn.ContextFile, error) {
	return conn.OpenContexts(conn.DefaultConfigFile(a.getenv))
}

// changeContexts changes the file, or says with --dry-run that it was not done.
func (a *app) changeContexts(change func(f *conn.ContextFile) (said string, err error)) error {
	f, err := a.contexts()
	if err != nil {
		return err
	}
	said, err := change(f)
	if err != nil {
		return err
	}
	if a.flags.dryRun {
		a.note("not written: --dry-run")
		said = ""
	} else if err := f.Save(); err != nil {
		return err
	}
	if a.json() {
		return a.print(map[string]string{"file": f.Path(), "current": f.Current(), "done": said})
	}
	if said != "" {
		_, err = fmt.Fprintln(a.out, decode.Printable(said))
	}
	return err
}

func newContextList(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the contexts; * marks the current one", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := a.contexts()
			if err != nil {
				return err
			}
			t := newTable("", "name", "brokers", "manners")
			for _, name := range f.Names() {
				values, err := f.Values(name)
				if err != nil {
					return err
				}
				mark := ""
				if name == a.currentContext(f) {
					mark = "*"
				}
				if a.json() {
					err := a.print(struct {
						Name    string         `json:"name"`
						Current bool           `json:"current"`
						Values  map[string]any `json:"values"`
					}{name, mark != "", values})
					if err != nil {
						return err
					}
					continue
				}
				brokers, _ := values["brokers"].(string)
				t.row(mark, name, brokers, contextManners(values))
			}
			switch {
			case a.json():
				return nil
			case len(f.Names()) == 0:
				_, err := fmt.Fprintf(a.out, "no contexts in %s; make one with: regroup context set NAME brokers=HOST:PORT\n", f.Path())
				return err
			}
			return t.write(a.out)
		},
	}
}

func contextManners(values map[string]any) string {
	var out []string
	for _, k := range []string{"read-only", "production"} {
		if values[k] == true {
			out = append(out, k)
		}
	}
	return strings.Join(out, ", ")
}

// currentContext is the one that a command would use.
func (a *app) currentContext(f *conn.ContextFile) string {
	for _, name := range []string{a.flags.given.Context, a.flags.env.Context} {
		if name != "" {
			return name
		}
	}
	return f.Current()
}

func newContextUse(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "use NAME", Short: "Set the current context", Args: cobra.ExactArgs(1), ValidArgsFunction: a.completeContext,
		RunE: func(_ *cobra.Command, args []string) error {
			return a.changeContexts(func(f *conn.ContextFile) (string, error) {
				return args[0] + " is current", f.Use(args[0])
			})
		},
	}
}

func newContextShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show [NAME]", Short: "Show a context, the current one by default; secrets are masked", Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeContext,
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := a.contexts()
			if err != nil {
				return err
			}
			name := a.currentContext(f)
			if len(args) > 0 {
				name = args[0]
			}
			if name == "" {
				return bad("no context is current; name one, or see regroup context list")
			}
			if a.json() {
				values, err := f.Values(name)
				if err != nil {
					return err
				}
				return a.print(values)
			}
			text, err := f.Show(name)
			if err != nil {
				return err
			}
			for _, line := range decode.PrintableLines(strings.TrimRight(text, "\n")) {
				fmt.Fprintln(a.out, line)
			}
			return nil
		},
	}
}

func newContextSet(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "set NAME KEY=VALUE...",
		Short: "Create or change a context; KEY= removes a key",
		Long: "Create a context, or change its settings. KEY= removes a key. Keys: " + strings.Join(conn.ContextKeys(), ", ") +
			".\n\nThe colour of a context's name on the screen can be " + strings.Join(conn.Colours, ", ") + ".",
		Example: `  regroup context set prod brokers=kafka-1:9092,kafka-2:9092 tls.ca=/etc/kafka/ca.pem production=true
  regroup context set prod sasl.mechanism=SCRAM-SHA-512 sasl.user=alice sasl.password-env=KAFKA_PASSWORD
  regroup context set prod rest.map.connect-1=http://localhost:18083 rest.token-file=~/.connect-token`,
		Args: cobra.MinimumNArgs(2), ValidArgsFunction: a.completeContext,
		RunE: func(_ *cobra.Command, args []string) error {
			return a.changeContexts(func(f *conn.ContextFile) (string, error) {
				for _, arg := range args[1:] {
					k, v, ok := strings.Cut(arg, "=")
					if !ok {
						return "", misuse("an argument without =: write KEY=VALUE")
					}
					if err := f.Set(args[0], k, v); err != nil {
						return "", misuse("%w", err)
					}
					if v != "" && conn.PlainSecret(k) {
						a.note("%s stands in %s as plain text, which only you can read", k, f.Path())
					}
				}
				return args[0] + " is set", nil
			})
		},
	}
}

func newContextRemove(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Aliases: []string{"rm"}, Short: "Remove a context", Args: cobra.ExactArgs(1), ValidArgsFunction: a.completeContext,
		RunE: func(_ *cobra.Command, args []string) error {
			return a.changeContexts(func(f *conn.ContextFile) (string, error) {
				return args[0] + " is taken away", f.Remove(args[0])
			})
		},
	}
}

func newContextCurrent(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "current", Short: "Print the name of the current context", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := a.contexts()
			if err != nil {
				return err
			}
			name := a.currentContext(f)
			switch {
			case a.json():
				return a.print(map[string]string{"current": name})
			case name == "":
				return bad("no context is current")
			}
			_, err = fmt.Fprintln(a.out, decode.Printable(name))
			return err
		},
	}
}

func (a *app) completeContext(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	f, err := a.contexts()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return slices.Clone(f.Names()), cobra.ShellCompDirectiveNoFileComp
}
