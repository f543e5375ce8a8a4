package actions

import (
	"slices"

	"regroup/group"
)

// memberSeen says how a change of the group's members shows; nil: it is none, or need not show.
func memberSeen(before *group.State, c Change) func(*group.State) string {
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
	case Join:
		if c.Client != "" {
			return joined(before, c.Client)
		}
	case Stop:
		if w, ok := named(c.Worker); ok && c.Back > 0 {
			return isBack(w)
		} else if ok {
			return left(w.ID, w.Name)
		}
	case Crash:
		if w, ok := named(c.Worker); ok {
			return left(w.ID, w.Name)
		}
	case Evict:
		if w, ok := named(c.Worker); ok {
			return isBack(w)
		}
	case Freeze:
		if w, ok := named(c.Worker); ok && c.For > before.SessionTimeout(w.ID)+heartbeat {
			return isBack(w)
		}
	}
	return nil
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
