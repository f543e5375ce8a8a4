package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"regroup/actions/act"

	"github.com/magiconair/properties"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
)

// NewWorker says how a worker is added: by a command, or as a process on this machine.
type NewWorker struct {
	Command Command // of the context; it returns once the worker is on its way

	Properties string // file of a worker on this machine
	Kafka      string // folder of Kafka: with bin/connect-distributed.sh, or with jars in libs or right in it
	Log        string // file that gets what the process prints

	Client string // as far as it is known, for the preview
}

// startTime bounds how long a new worker may take to be in the group.
const startTime = 3 * time.Minute

// Add starts one more worker and waits until it is in the group.
func (k *Workers) Add(n NewWorker) (act.Action, error) {
	x := act.Action{Verb: "add", Target: cmp.Or(n.Client, "a worker")}
	start := n.byCommand(k.Group)
	if n.Command == "" {
		p, err := n.readProperties(k.Group)
		if err != nil {
			return act.Action{}, err
		}
		cmd, err := n.process()
		if err != nil {
			return act.Action{}, err
		}
		x.Target = cmp.Or(p.GetString("client.id", ""), filepath.Base(n.Properties))
		start = func(context.Context) (<-chan error, error) { return launch(cmd, n.Log) }
	} else if _, err := n.Command.args(Fields{Group: k.Group}); err != nil {
		return act.Action{}, err
	}
	join := foresight.Join{Client: n.Client, Starts: k.Starts(k.Watch.State())}
	if n.Command == "" {
		join.Client = x.Target
	}
	x.Change = join
	x.Do = func(ctx context.Context, tell func(string)) (string, error) {
		was := act.Members(k.Watch.State())
		ended, err := start(ctx)
		if err != nil {
			return "", err
		}
		tell("it is starting")
		return k.comes(ctx, was, ended, n.Log)
	}
	return x, nil
}

// comes waits for a member that was not there before. ended tells of a process that gave up.
func (k *Workers) comes(ctx context.Context, was map[string]bool, ended <-chan error, log string) (string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if ended != nil {
		go func() { // select and cancel alone: nothing in it can panic
			select {
			case err := <-ended:
				cancel(fmt.Errorf("it ended before it was in the group: %w; %s has what it said", err, log))
			case <-ctx.Done():
			}
		}()
	}
	var who group.Worker
	_, err := k.Watch.Until(ctx, "the new worker to join", startTime, func(s *group.State) string {
		i := slices.IndexFunc(s.Workers, func(w group.Worker) bool { return !w.Gone && !was[w.ID] })
		if i < 0 {
			return "no new member was seen"
		}
		who = s.Workers[i]
		return ""
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s is in the group (%s)", who.Name, who.ID), nil
}

func (n NewWorker) byCommand(name string) func(context.Context) (<-chan error, error) {
	return func(ctx context.Context) (<-chan error, error) {
		return nil, n.Command.run(ctx, Fields{Group: name})
	}
}

// readProperties refuses a file of another group: the worker would come up elsewhere.
func (n NewWorker) readProperties(name string) (*properties.Properties, error) {
	raw, err := os.ReadFile(n.Properties)
	if err != nil {
		return nil, fmt.Errorf("worker properties: %w", err)
	}
	load := properties.Loader{Encoding: properties.ISO_8859_1, DisableExpansion: true}
	p, err := load.LoadBytes(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.Properties, err)
	}
	if id := p.GetString("group.id", ""); id != name {
		return nil, fmt.Errorf("%s: it is of a worker of group %q, not of %q", n.Properties, decode.Printable(id), decode.Printable(name))
	}
	return p, nil
}

// process is how a worker is started from a folder of Kafka.
func (n NewWorker) process() (*exec.Cmd, error) {
	file, err := filepath.Abs(n.Properties)
	if err != nil {
		return nil, fmt.Errorf("worker properties: %w", err)
	}
	if script := filepath.Join(n.Kafka, "bin", "connect-distributed.sh"); executable(script) {
		return exec.Command(script, file), nil //nolint:noctx // it has to outlive us
	}
	for _, dir := range []string{filepath.Join(n.Kafka, "libs"), n.Kafka} {
		if jars, _ := filepath.Glob(filepath.Join(dir, "connect-runtime*.jar")); len(jars) > 0 {
			path, err := filepath.Abs(dir)
			if err != nil {
				return nil, fmt.Errorf("kafka folder: %w", err)
			}
			//nolint:noctx // it has to outlive us
			return exec.Command("java", "-cp", filepath.Join(path, "*"), mains[0], file), nil
		}
	}
	return nil, fmt.Errorf("kafka folder %q: neither bin/connect-distributed.sh nor connect-runtime jars are in it", n.Kafka)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// launch starts the process in a session of its own: it goes on when this program ends.
func launch(cmd *exec.Cmd, file string) (<-chan error, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("worker log: %w", err)
	}
	log, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("worker log: %w", err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = log, log, ownSession()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("worker: %s: %w", strings.Join(cmd.Args[:1], ""), err)
	}
	ended := make(chan error, 1)
	go func() { // waits and sends alone: nothing in it can panic
		err := cmd.Wait()
		if err == nil {
			err = errors.New("without an error")
		}
		ended <- err
	}()
	return ended, nil
}
