package actions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/magiconair/properties"
	"github.com/shirou/gopsutil/v4/process"

	"regroup/actions/foresight"
	"regroup/decode"
)

// mains are the classes that Connect workers of a group begin with.
var mains = []string{"org.apache.kafka.connect.cli.ConnectDistributed", "org.apache.kafka.connect.mirror.MirrorMaker"}

// prove says that the process was started as a worker of that group, and when it was. Without proof it is not touched.
func (p *localProcess) prove(ctx context.Context, group string) (born int64, err error) {
	proc, err := process.NewProcessWithContext(ctx, p.pid)
	if err != nil {
		return 0, fmt.Errorf("process %d: it has ended", p.pid)
	}
	if born, err = proc.CreateTimeWithContext(ctx); err != nil {
		return 0, fmt.Errorf("process %d: when it began: %w", p.pid, err)
	}
	line, err := proc.CmdlineSliceWithContext(ctx)
	if err != nil {
		return 0, fmt.Errorf("process %d: its command line cannot be read by this user: %w", p.pid, err)
	}
	at := slices.IndexFunc(line, func(arg string) bool { return slices.Contains(mains, arg) })
	if at < 0 {
		return 0, fmt.Errorf("process %d listens on port %d and is no Connect worker: %s", p.pid, p.port, shortened(line))
	}
	cwd, _ := proc.CwdWithContext(ctx)     // "" : relative files cannot be read then
	env, _ := proc.EnvironWithContext(ctx) // likewise
	p.line, p.cwd, p.env = line, cwd, env
	is, delay, err := groupOf(line[at+1:], cwd, env)
	p.delay = delay
	switch {
	case err != nil:
		return 0, fmt.Errorf("process %d is a Connect worker, but of which group cannot be told: %w", p.pid, err)
	case is != group:
		return 0, fmt.Errorf("process %d is a worker of group %q, not of %q", p.pid, decode.Printable(is), decode.Printable(group))
	}
	return born, nil
}

// groupOf reads the group id that a worker was started with, and its scheduled.rebalance.max.delay.ms: from the properties
// file of its command line, else from the environment that images of Connect make that file from. A delay below 0 cannot be read.
func groupOf(args []string, cwd string, env []string) (id string, delay time.Duration, err error) {
	why := errors.New("its command line names no properties file")
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		file := arg
		if !filepath.IsAbs(file) {
			file = filepath.Join(cwd, file)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			why = err
			break
		}
		load := properties.Loader{Encoding: properties.ISO_8859_1, DisableExpansion: true}
		p, err := load.LoadBytes(raw)
		if err != nil {
			return "", -1, fmt.Errorf("%s: %w", file, err)
		}
		if id := p.GetString("group.id", ""); id != "" && !strings.Contains(id, "${") {
			return id, milliseconds(p.GetString(delayKey, strconv.Itoa(foresight.AssumedDelay))), nil
		}
		why = fmt.Errorf("%s: it has no plain group.id", file)
		break
	}
	set := func(names ...string) string {
		for _, name := range names {
			for _, e := range env {
				if v, ok := strings.CutPrefix(e, name+"="); ok && v != "" {
					return v
				}
			}
		}
		return ""
	}
	if id := set("CONNECT_GROUP_ID", "GROUP_ID"); id != "" {
		return id, milliseconds(set("CONNECT_SCHEDULED_REBALANCE_MAX_DELAY_MS")), nil
	}
	return "", -1, why
}

// delayKey is the worker's property that says how long lost work waits.
const delayKey = "scheduled.rebalance.max.delay.ms"

// milliseconds reads a property's number; below 0 where it is none.
func milliseconds(text string) time.Duration {
	ms, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
	if err != nil || ms < 0 {
		return -1
	}
	return time.Duration(ms) * time.Millisecond
}

// shortened is a command line for an error: its beginning, without what may be secret behind it.
func shortened(line []string) string {
	if len(line) == 0 {
		return "its command line is empty"
	}
	const most = 60
	name := decode.Printable(filepath.Base(line[0]))
	if len(name) > most {
		name = name[:most]
	}
	return name
}
