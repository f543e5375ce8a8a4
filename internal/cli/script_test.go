package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"regroup": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			os.Exit(Execute(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

var update = flag.Bool("update", false, "write what scripts print into them")

// TestScripts runs the command line as a person would. $CAPTURES is the folder of captures, $CASES that of groups that
// were described wrongly once; $BROKER a broker that holds
// the topics of captures/lifecycle (but no living worker), $NOBODY an address where nobody listens.
func TestScripts(t *testing.T) {
	captures, err := filepath.Abs("../../testdata/captures")
	must(t, err)
	broker := cluster(t, filepath.Join(captures, "lifecycle-4.3.1.jsonl"))
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"until": until, "lab": startLab},
		Setup: func(e *testscript.Env) error {
			e.Setenv("CAPTURES", captures)
			e.Setenv("CASES", filepath.Join(filepath.Dir(captures), "cases"))
			e.Setenv("BROKER", broker)
			e.Setenv("NOBODY", "127.0.0.1:1")
			e.Setenv("TZ", "UTC")
			e.Setenv("GORACE", "atexit_sleep_ms=10") // with the race detector, each command would end with a second of sleep
			return nil
		},
	})
}

// until waits for a file to hold a line that fits: until FILE PATTERN.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: until FILE PATTERN")
	}
	want, err := regexp.Compile(args[1])
	ts.Check(err)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if have, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && want.Match(have) {
			return
		}
	}
	ts.Fatalf("%s never held %s", args[0], args[1])
}

// cluster is an embedded broker with a capture's records in the same partitions.
func cluster(t *testing.T, capture string) string {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(50, "__consumer_offsets"))
	must(t, err)
	t.Cleanup(c.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	must(t, err)
	defer cl.Close()
	adm, compact := kadm.NewClient(cl), "compact"
	for topic, partitions := range map[string]int32{"connect-rig-configs": 1, "connect-rig-status": 5} {
		_, err := adm.CreateTopic(ctx, partitions, 1, map[string]*string{"cleanup.policy": &compact}, topic)
		must(t, err)
	}
	f, err := os.Open(capture)
	must(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r struct {
			Topic      string
			Partition  int32
			TS         int64
			Key, Value []byte
		}
		must(t, json.Unmarshal(lines.Bytes(), &r))
		must(t, cl.ProduceSync(ctx, &kgo.Record{
			Topic: r.Topic, Partition: r.Partition, Key: r.Key, Value: r.Value,
			Timestamp: time.UnixMilli(r.TS),
		}).FirstErr())
	}
	must(t, lines.Err())
	return c.ListenAddrs()[0]
}

// docs/commands.md is what `regroup docs` prints.
func TestReferenceIsCurrent(t *testing.T) {
	var out strings.Builder
	if code := Execute(t.Context(), []string{"docs"}, strings.NewReader(""), &out, os.Stderr); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	have, err := os.ReadFile("../../docs/commands.md")
	must(t, err)
	if string(have) != out.String() {
		t.Fatal("docs/commands.md is not current; run: go run . docs > docs/commands.md")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
