package observe

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"regroup/group"
)

// A worker's connectors went over to a new group with topics of its own, and the old ones stay: the new group's are taken, also where
// their names tell nothing.
func TestTopicsAfterAHandover(t *testing.T) {
	for _, names := range []*strings.Replacer{
		strings.NewReplacer(),
		strings.NewReplacer("tap-v1-configs", "a", "tap-v1-status", "b", "tap-v2-configs", "c", "tap-v2-status", "d"),
	} {
		config, status := names.Replace("tap-v2-configs"), names.Replace("tap-v2-status")
		t.Run(config, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, dial := newVirtual(t, kfake.SeedTopics(50, LogTopic))
				partitions := map[string]int32{}
				records := slices.Concat(captured(t, "../cases/blue-green-old-3.9.1"), captured(t, "../cases/blue-green-new-3.9.1"))
				for i := range records {
					r := &records[i]
					if r.Topic = names.Replace(r.Topic); r.Topic != LogTopic {
						partitions[r.Topic] = max(partitions[r.Topic], r.Partition+1)
					}
				}
				if len(partitions) != 4 {
					t.Fatalf("the recordings hold %v", partitions)
				}
				for name, n := range partitions {
					createTopic(t, c, name, n, "compact")
				}
				write(t, dial, records...)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				g := gather()
				if err := untilTold(ctx, Options{Group: "tap-v2", Dial: dial}, g); err != nil {
					t.Fatal(err)
				}
				told := reports(g.facts)
				for source, name := range map[group.Source]string{group.SourceConfig: config, group.SourceStatus: status} {
					r := told[source]
					if r.Name != name || r.Health != group.HealthOK {
						t.Errorf("%s: %+v, want %s", source, r, name)
					}
				}
				if why := told[group.SourceConfig].Detail; !strings.Contains(why, "is older than this group's first round") {
					t.Errorf("the config topic was taken for %q", why)
				}
			})
		})
	}
}
