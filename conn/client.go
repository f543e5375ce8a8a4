package conn

import (
	"context"
	"errors"
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

// Reach asks whether any broker answers, and says in one line why none does. A command that runs once asks this first, since
// the Kafka client itself tries on for most of a minute.
func (s Settings) Reach(ctx context.Context) error {
	cl, err := s.Client()
	if err != nil {
		return err
	}
	defer cl.Close()
	return s.Explain(cl.Ping(ctx))
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
