//go:build kafka && unix

package test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
)

// MirrorOptions say which nodes of MirrorMaker 2 are started.
type MirrorOptions struct {
	Version string // of MirrorMaker; WorkerVersion by default
	Source  string // alias of the source cluster; the target is hub, and both are the rig's broker
	REST    bool   // internal REST
	URL     string // of the first node's REST; a free port by default
}

// Mirrors starts n nodes of MirrorMaker, each a process of its own, that mirror a topic of four partitions. A node is a Connect worker of
// group SOURCE-mm2.
func (r *Rig) Mirrors(t testing.TB, n int, opt MirrorOptions) []*Worker {
	t.Helper()
	version := or(opt.Version, WorkerVersion)
	major, _, _ := strings.Cut(version, ".")
	libs, err := jars(t.Context(), "mirror-"+major, version)
	if err != nil {
		t.Fatal(err)
	}
	topic := "orders-" + opt.Source
	if made, err := kadm.NewClient(r.client(t)).CreateTopic(t.Context(), 4, 1, nil, topic); err != nil && made.Err == nil {
		t.Fatal(err)
	}
	flow, group := opt.Source+"->hub", opt.Source+"-mm2"
	r.own(group)
	out := make([]*Worker, n)
	for i := range out {
		p := map[string]string{
			"clusters":                              opt.Source + ", hub",
			opt.Source + ".bootstrap.servers":       r.Addr,
			"hub.bootstrap.servers":                 r.Addr,
			flow + ".enabled":                       "true",
			flow + ".topics":                        topic,
			flow + ".emit.heartbeats.enabled":       "false", // aliases of one broker mirror each other's heartbeats without end
			"emit.heartbeats.enabled":               "false",
			"tasks.max":                             "4",
			"replication.factor":                    "1",
			"checkpoints.topic.replication.factor":  "1",
			"heartbeats.topic.replication.factor":   "1",
			"offset-syncs.topic.replication.factor": "1",
			"offset.storage.replication.factor":     "1",
			"status.storage.replication.factor":     "1",
			"config.storage.replication.factor":     "1",
			"refresh.topics.interval.seconds":       "600",
			"scheduled.rebalance.max.delay.ms":      "10000",
			flow + ".plugin.discovery":              "service_load",
			"plugin.discovery":                      "service_load",
			flow + ".offset.storage.partitions":     "1",
			"dedicated.mode.enable.internal.rest":   strconv.FormatBool(opt.REST),
		}
		w := &Worker{
			Client: fmt.Sprintf("node-%d", i+1), Group: group, rig: r, file: r.path(fmt.Sprintf("%s-node-%d", group, i+1)), libs: libs,
			heap: "256m", main: "org.apache.kafka.connect.mirror.MirrorMaker",
		}
		if opt.REST {
			if w.URL = opt.URL; i > 0 || w.URL == "" {
				port, err := freePort()
				if err != nil {
					t.Fatal(err)
				}
				w.URL = fmt.Sprintf("http://127.0.0.1:%d/", port)
			}
			p["listeners"] = strings.TrimSuffix(w.URL, "/")
		}
		w.prepare(t, p)
		if err := w.start(); err != nil {
			t.Fatal(err)
		}
		out[i] = w
	}
	return out
}
