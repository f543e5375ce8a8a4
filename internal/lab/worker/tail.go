package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// tail reads the config and the status topic as they grow.
type tail struct {
	w     *Worker
	begun bool
	mu    sync.Mutex
	upTo  map[topicPartition]int64
	moved chan struct{} // closed when something was read
}

type topicPartition struct {
	topic     string
	partition int32
}

func newTail(w *Worker) *tail {
	return &tail{w: w, upTo: map[topicPartition]int64{}, moved: make(chan struct{})}
}

func (t *tail) run(ctx context.Context) {
	for {
		fetches := t.w.cl.PollFetches(ctx)
		if ctx.Err() != nil || fetches.IsClientClosed() {
			return
		}
		t.w.gate.pass(ctx)
		fetches.EachRecord(func(r *kgo.Record) {
			if r.Topic == t.w.opt.Topics.Config {
				t.w.configs.apply(r.Key, r.Value, r.Offset)
			} else {
				t.w.statuses.apply(r.Key, r.Value)
			}
			t.advance(topicPartition{r.Topic, r.Partition}, r.Offset+1)
		})
	}
}

// begin has the topics read from their beginnings.
func (t *tail) begin(ctx context.Context) error {
	if t.begun {
		return nil
	}
	partitions, err := t.partitions(ctx, []string{t.w.opt.Topics.Config, t.w.opt.Topics.Status})
	if err != nil {
		return err
	}
	from := map[string]map[int32]kgo.Offset{}
	all := map[string][]int32{}
	for name, n := range partitions {
		from[name] = map[int32]kgo.Offset{}
		for p := range n {
			from[name][p] = kgo.NewOffset().AtStart()
			all[name] = append(all[name], p)
		}
	}
	// The client would begin to fetch as soon as it knows where the first partition begins, and those that it learns of a moment
	// later would have to wait until that fetch ends: seconds, when nothing comes.
	t.w.cl.PauseFetchPartitions(all)
	t.w.cl.AddConsumePartitions(from)
	sleep(ctx, beginTime)
	t.w.cl.ResumeFetchPartitions(all)
	t.begun = true
	return nil
}

// beginTime is how long the client has to learn where its partitions begin.
const beginTime = 5 * time.Millisecond

// partitions asks how many partitions topics have.
func (t *tail) partitions(ctx context.Context, topics []string) (map[string]int32, error) {
	req := kmsg.NewPtrMetadataRequest()
	for _, name := range topics {
		rt := kmsg.NewMetadataRequestTopic()
		rt.Topic = kmsg.StringPtr(name)
		req.Topics = append(req.Topics, rt)
	}
	resp, err := req.RequestWith(ctx, t.w.cl)
	if err != nil {
		return nil, err
	}
	out := map[string]int32{}
	for _, rt := range resp.Topics {
		if err := kerr.ErrorForCode(rt.ErrorCode); err != nil {
			return nil, fmt.Errorf("%s: %w", *rt.Topic, err)
		}
		out[*rt.Topic] = int32(len(rt.Partitions))
	}
	return out, nil
}

func (t *tail) advance(p topicPartition, upTo int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.upTo[p] = upTo
	close(t.moved)
	t.moved = make(chan struct{})
}

func (t *tail) at(p topicPartition) (int64, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.upTo[p], t.moved
}

var errNotRead = errors.New("the topic was not read to its end in time")

// toEnd waits until everything that is in the topics now has been read.
func (t *tail) toEnd(ctx context.Context, timeout time.Duration, topics ...string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, errNotRead)
	defer cancel()
	ends, err := t.ends(ctx, topics)
	if err != nil {
		return err
	}
	for p, end := range ends {
		for {
			at, moved := t.at(p)
			if at >= end {
				break
			}
			select {
			case <-moved:
			case <-ctx.Done():
				return fmt.Errorf("%s: %w", p.topic, context.Cause(ctx))
			}
		}
	}
	return nil
}

// ends asks where the topics end.
func (t *tail) ends(ctx context.Context, topics []string) (map[topicPartition]int64, error) {
	partitions, err := t.partitions(ctx, topics)
	if err != nil {
		return nil, err
	}
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID = -1
	for _, name := range topics {
		rt := kmsg.NewListOffsetsRequestTopic()
		rt.Topic = name
		for n := range partitions[name] {
			rp := kmsg.NewListOffsetsRequestTopicPartition()
			rp.Partition, rp.Timestamp = n, -1
			rt.Partitions = append(rt.Partitions, rp)
		}
		req.Topics = append(req.Topics, rt)
	}
	resp, err := req.RequestWith(ctx, t.w.cl)
	if err != nil {
		return nil, err
	}
	out := map[topicPartition]int64{}
	for _, rt := range resp.Topics {
		for _, rp := range rt.Partitions {
			if err := kerr.ErrorForCode(rp.ErrorCode); err != nil {
				return nil, fmt.Errorf("%s: %w", rt.Topic, err)
			}
			out[topicPartition{rt.Topic, rp.Partition}] = rp.Offset
		}
	}
	return out, nil
}

// How many partitions Connect gives its topics when it makes them.
const (
	ConfigPartitions int32 = 1
	StatusPartitions int32 = 5
	OffsetPartitions int32 = 25
)

// record is one record for the config topic; a nil value is a tombstone.
type record struct {
	key   string
	value any
}

// write puts records into the config topic and reads up to them.
func (t *tail) write(ctx context.Context, records ...record) error {
	out := make([]*kgo.Record, len(records))
	for i, r := range records {
		out[i] = &kgo.Record{Topic: t.w.opt.Topics.Config, Key: []byte(r.key)}
		if r.value == nil {
			continue
		}
		b, err := json.Marshal(r.value)
		if err != nil {
			return fmt.Errorf("config record %s: %w", r.key, err)
		}
		out[i].Value = b
	}
	if !sleep(ctx, appendTime) {
		return ctx.Err()
	}
	if err := t.w.cl.ProduceSync(ctx, out...).FirstErr(); err != nil {
		return fmt.Errorf("config topic %s: %w", t.w.opt.Topics.Config, err)
	}
	return t.toEnd(ctx, writeTimeout, t.w.opt.Topics.Config)
}

// appendTime is about what a record takes to be written on a real broker. Here it would take no time at all, and whoever
// reads it would act before others have heard what came before it.
const appendTime = 5 * time.Millisecond

// writeTimeout is how long Connect waits for its own record in the config topic.
const writeTimeout = 30 * time.Second
