package observe

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"regroup/decode"
	"regroup/group"
)

// TestRecordsOfConsumersAreNoRounds: a consumer group's records in the log are no rounds of workers, whoever may describe it or not.
func TestRecordsOfConsumersAreNoRounds(t *testing.T) {
	record := func(protocolType string, generation int32) Raw {
		g := decode.GroupRecord{ProtocolType: protocolType, Protocol: "range", Generation: generation, Members: []decode.Member{{ID: "m", Client: "c"}}}
		return Raw{
			Topic: LogTopic, Partition: decode.GroupPartition("app", 50), Offset: int64(generation), At: time.UnixMilli(1796085000000 + int64(generation)).UTC(),
			Key: decode.AppendGroupKey(nil, "app"), Value: decode.AppendGroupRecord(nil, g),
		}
	}
	for _, c := range []struct {
		name    string
		records []Raw
		refused bool
	}{
		{"consumers", []Raw{record("consumer", 0), record("consumer", 1)}, true},
		{"workers, then consumers", []Raw{record("connect", 0), record("consumer", 1)}, true},
		{"consumers, then workers", []Raw{record("consumer", 0), record("connect", 1)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var file strings.Builder
			rec := NewRecorder(&file, Header{Group: "app"})
			for _, r := range c.records {
				rec.Raw(r)
				rec.Apply(r.LogFact(), r.At)
			}
			if err := rec.Close(); err != nil {
				t.Fatal(err)
			}
			_, err := Read(strings.NewReader(file.String()), "", Stop{})
			var kind *KindError
			if errors.As(err, &kind) != c.refused {
				t.Errorf("reading the file: %v", err)
			}
			synctest.Test(t, func(t *testing.T) {
				_, dial := newVirtual(t, kfake.SeedTopics(50, LogTopic))
				write(t, dial, c.records...)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				rounds := 0
				err := Run(ctx, Options{Group: "app", Dial: dial}, func(f group.Fact, _ time.Time) {
					if r, ok := f.(group.LogRecord); ok && r.Record.ProtocolType != decode.ProtocolType {
						rounds++
					}
				})
				if errors.As(err, &kind) != c.refused || rounds > 0 {
					t.Errorf("observing: %v, %d rounds of consumers", err, rounds)
				}
			})
		})
	}
}
