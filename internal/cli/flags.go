package cli

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"regroup/internal/conn"
	"regroup/tui/ui/theme"
)

// flags are the ones that every command knows. What reaches a cluster is kept apart by where it was given: a flag is
// stronger than a file that the environment names, and that is conn's to weigh.
type flags struct {
	given, env conn.Given

	configTopic, statusTopic string
	rest                     []string
	restMap                  []string // HOST=URL

	output   string
	yes      bool
	dryRun   bool
	readOnly bool
	theme    string
	ascii    bool
	logFile  string
}

func defaultFlags() flags { return flags{output: "text", theme: string(theme.Auto)} }

// connection are the flags whose environment twins go to flags.env.
func connection(fs *pflag.FlagSet, g *conn.Given) {
	fs.StringSliceVarP(&g.Brokers, "brokers", "b", nil, "Kafka brokers, as `host:port,...` (also --bootstrap-server)")
	fs.StringVarP(&g.Context, "context", "c", "", "`name` of a context in config.yaml")
	fs.StringVar(&g.CommandConfig, "command-config", "", "a Java client.properties or connect-distributed.properties `file`")
	fs.StringArrayVarP(&g.Overrides, "property", "X", nil, "a client property as `key=value`; repeatable")
}

func (f *flags) add(fs *pflag.FlagSet) {
	connection(fs, &f.given)
	fs.StringVar(&f.configTopic, "config-topic", "", "the group's config `topic`, if it cannot be detected")
	fs.StringVar(&f.statusTopic, "status-topic", "", "the group's status `topic`, if it cannot be detected")
	fs.StringSliceVar(&f.rest, "rest", nil, "`URL` of a worker's REST interface, if the advertised ones are not reachable from here")
	fs.StringArrayVar(&f.restMap, "rest-map", nil, "reach a worker's advertised host at another URL, as `HOST=URL`; repeatable")
	fs.VarP(choice(&f.output, "text", "json"), "output", "o", "output `format`: text or json")
	fs.BoolVarP(&f.yes, "yes", "y", false, "do not ask for confirmation")
	fs.BoolVar(&f.dryRun, "dry-run", false, "print what would be done, without doing it")
	fs.BoolVar(&f.readOnly, "read-only", false, "refuse every action")
	fs.StringVar(&f.theme, "theme", f.theme, "`colours` of the screen: "+strings.Join(themeNames(), ", ")+", or a theme of your own (see context)")
	fs.BoolVar(&f.ascii, "ascii", false, "draw with ASCII only")
	fs.StringVar(&f.logFile, "log-file", "", "write the Kafka client's log to `file`")
}

// alias lets Kafka's own name of a flag stand for ours.
func alias(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "bootstrap-server" {
		name = "brokers"
	}
	return pflag.NormalizedName(name)
}

func themeNames() []string {
	var out []string
	for _, k := range theme.Kinds {
		out = append(out, string(k))
	}
	return out
}

// envName is a flag's twin in the environment.
func envName(flag string) string {
	return "REGROUP_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// fromEnv gives flags that are not on the command line the values of their twins. Flags that may be given again take one
// value a line.
func (f *flags) fromEnv(cmd *cobra.Command, getenv func(string) string) error {
	twins := pflag.NewFlagSet("environment", pflag.ContinueOnError)
	connection(twins, &f.env)
	var fault error
	cmd.Root().PersistentFlags().VisitAll(func(flag *pflag.Flag) {
		value := getenv(envName(flag.Name))
		if value == "" || fault != nil {
			return
		}
		if twin := twins.Lookup(flag.Name); twin != nil {
			flag = twin
		} else if flag.Changed {
			return
		}
		values := []string{value}
		if flag.Value.Type() == "stringArray" {
			values = strings.Split(strings.TrimSpace(value), "\n")
		}
		for _, v := range values {
			if err := flag.Value.Set(v); err != nil {
				fault = misuse("%s=%q: %w", envName(flag.Name), value, err)
				return
			}
		}
	})
	if fault != nil {
		return fault
	}
	return f.check()
}

// check refuses what would only fail later, and less clearly.
func (f *flags) check() error {
	for _, u := range f.rest {
		if err := webAddress(u); err != nil {
			return misuse("--rest %s: %w", u, err)
		}
	}
	for _, m := range f.restMap {
		host, u, ok := strings.Cut(m, "=")
		if !ok || host == "" {
			return misuse("--rest-map %s: not HOST=URL; write --rest-map worker-1:8083=http://localhost:18083", m)
		}
		if err := webAddress(u); err != nil {
			return misuse("--rest-map %s: %w", m, err)
		}
	}
	return nil
}

func webAddress(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is no web address; write http://host:port", s)
	}
	return nil
}

// choice is a flag value of a fixed set.
func choice(p *string, allowed ...string) pflag.Value { return &choiceValue{p, allowed} }

type choiceValue struct {
	p       *string
	allowed []string
}

func (c *choiceValue) String() string {
	if c.p == nil {
		return ""
	}
	return *c.p
}

func (c *choiceValue) Type() string { return "string" }

func (c *choiceValue) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("it can be %s", strings.Join(c.allowed, ", "))
	}
	*c.p = s
	return nil
}
