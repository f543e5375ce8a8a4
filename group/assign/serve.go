package assign

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"regroup/decode"
)

// defaultMaxDelay is Connect's own, ms.
const defaultMaxDelay = 300_000

// leader is the other end of a conversation.
type leader struct {
	state LeaderState
	known bool
	eager bool // whatever protocol a round names
}

// Serve answers requests as the oracle of Connect's own assignors does: a JSON object a line in, one a line out. A request
// that cannot be answered gets {"exception":…} and changes nothing.
func Serve(r io.Reader, w io.Writer) error {
	in := bufio.NewReader(r)
	out := bufio.NewWriter(w)
	var l leader
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			a, failed := l.answer(line)
			if failed != nil {
				if a, failed = marshal(map[string]string{"exception": failed.Error()}); failed != nil {
					return failed
				}
			}
			if _, err := out.Write(append(a, '\n')); err != nil {
				return err
			}
			if in.Buffered() == 0 { // someone may wait for the answer before asking on
				if err := out.Flush(); err != nil {
					return err
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return out.Flush()
		}
		if err != nil {
			return err
		}
	}
}

func (l *leader) answer(line []byte) ([]byte, error) {
	var a ask
	if err := json.Unmarshal(line, &a); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	switch a.Cmd {
	case "new":
		return l.fresh(a)
	case "round":
		return l.round(a)
	}
	return nil, fmt.Errorf("request: no cmd %q: new or round", a.Cmd)
}

func (l *leader) fresh(a ask) ([]byte, error) {
	rules, ok := assignorsByName[a.Assignor]
	eager := a.Assignor == "eager"
	if !ok && !eager {
		return nil, fmt.Errorf("request: no assignor %q: incremental, eager, incremental-2.3, incremental-3.4 or proposed", a.Assignor)
	}
	maxDelay := int32(defaultMaxDelay)
	if a.MaxDelay != nil {
		maxDelay = *a.MaxDelay
	}
	if maxDelay < 0 {
		return nil, fmt.Errorf("request: maxDelay %d", maxDelay)
	}
	*l = leader{state: New(rules, maxDelay), known: true, eager: eager}
	if a.Java >= 19 {
		l.state = l.state.OnJava(Java21)
	}
	return []byte(`{"ok":true}`), nil
}

func (l *leader) round(a ask) ([]byte, error) {
	if !l.known {
		return nil, errors.New("request: a round before any leader: send cmd new first")
	}
	if l.eager {
		a.Protocol = decode.ProtocolEager
	}
	req, err := a.request(l.state.java)
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	d, state, err := l.state.Decide(req)
	if err != nil {
		return nil, err
	}
	out, err := answer(req.Members, d)
	if err == nil {
		l.state = state
	}
	return out, err
}
