package assign

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"regroup/decode"
)

// capture is what the records of a real group say: its rounds, each with what the config topic held at its config offset.
type capture struct {
	seen    []Seen
	clients []map[string]string // of each round: member id → client id
}

func readCapture(t testing.TB, name string) capture {
	t.Helper()
	f, err := os.Open("../../testdata/captures/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var c capture
	var topic configTopic
	var records []*decode.GroupRecord
	var at []int64
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var line struct {
			Topic      string
			Offset, TS int64
			Key, Value []byte
		}
		if err := json.Unmarshal(s.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		switch {
		case line.Topic == "__consumer_offsets" && line.Value != nil:
			r, err := decode.ParseGroupRecord(line.Value)
			if err != nil {
				t.Fatal(err)
			}
			records, at = append(records, r), append(at, line.TS)
		case strings.HasSuffix(line.Topic, "-configs"):
			r, err := decode.ParseConfig(line.Key, line.Value)
			if err != nil {
				t.Fatal(err)
			}
			topic = append(topic, configLine{line.Offset, r})
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		seen, clients := see(t, r, at[i], topic)
		c.seen, c.clients = append(c.seen, seen), append(c.clients, clients)
	}
	return c
}

func see(t testing.TB, r *decode.GroupRecord, at int64, topic configTopic) (Seen, map[string]string) {
	t.Helper()
	seen := Seen{At: at, Generation: r.Generation, Protocol: r.Protocol, Leader: r.Leader}
	clients := map[string]string{}
	for _, m := range r.Members {
		sub, err := decode.ParseSubscription(m.Subscription)
		if err != nil {
			t.Fatal(err)
		}
		told, err := decode.ParseAssignment(m.Assignment)
		if err != nil {
			t.Fatal(err)
		}
		seen.Members = append(seen.Members, SeeMember(m, sub, told))
		clients[m.ID] = m.Client
		if told != nil {
			config := topic.at(told.ConfigOffset)
			seen.Config = &config
		}
	}
	return seen, clients
}

// configTopic is a config topic, as far as assignments go.
type configTopic []configLine

type configLine struct {
	offset int64
	decode.ConfigRecord
}

// at is what a worker has read whose config offset is that.
func (t configTopic) at(offset int64) Config {
	c := Config{Offset: offset, Connectors: map[string]int{}}
	for _, r := range t {
		switch {
		case r.offset >= offset:
		case r.Kind == decode.ConfigConnector && r.Deleted:
			delete(c.Connectors, r.Connector)
		case r.Kind == decode.ConfigConnector:
			c.Connectors[r.Connector] += 0
		case r.Kind == decode.ConfigCommit && !r.Deleted:
			c.Connectors[r.Connector] = int(r.Tasks)
		}
	}
	return c
}
