package observe

import (
	"context"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"regroup/group"
)

// allGroups lists the cluster's groups of some types, or of all, as far as this user may list them and brokers answer.
func allGroups(ctx context.Context, cl *cluster, types ...string) []kmsg.ListGroupsResponseGroup {
	lists, _ := onEach(ctx, cl, func(ctx context.Context, id int32) []kmsg.ListGroupsResponseGroup {
		some, _ := cl.listGroups(ctx, id, types...)
		return some
	})
	return slices.Concat(lists...)
}

// groupNames are the names of the cluster's Connect groups.
func groupNames(ctx context.Context, cl *cluster) []string {
	names := connectGroups(allGroups(ctx, cl, "classic"))
	slices.Sort(names)
	return slices.Compact(names)
}

// How often other groups are looked at for workers that write to this group's topics, while there are such: soon at first, then
// seldom, for most are of workers that are long gone.
const (
	neighboursSoon = 30 * time.Second
	neighboursLate = 5 * time.Minute
)

// neighbours names the groups whose workers write to this group's status topic. Nothing is asked while all who do are known.
func neighbours(ctx context.Context, s *source) error {
	pause, authors := neighboursSoon, -1
	var told []group.OtherGroup
	for {
		view, changed := s.out.view()
		if view.told() && view.status != "" && view.status != group.HealthCatchingUp && len(view.authors) != authors {
			// Not at each change: to read the members' bytes at each round of a storm would cost too much.
			if authors >= 0 {
				pause = neighboursSoon
			}
			authors = len(view.authors)
			if strangers := view.strangers(); len(strangers) > 0 {
				told = s.lookAround(ctx, strangers, told)
			}
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-changed:
		case <-timer.C:
			authors, pause = -1, min(2*pause, neighboursLate)
		}
		timer.Stop()
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it ends because it was told to
		}
	}
}

// strangers are the addresses that statuses name and no member of the newest round has.
func (r *roster) strangers() map[string]bool {
	urls, out := r.urls(), map[string]bool{}
	for at := range r.authors {
		if !slices.Contains(urls, at) {
			out[at] = true
		}
	}
	return out
}

// lookAround describes the cluster's other Connect groups and emits those with one of these workers, where that is news. One
// without a name ends each look: whoever waits for it need wait no longer.
func (s *source) lookAround(ctx context.Context, strangers map[string]bool, told []group.OtherGroup) []group.OtherGroup {
	lists, _ := onEach(ctx, s.cl, s.cl.connectGroups)
	var found []group.OtherGroup
	for _, o := range slices.Concat(lists...) {
		if o.Group != s.opt.Group && slices.ContainsFunc(o.Workers, func(at string) bool { return strangers[at] }) {
			o.At = s.opt.Clock()
			found = append(found, o)
		}
	}
	for _, o := range found {
		i := slices.IndexFunc(told, func(was group.OtherGroup) bool { return was.Group == o.Group })
		if i < 0 || told[i].State != o.State || !slices.Equal(told[i].Workers, o.Workers) {
			s.out.put(o)
		}
	}
	s.out.put(group.OtherGroup{At: s.opt.Clock()})
	return found
}

// connectGroups describes the Connect groups that one broker coordinates: their states and the addresses of their members.
func (c *cluster) connectGroups(ctx context.Context, id int32) (out []group.OtherGroup) {
	all, err := c.listGroups(ctx, id, "classic")
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	for names := range slices.Chunk(connectGroups(all), groupsAtOnce) {
		kresp, err := c.at(ctx, id, func() kmsg.Request {
			req := kmsg.NewPtrDescribeGroupsRequest()
			req.Groups = names
			return req
		})
		if err != nil {
			return out
		}
		for i := range kresp.(*kmsg.DescribeGroupsResponse).Groups {
			g := &kresp.(*kmsg.DescribeGroupsResponse).Groups[i]
			d, err := description(g)
			if err != nil || len(d.Members) == 0 {
				continue
			}
			out = append(out, group.OtherGroup{Group: g.Group, State: d.State, Workers: addressesOf(d.Members)})
		}
	}
	return out
}
