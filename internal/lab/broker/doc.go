// Package broker is a Kafka broker in this process: kfake is the log, and the coordinator of package coordinator keeps the
// groups, since kfake's own differ from Kafka's where it matters here (after a leader's loss every survivor is told that it
// leads; members that wait in a join are expired). It stands before kfake: requests about groups are answered here, every
// other frame is passed on as it came.
//
// It knows frames and records. It must never know Connect, workers, or what a subscription says.
package broker
