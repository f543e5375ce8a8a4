package decode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"regroup/decode"
)

// A worker says the same of itself under every protocol that it offers, each in its own version; what it holds is left out of the
// oldest, which has no place for it.
func TestJoinProtocols(t *testing.T) {
	held := &decode.Assignment{Leader: "l", LeaderURL: "http://l/", ConfigOffset: 4, Assigned: []decode.Share{{Connector: "a", Tasks: []int32{0}}}}
	said := decode.Subscription{URL: "http://w/", ConfigOffset: 5, Allocation: held}
	var names []string
	for i, p := range decode.JoinProtocols(decode.Offers("sessioned"), said) {
		names = append(names, p.Name)
		got, err := decode.ParseSubscription(p.Metadata)
		if err != nil {
			t.Fatal(err)
		}
		version := int16(2 - i)
		if got.Version != version || got.URL != said.URL || got.ConfigOffset != said.ConfigOffset {
			t.Errorf("%s: %+v", p.Name, got)
		}
		switch {
		case version == 0 && got.Allocation == nil:
		case version == 0 || got.Allocation == nil || got.Allocation.Version != version:
			t.Errorf("%s holds %+v", p.Name, got.Allocation)
		}
	}
	if diff := cmp.Diff([]string{"sessioned", "compatible", "default"}, names); diff != "" {
		t.Error(diff)
	}
	if held.Version != 0 {
		t.Error("what was handed in has changed")
	}
	if n := len(decode.JoinProtocols(decode.Offers("eager"), said)); n != 1 || decode.Offers("other") != nil {
		t.Errorf("eager offers %d protocols, other ones %v", n, decode.Offers("other"))
	}
}
