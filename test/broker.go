//go:build kafka && unix

package test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Rig is a broker and the workers that were started on it.
type Rig struct {
	Addr string // the broker's, host:port
	dir  string // data, properties and logs
	libs string

	mu      sync.Mutex
	process *process
	groups  map[testing.TB]string // the group of each test
	owned   map[string]bool       // groups of workers, and consumer groups of their connectors
}

// properties of a broker: brokerPort and controllerPort, twice the data's folder, then what a test adds.
const brokerProperties = `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:%[2]d
listeners=PLAINTEXT://127.0.0.1:%[1]d,CONTROLLER://127.0.0.1:%[2]d
advertised.listeners=PLAINTEXT://127.0.0.1:%[1]d
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs=%[3]s
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
offsets.topic.segment.bytes=1073741824
num.partitions=1
`

// StartBroker starts a broker of its own for a test, and ends it with the test.
func StartBroker(t testing.TB) *Rig {
	t.Helper()
	r, err := newRig("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.close(t.Failed(), t.Logf) })
	return r
}

var shared struct {
	sync.Mutex
	rig *Rig
}

// Shared gives the test binary's one broker, started at its first use; Main ends it.
func Shared(t testing.TB) *Rig {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.rig == nil {
		r, err := newRig("")
		if err != nil {
			t.Fatal(err)
		}
		shared.rig = r
	}
	return shared.rig
}

// Main runs a test binary's tests and ends what they shared. It gives the exit code.
func Main(m *testing.M) int {
	code := m.Run()
	shared.Lock()
	defer shared.Unlock()
	if shared.rig != nil {
		shared.rig.close(code != 0, func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) })
	}
	program.remove()
	return code
}

// newRig starts a broker. Properties that a test adds are formatted as the others are; of two with the same key, the later counts.
func newRig(added string) (*Rig, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	libs, err := jars(ctx, "broker", BrokerVersion)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "regroup-rig-")
	if err != nil {
		return nil, fmt.Errorf("rig: %w", err)
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	controller, err := freePort()
	if err != nil {
		return nil, err
	}
	r := &Rig{Addr: fmt.Sprintf("127.0.0.1:%d", port), dir: dir, libs: libs, groups: map[testing.TB]string{}, owned: map[string]bool{}}
	config := fmt.Sprintf(brokerProperties+added, port, controller, filepath.Join(dir, "data"))
	if err := os.WriteFile(r.path("server.properties"), []byte(config), 0o600); err != nil {
		return nil, fmt.Errorf("rig: %w", err)
	}
	if err := r.format("server.properties", clusterID()); err != nil {
		return nil, err
	}
	if err := r.start(ctx); err != nil {
		return nil, errors.Join(err, r.abandon())
	}
	return r, nil
}

func (r *Rig) path(name string) string { return filepath.Join(r.dir, name) }

func clusterID() string {
	var id [16]byte
	rand.Read(id[:])
	return base64.RawURLEncoding.EncodeToString(id[:])
}

// format prepares the empty data folder that a properties file names, as KRaft wants it.
func (r *Rig) format(properties, cluster string) error {
	cmd := java("128m", r.libs, "kafka.tools.StorageTool", "format", "-c", r.path(properties), "--cluster-id="+cluster) // an id may begin with a dash
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	p, err := launch("format", cmd, "")
	if err != nil {
		return err
	}
	<-p.done
	if p.err != nil {
		return fmt.Errorf("format: %w\n%s", p.err, &said)
	}
	return nil
}

// start starts the broker on the data that there is, and returns once it answers.
func (r *Rig) start(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, err := launch("broker", java("512m", r.libs, "kafka.Kafka", r.path("server.properties")), r.path("broker.log"))
	if err != nil {
		return err
	}
	r.process = p
	return answers(ctx, r.Addr, p, r.path("broker.log"))
}

// answers waits until a broker that was just started answers.
func answers(ctx context.Context, addr string, p *process, log string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.DisableClientMetrics())
	if err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	defer client.Close()
	for {
		try, cancel := context.WithTimeout(ctx, time.Second)
		err = client.Ping(try)
		cancel()
		switch {
		case err == nil:
			return nil
		case p.ended():
			return fmt.Errorf("broker: it ended: %w\n%s", errors.Join(p.err, err), logEnd(log))
		case ctx.Err() != nil:
			return fmt.Errorf("broker: no answer: %w\n%s", err, logEnd(log))
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (r *Rig) own(group string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.owned[group] = true
}

// owns says whether a group is one of the rig's workers or of a connector that was put on them.
func (r *Rig) owns(group string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.owned[group]
}

// BrokerStop takes the broker away, politely.
func (r *Rig) BrokerStop(t testing.TB) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.process.stop(t, syscall.SIGTERM)
}

// BrokerStart brings it back with its data, on the same port.
func (r *Rig) BrokerStart(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := r.start(ctx); err != nil {
		t.Fatal(err)
	}
}

// BrokerLog is all that the broker has logged.
func (r *Rig) BrokerLog(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile(r.path("broker.log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// close ends the broker; data and logs stay for a look where something failed.
func (r *Rig) close(failed bool, logf func(string, ...any)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.process.kill()
	if failed {
		logf("the log of the broker is in %s, with all others; it ends with\n%s", r.dir, logEnd(r.path("broker.log")))
		return
	}
	os.RemoveAll(r.dir)
}

// abandon gives up a rig whose broker did not come up.
func (r *Rig) abandon() error {
	if r.process != nil {
		r.process.kill()
	}
	return os.RemoveAll(r.dir)
}

// logEnd is what is not routine at the end of a log, for an error message: warnings and errors, each with the beginning of
// its trace, and what is no log line at all.
func logEnd(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	var out []string
	routine, frames := false, 0
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "["):
			// Connect prints each of its settings on lines of their own below an INFO; a consumer its banner.
			routine, frames = strings.Contains(line, "] INFO "), 0
		case strings.HasPrefix(line, "\tat "):
			frames++
		}
		if !routine && frames <= 4 {
			out = append(out, line)
		}
	}
	return strings.Join(out[max(0, len(out)-15):], "\n")
}
