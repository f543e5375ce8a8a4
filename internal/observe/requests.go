package observe

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Times that ListOffsets understands besides real ones.
const (
	atEnd   int64 = -1
	atStart int64 = -2
)

// topicInfo is what metadata says of a topic.
type topicInfo struct {
	name        string
	id          [16]byte
	internal    bool
	partitions  []partitionInfo // by number
	replication int
}

type partitionInfo struct {
	leader int32 // -1: none
	epoch  int32
}

// topics asks for some topics' metadata, or for that of all when none is named. It never creates one. The right to read a topic
// is what the sources need; it comes with the right to see it.
func topics(ctx context.Context, cl *cluster, names ...string) ([]topicInfo, error) {
	var wanted []kmsg.MetadataRequestTopic
	for _, n := range names {
		t := kmsg.NewMetadataRequestTopic()
		t.Topic = kmsg.StringPtr(n)
		wanted = append(wanted, t)
	}
	resp, err := cl.metadata(ctx, wanted)
	if err != nil {
		return nil, err
	}
	var out []topicInfo
	for _, t := range resp.Topics {
		name := ""
		if t.Topic != nil {
			name = *t.Topic
		}
		if err := about("topic", name, "Read", t.ErrorCode); err != nil {
			if len(names) == 0 {
				continue
			}
			return nil, err
		}
		info := topicInfo{name: name, id: t.TopicID, internal: t.IsInternal, partitions: make([]partitionInfo, len(t.Partitions))}
		for _, p := range t.Partitions {
			if int(p.Partition) >= len(info.partitions) {
				return nil, fmt.Errorf("topic %s: partition %d of %d in the broker's answer", name, p.Partition, len(t.Partitions))
			}
			info.partitions[p.Partition] = partitionInfo{p.Leader, p.LeaderEpoch}
			info.replication = max(info.replication, len(p.Replicas))
		}
		out = append(out, info)
	}
	return out, nil
}

// topic asks for one topic's metadata.
func topic(ctx context.Context, cl *cluster, name string) (topicInfo, error) {
	all, err := topics(ctx, cl, name)
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("topic %s: %d topics in the broker's answer", name, len(all))
	}
	if err != nil {
		return topicInfo{}, err
	}
	return all[0], nil
}

// partitionName is how people write a partition.
func partitionName(topic string, p int32) string { return topic + "-" + strconv.Itoa(int(p)) }

// offsets are places of partitions of one leader: by topic, by partition.
type offsets map[string]map[int32]int64

// listOffsets asks one broker for offsets at a time, or atStart, or atEnd: committed's end is where an open transaction
// begins. A time after the last record gives -1. What the broker does not lead, or will not tell, is an error that names it.
func listOffsets(ctx context.Context, cl *cluster, leader int32, parts map[string][]int32, at int64, committed bool) (offsets, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	kresp, err := cl.at(ctx, leader, func() kmsg.Request {
		req := kmsg.NewPtrListOffsetsRequest()
		req.ReplicaID = -1
		if committed {
			req.IsolationLevel = 1
		}
		for name, ps := range parts {
			t := kmsg.NewListOffsetsRequestTopic()
			t.Topic = name
			for _, p := range ps {
				rp := kmsg.NewListOffsetsRequestTopicPartition()
				rp.Partition, rp.Timestamp, rp.CurrentLeaderEpoch = p, at, -1
				t.Partitions = append(t.Partitions, rp)
			}
			req.Topics = append(req.Topics, t)
		}
		return req
	})
	if err != nil {
		return nil, err
	}
	out := offsets{}
	var errs []error
	for _, t := range kresp.(*kmsg.ListOffsetsResponse).Topics {
		out[t.Topic] = map[int32]int64{}
		for _, p := range t.Partitions {
			if err := about("topic", t.Topic, "Read", p.ErrorCode); err != nil {
				errs = append(errs, err)
				continue
			}
			out[t.Topic][p.Partition] = p.Offset
		}
	}
	return out, errors.Join(errs...)
}

// placeAt is listOffsets of one partition.
func placeAt(ctx context.Context, cl *cluster, t topicInfo, p int32, at int64, committed bool) (int64, error) {
	leader := t.partitions[p].leader
	if leader < 0 {
		return 0, &resource{"partition", partitionName(t.name, p), "Read", kerr.LeaderNotAvailable}
	}
	got, err := listOffsets(ctx, cl, leader, map[string][]int32{t.name: {p}}, at, committed)
	if err != nil {
		return 0, err
	}
	o, ok := got[t.name][p]
	if !ok {
		return 0, fmt.Errorf("%s: the broker's answer leaves it out", partitionName(t.name, p))
	}
	return o, nil
}

// topicConfigs asks for some settings of topics. A topic whose settings this user may not see is left out.
func topicConfigs(ctx context.Context, cl *cluster, names []string, keys ...string) (map[string]map[string]string, error) {
	out := map[string]map[string]string{}
	for len(names) > 0 {
		n := min(len(names), 200)
		some := names[:n]
		names = names[n:]
		resp, err := cl.any(ctx, func() kmsg.Request {
			req := kmsg.NewPtrDescribeConfigsRequest()
			for _, name := range some {
				r := kmsg.NewDescribeConfigsRequestResource()
				r.ResourceType, r.ResourceName, r.ConfigNames = kmsg.ConfigResourceTypeTopic, name, keys
				req.Resources = append(req.Resources, r)
			}
			return req
		})
		if err != nil {
			return nil, err
		}
		for _, r := range resp.(*kmsg.DescribeConfigsResponse).Resources {
			if r.ErrorCode != 0 {
				continue
			}
			m := map[string]string{}
			for _, c := range r.Configs {
				if c.Value != nil {
					m[c.Name] = *c.Value
				}
			}
			out[r.ResourceName] = m
		}
	}
	return out, nil
}
