package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"regroup/decode"
	"regroup/internal/conn"
	"regroup/internal/observe"
	"regroup/internal/rest"
	"regroup/tui/keys"
	"regroup/tui/ui/theme"
)

// app is what a command gets: its streams, its flags, and the way to a cluster.
type app struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	flags    flags
	now      func() time.Time

	log *os.File // --log-file, once it is open
}

func newApp(in io.Reader, out, err io.Writer, getenv func(string) string) *app {
	return &app{in: in, out: out, err: err, getenv: getenv, now: time.Now, flags: defaultFlags()}
}

func (a *app) close() {
	if a.log != nil {
		_ = a.log.Close()
	}
}

// note says something to a person.
func (a *app) note(format string, args ...any) { fmt.Fprintf(a.err, "regroup: "+format+"\n", args...) }

// json says whether results go out as JSON.
func (a *app) json() bool { return a.flags.output == "json" }

// settings are those of the cluster that flags, environment and contexts name.
func (a *app) settings() (conn.Settings, error) {
	s, err := conn.Load(conn.Sources{Flags: a.flags.given, Env: a.flags.env, ConfigFile: conn.DefaultConfigFile(a.getenv)})
	if err != nil {
		return s, err
	}
	log, err := a.logFile()
	if err == nil && log != nil {
		s.Log = log
	}
	return s, err
}

// logFile is where the Kafka client's own log goes: to a file or nowhere, for it would tear a screen apart.
func (a *app) logFile() (io.Writer, error) {
	if a.flags.logFile == "" {
		return nil, nil
	}
	if a.log == nil {
		f, err := os.OpenFile(a.flags.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("--log-file: %w", err)
		}
		a.log = f
	}
	return a.log, nil
}

// screen says whether a screen can be drawn: both ends are a terminal, and one that can move its cursor.
func (a *app) screen() bool {
	return isTerminal(a.out) && isTerminal(a.in) && a.getenv("TERM") != "dumb"
}

// ascii says whether only ASCII may be drawn. An unset locale is what containers have, and they draw UTF-8 well.
func (a *app) ascii() bool {
	if a.flags.ascii || a.getenv("TERM") == "dumb" {
		return true
	}
	for _, k := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(a.getenv(k)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// own is what the person set for the screen in the file of contexts: keys and themes. What is wrong with one is said with its line.
func (a *app) own() (keysOf map[string][]string, themes theme.Themes, err error) {
	o, err := conn.LoadOwn(conn.DefaultConfigFile(a.getenv))
	if err != nil {
		return nil, nil, err
	}
	at := func(err error, names ...string) error {
		if where := o.Where(names...); where != "" {
			return fmt.Errorf("%s: %w", where, err)
		}
		return err
	}
	var badKey *keys.Error
	if err := keys.Check(o.Keys); errors.As(err, &badKey) {
		return nil, nil, at(err, badKey.Name)
	}
	themes = theme.Themes{}
	for name, colours := range o.Themes {
		own := theme.Own{}
		for of, c := range colours {
			own[of] = theme.Colour{Light: c[0], Dark: c[1]}
		}
		themes[theme.Kind(name)] = own
	}
	var bad *theme.Error
	if err := themes.Check(); errors.As(err, &bad) {
		if bad.Name == "" {
			return nil, nil, at(err, bad.Theme)
		}
		return nil, nil, at(err, bad.Theme, bad.Name)
	}
	return o.Keys, themes, nil
}

// checkTheme refuses a theme that is neither the program's nor the person's own.
func (a *app) checkTheme() error {
	if slices.Contains(theme.Kinds, theme.Kind(a.flags.theme)) {
		return nil
	}
	_, themes, err := a.own()
	if err != nil {
		return err
	}
	if _, err := themes.Parse(a.flags.theme); err != nil {
		return misuse("--theme: %w", err)
	}
	return nil
}

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

// restWay is how workers are called over REST: with what login, and where.
type restWay struct {
	client rest.Client
	at     func(advertised string) string
	urls   []string // workers, besides the advertised ones
}

// restWay puts flags over the context. A worker is called at the address that it advertises, or where a map sends that host.
// With addresses of their own and no fitting map, an advertised one does not work from here.
func (a *app) restWay(s conn.Settings) (restWay, error) {
	w := restWay{urls: a.flags.rest}
	if len(w.urls) == 0 {
		w.urls = s.REST.URLs
	}
	for _, u := range w.urls {
		if err := webAddress(u); err != nil {
			return w, misuse("context %s: rest.urls: %w", s.Context, err)
		}
	}
	to := maps.Clone(s.REST.Map)
	if to == nil {
		to = map[string]string{}
	}
	for _, m := range a.flags.restMap {
		host, at, _ := strings.Cut(m, "=")
		to[host] = at
	}
	w.at = func(advertised string) string { return reached(advertised, to, len(w.urls) > 0) }
	var err error
	w.client.HTTP, w.client.Prepare, err = s.REST.Client()
	return w, err
}

func reached(advertised string, to map[string]string, elsewhere bool) string {
	u, err := url.Parse(advertised)
	if err != nil {
		return ""
	}
	for _, host := range []string{u.Host, u.Hostname()} {
		if at, ok := to[host]; ok {
			return at
		}
	}
	if elsewhere {
		return ""
	}
	return advertised
}

// rest says how workers are asked while a group is observed. Without a login that works they are not: all else goes on.
func (a *app) rest(s conn.Settings) *observe.REST {
	w, err := a.restWay(s)
	if err != nil && a.screen() && !a.json() {
		return nil // a line would tear the screen apart
	}
	if err != nil {
		a.note("workers are not asked over REST: %s", decode.Printable(err.Error()))
		return nil
	}
	return &observe.REST{Client: w.client, Reach: w.at}
}
