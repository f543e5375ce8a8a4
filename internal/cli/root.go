package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/internal/observe"
)

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "regroup [GROUP]",
		Short: "Show what each Kafka Connect rebalance moved, why, and what it cost",
		Long: `regroup shows a live Kafka Connect worker group: what each rebalance assigned, revoked, kept and delayed, why it
happened and what it cost. It reads the group coordinator's own log, with no side effects: it joins no group and commits no offsets.

Without a command it opens the screen, as "regroup watch" does.

Every global flag can also be set by an environment variable: --command-config is REGROUP_COMMAND_CONFIG. A flag overrides the
environment, the environment a context, and a context the default. Results go to stdout, messages to stderr.

Exit codes: 0 success; 1 completed, problems found (no such group, findings); 2 failed, or invalid usage.`,
		Example: `  regroup -b localhost:9092
  regroup rounds connect-rig -b localhost:9092 --since 2h
  regroup describe connect-rig --command-config client.properties -o json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeGroup,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.flags.fromEnv(cmd, a.getenv); err != nil {
				return err
			}
			return a.checkTheme()
		},
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
	}
	w := newWatch(a)
	var v view
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			if meant := mistyped(cmd, args[0]); meant != "" {
				return misuse("%q is not a command: did you mean %q? For a group of that name: regroup watch %s", args[0], "regroup "+meant, args[0])
			}
		}
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
	a.wrapHelp(root)
	root.SetGlobalNormalizationFunc(alias)
	completions(root)
	misuseArgs(root)
	return root
}

// mistyped is the command that a word was meant for: one letter is missing, too much or another, or two are swapped; "": none.
func mistyped(root *cobra.Command, word string) string {
	for _, c := range root.Commands() {
		if !c.Hidden && c.Name() != word && oneSlip(c.Name(), word) {
			return c.Name()
		}
	}
	return ""
}

func oneSlip(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch len(a) - len(b) {
	case 0:
		return len(a) > 0 && (a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:])
	case 1:
		return a[1:] == b
	case -1:
		return a == b[1:]
	}
	return false
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

// Exit codes. They are a promise to scripts.
const (
	exitOK    = 0
	exitNo    = 1 // the command did its work, and the answer is bad: no such group, findings
	exitFault = 2 // it could not do its work, or was asked wrongly
)

// failure is an error with the exit code that it ends the program with. Other errors end it with exitFault.
type failure struct {
	error
	code int
}

func (f failure) Unwrap() error { return f.error }

// bad makes the error of a command that worked and has bad news.
func bad(format string, args ...any) error { return failure{fmt.Errorf(format, args...), exitNo} }

// silent ends the program with a code and says nothing more: the result says it all.
func silent(code int) error { return failure{errors.New(""), code} }

// misuse makes the error of a command that was asked wrongly.
func misuse(format string, args ...any) error { return failure{fmt.Errorf(format, args...), exitFault} }

// Execute runs one command line, without the program's name, and returns the exit code. It ends when ctx does.
func Execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "regroup: a bug: %v\n%s", p, debug.Stack())
			code = exitFault
		}
	}()
	a := newApp(stdin, stdout, stderr, os.Getenv)
	defer a.close()
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return report(stderr, root.ExecuteContext(ctx))
}

// report says what went wrong, on one line, and chooses the exit code.
func report(stderr io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	code := exitFault
	var f failure
	var kind *observe.KindError
	switch {
	case errors.As(err, &f):
		code = f.code
	case errors.As(err, &kind):
		code, err = exitNo, kind
	}
	text := err.Error()
	if text == "" {
		return code
	}
	if errors.Is(err, context.Canceled) {
		text = "interrupted"
	}
	lines := decode.PrintableLines(strings.TrimSpace(text))
	fmt.Fprintf(stderr, "regroup: %s\n", strings.Join(lines, "\n  "))
	return code
}

// version is set by the linker for a release; else the module's own version, or "devel", is told.
var version string

type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func thisBuild() build {
	b := build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok {
		if b.Version == "" && info.Main.Version != "" && info.Main.Version != "(devel)" {
			b.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Commit = s.Value
			}
		}
	}
	if b.Version == "" {
		b.Version = "devel"
	}
	return b
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			if a.json() {
				return a.print(b)
			}
			_, err := fmt.Fprintf(a.out, "regroup %s (%s, %s)\n", b.Version, b.Go, b.Platform)
			return err
		},
	}
}
