package group_test

import (
	"errors"
	"testing"

	"regroup/decode"
	"regroup/group"
)

// A record that cannot be read is missing from all that is shown, and its source says so, with the first of them.
func TestUnreadableRecordsAreTold(t *testing.T) {
	m := group.New(group.Options{Group: "g"})
	for _, src := range []group.Source{group.SourceLog, group.SourceConfig, group.SourceStatus} {
		m.Apply(group.SourceReport{At: noon, Source: src, Health: group.HealthOK}, noon)
	}
	broken := errors.New("group record: member 3: assignment at byte 1127: needs 112 bytes, 111 are left")
	m.Apply(group.LogRecord{At: noon, Offset: 19, Err: broken}, noon)
	m.Apply(group.LogRecord{At: noon, Offset: 19, Err: broken}, noon) // a repetition
	m.Apply(group.LogRecord{At: noon, Offset: 21, Err: broken}, noon)
	m.Apply(group.ConfigRecord{At: noon, Topic: "c", Offset: 3, Record: decode.ConfigRecord{Kind: decode.ConfigConnector, Connector: "a"}, Err: errors.New("no JSON")}, noon)
	m.Apply(group.ConfigRecord{At: noon, Topic: "c", Offset: 4, Err: errors.New("a key that nobody knows")}, noon)
	s := m.State(noon)
	for src, want := range map[group.Source]string{
		group.SourceLog:    "2 records could not be read, the first at offset 19: " + broken.Error(),
		group.SourceConfig: "1 record could not be read, offset 3: no JSON",
		group.SourceStatus: "",
	} {
		if got := s.SourceOf(src).Detail; got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}
