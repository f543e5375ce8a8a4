package group_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"regroup/decode"
)

// cast is who plays in a story: workers by the name that the story gives them.
type cast map[string]*player

type player struct{ id, client, url, host string }

func (c cast) of(name string) *player {
	if c[name] == nil {
		c[name] = &player{id: name + "-1", client: name, url: "http://" + name + ":8083/", host: "/10.0.0.1"}
	}
	return c[name]
}

// scene is one line of a round: what a worker says when it joins, and what it is told.
type scene struct {
	*player
	config             int64
	broken             bool // its subscription cannot be read
	unsynced           bool // the leader gave it nothing: zero bytes
	has, starts, stops []decode.Share
	isNull             bool
}

// readScene reads "w1 config=4: has a c 0, b c; starts b 0; stops a 1".
func (c cast) readScene(line string, config int64) (*scene, error) {
	head, rest, _ := strings.Cut(line, ":")
	words := strings.Fields(head)
	s := &scene{player: c.of(words[0]), config: config, isNull: true}
	for _, w := range words[1:] {
		switch n, ok := strings.CutPrefix(w, "config="); {
		case ok:
			offset, err := strconv.ParseInt(n, 10, 64)
			if err != nil {
				return nil, err
			}
			s.config = offset
		case w == "broken":
			s.broken = true
		case w == "unsynced":
			s.unsynced = true
		default:
			return nil, fmt.Errorf("%q: a worker is not %s", line, w)
		}
	}
	for part := range strings.SplitSeq(rest, ";") {
		verb, units, _ := strings.Cut(strings.TrimSpace(part), " ")
		shares, err := readShares(units)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		switch verb {
		case "":
		case "has":
			s.has, s.isNull = shares, false
		case "starts":
			s.starts = shares
		case "stops":
			s.stops = shares
		default:
			return nil, fmt.Errorf("%q: a worker has, starts or stops units, it does not %s them", line, verb)
		}
	}
	return s, nil
}

// readShares reads "a c 0 1, b c": connectors with their units, c the instance.
func readShares(text string) ([]decode.Share, error) {
	var out []decode.Share
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		s := decode.Share{Connector: words[0]}
		for _, w := range words[1:] {
			if w == "c" {
				s.Tasks = append(s.Tasks, decode.Instance)
				continue
			}
			n, err := strconv.ParseInt(w, 10, 32)
			if err != nil {
				return nil, err
			}
			s.Tasks = append(s.Tasks, int32(n))
		}
		out = append(out, s)
	}
	return out, nil
}

// take is what a whole round has in common.
type take struct {
	generation int32
	protocol   string
	leader     *player
	config     int64
	err        int16
	delay      time.Duration
	at         time.Time
}

// versions are the headers that workers write since 3.3.
var versions = map[string]int16{decode.ProtocolEager: 0, decode.ProtocolCompatible: 1, decode.ProtocolSessioned: 2}

// member is a worker's bytes in a round.
func (t *take) member(s *scene) decode.Member {
	version := versions[t.protocol]
	sub := decode.Subscription{Version: version, URL: s.url, ConfigOffset: s.config}
	if !s.isNull {
		sub.Allocation = &decode.Assignment{Version: max(version, 1), ConfigOffset: s.config, Assigned: s.has}
	}
	m := decode.Member{
		ID: s.id, Client: s.client, Host: s.host, RebalanceTimeout: time.Minute, SessionTimeout: 10 * time.Second,
		Subscription: decode.AppendSubscription(nil, sub),
	}
	if s.broken {
		m.Subscription = m.Subscription[:5]
	}
	if !s.unsynced {
		m.Assignment = decode.AppendAssignment(nil, decode.Assignment{
			Version: version, Error: t.err, Leader: t.leader.id,
			LeaderURL: t.leader.url, ConfigOffset: t.config, Assigned: s.starts, Revoked: s.stops, DelayMs: int32(t.delay.Milliseconds()),
		})
	}
	return m
}

// configBytes reads "connector a tasks.max=2", "commit a 2", "target a STOPPED", "restart a", "delete commit a", "session-key".
func configBytes(line string) (key, value []byte, err error) {
	words := strings.Fields(line)
	object := func(v map[string]any) []byte {
		b, _ := json.Marshal(v) // of strings and numbers: cannot fail
		return b
	}
	keyOf := func(kind, name string) []byte {
		return []byte(map[string]string{
			"connector": "connector-", "commit": "commit-", "target": "target-state-", "task": "task-",
			"restart": "restart-connector-",
		}[kind] + name)
	}
	switch {
	case len(words) == 1 && words[0] == "session-key":
		return []byte(words[0]), object(map[string]any{"key": "eA==", "algorithm": "HmacSHA256", "creation-timestamp": 1767268800000}), nil
	case len(words) == 3 && words[0] == "delete":
		return keyOf(words[1], words[2]), nil, nil
	case len(words) >= 2 && (words[0] == "connector" || words[0] == "task"):
		properties := map[string]string{"name": words[1]}
		for _, w := range words[2:] {
			k, v, _ := strings.Cut(w, "=")
			properties[k] = v
		}
		return keyOf(words[0], words[1]), object(map[string]any{"properties": properties}), nil
	case len(words) == 3 && words[0] == "commit":
		n, err := strconv.Atoi(words[2])
		return keyOf("commit", words[1]), object(map[string]any{"tasks": n}), err
	case len(words) == 3 && words[0] == "target":
		return keyOf("target", words[1]), object(map[string]any{"state.v2": words[2]}), nil
	case len(words) == 2 && words[0] == "restart":
		return keyOf("restart", words[1]), object(map[string]any{"include-tasks": true, "only-failed": false}), nil
	}
	return nil, nil, fmt.Errorf("%q is no config record", line)
}
