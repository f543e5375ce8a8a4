//go:build kafka && unix

package test

import (
	"fmt"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// How long the first full picture takes where 2,000,000 commits of strangers lie before our group's records, beside the
// least that must be done (fetch the bytes, look at the keys), kcat, and Kafka's console consumer with its formatter for
// group records: all on the same partition, in one run, turn by turn, the best of three turns each.
func BenchmarkRealFirstPicture(b *testing.B) {
	const strangers, turns = 2_000_000, 3
	rig := StartBroker(b)
	group := rig.GroupOf(b)
	partition := Crowd(b, rig, group, strangers)
	w := rig.Worker(b, 1, WorkerOptions{})
	tasks := map[string]int{"sink": 4}
	w.Put(b, "sink", FileSink("sink", 4))
	WaitHeld(b, []*Worker{w}, Units(tasks))
	end := End(b, rig, partition)

	found, bytes := KeysOnly(b, rig, partition, end)
	if rounds := Rounds(b, rig, group); found < len(rounds) || end <= strangers {
		b.Fatalf("%d records of groups in %d records: the crowd stands in another partition than the %d rounds", found, end, len(rounds))
	}
	fmt.Printf("%d records, %d of groups, %d MB\n", end, found, bytes>>20)

	readers := []struct {
		name string
		run  func()
	}{
		{"keys-only", func() { KeysOnly(b, rig, partition, end) }},
		{"regroup", func() {
			if rounds := Rounds(b, rig, group); len(rounds) == 0 {
				b.Fatal("no round")
			}
		}},
		{"kcat", func() {
			run(b, exec.Command("kcat", "-C", "-q", "-b", rig.Addr, "-t", offsetsTopic, "-p", strconv.Itoa(int(partition)), "-o", "beginning", "-e",
				"-f", "%o %K %k\n"))
		}},
		{"console-consumer", func() {
			run(b, java("512m", rig.libs, "org.apache.kafka.tools.consumer.ConsoleConsumer", "--bootstrap-server", rig.Addr,
				"--topic", offsetsTopic, "--partition", strconv.Itoa(int(partition)), "--offset", "earliest",
				"--max-messages", strconv.FormatInt(end, 10),
				"--formatter", "org.apache.kafka.tools.consumer.GroupMetadataMessageFormatter"))
		}},
	}
	for b.Loop() {
		best := map[string]time.Duration{}
		for range turns {
			for _, r := range readers {
				if r.name == "kcat" && !installed("kcat") {
					b.Log("left out: kcat is not installed")
					continue
				}
				began := time.Now()
				r.run()
				if took := time.Since(began); best[r.name] == 0 || took < best[r.name] {
					best[r.name] = took
				}
			}
		}
		regroup := best["regroup"].Seconds()
		for _, r := range readers {
			took, ok := best[r.name]
			if !ok {
				continue
			}
			b.ReportMetric(took.Seconds()*1000, r.name+"-ms")
			fmt.Printf("%-17s %8.0f ms   regroup takes %.2f of it\n", r.name, took.Seconds()*1000, regroup/took.Seconds())
		}
	}
}

func installed(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// run runs a reader to its end; what it prints goes to /dev/null.
func run(b *testing.B, cmd *exec.Cmd) {
	b.Helper()
	p, err := launch(cmd.Path, cmd, "")
	if err != nil {
		b.Fatal(err)
	}
	<-p.done
	if p.err != nil {
		b.Fatalf("%s: %v", cmd.Path, p.err)
	}
}
