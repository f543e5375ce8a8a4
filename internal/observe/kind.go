package observe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/decode"
)

// KindError says that a group is not one of Connect workers, and what it is. Nothing may be done to such a group, nor be read
// of it as if its members were workers.
type KindError struct {
	Group string
	What  string // "a consumer group (…)"
}

func (e *KindError) Error() string {
	return fmt.Sprintf("group %s is %s, not a group of Connect workers", e.Group, e.What)
}

// kindTimeout is how long a command waits for the answer before it sets out: whoever observes the group asks again.
const kindTimeout = 3 * time.Second

// CheckKind asks the coordinator what kind a group is of: the error is a *KindError when it is none of Connect workers. A group
// that is not there, or that cannot be asked about, is no error: its sources say so.
func CheckKind(ctx context.Context, dial Dial, name string) error {
	opt := Options{Dial: dial}
	cl, err := opt.cluster()
	if err != nil {
		return nil // whoever observes the group says it
	}
	defer cl.Close()
	ctx, cancel := context.WithTimeout(ctx, kindTimeout)
	defer cancel()
	ask := &describer{cl: cl, name: name}
	if _, err = ask.describe(ctx); err == nil {
		return nil
	}
	return kindError(ctx, cl, err)
}

// kindError is the *KindError in err, with the group's type where only a list of groups tells it; nil when there is none.
func kindError(ctx context.Context, cl *cluster, err error) error {
	var kind *KindError
	if !errors.As(err, &kind) {
		return nil
	}
	if kind.What == "" {
		kind = &KindError{kind.Group, newerKind(groupType(ctx, cl, kind.Group))}
	}
	return kind
}

// classicKind is what a classic group is by its protocol type; "" when it is of Connect workers, or when its members have not
// said yet.
func classicKind(protocolType string) string {
	switch protocolType {
	case decode.ProtocolType, "":
		return ""
	case "consumer":
		return `a consumer group (members speak "consumer")`
	}
	return fmt.Sprintf("a group whose members speak %q", protocolType)
}

// newerKind is what a group of a type that came after classic groups is.
func newerKind(kind string) string {
	switch kind = strings.ToLower(kind); kind {
	case "consumer":
		return "a consumer group (of the consumer rebalance protocol, KIP-848)"
	case "share", "streams":
		return "a " + kind + " group"
	}
	return "not a classic group"
}

// notClassic is the error of a group of a newer type, which the answer to DescribeGroups names in a message alone (since version
// 6); nil for others.
func notClassic(g *kmsg.DescribeGroupsResponseGroup) error {
	if g.ErrorCode == kerr.GroupIDNotFound.Code && g.ErrorMessage != nil && strings.Contains(*g.ErrorMessage, "not a classic group") {
		return &KindError{Group: g.Group}
	}
	return nil
}

// groupType is a group's type as brokers list it; "" when that is not to be had.
func groupType(ctx context.Context, cl *cluster, name string) string {
	for _, g := range allGroups(ctx, cl) {
		if g.Group == name {
			return g.GroupType
		}
	}
	return ""
}

// SeesAllGroups reports whether this user may describe the cluster, which shows every group on it; without that right brokers leave
// out of their lists what may not be described. True where a broker does not say (before 2.8), or does not answer.
func SeesAllGroups(ctx context.Context, dial Dial) bool {
	opt := Options{Dial: dial}
	cl, err := opt.cluster()
	if err != nil {
		return true
	}
	defer cl.Close()
	kresp, err := cl.any(ctx, func() kmsg.Request {
		req := kmsg.NewPtrDescribeClusterRequest()
		req.IncludeClusterAuthorizedOperations = true
		return req
	})
	if err != nil {
		return true
	}
	resp := kresp.(*kmsg.DescribeClusterResponse)
	if resp.ErrorCode != 0 {
		return resp.ErrorCode != kerr.ClusterAuthorizationFailed.Code
	}
	const notSaid = math.MinInt32
	return resp.ClusterAuthorizedOperations == notSaid || resp.ClusterAuthorizedOperations&(1<<kmsg.ACLOperationDescribe) != 0
}
