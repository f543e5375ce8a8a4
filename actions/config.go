package actions

import (
	"fmt"
	"maps"
	"strconv"

	"regroup/decode"
)

// configStep is a record that a change writes to the config topic.
type configStep struct {
	at     int64 // ms
	offset int64
	record decode.ConfigRecord
}

// write puts a record on the stage's config topic, which every worker reads before it joins.
func (s *stage) write(r decode.ConfigRecord) {
	s.configs = append(s.configs, configStep{s.now, s.req.Config.Offset, r})
	s.skip(1)
}

// skip passes records that say nothing about which units there are.
func (s *stage) skip(n int) {
	s.req.Config.Offset += int64(n)
	for i := range s.req.Members {
		s.req.Members[i].Offset = s.req.Config.Offset
	}
}

// tasks gives a connector that many tasks, -1: takes the connector away.
func (s *stage) tasks(connector string, n int) {
	all := maps.Clone(s.req.Config.Connectors)
	if all == nil {
		all = map[string]int{}
	}
	if n < 0 {
		delete(all, connector)
	} else {
		all[connector] = n
	}
	s.req.Config.Connectors = all
}

// connector says how many tasks a connector has that must be there.
func (s *stage) connector(name string) (tasks int, err error) {
	n, ok := s.req.Config.Connectors[name]
	if !ok {
		return 0, fmt.Errorf("connector %q: there is none", decode.Printable(name))
	}
	return n, nil
}

// configure is a new record of a connector's configuration. The stage tells it from the one before by its number alone.
func (s *stage) configure(connector string) {
	s.changes++
	s.write(decode.ConfigRecord{
		Kind: decode.ConfigConnector, Connector: connector, Key: "connector-" + connector,
		Properties: map[string]string{"name": connector, "change": strconv.Itoa(s.changes)},
	})
}

// commit is what a connector's tasks were made anew: a record each, and one that makes them count.
func (s *stage) commit(connector string, n int) {
	s.skip(n)
	s.write(decode.ConfigRecord{Kind: decode.ConfigCommit, Connector: connector, Key: "commit-" + connector, Tasks: int32(n)})
	s.tasks(connector, n)
}

// remove is a connector's end: a tombstone of its configuration, and one of its target state.
func (s *stage) remove(connector string) {
	s.write(decode.ConfigRecord{Kind: decode.ConfigConnector, Connector: connector, Key: "connector-" + connector, Deleted: true})
	s.skip(1)
	s.tasks(connector, -1)
}
