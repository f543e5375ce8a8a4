package actions

import (
	"fmt"
	"slices"

	"regroup/actions/foresight"
	"regroup/group"
)

// memberSeen says how a change of the group's members shows; nil: it is none, or need not show.
func memberSeen(before *group.State, c foresight.Change) func(*group.State) string {
	if before == nil {
		return nil
	}
	named := func(id string) (group.Worker, bool) {
		i := slices.IndexFunc(before.Workers, func(w group.Worker) bool { return w.ID == id && !w.Gone })
		if i < 0 {
			return group.Worker{}, false
		}
		return before.Workers[i], true
	}
	switch c := c.(type) {
	case foresight.Join:
		if c.Client != "" {
			return joined(before, c.Client)
		}
	case foresight.Stop:
		if w, ok := named(c.Worker); ok && c.Back > 0 {
			return isBack(w)
		} else if ok {
			return left(w.ID, w.Name)
		}
	case foresight.Crash:
		if w, ok := named(c.Worker); ok {
			return left(w.ID, w.Name)
		}
	case foresight.Visit:
		return gone(before, c.Client)
	case foresight.Evict:
		if w, ok := named(c.Worker); ok && c.Times > 1 {
			return isBackTimes(before, w, c.Times)
		} else if ok {
			return isBack(w)
		}
	case foresight.Freeze:
		if w, ok := named(c.Worker); ok && c.For > before.SessionTimeout(w.ID)+foresight.Heartbeat {
			return isBack(w)
		}
	}
	return nil
}

// isBackTimes says that a worker has come back as often as told.
func isBackTimes(before *group.State, w group.Worker, times int) func(*group.State) string {
	from := Newest(before)
	return func(s *group.State) string {
		n := 0
		for _, r := range s.Rounds {
			if r.Seq > from && slices.ContainsFunc(r.Causes, func(c group.Cause) bool { return c.Kind == group.CauseWorkerReturned && c.Name == w.Name }) {
				n++
			}
		}
		if n < times {
			return fmt.Sprintf("%s was seen back %d of %d times", w.Name, n, times)
		}
		return ""
	}
}

// gone says that a worker which came is not in the group any more.
func gone(before *group.State, client string) func(*group.State) string {
	joined := joined(before, client)
	return func(s *group.State) string {
		if joined(s) == "" {
			return client + " is in the group still"
		}
		return ""
	}
}

// joined says that a worker of that client id is in the group that was not in it before.
func joined(before *group.State, client string) func(*group.State) string {
	was := members(before)
	return func(s *group.State) string {
		if slices.ContainsFunc(s.Workers, func(w group.Worker) bool { return !w.Gone && w.Client == client && !was[w.ID] }) {
			return ""
		}
		return client + " is not in the group yet"
	}
}
