package actions

import (
	"errors"
	"strings"
	"testing"
	"time"

	"regroup/actions/exercise"

	"regroup/group"
)

// someActions is one on a real group, as far as a menu needs it.
func someActions(t *testing.T) *Group {
	t.Helper()
	k := (&Cluster{}).Group("connect-a")
	return k
}

func find(t *testing.T, offers []Offer, word string) Offer {
	t.Helper()
	for _, o := range offers {
		if o.Label == word {
			return o
		}
	}
	t.Fatalf("nothing is called %q", word)
	return Offer{}
}

// What cannot be done says why, also among the exercises.
func TestOffersThatAreOff(t *testing.T) {
	k := someActions(t)
	s := &group.State{Group: k.Name, At: -1, Workers: []group.Worker{{Member: group.Member{Name: "worker-1"}, Leader: true}, {Member: group.Member{Name: "worker-2"}}}}
	offers := k.Offers(s, Target{})
	list := find(t, offers, "an exercise").List
	if len(list) != len(exercise.Builtins())+1 {
		t.Errorf("%d exercises", len(list))
	}
	for word, want := range map[string]string{"a ghost": "--" + RealWorkFlag, "add a worker": "no context with an add command"} {
		if o := find(t, offers, word); !strings.Contains(o.DisabledReason, want) {
			t.Errorf("%s: off because of %q, want %q", word, o.DisabledReason, want)
		}
	}
	if o := find(t, list, "downgrade"); !strings.Contains(o.DisabledReason, RealWorkFlag) {
		t.Errorf("downgrade: off because of %q", o.DisabledReason)
	}
	if o := find(t, list, "flap"); o.DisabledReason != "" || o.Fields[0].Value != "worker-2" {
		t.Errorf("flap: %+v", o)
	}
	k.RealWork = true
	if o := find(t, k.Offers(s, Target{}), "a ghost"); o.DisabledReason != "" {
		t.Errorf("a ghost behind its flag: off because of %q", o.DisabledReason)
	}

	k.NoREST = errors.New("context prod: rest.password: the variable X is not set")
	if o := find(t, find(t, k.Offers(s, Target{}), "an exercise").List, "delete"); o.DisabledReason != k.NoREST.Error() {
		t.Errorf("delete without a way to the workers: off because of %q", o.DisabledReason)
	}
	k.NoREST = nil
	s.Sources = []group.SourceState{{Source: group.SourceREST, Name: "http://a/", Health: group.HealthDenied, Detail: "401: set a login"}}
	k.Watch.Publish(s)
	if o := find(t, k.Offers(s, Target{Connector: "sink-a"}), "pause"); o.DisabledReason != "401: set a login" {
		t.Errorf("pause where workers let nobody in: off because of %q", o.DisabledReason)
	}

	k.Guard.ReadOnly = "context prod is read-only"
	for _, o := range k.Offers(s, Target{}) {
		for _, x := range append([]Offer{o}, o.List...) {
			if x.DisabledReason != k.Guard.ReadOnly {
				t.Errorf("%s: off because of %q", x.Label, x.DisabledReason)
			}
		}
	}
}

// What a form gives becomes an exercise's choice; what is left empty is the exercise's own.
func TestChoiceOfAForm(t *testing.T) {
	c, err := exercise.ReadChoice(map[string]string{"worker": "worker-2", "times": "5", "for": "1m30s", "pause": "", "set": "file=x, topics = a "})
	if err != nil || c.Worker != "worker-2" || c.Times != 5 || c.For != 90*time.Second || c.Pause != 0 || c.Set["topics"] != "a" || c.Set["file"] != "x" {
		t.Errorf("%+v, %v", c, err)
	}
	for _, wrong := range []map[string]string{{"times": "many"}, {"for": "soon"}, {"set": "file"}} {
		if _, err := exercise.ReadChoice(wrong); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}
