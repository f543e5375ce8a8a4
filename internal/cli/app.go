package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"regroup/internal/conn"
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
