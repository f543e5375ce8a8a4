package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/group"
	"regroup/internal/taskgroup"
)

const (
	leastPause  = 100 * time.Millisecond
	mostPause   = 2 * time.Second
	deniedPause = 10 * time.Second // a right may be given while we wait
	// grace is how long trouble may last before it is told: leaders move and brokers restart all the time.
	grace = 1500 * time.Millisecond
)

// reporter tells a source's health, when it changes. It belongs to one source, whose goroutines share it under out's lock.
type reporter struct {
	out    *stream
	source group.Source

	name    string
	health  group.Health
	detail  string
	remarks []string // what stays true however well the source does: records lost, damage
	setting string   // what is wrong with its topic's settings, as long as it is
	failing time.Time
	last    time.Time // when it got its last answer
	silent  bool      // the first failure was that none came: when that began is not known
	tries   int
}

func (o *stream) reporter(source group.Source, name string) *reporter {
	return &reporter{out: o, source: source, name: name}
}

// rename says what the source reads, once that is known.
func (r *reporter) rename(name string) {
	r.out.mu.Lock()
	defer r.out.mu.Unlock()
	r.name = name
}

// catchingUp tells that there is more to read. Telling the same again is free.
func (r *reporter) catchingUp(detail string) {
	r.out.mu.Lock()
	defer r.out.mu.Unlock()
	r.told(group.HealthCatchingUp, detail, time.Time{})
}

// working ends trouble: the source gets answers again.
func (r *reporter) working(h group.Health, detail string) {
	r.out.mu.Lock()
	defer r.out.mu.Unlock()
	r.tries, r.failing, r.last = 0, time.Time{}, r.out.clock()
	r.told(h, detail, time.Time{})
}

// answered ends trouble of a source that is not at its end yet, and keeps what it said of its progress.
func (r *reporter) answered() {
	r.out.mu.Lock()
	defer r.out.mu.Unlock()
	r.tries, r.failing, r.last = 0, time.Time{}, r.out.clock()
	if r.health != group.HealthCatchingUp {
		r.told(group.HealthCatchingUp, "", time.Time{})
	}
}

// remark adds a sentence to every later report of this source.
func (r *reporter) remark(format string, args ...any) {
	r.out.mu.Lock()
	defer r.out.mu.Unlock()
	r.remarks = append(r.remarks, fmt.Sprintf(format, args...))
	if len(r.remarks) > 3 {
		r.remarks = r.remarks[len(r.remarks)-3:]
	}
	r.tellAgain()
}

// remarkSetting adds what is wrong with the settings of the topic that it reads to every later report, in place of what was; ""
// for nothing.
func (r *reporter) remarkSetting(topic, what string) {
	r.out.mu.Lock()
	defer r.out.mu.Unlock()
	if r.name == topic && r.setting != what {
		r.setting = what
		r.tellAgain()
	}
}

func (r *reporter) tellAgain() {
	if r.health != "" {
		h, d := r.health, r.detail
		r.health = ""
		r.told(h, d, time.Time{})
	}
}

func (r *reporter) told(h group.Health, detail string, at time.Time) {
	if h == r.health && detail == r.detail {
		return
	}
	r.health, r.detail = h, detail
	now := r.out.clock()
	if at.IsZero() {
		at = now
	}
	parts := slices.DeleteFunc(append([]string{detail, r.setting}, r.remarks...), func(part string) bool { return part == "" })
	f := group.SourceReport{At: at, Source: r.source, Name: r.name, Health: h, Detail: strings.Join(parts, "; ")}
	if h == group.HealthUnreachable && r.silent {
		f.Answered = r.last
	}
	r.out.note(f, now)
	r.out.emit(f, now)
}

// trouble takes an error in, tells it when it lasts, and says how long to wait before the next try.
func (r *reporter) trouble(err error) time.Duration {
	var bug *taskgroup.PanicError
	if errors.As(err, &bug) {
		panic(bug)
	}
	r.out.mu.Lock()
	defer r.out.mu.Unlock()
	now := r.out.clock()
	if r.tries++; r.failing.IsZero() {
		r.failing = now
		r.silent = errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
	}
	h, detail := diagnose(err)
	pause := min(leastPause<<min(r.tries-1, 10), mostPause)
	switch {
	case h == group.HealthDenied:
		pause = deniedPause
		r.told(h, detail, r.failing)
	case r.tries > 1 && now.Sub(r.failing) >= grace || r.health == h:
		r.told(h, detail, r.failing)
	}
	return pause
}

// until calls f until it has no error, and says whether it ever had none: else the context has ended.
func (r *reporter) until(ctx context.Context, f func() error) bool {
	for {
		err := f()
		switch {
		case ctx.Err() != nil:
			return false
		case err == nil:
			return true
		}
		if !sleep(ctx, r.trouble(err)) {
			return false
		}
	}
}

// resource is an error of Kafka about one thing.
type resource struct {
	kind, name string // "topic" "connect-configs", "group" "connect-a"
	right      string // what it takes to do what was tried
	err        error
}

func (e *resource) Error() string { return e.kind + " " + e.name + ": " + e.err.Error() }
func (e *resource) Unwrap() error { return e.err }

// about makes an error out of a response's code; nil for none.
func about(kind, name, right string, code int16) error {
	if err := kerr.ErrorForCode(code); err != nil {
		return &resource{kind, name, right, err}
	}
	return nil
}

// diagnose says in one line what an error means and what to do about it.
func diagnose(err error) (group.Health, string) {
	var r *resource
	if !errors.As(err, &r) {
		r = &resource{kind: "cluster", err: err}
	}
	capital := strings.ToUpper(r.kind[:1]) + r.kind[1:]
	switch {
	case errors.Is(err, kerr.TopicAuthorizationFailed), errors.Is(err, kerr.GroupAuthorizationFailed):
		return group.HealthDenied, fmt.Sprintf("no right to %s %s: needs %s on %s %s", verbs[r.right], r.name, r.right, capital, r.name)
	case errors.Is(err, kerr.ClusterAuthorizationFailed):
		return group.HealthDenied, fmt.Sprintf("no right to ask the cluster: needs %s on Cluster", r.right)
	case errors.Is(err, kerr.SaslAuthenticationFailed), errors.Is(err, kerr.IllegalSaslState), errors.Is(err, kerr.UnsupportedSaslMechanism):
		return group.HealthDenied, "the broker refuses the login: " + short(err) + ": check user, password and mechanism"
	case errors.Is(err, kerr.UnknownTopicOrPartition) && r.name == LogTopic:
		return group.HealthMissing, "there is no " + LogTopic + ": no group has been on this cluster yet"
	case errors.Is(err, kerr.UnknownTopicOrPartition), errors.Is(err, kerr.UnknownTopicID):
		return group.HealthMissing, fmt.Sprintf("there is no topic %s: check its name, or that this user may see it", r.name)
	case errors.Is(err, kerr.InvalidTopicException):
		return group.HealthMissing, fmt.Sprintf("%q cannot be a topic's name", r.name)
	case errors.Is(err, kerr.LeaderNotAvailable), errors.Is(err, kerr.NotLeaderForPartition), errors.Is(err, kerr.ReplicaNotAvailable),
		errors.Is(err, kerr.FencedLeaderEpoch), errors.Is(err, kerr.UnknownLeaderEpoch):
		return group.HealthUnreachable, fmt.Sprintf("%s %s has no leader: is a broker down?", r.kind, r.name)
	case errors.Is(err, kerr.CoordinatorNotAvailable), errors.Is(err, kerr.NotCoordinator), errors.Is(err, kerr.CoordinatorLoadInProgress):
		return group.HealthUnreachable, fmt.Sprintf("%s %s has no coordinator yet: is a broker down, or just loading?", r.kind, r.name)
	}
	var none *noneAnsweredError
	if errors.As(err, &none) {
		return group.HealthUnreachable, none.Error() + ": check the addresses, or start a broker"
	}
	var of *peerError
	if errors.As(err, &of) && of.advertised {
		if why := of.unreachable(); why != "" {
			return group.HealthUnreachable, why
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return group.HealthUnreachable, "no answer within " + requestTimeout.String() + ": is the network slow, or the broker stuck?"
	}
	var kind *KindError
	if errors.As(err, &kind) {
		return group.HealthMissing, kind.Error() + ": see `regroup groups`"
	}
	var first *kgo.ErrFirstReadEOF
	if errors.As(err, &first) {
		return group.HealthUnreachable, "the broker hangs up at once: does it want TLS or a login? (security.protocol)"
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return group.HealthUnreachable, fmt.Sprintf("no such host: %s: check the brokers' addresses", dns.Name)
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Addr != nil {
		return group.HealthUnreachable, fmt.Sprintf("no broker answers at %s: %s: check the address, or start the broker", op.Addr, short(op.Err))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return group.HealthUnreachable, "the broker closed the connection in the middle of an answer: is it stopping, or is it no Kafka broker?"
	}
	if strings.Contains(err.Error(), "response size ") { // the Kafka client gives these no type
		return group.HealthUnreachable, "what answers is no Kafka broker: check the brokers' addresses and ports"
	}
	if errors.Is(err, io.EOF) {
		return group.HealthUnreachable, "the broker closed the connection: is it stopping, or does it refuse the login?"
	}
	return group.HealthUnreachable, short(err)
}

// verbs say what a right is for.
var verbs = map[string]string{"Read": "read", "Describe": "describe"}

// short is an error's last part, without the layers that wrapped it.
func short(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			break
		}
		err = next
	}
	s := err.Error()
	if code, text, ok := strings.Cut(s, ": "); ok && code == strings.ToUpper(code) {
		return strings.TrimSuffix(strings.ToLower(text[:1])+text[1:], ".")
	}
	return strings.TrimSuffix(s, ".")
}
