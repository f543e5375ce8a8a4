package conn

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// ClientID is how this program shows itself to brokers.
const ClientID = "regroup"

// Client makes a Kafka client. Nothing is dialled before its first request. extra options come last and win.
func (s Settings) Client(extra ...kgo.Opt) (*kgo.Client, error) {
	if len(s.Brokers) == 0 {
		return nil, ErrNoBrokers
	}
	dial := s.DialTimeout
	if dial == 0 {
		dial = 5 * time.Second
	}
	opts := []kgo.Opt{
		kgo.SeedBrokers(s.Brokers...),
		kgo.ClientID(ClientID),
		// Metrics would be pushed to the cluster, and Close waits a second for a broker that is gone.
		kgo.DisableClientMetrics(),
		kgo.Dialer(s.dialer(dial)),
	}
	if s.SASL != nil {
		m, err := s.SASL.mechanism()
		if err != nil {
			return nil, err
		}
		opts = append(opts, kgo.SASL(m))
	}
	if s.Log != nil {
		opts = append(opts, kgo.WithLogger(kgo.BasicLogger(s.Log, kgo.LogLevelInfo, func() string {
			return time.Now().Format("15:04:05.000 ")
		})))
	}
	return kgo.NewClient(append(opts, extra...)...)
}

// stragglers is how long the other addresses are waited for once one has answered.
const stragglers = 500 * time.Millisecond

// Unreached is an address that did not answer while another did.
type Unreached struct {
	Addr   string
	Reason string
}

// Reach asks all addresses at once whether a broker answers there, and says in one line why none does. A command that runs once
// asks this first, since the Kafka client itself tries on for most of a minute. Addresses that did not answer beside one that
// did are no error: whoever waits for them, or picks one at random, fails where the others would do.
func (s Settings) Reach(ctx context.Context) ([]Unreached, error) {
	if len(s.Brokers) == 0 {
		return nil, ErrNoBrokers
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		i   int
		err error
	}
	answers := make(chan answer, len(s.Brokers))
	for i := range s.Brokers {
		go func() { answers <- answer{i, s.at(i).ping(ctx)} }()
	}
	errs := make([]error, len(s.Brokers))
	for i := range errs {
		errs[i] = errNoAnswerYet
	}
	var enough <-chan time.Time // nil until one has answered
	for range s.Brokers {
		select {
		case a := <-answers:
			if errs[a.i] = a.err; a.err == nil && enough == nil {
				enough = time.After(stragglers)
			}
			continue
		case <-enough:
		}
		break
	}
	if enough == nil {
		return nil, s.noneReached(errs)
	}
	var out []Unreached
	for i, err := range errs {
		if err != nil {
			var ce *ConnectError
			u := Unreached{s.Brokers[i], err.Error()}
			if errors.As(s.at(i).Explain(err), &ce) {
				u.Reason = strings.TrimPrefix(ce.Reason, noneAnswers)
			}
			out = append(out, u)
		}
	}
	return out, nil
}

var errNoAnswerYet = fmt.Errorf("no answer within %s", stragglers)

// at are the settings for one of the addresses alone.
func (s Settings) at(i int) Settings {
	s.Brokers = s.Brokers[i : i+1]
	return s
}

func (s Settings) ping(ctx context.Context) error {
	cl, err := s.Client()
	if err != nil {
		return err
	}
	defer cl.Close()
	return cl.Ping(ctx)
}

// noneReached explains why none of the addresses answers. Where settings and one broker do not fit, that is it; else each has a
// reason of its own.
func (s Settings) noneReached(errs []error) error {
	var reasons []string
	for i, err := range errs {
		var ce *ConnectError
		err = s.at(i).Explain(err)
		if !errors.As(err, &ce) || ce.Lasting || len(errs) == 1 {
			return err
		}
		reasons = append(reasons, s.Brokers[i]+": "+strings.TrimPrefix(ce.Reason, noneAnswers))
	}
	return &ConnectError{Brokers: s.Brokers, Reason: noneAnswers + strings.Join(reasons, "; "), Err: errors.Join(errs...)}
}

// ClusterID asks any broker for the id of its cluster.
func (s Settings) ClusterID(ctx context.Context) (string, error) {
	cl, err := s.Client()
	if err != nil {
		return "", err
	}
	defer cl.Close()
	req := kmsg.NewPtrMetadataRequest()
	req.Topics = []kmsg.MetadataRequestTopic{} // none: only the cluster is asked about
	resp, err := req.RequestWith(ctx, cl)
	if err != nil {
		return "", s.Explain(err)
	}
	if resp.ClusterID == nil || *resp.ClusterID == "" {
		return "", errors.New("the broker names no cluster")
	}
	return *resp.ClusterID, nil
}

// dialer opens connections, with TLS where the settings have it. The time covers the handshake too: to a port that does not
// speak TLS a client would else wait for ever, since the server waits for the rest of what it takes for a huge request.
func (s Settings) dialer(limit time.Duration) func(context.Context, string, string) (net.Conn, error) {
	plain := net.Dialer{Timeout: limit}
	if s.TLS == nil {
		return plain.DialContext
	}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		raw, err := plain.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		cfg := s.TLS.Config.Clone()
		if cfg.ServerName == "" {
			if cfg.ServerName, _, err = net.SplitHostPort(addr); err != nil {
				return nil, errors.Join(err, raw.Close())
			}
		}
		shake, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		c := tls.Client(raw, cfg)
		if err := c.HandshakeContext(shake); err != nil {
			raw.Close()
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, &handshakeError{err}
		}
		return c, nil
	}
}

// handshakeError is a TLS handshake that failed. One that took too long is worth another try, and the Kafka client asks for
// Temporary to know.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return "tls handshake: " + e.err.Error() }

func (e *handshakeError) Unwrap() error { return e.err }

func (e *handshakeError) Timeout() bool { return errors.Is(e.err, context.DeadlineExceeded) }

func (e *handshakeError) Temporary() bool { return e.Timeout() }
