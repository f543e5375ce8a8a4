package observe

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"

	"regroup/decode"
)

// TestGroups: Connect groups alone are listed, counted from one description each; what cannot be described is named.
func TestGroups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, dial := newVirtual(t, kfake.NumBrokers(2), kfake.Ports(9001, 9002))
		want := "broken Stable cooperative: 1 workers, 0 connectors, 0 tasks, config offset -1, 1 unreadable\n"
		for i, name := range []string{"lifecycle-4.3.1", "clash-4.3.1", "eager-rolling-4.3.1"} {
			log := of(captured(t, name), LogTopic)
			rec, err := decode.ParseGroupRecord(log[len(log)-1].Value)
			if err != nil {
				t.Fatal(err)
			}
			join(t, dial, fmt.Sprintf("connect-%d", i), "connect", rec.Protocol, rec.Members[0].Subscription, rec.Members[0].Assignment)
			file, err := File("../../testdata/captures/"+name+".jsonl", "", Stop{})
			if err != nil {
				t.Fatal(err)
			}
			r := file.Round() // what the model makes of the same member
			for _, m := range file.Workers {
				if m.ID == rec.Members[0].ID {
					want += fmt.Sprintf("connect-%d Stable %s: 1 workers, %d connectors, %d tasks, config offset %d, 0 unreadable\n",
						i, r.Mode, m.HeldConns, m.Held-m.HeldConns, r.ConfigOffset)
				}
			}
		}
		join(t, dial, "app", "consumer", "range", []byte{0, 0}, nil)
		join(t, dial, "broken", "connect", "sessioned", []byte{0}, []byte{9})
		got, hidden, err := Groups(t.Context(), dial)
		if err != nil || len(hidden) > 0 {
			t.Fatal(err, hidden)
		}
		var out strings.Builder
		for _, g := range got {
			fmt.Fprintf(&out, "%s %s %s: %d workers, %d connectors, %d tasks, config offset %d, %d unreadable\n",
				g.Group, g.State, g.Mode, g.Workers, g.Connectors, g.Tasks, g.ConfigOffset, g.Unreadable)
		}
		if out.String() != want {
			t.Errorf("got\n%swant\n%s", out.String(), want)
		}
	})
}

// TestGroupsWithoutRights: a group that this user may not describe is not listed by the broker; nobody there is an error.
func TestGroupsWithoutRights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, dial := newVirtual(t, kfake.EnableSASL(), kfake.EnableACLs(), kfake.Superuser("PLAIN", "admin", "x"), kfake.User("PLAIN", "ann", "x"))
		as := func(user string) Dial {
			return func(extra ...kgo.Opt) (*kgo.Client, error) {
				return dial(append(extra, kgo.SASL(plain.Auth{User: user, Pass: "x"}.AsMechanism()))...)
			}
		}
		join(t, as("admin"), "connect-a", "connect", "sessioned", []byte{0}, nil)
		for user, want := range map[string]int{"admin": 1, "ann": 0} {
			got, hidden, err := Groups(t.Context(), as(user))
			if all := SeesAllGroups(t.Context(), as(user)); all != (user == "admin") {
				t.Errorf("%s sees all groups: %v", user, all)
			}
			if err != nil || len(got) != want {
				t.Errorf("%s sees %v, not shown %v, error %v", user, got, hidden, err)
			}
		}
	})
	synctest.Test(t, func(t *testing.T) {
		vn := new(kfake.VirtualNetwork)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, _, err := Groups(ctx, func(extra ...kgo.Opt) (*kgo.Client, error) {
			return kgo.NewClient(append(extra, kgo.SeedBrokers("localhost:1"), kgo.Dialer(vn.DialContext))...)
		})
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v", err)
		}
	})
}
