// Package tour plays a story on a lab, to show to a room: it makes things happen to the group, one after the other, says before
// what will, and after what did, with figures from what an observer saw. It must know nothing of screens, and nothing of the
// group but what the observer's State tells: no side door.
package tour
