package observe

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"regroup/group"
)

// The settings of a topic are followed: what somebody does to them is told, and so is that it was mended.
func TestSettingsAreFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, dial, name := replayed(t, "lifecycle-4.3.1")
		topic := name + "-status"
		g := running(t, Options{Group: name, Dial: dial})
		policy := func(facts []group.Fact) (p string, told int) {
			for _, f := range facts {
				if s, ok := f.(group.TopicSettings); ok && s.Role == "status" {
					p, told = s.CleanupPolicy, told+1
				}
			}
			return p, told
		}
		awaits := func(want, detail string, nth int) {
			t.Helper()
			g.until(t, "status topic with cleanup.policy="+want, func(facts []group.Fact) bool {
				p, told := policy(facts)
				return p == want && told == nth && reports(facts)[group.SourceStatus].Detail == detail
			})
		}
		set := func(policy string) {
			t.Helper()
			cl, err := dial()
			if err != nil {
				t.Fatal(err)
			}
			defer cl.Close()
			answer, err := kadm.NewClient(cl).AlterTopicConfigs(t.Context(), []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "cleanup.policy", Value: &policy}}, topic)
			if err != nil || answer[0].Err != nil {
				t.Fatal(err, answer)
			}
		}
		awaits("compact", "", 1)
		set("delete")
		awaits("delete", topic+" has cleanup.policy=delete: records will be deleted: set it to compact", 2)
		time.Sleep(10 * settingsEvery) // the same again is no news
		set("compact")
		awaits("compact", "", 3)
	})
}
