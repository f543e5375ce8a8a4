//go:build kafka

package oracle_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"regroup/group/assign"
	"regroup/test/oracle"
)

// rounds asked of the newest release; of the others, which are for teaching, a third.
const rounds = 2500

// TestAgainstConnect asks Connect's own assignors and ours the same questions, made up anew in every run, and wants the same
// answers byte for byte. REGROUP_SEED repeats a run.
func TestAgainstConnect(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("REGROUP_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("REGROUP_SEED: %v", err)
		}
		seed = n
	}
	for _, release := range []struct {
		version, ours string
		rounds        int
	}{
		{oracle.Version, "incremental", rounds},
		{oracle.Version, "eager", rounds / 3},
		{"3.5.1", "incremental-3.4", rounds / 3},
		{"2.3.1", "incremental-2.3", rounds / 3},
	} {
		t.Run(release.version+"/"+release.ours, func(t *testing.T) {
			t.Logf("REGROUP_SEED=%d", seed)
			theirs, err := oracle.Start(t.Context(), release.version)
			if err != nil {
				t.Fatal(err)
			}
			defer end(t, theirs)
			c := compare{t: t, theirs: theirs, ours: serve(t), name: release.ours}
			r := rand.New(rand.NewPCG(seed, 0))
			for c.asked < release.rounds && !t.Failed() {
				c.walk(r, release.version == "2.3.1")
			}
			t.Logf("%d rounds agree; %d of them revoke, %d delay, %d are refused for their config offset",
				c.asked, c.revoking, c.delayed, c.mismatched)
		})
	}
}

// compare puts each question to both.
type compare struct {
	t      *testing.T
	theirs *oracle.Oracle
	ours   func([]byte) []byte
	name   string

	asked, revoking, delayed, mismatched int
}

func (c *compare) walk(r *rand.Rand, old bool) {
	java, err := strconv.Atoi(c.theirs.Java)
	if err != nil {
		c.t.Fatalf("java %q: %v", c.theirs.Java, err)
	}
	delay := []int{0, 1_000, 20_000, 30_000, 60_000, 300_000}[r.IntN(6)]
	their := "incremental"
	if c.name == "eager" {
		their = "eager"
	}
	c.both(map[string]any{"cmd": "new", "assignor": their, "maxDelay": delay},
		map[string]any{"cmd": "new", "assignor": c.name, "maxDelay": delay, "java": java})
	w := newWalk(r, old)
	for range 10 + r.IntN(40) {
		w.step()
		q := w.ask()
		if c.name == "eager" {
			q = bytes.Replace(q, []byte(`"protocol":"sessioned"`), []byte(`"protocol":"eager"`), 1)
			q = bytes.Replace(q, []byte(`"protocol":"compatible"`), []byte(`"protocol":"eager"`), 1)
		}
		answer, err := c.theirs.Ask(q)
		if err != nil {
			c.t.Fatal(err)
		}
		if d := cmp.Diff(object(c.t, answer), object(c.t, c.ours(q))); d != "" {
			c.t.Errorf("after %d rounds: %s\nConnect (-), we (+):\n%s", c.asked, q, d)
			return
		}
		var told map[string]told
		if err := json.Unmarshal(answer, &told); err != nil {
			c.t.Fatalf("%v: %s", err, answer)
		}
		c.count(told)
		w.hear(told)
	}
}

func (c *compare) count(answer map[string]told) {
	c.asked++
	revoking, delayed, mismatched := 0, 0, 0
	for _, a := range answer {
		revoking |= len(a.RevokedConnectors) + len(a.RevokedTasks)
		delayed |= int(a.Delay)
		mismatched |= a.Error
	}
	for n, of := range map[*int]int{&c.revoking: revoking, &c.delayed: delayed, &c.mismatched: mismatched} {
		if of != 0 {
			*n++
		}
	}
}

func (c *compare) both(theirs, ours any) {
	a, err := json.Marshal(theirs)
	if err != nil {
		c.t.Fatal(err)
	}
	b, err := json.Marshal(ours)
	if err != nil {
		c.t.Fatal(err)
	}
	x, err := c.theirs.Ask(a)
	if err != nil {
		c.t.Fatal(err)
	}
	if d := cmp.Diff(object(c.t, x), object(c.t, c.ours(b))); d != "" {
		c.t.Fatal(d)
	}
}

// serve is our side of the conversation, through the same lines as the command's.
func serve(t *testing.T) func([]byte) []byte {
	t.Helper()
	in, questions := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := assign.Serve(in, out)
		out.CloseWithError(err)
		done <- err
	}()
	t.Cleanup(func() {
		questions.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewReader(answers)
	return func(q []byte) []byte {
		if _, err := questions.Write(append(bytes.Clone(q), '\n')); err != nil {
			t.Fatal(err)
		}
		a, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

func end(t testing.TB, o *oracle.Oracle) {
	t.Helper()
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

func object(t *testing.T, b []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return v
}
