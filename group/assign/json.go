package assign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"regroup/decode"
)

// ask is one line of a conversation: a new leader, or a round for it to decide.
type ask struct {
	Cmd           string      `json:"cmd"`
	Assignor      string      `json:"assignor"` // new
	MaxDelay      *int32      `json:"maxDelay"` // new
	Java          int         `json:"java"`     // new: the leader's, 17 when absent
	Now           int64       `json:"now"`      // round, and so on
	Generation    int32       `json:"generation"`
	LastCompleted int32       `json:"lastCompleted"`
	Leader        string      `json:"leader"`
	Protocol      string      `json:"protocol"`
	Config        askConfig   `json:"config"`
	Fresh         *askConfig  `json:"fresh"`
	Scheduled     int64       `json:"scheduled"`
	Before        *askBefore  `json:"before"`
	Members       []askMember `json:"members"`
}

type askConfig struct {
	Offset     int64          `json:"offset"`
	Connectors map[string]int `json:"connectors"`
}

type askBefore struct {
	Leader string    `json:"leader"`
	Config askConfig `json:"config"`
}

type askMember struct {
	ID         string   `json:"id"`
	URL        string   `json:"url"`
	Offset     *int64   `json:"offset"` // the config's when absent
	Connectors []string `json:"connectors"`
	Tasks      []pair   `json:"tasks"`
	Metadata   []byte   `json:"metadata"` // instead of all but the id
}

// pair is a task as ["name",3].
type pair struct {
	connector string
	task      int32
}

func (p pair) MarshalJSON() ([]byte, error) { return marshal([]any{p.connector, p.task}) }

func (p *pair) UnmarshalJSON(b []byte) error {
	parts := []any{&p.connector, &p.task}
	if err := json.Unmarshal(b, &parts); err != nil {
		return fmt.Errorf("a task is [\"connector\", number]: %w", err)
	}
	if len(parts) != 2 {
		return fmt.Errorf("a task is [\"connector\", number]: %s", b)
	}
	return nil
}

// assignorsByName are the assignors that can be asked for, besides "eager".
var assignorsByName = map[string]AssignorVersion{
	"": Released, "incremental": Released, "incremental-3.4": Released34, "incremental-2.3": Released23,
	"proposed": Proposed,
}

var protocolsByName = map[string]string{
	"eager": decode.ProtocolEager, decode.ProtocolEager: decode.ProtocolEager,
	decode.ProtocolCompatible: decode.ProtocolCompatible, decode.ProtocolSessioned: decode.ProtocolSessioned,
}

func (a *ask) request(j Java) (Request, error) {
	protocol, ok := protocolsByName[a.Protocol]
	if !ok {
		return Request{}, fmt.Errorf("no protocol %q: eager, compatible or sessioned", a.Protocol)
	}
	r := Request{
		Now: a.Now, Generation: a.Generation, LastCompleted: a.LastCompleted, Leader: a.Leader, Protocol: protocol,
		Config: Config(a.Config), Scheduled: a.Scheduled, Members: make([]Member, len(a.Members)),
	}
	if a.Fresh != nil {
		fresh := Config(*a.Fresh)
		r.Fresh = &fresh
	}
	if a.Before != nil {
		r.Before = &Before{Leader: a.Before.Leader, Config: Config(a.Before.Config)}
	}
	for i, m := range a.Members {
		member, err := m.member(a.Config.Offset, protocol, j)
		if err != nil {
			return Request{}, fmt.Errorf("member %q: %w", m.ID, err)
		}
		r.Members[i] = member
	}
	return r, nil
}

func (m *askMember) member(offset int64, protocol string, j Java) (Member, error) {
	if m.Metadata != nil {
		s, err := decode.ParseSubscription(m.Metadata)
		if err != nil {
			return Member{}, err
		}
		return Joining(m.ID, s), nil
	}
	out := Member{ID: m.ID, URL: m.URL, Offset: offset}
	if m.Offset != nil {
		out.Offset = *m.Offset
	}
	if protocol == decode.ProtocolEager {
		return out, nil
	}
	units := make([]decode.Unit, len(m.Tasks))
	for i, t := range m.Tasks {
		units[i] = decode.Unit{Connector: t.connector, Task: t.task}
	}
	out.Reported = j.Shares(m.Connectors, units)
	return out, nil
}

// reply is what one member is told, with every list sorted as Java sorts it, and the bytes of it.
type reply struct {
	Error             int16    `json:"error"`
	Offset            int64    `json:"offset"`
	Connectors        []string `json:"connectors"`
	Tasks             []pair   `json:"tasks"`
	RevokedConnectors []string `json:"revokedConnectors"`
	RevokedTasks      []pair   `json:"revokedTasks"`
	Delay             int32    `json:"delay"`
	Bytes             []byte   `json:"bytes"`
}

func newReply(a decode.Assignment) reply {
	r := reply{Error: a.Error, Offset: a.ConfigOffset, Delay: a.DelayMs, Bytes: decode.AppendAssignment(nil, a)}
	r.Connectors, r.Tasks = sorted(a.Assigned)
	r.RevokedConnectors, r.RevokedTasks = sorted(a.Revoked)
	return r
}

func sorted(shares []decode.Share) (cs []string, ts []pair) {
	cs, ts = []string{}, []pair{}
	for _, u := range decode.Units(shares) {
		if u.IsInstance() {
			cs = append(cs, u.Connector)
		} else {
			ts = append(ts, pair{u.Connector, u.Task})
		}
	}
	slices.SortFunc(cs, compareJava)
	slices.SortFunc(ts, func(a, b pair) int {
		if c := compareJava(a.connector, b.connector); c != 0 {
			return c
		}
		return int(a.task) - int(b.task)
	})
	return cs, ts
}

// answer writes one object, members in Java's order.
func answer(members []Member, d Decision) ([]byte, error) {
	out := []byte{'{'}
	for n, i := range memberRanks(members) {
		if n > 0 {
			out = append(out, ',')
		}
		id, err := marshal(members[i].ID)
		if err != nil {
			return nil, err
		}
		r, err := marshal(newReply(d.Assignments[i]))
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, id...), ':'), r...)
	}
	return append(out, '}'), nil
}

// marshal leaves <, > and & as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}
