// Package coordinator is the part of a Kafka broker that keeps classic consumer groups together: who is a member, which
// protocol they share, who leads, when a join is complete, and which records are written when. It does what brokers of 4.x
// do for the groups of Connect workers; static members and offsets are left out, since Connect has neither.
//
// It is pure: requests and moments come in, replies and records go out, now is an argument. It must never know a clock, a
// goroutine, a socket, or what the bytes of a subscription say. The live lab puts it before an embedded broker; compare
// drives it in virtual time. Both get the same groups, because it is the same one.
package coordinator
