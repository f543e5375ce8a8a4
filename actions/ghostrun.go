package actions

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/actions/foresight"
	"regroup/decode"
	"regroup/group"
	"regroup/group/assign"
)

// ghost is the ghost worker's place in its group. It lives in one goroutine: it has no work that a heartbeat would have to go
// on beside.
type ghost struct {
	opt   Ghost
	group string
	url   string
	cl    *kgo.Client
	watch *Watch
	tell  func(string)

	id         string
	generation int32
	protocol   string             // of the last join
	snapshot   *decode.Assignment // all that it holds, in Assigned; nil: nothing
	completed  int32              // generation of the last completed join
	mind       assign.Mind        // what it remembers as a leader
	configs    string             // what was configured when it joined, see fingerprint
	rejoin     bool
	scheduled  time.Time // when to join again because of a delay; zero: never
	away       time.Time // since when the coordinator does not answer; zero: it does

	rounds, led, most int
}

// retryBackoff is Connect's retry.backoff.ms.
const retryBackoff = 100 * time.Millisecond

// run joins, and goes on joining and beating until ctx ends.
func (m *ghost) run(ctx context.Context) error {
	for ctx.Err() == nil {
		if m.rejoin {
			ok, err := m.join(ctx)
			if err != nil {
				return err
			}
			if !ok {
				m.letGo()
				pause(ctx, retryBackoff)
				continue
			}
		}
		m.idle(ctx)
	}
	return nil
}

// idle waits for the next heartbeat, or for something that wants a new round.
func (m *ghost) idle(ctx context.Context) {
	wait := m.opt.Heartbeat
	if !m.scheduled.IsZero() {
		wait = min(wait, max(0, time.Until(m.scheduled)))
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		s, changed, ended, _ := m.watch.snapshot()
		if s != nil && fingerprint(s) != m.configs {
			m.rejoin = true // as every worker does when connectors come, go or have other tasks
			return
		}
		if ended {
			changed = nil
		}
		select {
		case <-changed:
			continue
		case <-timer.C:
			if !m.scheduled.IsZero() && !time.Now().Before(m.scheduled) {
				m.scheduled, m.rejoin = time.Time{}, true
				return
			}
			m.heartbeat(ctx)
		case <-ctx.Done():
		}
		return
	}
}

// complete takes in what the leader decided.
func (m *ghost) complete(protocol string, generation int32, told decode.Assignment) {
	m.protocol, m.completed, m.rejoin, m.scheduled = protocol, generation, false, time.Time{}
	merged := assign.Java17.Merge(m.snapshot, protocol, told)
	merged.Revoked = nil
	m.snapshot = &merged
	if told.DelayMs > 0 {
		m.scheduled = time.Now().Add(time.Duration(told.DelayMs) * time.Millisecond)
	}
	// What was revoked has stopped already, for it never ran.
	m.rejoin = len(told.Revoked) > 0 || told.Error != decode.NoError
	m.rounds++
	n := decode.Count(merged.Assigned)
	m.most = max(m.most, n)
	role := ""
	if told.Leader == m.id {
		m.led++
		role = ", leads"
	}
	m.tell(fmt.Sprintf("round %d: holds %s%s", generation, foresight.Units(n), role))
}

// letGo: a worker that has not reached its coordinator for a heartbeat interval holds nothing any more, since others may have
// been given it.
func (m *ghost) letGo() {
	if !m.away.IsZero() && time.Since(m.away) >= m.opt.Heartbeat {
		m.snapshot = nil
	}
}

// fingerprint tells two configurations apart where a worker would join again.
func fingerprint(s *group.State) string {
	var out strings.Builder
	for _, c := range s.Configs() {
		if c.Live {
			fmt.Fprintf(&out, "%q %d\n", c.Name, c.CommitOffset)
		}
	}
	return out.String()
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
