package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"regroup/actions/act"

	"github.com/magiconair/properties"
	gnet "github.com/shirou/gopsutil/v4/net"
	"github.com/shirou/gopsutil/v4/process"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
	"regroup/internal/rest"
)

// Local reaches processes on this machine. It touches one only when everything says that it is a worker of the group: the
// group's record has it come from this machine and advertise an address of this machine, the process listens on that port,
// answers there as a Connect worker of that Kafka cluster does, and was started as one of this group.
type Local struct {
	REST *rest.Client // nil: one without credentials
	Logs string       // folder that gets what workers print that are started again; "": the system's for temporary files
	// Cluster is the id of the Kafka cluster that the group was seen on. Two clusters may have groups, and workers, of one name.
	// nil: whatever cluster a worker names is right.
	Cluster func(context.Context) (string, error)
}

// lookEvery is how often a process is looked at while it is waited for.
const lookEvery = 100 * time.Millisecond

// AnswerTime bounds how long a worker may take to say who it is.
const AnswerTime = 5 * time.Second

// Reach implements Reacher.
func (l Local) Reach(ctx context.Context, s *group.State, w group.Worker) (Process, error) {
	p, err := l.find(ctx, s, w)
	if err != nil {
		return nil, fmt.Errorf("worker %s: its process is not touched: %w", decode.Printable(w.Name), err)
	}
	return p, nil
}

func (l Local) find(ctx context.Context, s *group.State, w group.Worker) (*localProcess, error) {
	if w.Gone {
		return nil, fmt.Errorf("it has left the group")
	}
	u, err := url.Parse(w.URL)
	if err != nil || u.Hostname() == "" {
		return nil, fmt.Errorf("it advertises %q, which is no address", decode.Printable(w.URL))
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || port == 0 {
		return nil, fmt.Errorf("it advertises %s, which names no port", decode.Printable(w.URL))
	}
	for _, o := range s.Workers {
		if !o.Gone && o.ID != w.ID && act.HostPort(o.URL) == u.Host {
			return nil, fmt.Errorf("%s advertises %s too: which of them is behind it cannot be told", decode.Printable(o.Name), u.Host)
		}
	}
	here, err := thisMachine()
	if err != nil {
		return nil, err
	}
	if err := here.is(ctx, u.Hostname()); err != nil {
		return nil, err
	}
	// localhost is this machine to everybody: only where the broker saw it come from says whose it is.
	if addr, err := netip.ParseAddr(strings.TrimPrefix(w.Host, "/")); err != nil || !here[addr.Unmap()] {
		return nil, fmt.Errorf("the broker sees it come from %s, which is no address of this machine: it runs elsewhere; "+
			"a context's kill template can reach it there", decode.Printable(cmp.Or(w.Host, "an unknown address")))
	}
	pid, err := listener(ctx, uint32(port))
	if err != nil {
		return nil, err
	}
	if err := l.answers(ctx, w.URL); err != nil {
		return nil, err
	}
	p := &localProcess{pid: pid, port: int(port), logs: l.Logs}
	if p.born, err = p.prove(ctx, s.Group); err != nil {
		return nil, err
	}
	return p, nil
}

// answers asks for what every Connect worker says at its root, the id of its Kafka cluster among it.
func (l Local) answers(ctx context.Context, at string) error {
	c := l.REST
	if c == nil {
		c = &rest.Client{}
	}
	ctx, cancel := context.WithTimeout(ctx, AnswerTime)
	defer cancel()
	info, err := c.Info(ctx, at)
	if err != nil {
		return fmt.Errorf("what listens there does not answer as a Connect worker: %w", err)
	}
	if info.Version == "" || info.Cluster == "" {
		return fmt.Errorf("what listens at %s answers, but not as a Connect worker", decode.Printable(at))
	}
	if l.Cluster == nil {
		return nil
	}
	seen, err := l.Cluster(ctx)
	if err != nil {
		return fmt.Errorf("which Kafka cluster the group is on cannot be told: %w", err)
	}
	if info.Cluster != seen {
		return fmt.Errorf("what listens at %s is a worker on the Kafka cluster %s, and the group is on %s", decode.Printable(at),
			decode.Printable(info.Cluster), decode.Printable(seen))
	}
	return nil
}

// machine is a set of addresses.
type machine map[netip.Addr]bool

func thisMachine() (machine, error) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("this machine's addresses: %w", err)
	}
	m := machine{netip.IPv6Loopback(): true}
	for i := range 3 {
		m[netip.AddrFrom4([4]byte{127, 0, 0, byte(i)})] = i > 0
	}
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			m[p.Addr().Unmap().WithZone("")] = true
		}
	}
	return m, nil
}

// is says why a host is not this machine; nil when it is. A name counts when each of its addresses does.
func (m machine) is(ctx context.Context, host string) error {
	addrs := []string{host}
	if _, err := netip.ParseAddr(host); err != nil {
		ctx, cancel := context.WithTimeout(ctx, AnswerTime)
		defer cancel()
		if addrs, err = net.DefaultResolver.LookupHost(ctx, host); err != nil {
			return fmt.Errorf("it advertises %s, which cannot be resolved here: %w", decode.Printable(host), err)
		}
	}
	for _, a := range addrs {
		if addr, err := netip.ParseAddr(a); err != nil || !m[addr.Unmap().WithZone("")] {
			return fmt.Errorf("it advertises %s, which is not this machine (%s)", decode.Printable(host), a)
		}
	}
	return nil
}

// listener is the one process that listens on a port.
func listener(ctx context.Context, port uint32) (int32, error) {
	all, err := gnet.ConnectionsWithContext(ctx, "tcp")
	if err != nil {
		return 0, fmt.Errorf("this machine's listening ports: %w", err)
	}
	found := map[int32]bool{}
	for _, c := range all {
		if c.Status == "LISTEN" && c.Laddr.Port == port {
			found[c.Pid] = true
		}
	}
	switch {
	case len(found) == 0:
		return 0, fmt.Errorf("nobody listens on port %d here", port)
	case len(found) > 1:
		return 0, fmt.Errorf("%d processes listen on port %d here", len(found), port)
	}
	for pid := range found {
		switch pid {
		case 0:
			return 0, fmt.Errorf("whose port %d is cannot be seen by this user: run regroup as the worker's user", port)
		case int32(os.Getpid()):
			return 0, fmt.Errorf("port %d is this program's own", port)
		}
		return pid, nil
	}
	return 0, nil
}

// localProcess is a worker's process on this machine.
type localProcess struct {
	pid  int32
	port int
	born int64 // tells it from another that gets its pid later

	// How it was started, to start it again.
	line []string
	cwd  string
	env  []string
	logs string // folder

	delay time.Duration // its scheduled.rebalance.max.delay.ms; below 0: not read
}

func (p *localProcess) String() string {
	return fmt.Sprintf("process %d on this machine, port %d", p.pid, p.port)
}

// bornSlack is by how many milliseconds a process's birth is told otherwise from one time to the next: Linux counts it from the
// machine's start, whose own time moves as the clock is set. No number comes round again within it.
const bornSlack = 1000

// same says whether the pid is still that process.
func (p *localProcess) same(ctx context.Context) error {
	proc, err := process.NewProcessWithContext(ctx, p.pid)
	if err != nil {
		return fmt.Errorf("process %d: it has ended", p.pid)
	}
	if born, err := proc.CreateTimeWithContext(ctx); err != nil || max(born-p.born, p.born-born) > bornSlack {
		return fmt.Errorf("process %d: it has ended, and another has its number", p.pid)
	}
	return nil
}

func (p *localProcess) Terminate(ctx context.Context) error { return p.signal(ctx, terminate) }

func (p *localProcess) Kill(ctx context.Context) error { return p.signal(ctx, os.Kill) }

func (p *localProcess) signal(ctx context.Context, sig os.Signal) error {
	if err := p.same(ctx); err != nil {
		return err
	}
	proc, err := os.FindProcess(int(p.pid))
	if err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	if err := proc.Signal(sig); err != nil {
		return fmt.Errorf("%s: %v: %w", p, sig, err)
	}
	return nil
}

// Again starts the worker as it was started, in a session of its own. Its own log goes where its settings say; what it
// prints goes to a file.
func (p *localProcess) Again(ctx context.Context) error {
	for p.same(ctx) == nil { // its port must be free before
		if act.Sleep(ctx, lookEvery) != nil {
			return fmt.Errorf("%s: it has not ended: %w", p, ctx.Err())
		}
	}
	cmd := exec.Command(p.line[0], p.line[1:]...) //nolint:noctx // it has to outlive us
	cmd.Dir, cmd.Env = p.cwd, p.env
	_, err := launch(cmd, filepath.Join(cmp.Or(p.logs, os.TempDir()), fmt.Sprintf("regroup-worker-%d.log", p.port)))
	return err
}

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
