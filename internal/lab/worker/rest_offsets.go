package worker

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"regroup/decode"
)

// offset is one entry of a connector's offsets. Simulated tasks move no data: what is here was put here over REST.
type offset struct {
	Partition json.RawMessage `json:"partition"`
	Offset    json.RawMessage `json:"offset"`
}

func (w *Worker) getOffsets(r *http.Request, _ []byte) (answer, error) {
	name := r.PathValue("c")
	if _, _, _, found := w.configs.of(name); !found {
		return answer{}, notFound(name)
	}
	offsets, err := w.readOffsets(r.Context(), name)
	if err != nil {
		return answer{}, err
	}
	return ok(map[string]any{"offsets": offsets})
}

func (w *Worker) patchOffsets(r *http.Request, body []byte) (answer, error) {
	var in struct {
		Offsets []offset `json:"offsets"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return answer{}, failure(http.StatusBadRequest, "%s", err)
	}
	if len(in.Offsets) == 0 {
		return answer{}, failure(http.StatusBadRequest, "Partitions / offsets need to be provided for an alter offsets request")
	}
	return w.alterOffsets(r, in.Offsets, "The offsets for this connector have been altered successfully")
}

func (w *Worker) deleteOffsets(r *http.Request, _ []byte) (answer, error) {
	offsets, err := w.readOffsets(r.Context(), r.PathValue("c"))
	if err != nil {
		return answer{}, err
	}
	for i := range offsets {
		offsets[i].Offset = nil
	}
	return w.alterOffsets(r, offsets, "The offsets for this connector have been reset successfully")
}

// alterOffsets has the leader write offsets of a connector that is stopped.
func (w *Worker) alterOffsets(r *http.Request, offsets []offset, done string) (answer, error) {
	name := r.PathValue("c")
	return w.asLeader(r, func() (answer, error) {
		if err := w.fresh(); err != nil {
			return answer{}, err
		}
		_, tasks, target, found := w.configs.of(name)
		if !found {
			return answer{}, notFound(name)
		}
		if target != decode.TargetStopped || len(tasks) > 0 {
			return answer{}, failure(http.StatusBadRequest, "Connectors must be in the STOPPED state before their offsets can be modified. This can be done for the specified connector by issuing a 'PUT' request to the '/connectors/%s/stop' endpoint", name)
		}
		records := make([]*kgo.Record, len(offsets))
		for i, o := range offsets {
			key, err := json.Marshal([]any{name, o.Partition})
			if err != nil {
				return answer{}, failure(http.StatusBadRequest, "%s", err)
			}
			records[i] = &kgo.Record{Topic: w.opt.Topics.Offset, Key: key, Value: nullToNil(o.Offset)}
		}
		if err := w.cl.ProduceSync(w.ctx, records...).FirstErr(); err != nil {
			return answer{}, err
		}
		return ok(map[string]string{"message": done})
	})
}

func nullToNil(raw json.RawMessage) []byte {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

const offsetsTimeout = 5 * time.Second

// readOffsets reads the offset topic to its end, for this one answer.
func (w *Worker) readOffsets(ctx context.Context, name string) ([]offset, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, offsetsTimeout, errors.New("the offset topic was not read in time"))
	defer cancel()
	cl, err := kgo.NewClient(
		kgo.SeedBrokers(w.opt.Brokers...), kgo.Dialer(w.dial), kgo.DisableClientMetrics(), kgo.ClientID(w.opt.Name+"-offsets"),
		kgo.FetchMaxWait(50*time.Millisecond), // a partition that the first fetch does not ask for yet must not wait for its end
	)
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	reader := &tail{w: w}
	ends, err := reader.ends(ctx, []string{w.opt.Topics.Offset})
	if err != nil {
		return nil, err
	}
	from := map[int32]kgo.Offset{}
	for p, end := range ends {
		if end > 0 {
			from[p.partition] = kgo.NewOffset().AtStart()
		}
	}
	cl.AddConsumePartitions(map[string]map[int32]kgo.Offset{w.opt.Topics.Offset: from})
	found := map[string]offset{}
	for len(from) > 0 {
		fetches := cl.PollFetches(ctx)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			addOffset(found, name, r)
			if r.Offset+1 >= ends[topicPartition{r.Topic, r.Partition}] {
				delete(from, r.Partition)
			}
		})
	}
	out := []offset{}
	for _, o := range found {
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b offset) int { return strings.Compare(string(a.Partition), string(b.Partition)) })
	return out, nil
}

func addOffset(found map[string]offset, name string, r *kgo.Record) {
	var connector string
	var partition json.RawMessage
	if json.Unmarshal(r.Key, &[]any{&connector, &partition}) != nil || connector != name {
		return
	}
	if r.Value == nil {
		delete(found, string(partition))
		return
	}
	found[string(partition)] = offset{partition, r.Value}
}
