package doctor_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"regroup/decode"
)

// versions are the headers that workers write.
var versions = map[string]int16{decode.ProtocolEager: 0, decode.ProtocolCompatible: 1, decode.ProtocolSessioned: 2}

// member makes a worker's bytes of "w1 config=4: has a c 0, b c; starts b 0; stops a 1".
func (s *stage) member(line string, told decode.Assignment) (decode.Member, error) {
	head, rest, _ := strings.Cut(line, ":")
	words := strings.Fields(head)
	p := s.of(words[0])
	sub := decode.Subscription{Version: told.Version, URL: p.url, ConfigOffset: told.ConfigOffset}
	for _, w := range words[1:] {
		n, err := strconv.ParseInt(strings.TrimPrefix(w, "config="), 10, 64)
		if err != nil {
			return decode.Member{}, fmt.Errorf("%q: a worker is not %s", line, w)
		}
		sub.ConfigOffset = n
	}
	for part := range strings.SplitSeq(rest, ";") {
		verb, units, _ := strings.Cut(strings.TrimSpace(part), " ")
		shares, err := readShares(units)
		switch {
		case err != nil:
			return decode.Member{}, fmt.Errorf("%q: %w", line, err)
		case verb == "has":
			sub.Allocation = &decode.Assignment{Version: max(told.Version, 1), ConfigOffset: sub.ConfigOffset, Assigned: shares}
		case verb == "starts":
			told.Assigned = shares
		case verb == "stops":
			told.Revoked = shares
		case verb != "":
			return decode.Member{}, fmt.Errorf("%q: a worker has, starts or stops units, it does not %s them", line, verb)
		}
	}
	return decode.Member{
		ID: p.id, Client: p.client, Host: p.host, RebalanceTimeout: time.Minute, SessionTimeout: 10 * time.Second,
		Subscription: decode.AppendSubscription(nil, sub), Assignment: decode.AppendAssignment(nil, told),
	}, nil
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

// configBytes makes the bytes of "connector a class=X", "commit a 2", "target a STOPPED", "delete connector a".
func configBytes(line string) (key, value []byte, err error) {
	words := strings.Fields(line)
	if len(words) < 2 {
		return nil, nil, fmt.Errorf("%q is no config record", line)
	}
	object := func(v map[string]any) []byte {
		b, _ := json.Marshal(v) // of strings and numbers: cannot fail
		return b
	}
	switch words[0] {
	case "delete":
		return []byte(words[1] + "-" + words[2]), nil, nil
	case "connector":
		properties := map[string]string{"name": words[1]}
		for _, w := range words[2:] {
			k, v, _ := strings.Cut(w, "=")
			if k == "class" {
				k = "connector.class"
			}
			properties[k] = v
		}
		return []byte("connector-" + words[1]), object(map[string]any{"properties": properties}), nil
	case "commit":
		n, err := strconv.Atoi(words[2])
		return []byte("commit-" + words[1]), object(map[string]any{"tasks": n}), err
	case "target":
		return []byte("target-state-" + words[1]), object(map[string]any{"state.v2": words[2]}), nil
	}
	return nil, nil, fmt.Errorf("%q is no config record", line)
}
